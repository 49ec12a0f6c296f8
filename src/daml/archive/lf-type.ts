/**
 * Daml-LF types and kinds of an archive, including synonyms. Because entries are shared, a small table can describe a huge type. So each
 * node has its depth and its size as a tree, and a node above the limits is an error when it is created. Recursion over types is therefore
 * safe.
 */
import type { TypeId } from '../model/types.js';
import { parseError } from './dar-refusals.js';

/** Levels of a type or a kind. The types of real packages stay below 70. */
export const MAX_TYPE_DEPTH = 500;
/** Nodes of a type or a kind as a tree, without sharing. Those of real packages stay below 600. */
export const MAX_TYPE_SIZE = 50_000;

interface Measured {
  readonly depth: number;
  readonly size: number;
}

export type LfKind = Measured &
  (
    | { readonly tag: 'star' | 'nat' }
    | { readonly tag: 'arrow'; readonly from: LfKind; readonly to: LfKind }
  );

export type LfType = Measured & {
  /** Whether it has no free type variables. */
  readonly closed: boolean;
} & (
    | { readonly tag: 'variable'; readonly name: string }
    | { readonly tag: 'con'; readonly id: TypeId }
    | { readonly tag: 'syn'; readonly id: TypeId; readonly args: readonly LfType[] }
    | { readonly tag: 'builtin'; readonly name: BuiltinType }
    | { readonly tag: 'nat'; readonly value: number }
    | { readonly tag: 'app'; readonly function: LfType; readonly argument: LfType }
    | {
        readonly tag: 'forall';
        readonly variable: string;
        readonly kind: LfKind;
        readonly body: LfType;
      }
    | {
        readonly tag: 'struct';
        readonly fields: readonly (readonly [name: string, type: LfType])[];
      }
  );

export type BuiltinType = (typeof BUILTIN_TYPES)[number]['name'];

/** Number in archives, name, kinds of the arguments (`*` or `n`), and the protobuf name if only 2.dev has it. */
export const BUILTIN_TYPES = [
  { number: 0, name: 'Unit', params: '' },
  { number: 1, name: 'Bool', params: '' },
  { number: 2, name: 'Int64', params: '' },
  { number: 3, name: 'Date', params: '' },
  { number: 4, name: 'Timestamp', params: '' },
  { number: 5, name: 'Numeric', params: 'n' },
  { number: 6, name: 'Party', params: '' },
  { number: 7, name: 'Text', params: '' },
  { number: 8, name: 'ContractId', params: '*' },
  { number: 9, name: 'Optional', params: '*' },
  { number: 10, name: 'List', params: '*' },
  { number: 11, name: 'GenMap', params: '**' },
  { number: 13, name: 'Any', params: '' },
  { number: 14, name: 'AnyException', params: '' },
  { number: 15, name: 'TypeRep', params: '' },
  { number: 16, name: 'Arrow', params: '**' },
  { number: 17, name: 'Update', params: '*' },
  { number: 18, name: 'FailureCategory', params: '' },
  { number: 19, name: 'TextMap', params: '*' },
  { number: 1002, name: 'BigNumeric', params: '', dev: 'BIGNUMERIC' },
  { number: 1003, name: 'RoundingMode', params: '', dev: 'ROUNDING_MODE' },
] as const;

/** The depth of a node with these parts. The functions below create objects literally, so that all of one tag have the same shape. */
function depthOf(parts: readonly Measured[]): number {
  let depth = 1;
  for (const part of parts) if (part.depth >= depth) depth = part.depth + 1;
  if (depth > MAX_TYPE_DEPTH) throw tooDeep();
  return depth;
}

function sizeOf(parts: readonly Measured[]): number {
  let size = 1;
  for (const part of parts) size += part.size;
  if (size > MAX_TYPE_SIZE) throw parseError(`A type has more than ${MAX_TYPE_SIZE} parts`);
  return size;
}

export function tooDeep(): Error {
  return parseError(`A type nests deeper than ${MAX_TYPE_DEPTH} levels`);
}

export const STAR: LfKind = { tag: 'star', depth: 1, size: 1 };
export const NAT: LfKind = { tag: 'nat', depth: 1, size: 1 };

export function kindArrow(from: LfKind, to: LfKind): LfKind {
  const parts = [from, to];
  return { tag: 'arrow', from, to, depth: depthOf(parts), size: sizeOf(parts) };
}

export function typeVariable(name: string): LfType {
  return { tag: 'variable', name, closed: false, depth: 1, size: 1 };
}

export function typeCon(id: TypeId): LfType {
  return { tag: 'con', id, closed: true, depth: 1, size: 1 };
}

export function typeSyn(id: TypeId, args: readonly LfType[]): LfType {
  const closed = args.every(isClosed);
  return { tag: 'syn', id, args, closed, depth: depthOf(args), size: sizeOf(args) };
}

export function typeBuiltin(name: BuiltinType): LfType {
  return { tag: 'builtin', name, closed: true, depth: 1, size: 1 };
}

export function typeNat(value: number): LfType {
  return { tag: 'nat', value, closed: true, depth: 1, size: 1 };
}

export function typeApp(fun: LfType, argument: LfType): LfType {
  const closed = fun.closed && argument.closed;
  const parts = [fun, argument];
  const [depth, size] = [depthOf(parts), sizeOf(parts)];
  return { tag: 'app', function: fun, argument, closed, depth, size };
}

/** NOTE: `closed` is false even if its own variable is the only free one. This only costs time. */
export function typeForall(variable: string, kind: LfKind, body: LfType): LfType {
  const parts = [kind, body];
  const [depth, size] = [depthOf(parts), sizeOf(parts)];
  return { tag: 'forall', variable, kind, body, closed: body.closed, depth, size };
}

export function typeStruct(fields: readonly (readonly [string, LfType])[]): LfType {
  const parts = fields.map(([, type]) => type);
  const closed = parts.every(isClosed);
  return { tag: 'struct', fields, closed, depth: depthOf(parts), size: sizeOf(parts) };
}

function isClosed(type: LfType): boolean {
  return type.closed;
}

/** The head and the arguments of a chain of applications. */
export function unapply(type: LfType): { head: LfType; args: readonly LfType[] } {
  const args: LfType[] = [];
  let head = type;
  while (head.tag === 'app') {
    args.push(head.argument);
    head = head.function;
  }
  return { head, args: args.reverse() };
}

/** Replaces free type variables. */
export function substituteType(type: LfType, bindings: ReadonlyMap<string, LfType>): LfType {
  if (type.closed || bindings.size === 0) return type;
  switch (type.tag) {
    case 'variable':
      return bindings.get(type.name) ?? type;
    case 'app':
      return typeApp(
        substituteType(type.function, bindings),
        substituteType(type.argument, bindings),
      );
    case 'syn':
      return typeSyn(
        type.id,
        type.args.map((arg) => substituteType(arg, bindings)),
      );
    case 'forall': {
      const inner = new Map(bindings);
      inner.delete(type.variable);
      return typeForall(type.variable, type.kind, substituteType(type.body, inner));
    }
    case 'struct':
      return typeStruct(
        type.fields.map(([name, field]) => [name, substituteType(field, bindings)] as const),
      );
    default:
      return type;
  }
}

export function sameKind(a: LfKind, b: LfKind): boolean {
  if (a === b) return true;
  if (a.tag === 'arrow' && b.tag === 'arrow')
    return sameKind(a.from, b.from) && sameKind(a.to, b.to);
  return a.tag === b.tag;
}

export function prettyKind(kind: LfKind): string {
  if (kind.tag !== 'arrow') return kind.tag === 'star' ? '*' : 'nat';
  const from = kind.from.tag === 'arrow' ? `(${prettyKind(kind.from)})` : prettyKind(kind.from);
  return `${from}->${prettyKind(kind.to)}`;
}
