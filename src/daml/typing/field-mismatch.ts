/** The fault of a record whose fields are not those of its type: the one text that shows expressions. */
import { scalaText } from './decoding/scala-object.js';
import { lf2 } from '../archive/lf-tables.js';
import type { ExpressionChecker } from './expression-checker.js';

/** Of the record that is constructed by the message at this range. */
export function fieldMismatch(c: ExpressionChecker, start: number, end: number): never {
  const decoder = c.decoder();
  const { con, fields } = lf2.decode('Expr.RecCon', c.code.view(start, end));
  const expected = scalaText(decoder.typeConApp(con));
  const found = scalaText(decoder.fields(fields));
  const text = `field mismatch: * expected: ${expected} * record expression: ${found}`;
  return c.fail('EFieldMismatch', text);
}
