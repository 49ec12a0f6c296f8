/** The expressions of a module with a position in its file, without those that the Daml compiler generated. */
import { LfCode, type LfExpression } from '../../archive/code/expression.js';
import { partsWithin } from '../../archive/code/parts-within.js';
import type { Form } from '../../archive/code/form.js';
import { moduleName, moduleOf, RangeField, rangeOf } from '../../archive/code/places.js';
import { lf2 } from '../../archive/lf-messages.js';
import type { LfModule } from '../../archive/lf-module.js';
import type { LfPackage } from '../../archive/lf-package.js';

/** Lines from 1, columns from 0, with an exclusive end. */
export interface CodeSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Located {
  /** The top-level value around it; empty for code in templates and interfaces. */
  readonly owner: string;
  readonly span: CodeSpan;
}

/** Forms whose text in the source is one capitalized word. Any other form with such a text is derived code. */
const SPELT: readonly Form['kind'][] = [
  'record',
  'variant',
  'enum',
  'none',
  'constant',
  'value',
  'lambda',
];
const CONSTRUCTOR = /^\p{Lu}[\w']*$/u;
/** The prefix of the functions for fields of records. */
const SELECTOR = '$$sel';

/**
 * The position of an expression.
 * @returns undefined if it has none, or is in another module
 */
export function spanOf(
  { location, code: { lf } }: LfExpression,
  own: string,
): CodeSpan | undefined {
  if (location === undefined) return undefined;
  const module = moduleOf(location);
  if (!module.isEmpty && moduleName(lf.tables, module) !== own) return undefined;
  const range = rangeOf(location);
  const at = (field: RangeField): number => range.numberAt(field);
  return {
    line: at(RangeField.StartLine) + 1,
    column: at(RangeField.StartColumn),
    endLine: at(RangeField.EndLine) + 1,
    endColumn: at(RangeField.EndColumn),
  };
}

/** @param lines of the module's file */
export function* locatedIn(
  lf: LfPackage,
  name: string,
  lines: readonly string[],
): Generator<Located, undefined> {
  const module = lf.modules.get(name);
  if (module === undefined) return;
  const code = new LfCode(lf);
  for (const [owner, { expression }] of module.values)
    if (!owner.startsWith(SELECTOR)) yield* within(code.expression(expression), owner);
  for (const bytes of partsOf(module)) yield* within(code.expression(bytes), '');

  function* within(expression: LfExpression, owner: string): Generator<Located, undefined> {
    const span = spanOf(expression, name);
    if (span !== undefined && isWritten(expression.form, span)) yield { owner, span };
    for (const part of partsWithin(expression.form)) yield* within(part, owner);
  }

  function isWritten({ kind }: Form, { line, column, endLine, endColumn }: CodeSpan): boolean {
    const text = lines[line - 1];
    if (text === undefined || column >= text.length) return false;
    const isWord = line === endLine && CONSTRUCTOR.test(text.slice(column, endColumn));
    return !isWord || SPELT.includes(kind);
  }
}

/** Code of templates, interfaces and exceptions. */
export function* partsOf({
  templates,
  interfaces,
  exceptions,
}: LfModule): Generator<Uint8Array, undefined> {
  const there = (...all: readonly (Uint8Array | undefined)[]): Uint8Array[] =>
    all.filter((each) => each !== undefined);
  for (const { message, choices, implementations } of templates.values()) {
    const { precondition, signatories, observers, key } = message;
    yield* there(precondition, signatories, observers);
    if (key !== undefined) {
      const { key: value, maintainers } = lf2.decode('DefTemplate.DefKey', key);
      yield* there(value, maintainers);
    }
    for (const { methods, view } of implementations.values())
      yield* there(view, ...methods.values());
    for (const choice of choices.values()) yield* ofChoice(choice);
  }
  for (const { choices } of interfaces.values())
    for (const choice of choices.values()) yield* ofChoice(choice);
  for (const { message } of exceptions.values()) yield* there(message);

  function* ofChoice({
    message: { controllers, observers, authorizers, update },
  }: {
    readonly message: {
      readonly [part in 'controllers' | 'observers' | 'authorizers' | 'update']?:
        | Uint8Array
        | undefined;
    };
  }): Generator<Uint8Array, undefined> {
    yield* there(controllers, observers, authorizers, update);
  }
}
