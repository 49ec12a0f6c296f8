/**
 * Reads JSON as Daml values, as strictly and leniently as Canton's JSON Ledger API. errors.ts has the errors.
 */
import { comparisonOf } from '../compare.js';
import { genMapOf, textMapOf } from '../map-order.js';
import { contractIdError, unsuffixedError } from '../../model/contract-id-text.js';
import { partyError } from '../../model/identifiers.js';
import type { JsonReading } from './faults.js';
import type { LedgerError } from '../../errors/ledger-error.js';
import { MAX_NESTING } from '../../errors/limits.js';
import { parseNumeric, rescaleError } from '../../model/numeric.js';
import type { PackageLookup } from '../../model/package.js';
import { recordMaker } from '../record-maker.js';
import { malformedText, replaceLoneSurrogates } from '../../model/text-order.js';
import { javaDouble, longOfDouble, parseLong } from '../java-number.js';
import { dateError, timestampError } from '../java-time.js';
import { isDate, isTimestamp, parseDate, parseTimestamp } from '../../model/time.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../type-fold.js';
import type { DamlType } from '../../model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../model/values.js';
import { isJsonObject } from '../../model/own-members.js';

/** All empty lists share one object. */
const NO_ITEMS: readonly DamlValue[] = Object.freeze([]);

export type JsonDecoder = (json: unknown, reading: JsonReading) => DamlValue;

export const jsonDecoderOf = typeCompiler<JsonDecoder>((packages) => ({
  scalar,
  optional,
  list: (of) =>
    nested((json, reading) => {
      const items = array(json, reading);
      return items.length === 0
        ? NO_ITEMS
        : reading.each(items, (item, index) => at(of, index, item, reading));
    }),
  textMap,
  genMap: (key, value, type) => genMap(packages, key, value, type.key),
  record,
  variant,
  enumeration: (constructors) => {
    const known = new Set(constructors);
    return nested((json, reading) => {
      const name = text(json, reading);
      if (!known.has(name)) throw reading.unknownEnumConstructor(name, [...known]);
      return name;
    });
  },
  opaque: (name) => (_json, reading) => {
    throw reading.noValues(name);
  },
}));

/** Counts the nesting. Beyond the limit it notes a refusal and reads no further; no caller uses the value. */
function nested(decode: JsonDecoder): JsonDecoder {
  return (json, reading) => {
    if (reading.depth > MAX_NESTING) {
      reading.noteMismatch(`Provided value exceeds maximum nesting level of ${MAX_NESTING}`);
      return null;
    }
    reading.depth += 1;
    const value = decode(json, reading);
    reading.depth -= 1;
    return value;
  };
}

function at(
  decode: JsonDecoder,
  step: string | number,
  json: unknown,
  reading: JsonReading,
): DamlValue {
  reading.enter(step);
  const value = decode(json, reading);
  reading.leave();
  return value;
}

function scalar(type: ScalarType): JsonDecoder {
  switch (type.kind) {
    case 'numeric':
      return nested((json, reading) => numeric(json, type.scale, reading));
    default:
      return nested(SCALARS[type.kind]);
  }
}

const SCALARS: Readonly<Record<Exclude<ScalarType['kind'], 'numeric'>, JsonDecoder>> = {
  // Any JSON is a unit (B-VAL-001).
  unit: () => UNIT,
  bool: (json, reading) => {
    if (typeof json !== 'boolean') throw reading.wrongKind('Bool', json);
    return json;
  },
  int64: (json, reading) => {
    if (typeof json !== 'string' && reading.rules.acceptsNumbersAsInts)
      return intOfNumber(json, reading);
    const digits = text(json, reading);
    const value = parseLong(digits);
    if (value === undefined) throw reading.badNumber(digits);
    return value;
  },
  text: (json, reading) => wellFormed(text(json, reading), reading),
  timestamp: (json, reading) => {
    const written = text(json, reading);
    const read = parseTimestamp(written);
    if (read === undefined)
      throw reading.unparsableTime(
        timestampError(written)!,
        'a date-time with zone, such as 2026-01-31T12:00:00Z',
      );
    // A 64-bit integer as in the JVM: times out of range wrap around.
    const micros = BigInt.asIntN(64, read);
    if (!isTimestamp(micros)) {
      reading.noteInvalid(
        `cannot convert long ${micros} into Timestamp:out of bound Timestamp ${micros}`,
      );
    }
    return micros;
  },
  date: (json, reading) => {
    const written = text(json, reading);
    const read = parseDate(written);
    if (read === undefined)
      throw reading.unparsableTime(dateError(written)!, 'a date, such as 2026-01-31');
    const days = read | 0;
    if (!isDate(days)) reading.noteInvalid(`out of bound Date ${days}`);
    return days;
  },
  party: (json, reading) => {
    const party = text(json, reading);
    const error = partyError(party);
    if (error !== undefined) reading.noteInvalid(error);
    return party;
  },
  contractId: (json, reading) => {
    const id = text(json, reading);
    const error = contractIdError(id);
    if (error !== undefined) reading.noteInvalid(error);
    const unsuffixed = unsuffixedError(id);
    if (unsuffixed !== undefined) reading.noteMismatch(unsuffixed);
    return id;
  },
};

/** The JVM reads a JSON number as a double. */
function intOfNumber(given: unknown, reading: JsonReading): DamlValue {
  const json = finite(given);
  if (typeof json === 'string') throw reading.badNumber(json);
  if (typeof json !== 'number') throw reading.badIntKind(json);
  return longOfDouble(json);
}

/**
 * The JVM reads a JSON number as a double, then reads the double's text. A text with an exponent is not a decimal
 * (B-VAL-007).
 */
function numeric(given: unknown, scale: number, reading: JsonReading): DamlValue {
  const json = finite(given);
  if (typeof json !== 'string' && typeof json !== 'number') throw reading.badNumericKind(json);
  const written = typeof json === 'string' ? json : javaDouble(json);
  const exact = parseNumeric(written);
  if (exact === undefined) {
    reading.noteInvalid(`Could not read Numeric string "${written}"`);
    return null;
  }
  const value = exact.rescale(scale);
  if (value !== undefined) return value;
  reading.noteMismatch(rescaleError(exact, scale));
  return null;
}

/**
 * None is null and Some is the bare value. An Optional whose type is written as Optional of Optional uses arrays at
 * each level: `[]`, `[[]]`, `[["1"]]` (B-VAL-017, B-VAL-018). NOTE: as in the real codec, an `Optional a` whose `a`
 * is bound to another Optional does not use arrays, so its `Some None` and `None` are both null.
 */
function optional(of: DamlType, compile: (type: DamlType) => JsonDecoder): JsonDecoder {
  if (of.kind === 'optional') return optionalAsArray(of, compile);
  const decode = compile(of);
  return nested((json, reading) =>
    json === null || json === undefined ? null : new Some(decode(json, reading)),
  );
}

function optionalAsArray(of: DamlType, compile: (type: DamlType) => JsonDecoder): JsonDecoder {
  const decode = of.kind === 'optional' ? optionalAsArray(of.of, compile) : compile(of);
  return nested((json, reading) => {
    const items = array(json, reading);
    return items.length === 0 ? null : new Some(at(decode, 0, items[0], reading));
  });
}

function textMap(of: JsonDecoder): JsonDecoder {
  return nested((json, reading) => {
    const source = object(json, reading);
    const keys = Object.keys(source);
    const entries = reading.each(keys, (key): [string, DamlValue] => {
      const member = at(of, key, source[key], reading);
      return [wellFormed(key, reading), member];
    });
    return textMapOf(entries);
  });
}

function genMap(
  packages: PackageLookup,
  key: JsonDecoder,
  value: JsonDecoder,
  keyType: DamlType,
): JsonDecoder {
  const compare = comparisonOf(packages, keyType);
  return nested((json, reading) => {
    const items = array(json, reading);
    const entries = reading.each(items, (entry, index): readonly [DamlValue, DamlValue] => {
      reading.enter(index);
      const pair = array(entry, reading);
      if (pair.length < 2) throw reading.missingElement(pair.length, pair.length);
      const read = [at(key, 0, pair[0], reading), at(value, 1, pair[1], reading)] as const;
      reading.leave();
      return read;
    });
    // A refused key may have no value to compare.
    if (reading.refusal !== undefined) return entries;
    return genMapOf(entries, compare);
  });
}

function record(fields: readonly FoldedField<JsonDecoder>[]): JsonDecoder {
  const known = new Set(fields.map(({ name }) => name));
  const make = recordMaker(fields.map(({ name }) => name));
  return nested((json, reading) => {
    const source = object(json, reading);
    if (reading.rules.readsFieldsInOrder) return make(inOrder(source, fields, known, reading));
    let found = 0;
    let lacks = false;
    for (const { name, type } of fields)
      if (Object.hasOwn(source, name)) found += 1;
      else if (type.kind !== 'optional') lacks = true;
    if (lacks) throw missingMembers(source, fields, known, reading);
    let members = 0;
    // Objects from JSON inherit no enumerable members.
    for (const name in source) if (Object.hasOwn(source, name)) members += 1;
    if (members > found) {
      const given = Object.keys(source).filter((name) => source[name] !== null);
      if (!given.every((name) => known.has(name)))
        throw reading.unexpectedMembers(given, [...known]);
    }
    const isComplete = found === fields.length;
    const { length } = fields;
    const values = new Array<DamlValue>(length);
    for (let step = 0; step < length; step++) {
      const i = reading.isFromLast ? length - 1 - step : step;
      const { name, run } = fields[i]!;
      reading.enter(name);
      values[i] = run(isComplete || Object.hasOwn(source, name) ? source[name] : null, reading);
      reading.leave();
    }
    return make(values);
  });
}

/** Each field is read, or missing, before the next one. Then all unknown members count if one of them is not null. */
function inOrder(
  source: Readonly<Record<string, unknown>>,
  fields: readonly FoldedField<JsonDecoder>[],
  known: ReadonlySet<string>,
  reading: JsonReading,
): DamlValue[] {
  const values = fields.map(({ name, type, run }) => {
    const isGiven = Object.hasOwn(source, name);
    if (!isGiven && type.kind !== 'optional') {
      const strangers = Object.keys(source).filter((given) => !known.has(given));
      throw reading.missingMember(name, strangers);
    }
    return at(run, name, isGiven ? source[name] : null, reading);
  });
  const names = Object.keys(source);
  if (names.some((name) => !known.has(name) && source[name] !== null))
    throw reading.unexpectedMembers(names, [...known]);
  return values;
}

function missingMembers(
  source: object,
  fields: readonly FoldedField<JsonDecoder>[],
  known: ReadonlySet<string>,
  reading: JsonReading,
): LedgerError {
  const required = fields.filter(({ type }) => type.kind !== 'optional').map(({ name }) => name);
  return reading.missingMembers(
    required.filter((name) => !Object.hasOwn(source, name)),
    required,
    Object.keys(source).filter((name) => !known.has(name)),
  );
}

function variant(constructors: readonly FoldedField<JsonDecoder>[]): JsonDecoder {
  const cases = new Map(constructors.map(({ name, run }) => [name, run]));
  return nested((json, reading) => {
    if (reading.rules.looksUpConstructors) return lookedUp(json, cases, reading);
    const source = isJsonObject(json) ? json : {};
    if (!Object.hasOwn(source, 'tag') || !Object.hasOwn(source, 'value')) {
      throw reading.badVariant("Variant type json must have 'tag' and 'value' fields.");
    }
    const tag = text(source.tag, reading);
    const decode = cases.get(tag);
    if (decode === undefined) throw reading.badVariant(`Unexpected variant tag: ${tag}`);
    return new DamlVariant(tag, at(decode, 'value', source.value, reading));
  });
}

/** Reads each part of the variant, and finds its constructor, before the next part. */
function lookedUp(
  json: unknown,
  cases: ReadonlyMap<string, JsonDecoder>,
  reading: JsonReading,
): DamlVariant {
  const source = object(json, reading);
  const member = (name: string): unknown => {
    if (Object.hasOwn(source, name)) return source[name];
    throw reading.keyNotFound(name, "a variant has the members 'tag' and 'value'");
  };
  const tag = text(member('tag'), reading);
  const decode = cases.get(tag);
  if (decode === undefined) throw reading.unknownCase(tag, 'variant', [...cases.keys()]);
  return new DamlVariant(tag, at(decode, 'value', member('value'), reading));
}

function text(given: unknown, reading: JsonReading): string {
  const json = finite(given);
  if (typeof json !== 'string') throw reading.wrongKind('Str', json);
  return json;
}

/** A number too large for a double becomes a text on the way through the JSON layer (B-VAL-038). */
const finite = (json: unknown): unknown =>
  json === Infinity || json === -Infinity ? String(json) : json;

function array(json: unknown, reading: JsonReading): readonly unknown[] {
  if (!Array.isArray(json)) throw reading.wrongKind('Arr', json);
  return json;
}

function object(json: unknown, reading: JsonReading): Readonly<Record<string, unknown>> {
  if (!isJsonObject(json)) throw reading.wrongKind('Obj', json);
  return json;
}

function wellFormed(value: string, reading: JsonReading): string {
  const text = replaceLoneSurrogates(value);
  const error = malformedText(text);
  if (error !== undefined) reading.noteMismatch(error);
  return text;
}
