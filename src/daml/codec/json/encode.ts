/** Daml values to the JSON of Canton's JSON Ledger API (B-VAL-001 to B-VAL-028). */
import type { Numeric } from '../../model/numeric.js';
import { setMember } from '../../model/own-members.js';
import { formatDate, formatTimestamp } from '../../model/time.js';
import { typeCompiler, type ScalarType } from '../type-fold.js';
import type { DamlType } from '../../model/types.js';
import type { DamlRecord, Some } from '../../model/values.js';
import { plainJson, type JsonEncoder } from './plain-json.js';

/** @param keepsNulls whether records have all their fields; otherwise trailing nulls are left out (B-VAL-022) */
const encoder = (keepsNulls: boolean) =>
  typeCompiler<JsonEncoder>(() => ({
    ...plainJson,
    scalar,
    optional,
    record: (fields) => (value) => {
      const members = fields.map(({ name, run }) => run((value as DamlRecord)[name]!));
      let length = members.length;
      // A null before a member with a value stays.
      while (!keepsNulls && length > 0 && members[length - 1] === null) length -= 1;
      const json: Record<string, unknown> = {};
      for (let index = 0; index < length; index += 1)
        setMember(json, fields[index]!.name, members[index]);
      return json;
    },
  }));

export const jsonEncoderOf = encoder(false);

/** The same with all fields of records, as PQS stores values. */
export const wholeJsonEncoderOf = encoder(true);

function scalar(type: ScalarType): JsonEncoder {
  switch (type.kind) {
    case 'unit':
      return () => ({});
    case 'int64':
      return (value) => String(value);
    case 'numeric':
      return (value) => (value as Numeric).toString();
    case 'timestamp':
      return (value) => formatTimestamp(value as bigint);
    case 'date':
      return (value) => formatDate(value as number);
    default:
      return (value) => value;
  }
}

function optional(of: DamlType, compile: (type: DamlType) => JsonEncoder): JsonEncoder {
  if (of.kind === 'optional') return optionalAsArray(of, compile);
  const encode = compile(of);
  return (value) => (value === null ? null : encode((value as Some).value));
}

function optionalAsArray(of: DamlType, compile: (type: DamlType) => JsonEncoder): JsonEncoder {
  const encode = of.kind === 'optional' ? optionalAsArray(of.of, compile) : compile(of);
  return (value) => (value === null ? [] : [encode((value as Some).value)]);
}
