/**
 * Daml values as they live inside Canticle: typed by the definition they belong to, JSON only at the edge.
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
 * A value does not know its type: whatever needs more than its shape (variant rank, numeric scale) is given the type.
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

/** A present Optional; None is `null`. Nested optionals nest: `new Some(null)` is `Some None`. */
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

/** A record's members as a ledger keeps them: without the Nones at its end. */
export function storedMembers(record: DamlRecord): DamlValue[] {
  const members = Object.values(record);
  while (members.at(-1) === null) members.pop();
  return members;
}

/** A value of an optional type, inside of another optional, where `null` would be ambiguous. */
export function some<T extends DamlValue>(value: T): Some<T> {
  return new Some(value);
}

export type Party = string;
export type ContractId = string;
/** Microseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = bigint;
