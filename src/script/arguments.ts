/**
 * Reads script arguments from JSON in the format of the Ledger API. Like the real runner, it also accepts numbers
 * in place of texts.
 */
import { decodeValue } from '../daml/codec/json/codec.js';
import { toRuntime } from '../daml/lf/runtime/convert.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { boundBody, type PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';

/** A run-time value. @throws LedgerError for JSON that is not a value of the type */
export function scriptArgument(packages: PackageLookup, type: DamlType, json: unknown): unknown {
  return toRuntime(packages, type, decodeValue(packages, type, withTexts(packages, type, json)));
}

/** The JSON with numbers as texts. JSON that does not fit the type stays unchanged, and the decoder refuses it. */
function withTexts(packages: PackageLookup, type: DamlType, json: unknown): unknown {
  const of = (inner: DamlType, value: unknown): unknown => withTexts(packages, inner, value);
  switch (type.kind) {
    case 'int64':
    case 'numeric':
      return typeof json === 'number' ? decimal(json) : json;
    case 'optional':
      return json === null || type.of.kind === 'optional' ? json : of(type.of, json);
    case 'list':
      return Array.isArray(json) ? json.map((item) => of(type.of, item)) : json;
    case 'textMap':
      return isJsonObject(json) ? mapped(json, (item) => of(type.of, item)) : json;
    case 'genMap':
      return Array.isArray(json)
        ? json.map((entry: unknown) =>
            Array.isArray(entry) && entry.length === 2
              ? [of(type.key, entry[0]), of(type.value, entry[1])]
              : entry,
          )
        : json;
    case 'con':
      return isJsonObject(json) ? members(packages, type, json) : json;
    default:
      return json;
  }
}

type Json = Readonly<Record<string, unknown>>;

function members(
  packages: PackageLookup,
  type: Extract<DamlType, { kind: 'con' }>,
  json: Json,
): unknown {
  const body = boundBody(packages, type);
  if (body?.kind === 'record') {
    const types = new Map(body.fields.map((field) => [field.name, field.type]));
    return mapped(json, (value, name) => {
      const of = types.get(name);
      return of === undefined ? value : withTexts(packages, of, value);
    });
  }
  if (body?.kind !== 'variant') return json;
  const held = body.constructors.find(({ name }) => name === json['tag']);
  if (held === undefined) return json;
  return { ...json, value: withTexts(packages, held.type, json['value']) };
}

const mapped = (json: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, change(value, name)]));

/** The number without an exponent, because Daml numbers have none. */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}
