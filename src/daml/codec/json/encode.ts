/** Daml values to the JSON of Canton's JSON Ledger API (B-VAL-001 to B-VAL-028). */
import type { Numeric } from '../../model/numeric.js';
import { setMember } from '../../model/own-members.js';
import { formatDate, formatTimestamp } from '../../model/time.js';
import { typeCompiler, type ScalarType } from '../type-fold.js';
import type { DamlType } from '../../model/types.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../../model/values.js';

export type JsonEncoder = (value: DamlValue) => unknown;

export const jsonEncoderOf = typeCompiler<JsonEncoder>(() => ({
  scalar,
  optional,
  list: (of) => (value) => (value as readonly DamlValue[]).map((item) => of(item)),
  textMap: (of) => (value) => {
    const json: Record<string, unknown> = {};
    for (const [key, member] of value as ReadonlyMap<string, DamlValue>)
      setMember(json, key, of(member));
    return json;
  },
  genMap: (key, value) => (map) =>
    (map as readonly (readonly [DamlValue, DamlValue])[]).map((entry) => [
      key(entry[0]),
      value(entry[1]),
    ]),
  record: (fields) => (value) => {
    const members = fields.map(({ name, run }) => run((value as DamlRecord)[name]!));
    // Trailing nulls are left out; a null before a member with a value stays (B-VAL-022).
    let length = members.length;
    while (length > 0 && members[length - 1] === null) length -= 1;
    const json: Record<string, unknown> = {};
    for (let index = 0; index < length; index += 1)
      setMember(json, fields[index]!.name, members[index]);
    return json;
  },
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      return { tag, value: cases.get(tag)!(inner) };
    };
  },
  enumeration: () => (value) => value,
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no JSON.`);
  },
}));

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
