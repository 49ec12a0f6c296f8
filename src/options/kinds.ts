/**
 * The kinds of options. A kind checks a value of a program or a file, reads the text of a flag, and has a JSON schema for the head
 * of a scenario. An error names the value and the values that the option takes.
 * NOTE: these texts belong to this simulator: no real system has these options.
 */
import { nearest } from '../daml/errors/edit-distance.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { isBytes } from '../daml/errors/realms.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { rowOf, type Check, type JsonSchema, type Kind, type Rows } from './row.js';

const failed = (why: string): TypeError =>
  withCallerStack(new TypeError(`Failed to create a Canticle: ${why}`));

const cannotBe = (name: string, value: unknown, words: string): TypeError =>
  failed(`${name} cannot be ${shown(value)}. Expected ${words}.`);

/** @param words as in `Expected a string.` */
export function is<T = never>(
  words: string,
  holds: (value: unknown) => boolean,
  more: Omit<Kind<T>, 'words' | 'check'> = {},
): Kind<T> {
  const check: Check = (value, name) => {
    if (!holds(value)) throw cannotBe(name, value, words);
  };
  return { words, check, ...more };
}

export const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrFalse = (value: unknown) => value === false || isText(value);
export const isPathOrBytes = (value: unknown): boolean => isText(value) || isBytes(value);

function isHttpAddress(value: string): boolean {
  if (!/^https?:\/\/[^?#@\s]+$/.test(value) || !URL.canParse(value)) return false;
  return new URL(value).hostname !== '';
}

const TEXT: JsonSchema = { type: 'string', pattern: '\\S' };

export const text = is<string>('a string', isText, { schema: TEXT });
export const yesOrNo = is<boolean>('true or false', (value) => typeof value === 'boolean', {
  schema: { type: 'boolean' },
});
export const aFunction = is('a function', (value) => typeof value === 'function');
/** An address without user, query and fragment. */
export const httpAddress = is<never>(
  'an HTTP address, such as http://127.0.0.1:9000',
  (value) => isText(value) && isHttpAddress(value),
  {
    read: (given) => (isHttpAddress(given) ? (given as never) : undefined),
    schema: { type: 'string', pattern: '^https?://' },
  },
);
export const anObject = is('an object', isJsonObject);
export const anything = is('anything', () => true);
/** A DAR: its bytes or its path. */
export const dar = is<string | Uint8Array>('the bytes of a DAR or the path of one', isPathOrBytes);

export function whole(from: number, to = Number.MAX_SAFE_INTEGER): Kind<number> {
  const upTo = to === Number.MAX_SAFE_INTEGER ? `, ${from} or more` : ` from ${from} to ${to}`;
  const holds = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to;
  return is(`a whole number${upTo}`, holds, {
    read: (digits) => (/^\d+$/.test(digits) && holds(Number(digits)) ? Number(digits) : undefined),
    schema: { type: 'integer', minimum: from },
  });
}

export const port = whole(0, 65_535);

/** Programs may use any form that the ledger reads. A flag is in UTC, to the microsecond. */
export const instant: Kind<string> = {
  ...text,
  words: 'a time in UTC, such as 2026-01-01T00:00:00Z',
  read: (given) => {
    const [, seconds = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z$/.exec(given) ?? [];
    const date = new Date(`${seconds}Z`);
    // The round trip refuses what Date would quietly roll over, such as 30 February.
    const exists = !isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
    return exists ? given : undefined;
  },
};

export const duration = is(
  'a duration, such as PT1M',
  (value) => typeof value === 'bigint' || isText(value) || isJsonObject(value),
  { schema: TEXT },
);

export const textOrFalse = (words: string): Kind<string | false> =>
  is(`${words}, or false`, isTextOrFalse);

/** On the command line `off` is false. */
export const folderOrOff: Kind<string | false> = {
  ...textOrFalse('the path of a folder'),
  read: (given) => (given === 'off' ? false : given),
};

export function oneOf<const T>(values: readonly T[]): Kind<T> {
  const words = `one of ${values.map((each) => shown(each)).join(', ')}`;
  return is<T>(words, (value) => values.includes(value as T), {
    values,
    read: (given) => values.find((each) => String(each) === given),
    schema: { enum: values },
  });
}

/** A list whose elements are named `participants[1]`. */
export function listOf<T>(each: Kind<T>, { least = 0 } = {}): Kind<readonly T[]> {
  const check: Check = (value, name) => {
    if (!Array.isArray(value)) throw cannotBe(name, value, 'a list');
    if (value.length < least) throw cannotBe(name, value, `a list of at least ${least}`);
    value.forEach((element, index) => each.check(element, `${name}[${index}]`));
  };
  const schema = { type: 'array', ...(least > 0 && { minItems: least }), items: each.schema };
  return { words: 'a list', check, each, schema };
}

/** An object with any names, whose values have this kind. */
export function byName<T>(each: Kind<T>): Kind<Readonly<Record<string, T>>> {
  const check: Check = (value, name) => {
    if (!isJsonObject(value)) throw cannotBe(name, value, 'an object');
    for (const [key, member] of Object.entries(value)) each.check(member, `${name}.${key}`);
  };
  const schema: JsonSchema = { type: 'object', additionalProperties: each.schema ?? true };
  return { words: 'an object', check, named: each, schema };
}

/** The first kind if the value passes the test, otherwise the second. */
export const either = <T, U>(
  holds: (value: unknown) => boolean,
  first: Kind<T>,
  second: Kind<U>,
): Kind<T | U> => ({
  ...first,
  ...second,
  each: undefined,
  check: (value, name) => (holds(value) ? first : second).check(value, name),
  schema: { anyOf: [first.schema, second.schema].filter((each) => each !== undefined) },
});

/**
 * An object with only these members.
 * @param what the name of a member: `option`, `option of a participant`
 * @param required the required members
 */
export const members = <const R extends Rows>(
  what: string,
  rows: R,
  ...required: (keyof R & string)[]
): Kind<never> => ({
  words: 'an object',
  rows,
  required,
  schema: { type: 'object' },
  check(given, name) {
    if (!isJsonObject(given)) throw cannotBe(name, given, 'an object');
    for (const [member, value] of Object.entries(given)) {
      const row = Object.hasOwn(rows, member) ? rows[member] : undefined;
      if (row === undefined) throw unknownMember(what, member, Object.keys(rows));
      if (value !== undefined) rowOf(row).kind.check(value, member);
    }
    for (const member of required)
      if (given[member] === undefined) throw failed(`missing ${what}: ${member}.`);
  },
});

function unknownMember(what: string, member: string, known: readonly string[]): TypeError {
  const meant = nearest(member, known);
  const help = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return failed(`unknown ${what}: ${member}. ${help}`);
}

/** @throws TypeError if two have the same name */
export function requireDifferent(what: string, names: readonly string[] = []): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw failed(`two ${what} have the name ${twice}.`);
}

const SHOWN = 100;

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const whole = isText(value) ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}
