/**
 * Compiled definitions as data, so that what one process compiled another need not: the source that was emitted, and what is handed
 * over to it. A package's id is the hash of all that it was made from, so a unit holds wherever the id turns up, for the same compiler.
 * Where units are kept is not known here.
 */
import { typeCon, type LfType } from '../archive/lf-type.js';
import { Numeric } from '../model/numeric.js';
import type { PackageId, TypeId } from '../model/types.js';
import type { LineCounting } from './counting/line-counts.js';
import type { DamlSources } from './debugging.js';
import type { Unit } from './emitting/emitter-unit.js';
import { TypeRep } from './runtime/runtime-values.js';

/** Data as JSON has it: a text, or one member that says what it is. */
export type KeptConstant =
  | string
  | { readonly big: string }
  | { readonly numeric: readonly [unscaled: string, scale: number] }
  | { readonly con: TypeId }
  | { readonly type: LfType }
  | { readonly place: readonly [module: string, line: number, column: number] };

/** One definition, compiled. */
export interface KeptUnit {
  readonly arity: number;
  /** The body of a function of `R`, `K`, `D` and `C`. */
  readonly source: string;
  /** Of its script: it says the places of its lines. */
  readonly name: string;
  readonly lambdas: number;
  /** The numbers of those that have no deep form. */
  readonly leaves: readonly number[];
  readonly constants: readonly KeptConstant[];
  /** Top-level values that it refers to, with their arities. */
  readonly definitions: readonly (readonly [id: TypeId, arity: number])[];
}

/** Makes the functions of a unit from the runtime, its constants, the definitions that it refers to and its codes. */
export type Factory = (...all: readonly unknown[]) => readonly unknown[];

/** The units of one package. */
export interface KeptCode {
  /** @param key names a definition of the package */
  get(key: string): KeptUnit | undefined;
  has(key: string): boolean;
  /** The unit's source as a function; the same one for all who ask. */
  factory(key: string): Factory;
  add(key: string, unit: KeptUnit): void;
}

export interface CodeStore {
  of(id: PackageId): KeptCode | undefined;
  /** Of the packages, where anybody looks at them. */
  readonly sources?: DamlSources;
  /** Whether code is compiled to be debugged. */
  readonly isDebugged?: boolean;
  /** Where they are given, code counts what it runs. */
  readonly counting?: LineCounting;
}

/** What the source of a unit is called with. */
export const FACTORY_PARAMS = ['R', 'K', 'D', 'C'] as const;

/** Undefined where something is handed over that is no data. */
export function keptUnit(
  { constants, definitions, lambdas, leaves }: Unit,
  emitted: { readonly source: string; readonly name: string; readonly arity: number },
): KeptUnit | undefined {
  const kept = constants.map(keptConstant);
  const referred = definitions.map(({ id, arity }) =>
    id === undefined ? undefined : ([id, arity] as const),
  );
  if (!kept.every(isThere) || !referred.every(isThere)) return undefined;
  const count = lambdas.length;
  return {
    ...emitted,
    lambdas: count,
    leaves: [...leaves],
    constants: kept,
    definitions: referred,
  };
}

const isThere = <T>(value: T | undefined): value is T => value !== undefined;

function keptConstant(value: unknown): KeptConstant | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return { big: String(value) };
  if (value instanceof Numeric) return { numeric: [String(value.unscaled), value.scale] };
  if (value instanceof TypeRep)
    return value.type.tag === 'con' ? { con: value.type.id } : { type: value.type };
  if (typeof value !== 'object' || value === null) return undefined;
  const { module, line, column, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPlace =
    typeof module === 'string' && typeof line === 'number' && typeof column === 'number';
  return isPlace && Object.keys(rest).length === 0 ? { place: [module, line, column] } : undefined;
}

export function constantOf(kept: KeptConstant): unknown {
  if (typeof kept === 'string') return kept;
  if ('big' in kept) return BigInt(kept.big);
  if ('numeric' in kept) return new Numeric(BigInt(kept.numeric[0]), kept.numeric[1]);
  if ('con' in kept) return TypeRep.of(typeCon(kept.con));
  if ('type' in kept) return TypeRep.of(kept.type);
  const [module, line, column] = kept.place;
  return { module, line, column };
}
