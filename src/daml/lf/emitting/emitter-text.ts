/** Parts of emitted JavaScript: names, conditions of patterns, and inlined builtins. */
import type { BuiltinName } from '../../archive/builtin-table.js';
import type { Alternative, Binding } from '../lowering/expression.js';

/** @param name of Daml-LF; names in templates have spaces, and module names have dots */
export const identifier = (name: string): string => name.replace(/[^\w$\p{L}]/gu, '_');

export function nameOf({ id, name }: Binding): string {
  return name === undefined ? `v${id}` : `${identifier(name)}$${id}`;
}

export function conditionOf(subject: string, { pattern }: Alternative): string | undefined {
  switch (pattern.kind) {
    case 'default':
      return undefined;
    case 'nil':
      return `${subject}===NIL`;
    case 'cons':
      return `${subject}!==NIL`;
    case 'none':
      return `${subject}===null`;
    case 'some':
      return `${subject}!==null`;
    case 'constant':
      return typeof pattern.value === 'boolean'
        ? pattern.value
          ? subject
          : `!${subject}`
        : undefined;
    case 'rank':
      return undefined;
  }
}

/** Whether both constructors of a list, an optional or a boolean are present. */
export function isExhaustive(alternatives: readonly Alternative[]): boolean {
  const kinds = new Set(
    alternatives.map(({ pattern }) =>
      pattern.kind === 'constant' ? `constant ${String(pattern.value)}` : pattern.kind,
    ),
  );
  return kinds.size >= 2;
}

type Inlined = Readonly<Partial<Record<BuiltinName, string>>>;

/** Types whose values can be compared with `===` and `<`. */
const PLAIN = new Set(['Int64', 'Bool', 'Date', 'Timestamp', 'Party']);
const COMPARISONS: Inlined = { LESS_EQ: '<=', LESS: '<', GREATER_EQ: '>=', GREATER: '>' };
const ARITHMETIC: Inlined = { ADD_INT64: 'addInt', SUB_INT64: 'subInt', MUL_INT64: 'mulInt' };

/** The inlined form of a builtin; undefined if there is none. */
export function inlineBuiltin(
  name: BuiltinName,
  type: string | undefined,
  args: readonly string[],
): string | undefined {
  const [a, b] = args;
  if (name === 'EQUAL') {
    if (type === 'Text') return `equalText(${a},${b},M)`;
    return type !== undefined && PLAIN.has(type) ? `(${a}===${b})` : `equal(${a},${b},M)`;
  }
  const comparison = COMPARISONS[name];
  if (comparison !== undefined && type !== undefined && PLAIN.has(type))
    return `(${a}${comparison}${b})`;
  const arithmetic = ARITHMETIC[name];
  return arithmetic === undefined ? undefined : `${arithmetic}(${a},${b})`;
}
