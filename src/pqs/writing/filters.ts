/** The filters of PQS: which parties, contracts and blobs a database has (Q-FLT-001, Q-FLT-002). */
import { compareVersions } from '../../daml/model/versions.js';

/** A template or an interface, in one version of its package. */
export interface FilteredType {
  readonly packageName: string;
  readonly version: string;
  /** `Module.Name:Entity` */
  readonly qualifiedName: string;
}

export type TypeFilter = (type: FilteredType) => boolean;
export type PartyFilter = (party: string) => boolean;

/** Characters of a filter. */
const MAX_FILTER_LENGTH = 10_000;
/** Nested parentheses and negations of a filter. */
const MAX_FILTER_DEPTH = 100;

/**
 * Reads a filter of contracts: `*`, `Module.Name.Entity`, `Module.*`, `package:*`, `package@>=1.2.3`, combined with `&`, `|`, `!` and
 * parentheses. `!` binds closest, then `&`.
 * @throws Error that names the place
 */
export const typeFilter = (text: string): TypeFilter => parse(text, 'contracts', typePattern);

/** Reads a filter of parties: `Alice*`, `*::1220ab…`, combined in the same way. @throws Error that names the place */
export const partyFilter = (text: string): PartyFilter => parse(text, 'parties', partyPattern);

type Test<T> = (value: T) => boolean;

/** Characters with a meaning between patterns. */
const OPERATORS = /[&|!()\s]/;

function parse<T>(
  text: string,
  what: string,
  pattern: (text: string) => Test<T> | undefined,
): Test<T> {
  if (text.length > MAX_FILTER_LENGTH)
    throw new Error(
      `The filter of ${what} has ${text.length} characters, more than ${MAX_FILTER_LENGTH}.`,
    );
  let at = 0;
  const fail = (expected: string): Error =>
    new Error(`The filter of ${what} '${text}' has no ${expected} at character ${at + 1}.`);
  const skip = (): void => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const taken = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const any = (depth: number): Test<T> => {
    const tests = [all(depth)];
    while (taken('|')) tests.push(all(depth));
    return tests.length === 1 ? tests[0]! : (value) => tests.some((test) => test(value));
  };
  const all = (depth: number): Test<T> => {
    const tests = [one(depth)];
    while (taken('&')) tests.push(one(depth));
    return tests.length === 1 ? tests[0]! : (value) => tests.every((test) => test(value));
  };
  const one = (depth: number): Test<T> => {
    if (depth > MAX_FILTER_DEPTH)
      throw new Error(`The filter of ${what} has more than ${MAX_FILTER_DEPTH} nested parts.`);
    if (taken('!')) {
      const test = one(depth + 1);
      return (value) => !test(value);
    }
    if (taken('(')) {
      const test = any(depth + 1);
      if (!taken(')')) throw fail("')'");
      return test;
    }
    skip();
    let end = at;
    while (end < text.length && !OPERATORS.test(text[end]!)) end += 1;
    const test = pattern(text.slice(at, end));
    if (test === undefined) throw fail('name or pattern');
    at = end;
    return test;
  };
  const test = any(0);
  skip();
  if (at < text.length) throw fail('end');
  return test;
}

const ENTITY = /^(?:[\w$]+\.)*(?:[\w$]+|\*)$/;
const PACKAGE = /^([A-Za-z0-9_-]+)(?:@(>=|<=|>|<|=)?(\d+(?:\.\d+)*))?$/;

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

function typePattern(text: string): Test<FilteredType> | undefined {
  const colon = text.indexOf(':');
  const namesPackage = colon >= 0 || text.includes('@');
  const ofPackage = colon >= 0 ? text.slice(0, colon) : text;
  const entity = colon >= 0 ? text.slice(colon + 1) : namesPackage ? '*' : text;
  const named = namesPackage ? PACKAGE.exec(ofPackage) : undefined;
  if (named === null || !ENTITY.test(entity)) return undefined;
  const [, name, operator = '=', version] = named ?? [];
  const isNamed = withStars(entity);
  return (type) =>
    (name === undefined || type.packageName === name) &&
    (version === undefined || COMPARISONS[operator]!(compareVersions(type.version, version))) &&
    isNamed(type.qualifiedName.replace(':', '.'));
}

function partyPattern(text: string): Test<string> | undefined {
  return text === '' ? undefined : withStars(text);
}

/** Whether a text matches a pattern, in which a star is any characters. */
function withStars(pattern: string): Test<string> {
  const parts = pattern.split('*');
  if (parts.length === 1) return (text) => text === pattern;
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
