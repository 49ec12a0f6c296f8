/**
 * Messages with each field of a schema, and then with one fault in one field, for each field and each kind of
 * fault. They are the invalid input for each operation that reads JSON.
 */
import { refName, type JsonSchema, type Schemas } from '../../../src/spec/index.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = readonly (string | number)[];

/** A place in a message, with its schema. */
interface Place {
  readonly path: Path;
  /** Identifies a field of a message: other operations read the same field with the same reader. */
  readonly field: string;
  readonly schema: JsonSchema;
}

export interface Example {
  readonly message: Json;
  readonly places: readonly Place[];
}

const MAX_NESTING = 9;

/** Messages that together contain each field and each alternative. */
export class Examples {
  constructor(private readonly schemas: Schemas) {}

  of(given: JsonSchema, field: string, depth = 0, seen: readonly string[] = []): Example[] {
    const name = given.$ref === undefined ? undefined : refName(given.$ref);
    if (depth > MAX_NESTING || (name !== undefined && seen.includes(name))) return [];
    const schema = name === undefined ? given : (this.schemas[name] ?? {});
    const within = name === undefined ? seen : [...seen, name];
    const place: Place = { path: [], field, schema };
    if (schema.oneOf !== undefined)
      return schema.oneOf
        .flatMap((each) => this.of(each, field, depth + 1, within))
        .map(({ message, places }) => ({ message, places: [place, ...places.slice(1)] }));
    if (schema.type === 'array' && schema.items !== undefined)
      return this.of(schema.items, `${field}[]`, depth + 1, within).map(({ message, places }) => ({
        message: [message],
        places: [place, ...below(0, places)],
      }));
    if (typeof schema.additionalProperties === 'object')
      return this.of(schema.additionalProperties, `${field}{}`, depth + 1, within).map(
        ({ message, places }) => ({
          message: { key: message },
          places: [place, ...below('key', places)],
        }),
      );
    if (schema.properties !== undefined) return this.ofObject(schema, place, depth, within);
    return [{ message: fitting(schema), places: [place] }];
  }

  private ofObject(
    { properties = {} }: JsonSchema,
    place: Place,
    depth: number,
    seen: readonly string[],
  ): Example[] {
    const members = Object.entries(properties).map(
      ([key, schema]) =>
        [key, this.of(schema, `${seen.at(-1) ?? place.field}.${key}`, depth + 1, seen)] as const,
    );
    const full = members.filter(([, examples]) => examples.length > 0);
    const messageWith = (index: number, member: string) =>
      Object.fromEntries(
        full.map(([key, examples]) => [key, examples[key === member ? index : 0]!.message]),
      );
    const all = full.flatMap(([key, examples]) => below(key, examples[0]!.places));
    const others = full.flatMap(([key, examples]) =>
      examples.slice(1).map(({ places }, index) => ({
        message: messageWith(index + 1, key),
        places: [place, ...below(key, places)],
      })),
    );
    return [{ message: messageWith(0, ''), places: [place, ...all] }, ...others];
  }
}

const below = (key: string | number, places: readonly Place[]): Place[] =>
  places.map((place) => ({ ...place, path: [key, ...place.path] }));

function fitting({ type, enum: values, format }: JsonSchema): Json {
  if (values !== undefined) return values[0]!;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (type === 'array') return [];
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : 'text';
}

const nested = (levels: number): Json => (levels === 0 ? [] : [nested(levels - 1)]);

/**
 * Values that are invalid in each field of a type. Numbers may be sent as texts, and a missing enum is one of its
 * values.
 */
const WRONG: Readonly<Record<NonNullable<JsonSchema['type']>, readonly Json[]>> = {
  string: [7, true, ['a'], { a: 1 }],
  integer: ['seven', true, 1.5, 1e21, -1e300, '9'.repeat(400), [1], { a: 1 }],
  number: ['seven', true, [1], { a: 1 }],
  boolean: ['yes', 7, [true], { a: 1 }],
  object: ['text', 7, true],
  array: ['text', 7, true],
};

/** Values that may be valid in a field of a type; the operation decides. */
const STRANGE: readonly Json[] = [
  null,
  '',
  '\ud800',
  '\u0000',
  'x'.repeat(5000),
  '__proto__',
  -1,
  2 ** 63,
  '9223372036854775808',
  nested(200),
  {},
  [],
];

export interface Faulty {
  readonly fault: string;
  readonly message: Json;
  /**
   * The expected answer: an unreadable body, the answer to the message without the fault, or any answer except an
   * internal error.
   */
  readonly must: 'be unreadable' | 'change nothing' | 'be answered';
}

/** @param isNew whether a fault is new, for a field of a message that several operations may share */
export function* faultsOf(
  { message, places }: Example,
  objectsOnly: boolean,
  isNew: (fault: string) => boolean,
): Generator<Faulty> {
  for (const place of places)
    for (const [what, key, value, must] of faultsAt(place, objectsOnly)) {
      const path = [...place.path, ...key];
      if (isNew(`${place.field} ${what}`))
        yield { fault: `${path.join('.')} ${what}`, message: replaced(message, path, value), must };
    }
}

type Fault = readonly [what: string, key: Path, value: Json | undefined, must: Faulty['must']];

function faultsAt({ path, schema }: Place, objectsOnly: boolean): Fault[] {
  const isFree = schema['x-daml-value'] === true || schema.type === undefined;
  // A participant reads other values as an object without members.
  const isLenient = schema.properties !== undefined && !objectsOnly;
  const wrong = isFree || isLenient ? [] : WRONG[schema.type!];
  const isMember = typeof path.at(-1) === 'string';
  const extra = schema.properties === undefined ? [] : ['unknown', '__proto__', 'constructor'];
  return [
    ...wrong.map((value): Fault => [`is ${brief(value)}`, [], value, 'be unreadable']),
    ...strange().map((value): Fault => [`is ${brief(value)}`, [], value, 'be answered']),
    ...(isMember ? [['is missing', [], undefined, 'be answered'] satisfies Fault] : []),
    ...extra.map((key): Fault => [`has ${key}`, [key], { polluted: 'yes' }, 'change nothing']),
  ];
}

let turn = 0;

/**
 * Every third fault, with another start for the next field. If CANTICLE_ALL_FAULTS is set: all faults, which takes
 * a minute.
 */
function strange(): readonly Json[] {
  turn += 1;
  if (process.env.CANTICLE_ALL_FAULTS) return STRANGE;
  return STRANGE.filter((_, index) => (index + turn) % 3 === 0);
}

const brief = (value: Json): string => JSON.stringify(value).slice(0, 30);

/** A copy with one place changed or removed. */
function replaced(message: Json, path: Path, value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (Array.isArray(message))
    return message.map((each, index) => (index === key ? replaced(each, rest, value) : each));
  const { [key]: member, ...others } = message as Record<string, Json>;
  if (rest.length === 0 && value === undefined) return others;
  // The key is computed, so that `__proto__` becomes a member like others.
  return { ...others, [key]: replaced(member ?? null, rest, value) };
}
