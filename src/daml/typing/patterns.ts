/** Checks case expressions: the patterns against the matched type, and whether they are exhaustive. */
import { Constant, type FormOf, type LfPattern } from '../archive/code/form.js';
import type { DataType, Entity } from './entities.js';
import type { ExpressionChecker } from './expression-checker.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** The patterns that the matched type allows. */
interface Scrutinee {
  readonly type: Type;
  readonly fits: readonly LfPattern['kind'][];
  /** The exhaustive patterns, as Scala prints them. */
  readonly wanted: readonly string[];
  readonly entity?: Entity;
  readonly data?: DataType;
  readonly args?: readonly Type[];
  /** The element type of a list or optional. */
  readonly element?: Type;
}

function scrutineeOf(c: ExpressionChecker, type: Type): Scrutinee {
  const { types } = c;
  if (type === types.unit) return { type, fits: ['constant'], wanted: ['CPBuiltinCon(BCUnit)'] };
  if (type === types.bool) {
    // The real checker uses opposite orders for the found and the expected patterns.
    const wanted = ['CPBuiltinCon(BCFalse)', 'CPBuiltinCon(BCTrue)'];
    return { type, fits: ['constant'], wanted };
  }
  const args: Type[] = [];
  let head = type;
  for (; head.tag === 'app'; head = head.function) args.unshift(head.argument);
  if (head === types.list && args.length === 1)
    return { type, fits: ['nil', 'cons'], wanted: ['CPNil', 'CPCons(_,_)'], element: args[0]! };
  if (head === types.optional && args.length === 1)
    return { type, fits: ['none', 'some'], wanted: ['CPNone', 'CPSome(_)'], element: args[0]! };
  if (head.tag !== 'con') return { type, fits: [], wanted: [] };
  const entity = c.entities.of(head);
  const data = c.dataType(entity);
  const { kind } = data.lf.body;
  if (kind !== 'variant' && kind !== 'enum') return { type, fits: [], wanted: [] };
  const show = (name: string): string =>
    kind === 'variant' ? `CPVariant(${entity.id},${name},_)` : `CPEnum(${entity.id},${name})`;
  return { type, fits: [kind], wanted: data.names.map(show), entity, data, args };
}

/** As Scala prints the object. */
function showPattern(pattern: LfPattern): string {
  switch (pattern.kind) {
    case 'default':
      return 'CPDefault';
    case 'variant':
      return `CPVariant(${pattern.id},${pattern.name},${pattern.binder})`;
    case 'enum':
      return `CPEnum(${pattern.id},${pattern.name})`;
    case 'constant':
      return `CPBuiltinCon(BC${Constant[pattern.constant]})`;
    case 'nil':
      return 'CPNil';
    case 'cons':
      return `CPCons(${pattern.head},${pattern.tail})`;
    case 'none':
      return 'CPNone';
    case 'some':
      return `CPSome(${pattern.binder})`;
  }
}

function fits(scrutinee: Scrutinee, pattern: LfPattern): boolean {
  const { type, entity } = scrutinee;
  if (pattern.kind === 'default') return true;
  if (!scrutinee.fits.includes(pattern.kind)) return false;
  if (pattern.kind === 'constant')
    return (pattern.constant === Constant.Unit) === (type.name === 'Unit');
  return (pattern.kind !== 'variant' && pattern.kind !== 'enum') || pattern.id === entity!.id;
}

/** The rank of a valid pattern among the expected patterns; none for a default. */
function rankOf(
  c: ExpressionChecker,
  scrutinee: Scrutinee,
  pattern: LfPattern,
): number | undefined {
  switch (pattern.kind) {
    case 'default':
      return undefined;
    case 'variant':
    case 'enum': {
      const { name } = pattern;
      const kind = pattern.kind === 'variant' ? 'Variant' : 'Enum';
      return (
        scrutinee.data!.index(name) ??
        c.fail(`EUnknown${kind}Con`, `unknown ${pattern.kind} constructor: ${name}`)
      );
    }
    case 'constant':
      return pattern.constant === Constant.False ? 1 : 0;
    case 'cons': {
      const { head, tail } = pattern;
      if (head === tail)
        c.fail('EClashingPatternVariables', `${head} is used more than one in pattern`);
      return 1;
    }
    case 'some':
      return 1;
    default:
      return 0;
  }
}

function bindPattern(c: ExpressionChecker, scrutinee: Scrutinee, pattern: LfPattern): void {
  switch (pattern.kind) {
    case 'variant': {
      const { entity, data, args, type } = scrutinee;
      c.bind(pattern.binder, c.partType(entity!, type, args!, data!.index(pattern.name)!));
      return;
    }
    case 'cons':
      c.bind(pattern.head, scrutinee.element!);
      c.bind(pattern.tail, scrutinee.type);
      return;
    case 'some':
      c.bind(pattern.binder, scrutinee.element!);
  }
}

export function typeOfCase(c: ExpressionChecker, { scrutinee: of, alternatives }: FormOf<'case'>) {
  const scrutinee = scrutineeOf(c, c.typeOf(of));
  // The real checker checks all patterns before it checks their bodies.
  const ranks = alternatives.map(({ pattern }) => {
    if (fits(scrutinee, pattern)) return rankOf(c, scrutinee, pattern);
    const text = `pattern type mismatch:\n * pattern: ${showPattern(pattern)}\n * scrutinee type: ${prettyType(scrutinee.type)}`;
    return c.fail('EPatternTypeMismatch', text);
  });
  const types = alternatives.map(({ pattern, body }) => {
    const { mark } = c;
    bindPattern(c, scrutinee, pattern);
    const type = c.typeOf(body);
    c.unbind(mark);
    return type;
  });
  const [type] = types;
  if (type === undefined) return c.fail('EEmptyCase', 'empty case');
  for (const other of types) if (!c.equivalent(type, other)) c.mismatch(other, type);
  checkComplete(c, scrutinee, ranks);
  return type;
}

function checkComplete(
  c: ExpressionChecker,
  { type, wanted }: Scrutinee,
  ranks: readonly (number | undefined)[],
): void {
  const found = new Set(ranks);
  if (found.has(undefined) || found.size >= wanted.length) return;
  const missing = wanted.filter((_, index) => !found.has(index)).join(', ');
  c.fail(
    'ENonExhaustivePatterns',
    `non-exhaustive pattern match:\n * missing patterns: ${missing}\n * scrutinee type: ${prettyType(type)}`,
  );
}
