/**
 * Daml values in memory, typed by their definitions. Only the APIs use JSON.
 *
 *   Unit, record   plain object, own members in the order of the type's fields ({@link UNIT} for Unit)
 *   Variant        {@link DamlVariant}        Enum      its constructor, a string
 *   Bool           boolean                    Int64     bigint
 *   Numeric n      {@link Numeric}            Text      string (no NUL, no lone surrogate)
 *   Party, ContractId  string                 Date      number, days since 1970-01-01
 *   Timestamp      bigint, microseconds since 1970-01-01T00:00:00Z
 *   Optional       null for None, {@link Some} for Some
 *   List           array                      TextMap   Map, keys in code point order
 *   GenMap         array of [key, value], keys in Daml's order
 *
 * A value has no reference to its type. Functions that need more than its shape (variant rank, numeric scale) have a type parameter.
 */
import type { Numeric } from './numeric.js';

export type DamlValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Numeric
  | Some
  | DamlVariant
  | DamlRecord
  | readonly DamlValue[]
  | ReadonlyMap<string, DamlValue>;

export interface DamlRecord {
  readonly [field: string]: DamlValue;
}

/** An Optional with a value; None is `null`. Optionals can nest: `new Some(null)` is `Some None`. */
export class Some<T extends DamlValue = DamlValue> {
  constructor(readonly value: T) {}
}

export class DamlVariant<T extends DamlValue = DamlValue> {
  constructor(
    readonly tag: string,
    readonly value: T,
  ) {}
}

export const UNIT: DamlRecord = Object.freeze({});

/** A record's members as a ledger stores them: without trailing Nones. */
export function storedMembers(record: DamlRecord): DamlValue[] {
  const members = Object.values(record);
  while (members.at(-1) === null) members.pop();
  return members;
}

/** Wraps a value of an optional type, as needed inside another optional. */
export function some<T extends DamlValue>(value: T): Some<T> {
  return new Some(value);
}

export type Party = string;
export type ContractId = string;
/** Microseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = bigint;
