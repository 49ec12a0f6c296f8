/** Reads and writes Daml values in the format of Canton's JSON Ledger API. */
import { JsonReading } from './faults.js';
import { jsonDecoderOf } from './decode.js';
import { jsonEncoderOf } from './encode.js';
import { JsonLayerError } from './json-layer.js';
import type { ValueRules } from './value-rules.js';
import type { LedgerError } from '../../errors/ledger-error.js';
import type { PackageLookup } from '../../model/package.js';
import type { DamlType } from '../../model/types.js';
import type { DamlValue } from '../../model/values.js';

/**
 * Reads a value of the type. `at` is the place of the JSON in the request, for explanations: `createArguments`.
 * Throws a LedgerError: Canton's answer for the first error that it would find.
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
  /** Not usable if there is a refusal. */
  readonly value: DamlValue;
  /** The error of the ledger, which sees the value after the JSON layer. */
  readonly refusal: LedgerError | undefined;
}

/**
 * Like {@link decodeValue}, but throws only errors of the JSON layer. If the ledger would refuse the first command
 * of a request, the request may still fail earlier, in the JSON of its second command.
 */
export function decodeValueInPhases(
  packages: PackageLookup,
  type: DamlType,
  json: unknown,
  at = '',
  rules?: ValueRules,
): DecodedValue {
  const decode = jsonDecoderOf(packages, type);
  const reading = new JsonReading(at, rules);
  try {
    return { value: decode(json, reading), refusal: reading.refusal };
  } catch (error) {
    // The JSON layer and the ledger read the parts of a value in different orders (B-VAL-037, B-VAL-046).
    if (error instanceof JsonLayerError) {
      const ofLayer = new JsonReading(at, rules, true);
      decode(json, ofLayer);
      ofLayer.readDeferred();
    }
    throw error;
  }
}

/** Writes a normalised value of the type. */
export function encodeValue(packages: PackageLookup, type: DamlType, value: DamlValue): unknown {
  return jsonEncoderOf(packages, type)(value);
}
