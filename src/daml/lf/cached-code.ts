/**
 * Compiled definitions as data, so that other processes need not compile them: the emitted source and its constants. A package id is the
 * hash of the package's content, so a unit is valid for this id and the same compiler. The store of units is elsewhere.
 */
import { typeCon, type LfType } from '../archive/lf-type.js';
import { Numeric } from '../model/numeric.js';
import type { PackageId, TypeId } from '../model/types.js';
import type { DamlSources } from './debugging.js';
import type { Unit } from './emitting/emitter-unit.js';
import type { Instrumentation } from './lowering/instrument.js';
import { TypeRep } from './runtime/runtime-values.js';

/** A constant as JSON: a text, or an object with one member that names its type. */
export type CachedConstant =
  | string
  | { readonly big: string }
  | { readonly numeric: readonly [unscaled: string, scale: number] }
  | { readonly con: TypeId }
  | { readonly type: LfType }
  | { readonly place: readonly [module: string, line: number, column: number] };

/** One compiled definition. */
export interface CachedUnit {
  readonly arity: number;
  /** The body of a function of `R`, `K`, `D` and `C`. */
  readonly source: string;
  /** The name of its script, which contains the positions of its lines. */
  readonly name: string;
  readonly lambdas: number;
  /** The numbers of lambdas without a deep form. */
  readonly leaves: readonly number[];
  readonly constants: readonly CachedConstant[];
  /** Top-level values that it refers to, with their arities. */
  readonly definitions: readonly (readonly [id: TypeId, arity: number])[];
}

/** Creates the functions of a unit from the runtime, its constants, its definitions and its codes. */
export type Factory = (...all: readonly unknown[]) => readonly unknown[];

/** The units of one package. */
export interface CachedCode {
  /** @param key names a definition of the package */
  get(key: string): CachedUnit | undefined;
  has(key: string): boolean;
  /** The unit's source as a function; the same one for each call. */
  factory(key: string): Factory;
  add(key: string, unit: CachedUnit): void;
}

export interface CodeStore {
  of(id: PackageId): CachedCode | undefined;
  /** The sources of packages, if a debugger or profiler needs them. */
  readonly sources?: DamlSources;
  /** Whether to compile code for debugging. */
  readonly isDebugged?: boolean;
  /** Changes code while it is compiled. Units of such code must not be stored. */
  readonly instrumentation?: Instrumentation;
}

/** The parameters of a unit's source. */
export const FACTORY_PARAMS = ['R', 'K', 'D', 'C'] as const;

/** Undefined if a constant cannot be data. */
export function cachedUnit(
  { constants, definitions, lambdas, leaves }: Unit,
  emitted: { readonly source: string; readonly name: string; readonly arity: number },
): CachedUnit | undefined {
  const saved = constants.map(savedConstant);
  const referred = definitions.map(({ id, arity }) =>
    id === undefined ? undefined : ([id, arity] as const),
  );
  if (!saved.every(isThere) || !referred.every(isThere)) return undefined;
  const count = lambdas.length;
  return {
    ...emitted,
    lambdas: count,
    leaves: [...leaves],
    constants: saved,
    definitions: referred,
  };
}

const isThere = <T>(value: T | undefined): value is T => value !== undefined;

function savedConstant(value: unknown): CachedConstant | undefined {
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

export function constantOf(saved: CachedConstant): unknown {
  if (typeof saved === 'string') return saved;
  if ('big' in saved) return BigInt(saved.big);
  if ('numeric' in saved) return new Numeric(BigInt(saved.numeric[0]), saved.numeric[1]);
  if ('con' in saved) return TypeRep.of(typeCon(saved.con));
  if ('type' in saved) return TypeRep.of(saved.type);
  const [module, line, column] = saved.place;
  return { module, line, column };
}
