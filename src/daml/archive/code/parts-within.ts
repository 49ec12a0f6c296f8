/** The expressions directly inside a form. */
import { LfExpression } from './expression.js';

export function* partsWithin(form: unknown): Generator<LfExpression, undefined> {
  if (form instanceof LfExpression) yield form;
  else if (Array.isArray(form)) for (const each of form) yield* partsWithin(each);
  else if (typeof form === 'object' && form !== null && !ArrayBuffer.isView(form))
    if (Object.getPrototypeOf(form) === Object.prototype)
      for (const each of Object.values(form)) yield* partsWithin(each);
}
