/** Types of case expressions: patterns against the type that is matched, and whether they leave nothing out. */
import { parseError } from '../archive/dar-refusals.js';
import { patternObject } from './decoding/case-objects.js';
import { scalaText } from './decoding/scala-object.js';
import { lf2 } from '../archive/lf-tables.js';
import type { DataType, Entity } from './entities.js';
import type { ExpressionChecker } from './expression-checker.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** A pattern; names are indexes. */
type Pattern =
  | { readonly tag: 'default' | 'nil' | 'none' }
  | {
      readonly tag: 'variant' | 'enum';
      readonly con: Entity;
      readonly name: string;
      readonly binder: number;
    }
  | { readonly tag: 'constant'; readonly value: number }
  | { readonly tag: 'cons'; readonly head: number; readonly tail: number }
  | { readonly tag: 'some'; readonly binder: number };

const DEFAULT: Pattern = { tag: 'default' };
const NIL: Pattern = { tag: 'nil' };
const NONE: Pattern = { tag: 'none' };
const [UNIT, FALSE, TRUE] = [0, 1, 2];

/** What the matched type makes of patterns. */
interface Scrutinee {
  readonly type: Type;
  readonly fits: readonly Pattern['tag'][];
  /** Of the patterns that leave nothing out, as Scala prints them. */
  readonly wanted: readonly string[];
  readonly entity?: Entity;
  readonly data?: DataType;
  readonly args?: readonly Type[];
  /** Of a list or optional. */
  readonly element?: Type;
}

function scrutineeOf(c: ExpressionChecker, type: Type): Scrutinee {
  const { types } = c;
  if (type === types.unit) return { type, fits: ['constant'], wanted: ['CPBuiltinCon(BCUnit)'] };
  if (type === types.bool) {
    // The real checker numbers what it has found the other way round than what it wants.
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

function readPattern({ code }: ExpressionChecker, start: number, end: number): Pattern {
  let pattern: Pattern | undefined;
  for (code.at = start; code.at < end;) {
    const tag = code.varint();
    const field = tag >>> 3;
    if (field === 4) {
      const value = code.varint();
      if (value > TRUE) throw parseError('Unknown BuiltinCon: UNRECOGNIZED');
      pattern = { tag: 'constant', value };
      continue;
    }
    const to = code.varint() + code.at;
    const from = code.at;
    if (field === 2) pattern = DEFAULT;
    else if (field === 5) pattern = NIL;
    else if (field === 7) pattern = NONE;
    else if (field !== 1) {
      code.scan(from, to);
      const [first, second, third] = [code.starts[1]!, code.starts[2]!, code.starts[3]!];
      if (field === 6)
        pattern = { tag: 'cons', head: code.nameIndex(first), tail: code.nameIndex(second) };
      else if (field === 8) pattern = { tag: 'some', binder: code.nameIndex(first) };
      else {
        const con = code.entity(first, code.ends[1]!);
        const kind = field === 3 ? 'variant' : 'enum';
        pattern = { tag: kind, con, name: code.name(second), binder: third };
      }
    }
    code.at = to;
  }
  if (pattern === undefined) throw parseError('CaseAlt.SUM_NOT_SET');
  return pattern;
}

/** Of an alternative at this range. */
function showPattern(c: ExpressionChecker, start: number, end: number): string {
  const alternative = lf2.decode('CaseAlt', c.code.view(start, end));
  return scalaText(patternObject(c.decoder(), alternative));
}

function fits(scrutinee: Scrutinee, pattern: Pattern): boolean {
  const { type, entity } = scrutinee;
  if (pattern.tag === 'default') return true;
  if (!scrutinee.fits.includes(pattern.tag)) return false;
  if (pattern.tag === 'constant') return (pattern.value === UNIT) === (type.name === 'Unit');
  return (pattern.tag !== 'variant' && pattern.tag !== 'enum') || pattern.con === entity;
}

/** The place of a fitting pattern among what is wanted; none for a default. */
function rankOf(c: ExpressionChecker, scrutinee: Scrutinee, pattern: Pattern): number | undefined {
  switch (pattern.tag) {
    case 'default':
      return undefined;
    case 'variant':
    case 'enum': {
      const { name } = pattern;
      const kind = pattern.tag === 'variant' ? 'Variant' : 'Enum';
      return (
        scrutinee.data!.index(name) ??
        c.fail(`EUnknown${kind}Con`, `unknown ${pattern.tag} constructor: ${name}`)
      );
    }
    case 'constant':
      return pattern.value === FALSE ? 1 : 0;
    case 'cons': {
      const name = c.code.name(pattern.head);
      if (pattern.head === pattern.tail)
        c.fail('EClashingPatternVariables', `${name} is used more than one in pattern`);
      return 1;
    }
    case 'some':
      return 1;
    default:
      return 0;
  }
}

function bindPattern(c: ExpressionChecker, scrutinee: Scrutinee, pattern: Pattern): void {
  switch (pattern.tag) {
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

export function typeOfCase(c: ExpressionChecker, start: number, end: number): Type {
  const { code } = c;
  code.scan(start, end);
  const scrutinee = scrutineeOf(c, c.typeOf(code.starts[1]!, code.ends[1]!));
  const patterns: Pattern[] = [];
  const ranks: (number | undefined)[] = [];
  // The real checker looks at all patterns before it looks at what they lead to.
  for (let next = start; code.find(next, end, 2);) {
    next = code.partEnd;
    const { partStart, partEnd } = code;
    const pattern = readPattern(c, partStart, partEnd);
    if (!fits(scrutinee, pattern)) {
      const shown = showPattern(c, partStart, partEnd);
      const text = `pattern type mismatch:\n * pattern: ${shown}\n * scrutinee type: ${prettyType(scrutinee.type)}`;
      c.fail('EPatternTypeMismatch', text);
    }
    ranks.push(rankOf(c, scrutinee, pattern));
    patterns.push(pattern);
  }
  if (patterns.length === 0) return c.fail('EEmptyCase', 'empty case');
  const types: Type[] = [];
  for (let next = start; code.find(next, end, 2);) {
    next = code.partEnd;
    const mark = c.mark;
    code.scan(code.partStart, code.partEnd);
    const [from, to] = [code.starts[1]!, code.ends[1]!];
    bindPattern(c, scrutinee, patterns[types.length]!);
    types.push(c.typeOf(from, to));
    c.unbind(mark);
  }
  const type = types[0]!;
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
