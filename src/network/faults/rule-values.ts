/** Checks of single values of a fault rule. Each returns what is expected instead. */
import { suggestion } from '../../daml/errors/edit-distance.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { parseDuration } from '../model/time-texts.js';

/** The names that rules may use: they do not change while a network runs. */
export interface RuleNames {
  /** Ids of operations; any if absent. */
  readonly operations?: (() => ReadonlySet<string>) | undefined;
  readonly participants: KnownNames;
  readonly synchronizers: KnownNames;
}

interface KnownNames {
  /** For suggestions. */
  readonly names: readonly string[];
  /** @param name one of the names, or an id */
  has(name: string): boolean;
}

/** @returns sentences for the end of an error text, each after a space; undefined for a valid value */
export type Check = (value: unknown, names: RuleNames) => string | undefined;

/** Errors that a participant reports after it sent a request to be sequenced. */
const REJECTIONS: readonly ErrorCode[] = [
  'NOT_SEQUENCED_TIMEOUT',
  'SEQUENCER_REQUEST_FAILED',
  'SEQUENCER_BACKPRESSURE',
  'LOCAL_VERDICT_LOCKED_CONTRACTS',
  'LOCAL_VERDICT_INACTIVE_CONTRACTS',
  'LOCAL_VERDICT_TIMEOUT',
  'MEDIATOR_SAYS_TX_TIMED_OUT',
];

/** Errors that a participant returns at once for any request. */
const REFUSALS: readonly ErrorCode[] = [
  'PARTICIPANT_BACKPRESSURE',
  'SUBMISSION_ALREADY_IN_FLIGHT',
  'REQUEST_TIME_OUT',
  'ACCESS_TOKEN_EXPIRED',
  'STALE_STREAM_AUTHORIZATION',
];

/** The largest number that a rule accepts: more milliseconds than a test waits. */
const MAX_COUNT = 2 ** 31 - 1;

const expected = (what: string): string => ` Expected ${what}.`;

/** @param isValid of a value @param what the values, after "Expected" */
const either =
  (isValid: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    isValid(value) ? undefined : expected(what);

const isWhole = (least: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= MAX_COUNT;
const isCount = isWhole(0);
const isPositive = isWhole(1);

const POSITIVE = `an integer from 1 to ${MAX_COUNT}`;
const COUNT = `an integer from 0 to ${MAX_COUNT}`;

export const positive = either(isPositive, POSITIVE);
export const count = either(isCount, COUNT);
export const fraction = either(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'a number from 0 to 1',
);
export const text = either((value) => typeof value === 'string' && value !== '', 'a text');
export const yes = either((value) => value === true, 'true');
export const yesOrNo = either((value) => typeof value === 'boolean', 'true or false');
export const members = either(
  (value) => isJsonObject(value) && Object.keys(value).length > 0,
  'an object with at least one member',
);

/** An integer, or a list of them. */
export const places: Check = (value) =>
  isPositive(value) || (Array.isArray(value) && value.length > 0 && value.every(isPositive))
    ? undefined
    : expected(`${POSITIVE}, or a list of such integers`);

/** Milliseconds, or the least and the most of them. */
export const time: Check = (value) =>
  isCount(value) ||
  (Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1])
    ? undefined
    : expected(`${COUNT}, or the least and the most, such as [5, 50]`);

export const duration: Check = (value) => {
  try {
    parseDuration(String(value));
    return undefined;
  } catch {
    return expected('a duration, such as PT10M or P1DT2H3.5S');
  }
};

/** One of these texts, or a value that another check accepts. */
export const oneOf =
  (words: readonly string[], others: readonly number[] = [], or?: Check): Check =>
  (value, names) => {
    if (words.includes(value as string) || others.includes(value as number)) return undefined;
    const alternative = or?.(value, names);
    if (or !== undefined && alternative === undefined) return undefined;
    const all = [...words, ...others.map(String)];
    return `${alternative ?? ''}${suggestion(String(value), all)}`;
  };

export const reject = oneOf(REJECTIONS);
export const refuse = oneOf(REFUSALS, [429, 503]);
export const ending = oneOf(['reset', 'close', ...REFUSALS]);
export const part = oneOf(['request', 'answer', 'completion']);

const known = (value: unknown, { names, has }: KnownNames): string | undefined =>
  has(value as string) ? undefined : suggestion(String(value), names);

export const synchronizer: Check = (value, { synchronizers }) => known(value, synchronizers);
export const participant: Check = (value, { participants }) => known(value, participants);
/** A participant by its name: calls do not have its id. */
export const receiver: Check = (value, { participants: { names } }) =>
  names.includes(value as string) ? undefined : suggestion(String(value), names);

const STATUSES = [200, 599] as const;
/** Of names and of values of headers, as HTTP allows them. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const ANSWER: Readonly<Record<string, (value: unknown) => boolean>> = {
  status: (value) =>
    Number.isInteger(value) && (value as number) >= STATUSES[0] && (value as number) <= STATUSES[1],
  headers: (value) =>
    isJsonObject(value) &&
    Object.entries(value).every(
      ([name, each]) =>
        HEADER_NAME.test(name) && typeof each === 'string' && HEADER_VALUE.test(each),
    ),
  body: () => true,
};

/** An answer, or a function that returns one. */
export const answer: Check = (value) => {
  if (typeof value === 'function') return undefined;
  if (!isJsonObject(value)) return expected('an object: { status, headers, body }');
  for (const [name, each] of Object.entries(value)) {
    if (!Object.hasOwn(ANSWER, name))
      return ` An answer has no '${name}'.${suggestion(name, Object.keys(ANSWER))}`;
    if (each !== undefined && !ANSWER[name]!(each))
      return name === 'status'
        ? ` Its status is an integer from ${STATUSES[0]} to ${STATUSES[1]}.`
        : ' Its headers are texts by name.';
  }
  return undefined;
};
