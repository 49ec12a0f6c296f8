/** What an option may be, as checks that are put together: each throws a TypeError that says what it was given and what it takes. */
import { nearest } from '../daml/errors/edit-distance.js';
import { toldToCaller } from '../daml/errors/own-frames.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { isBytes } from '../daml/errors/realms.js';

/** @param name of the option, as the message has it @throws TypeError */
export type Check = (value: unknown, name: string) => void;

/** By name, what it has to be. */
export type Checks<T> = { readonly [K in keyof Required<T>]: Check };

const failed = (why: string): TypeError =>
  toldToCaller(new TypeError(`Failed to create a Canticle: ${why}`));

const cannotBe = (name: string, value: unknown, words: string): TypeError =>
  failed(`${name} cannot be ${shown(value)}. It is ${words}.`);

/** @param words for what it is, as in `It is a text.` */
export const is =
  (words: string, holds: (value: unknown) => boolean): Check =>
  (value, name) => {
    if (!holds(value)) throw cannotBe(name, value, words);
  };

export const text = is('a text', (value) => typeof value === 'string');
export const yesOrNo = is('true or false', (value) => typeof value === 'boolean');
export const aFunction = is('a function', (value) => typeof value === 'function');
/** An archive of its bytes, or where it lies. */
export const dar = is('the bytes of a DAR or the path of one', isDar);

export const whole = (from: number, to = Number.MAX_SAFE_INTEGER): Check => {
  const upTo = to === Number.MAX_SAFE_INTEGER ? `, ${from} or more` : ` from ${from} to ${to}`;
  return is(`a whole number${upTo}`, (value) => isWhole(value) && value >= from && value <= to);
};

export const oneOf = <T>(values: readonly T[]): Check =>
  is(`one of ${values.map((each) => shown(each)).join(', ')}`, (value) =>
    values.includes(value as T),
  );

/** A list whose elements are named `participants[1]`. */
export const listOf =
  (each: Check, { least = 0 } = {}): Check =>
  (value, name) => {
    if (!Array.isArray(value)) throw cannotBe(name, value, 'a list');
    if (value.length < least) throw cannotBe(name, value, `a list of at least ${least}`);
    value.forEach((element, index) => each(element, `${name}[${index}]`));
  };

/** Any names, each with such a value. */
export const byName =
  (each: Check): Check =>
  (value, name) => {
    if (!isJsonObject(value)) throw cannotBe(name, value, 'an object');
    for (const [key, member] of Object.entries(value)) each(member, `${name}.${key}`);
  };

/** The first where it holds, otherwise the second. */
export const either =
  (holds: (value: unknown) => boolean, first: Check, second: Check): Check =>
  (value, name) =>
    (holds(value) ? first : second)(value, name);

/**
 * An object of these members and no other.
 * @param what a member is called: `option`, `option of a participant`
 * @param required members that have to be there
 */
export const members =
  <T>(what: string, checks: Checks<T>, ...required: (keyof T & string)[]): Check =>
  (given, name) => {
    if (!isJsonObject(given)) throw cannotBe(name, given, 'an object');
    const known = Object.keys(checks);
    for (const [member, value] of Object.entries(given)) {
      if (!known.includes(member)) {
        const meant = nearest(member, known);
        const help =
          meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean ${meant}?`;
        throw failed(`there is no ${what} ${member}. ${help}`);
      }
      if (value !== undefined) checks[member as keyof T](value, member);
    }
    for (const member of required)
      if (given[member] === undefined) throw failed(`an ${what}, ${member}, is missing.`);
  };

/** @throws TypeError where two are called the same */
export function requireDifferent(what: string, names: readonly string[] = []): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw failed(`two ${what} are called ${twice}.`);
}

export function isDar(value: unknown): boolean {
  return typeof value === 'string' || isBytes(value);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

const SHOWN = 100;

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const whole = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}
