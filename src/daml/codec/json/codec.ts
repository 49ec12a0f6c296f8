/** The JSON of Daml values, both ways, as Canton's JSON Ledger API has it. */
import { JsonReading } from './faults.js';
import { jsonDecoderOf } from './decode.js';
import { jsonEncoderOf } from './encode.js';
import { JsonLayerError } from './json-layer.js';
import type { LedgerError } from '../../errors/ledger-error.js';
import type { PackageLookup } from '../../model/package.js';
import type { DamlType } from '../../model/types.js';
import type { DamlValue } from '../../model/values.js';

/**
 * Reads a value of the type. `at` is where the JSON stands in the request, for explanations: `createArguments`. Throws a
 * LedgerError: what Canton answers for the first fault that it would find.
 */
export function decodeValue(
  packages: PackageLookup,
  type: DamlType,
  json: unknown,
  at = '',
): DamlValue {
  const { value, refusal } = decodeValueInPhases(packages, type, json, at);
  if (refusal !== undefined) throw refusal;
  return value;
}

export interface DecodedValue {
  /** Unusable where there is a refusal. */
  readonly value: DamlValue;
  /** What the ledger answers once it sees the value, behind the JSON layer. */
  readonly refusal: LedgerError | undefined;
}

/**
 * The same, but throws only what the JSON layer refuses: a request whose first command the ledger would refuse may still
 * fail earlier, in the JSON of its second.
 */
export function decodeValueInPhases(
  packages: PackageLookup,
  type: DamlType,
  json: unknown,
  at = '',
): DecodedValue {
  const decode = jsonDecoderOf(packages, type);
  const reading = new JsonReading(at);
  try {
    return { value: decode(json, reading), refusal: reading.refusal };
  } catch (error) {
    // The JSON layer reads a record from its last field, the ledger from its first (B-VAL-037).
    if (error instanceof JsonLayerError) decode(json, new JsonReading(at, true));
    throw error;
  }
}

/** Writes a normalised value of the type. */
export function encodeValue(packages: PackageLookup, type: DamlType, value: DamlValue): unknown {
  return jsonEncoderOf(packages, type)(value);
}
