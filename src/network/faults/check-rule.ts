/**
 * Validates fault rules, and describes their actions.
 * NOTE: rules belong to Canticle, and so do the error texts here: the real system has no fault injection.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import { nearest } from '../../daml/errors/edit-distance.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { invalidArgument } from '../model/request-errors.js';
import type { FaultAction, FaultCondition, FaultRule } from './fault-rule.js';

/** Errors that a participant reports after it sent a request to be sequenced. */
const REJECTIONS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_SEQUENCED_TIMEOUT',
  'SEQUENCER_REQUEST_FAILED',
  'SEQUENCER_BACKPRESSURE',
  'LOCAL_VERDICT_LOCKED_CONTRACTS',
  'LOCAL_VERDICT_INACTIVE_CONTRACTS',
  'LOCAL_VERDICT_TIMEOUT',
  'MEDIATOR_SAYS_TX_TIMED_OUT',
]);

/** Errors that a participant returns at once for any request. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PARTICIPANT_BACKPRESSURE',
  'SUBMISSION_ALREADY_IN_FLIGHT',
  'REQUEST_TIME_OUT',
  'ACCESS_TOKEN_EXPIRED',
  'STALE_STREAM_AUTHORIZATION',
]);

interface Row {
  readonly isValue: (value: unknown, action: Members) => boolean;
  /** Optional members of the action, with the check of each value. */
  readonly more?: Readonly<Record<string, (value: unknown) => boolean>>;
}

const PARTS = ['request', 'answer', 'completion'];
const isPart = (value: unknown): boolean => PARTS.includes(value as string);
const AT = { at: isText };

const ACTIONS: Readonly<Record<string, Row>> = {
  lose: {
    isValue: (value) => isOneOf(value, ['request', 'answer']),
    more: { as: (value) => isOneOf(value, ['reset', 502, 504]) },
  },
  delay: {
    isValue: (value) =>
      isCount(value) || (Array.isArray(value) && value.length === 2 && value.every(isCount)),
    more: { of: isPart },
  },
  hold: { isValue: isPart },
  shuffle: { isValue: isPositive },
  truncate: { isValue: isFraction },
  slow: {
    isValue: (value, { pause }) => isPositive(value) && pause !== undefined,
    more: { pause: isCount },
  },
  refuse: {
    isValue: (value) => isOneOf(value, [429, 503]) || REFUSALS.has(value as ErrorCode),
    more: { retryAfter: isCount },
  },
  reject: { isValue: (value) => REJECTIONS.has(value as ErrorCode) },
  repeat: { isValue: isPositive },
  cut: {
    isValue: (value) => isCount(value) || value === 'reassignment',
    more: {
      as: (value) => isOneOf(value, ['reset', 'close']) || REFUSALS.has(value as ErrorCode),
    },
  },
  stall: { isValue: isCount },
  behind: { isValue: isPositive },
  alter: {
    isValue: (value) => isJsonObject(value) && Object.keys(value).length > 0,
  },
  prune: { isValue: isCount, more: AT },
  advance: { isValue: isText },
  pause: { isValue: isText },
  resume: { isValue: isText },
  disconnect: { isValue: isText, more: AT },
  reconnect: { isValue: isText, more: AT },
  revoke: { isValue: isText, more: { ...AT, party: isText } },
  grant: {
    isValue: (value, { party }) => isText(value) && party !== undefined,
    more: {
      ...AT,
      party: isText,
      right: (value) => isOneOf(value, ['actAs', 'readAs', 'executeAs']),
    },
  },
  unvet: { isValue: isText, more: AT },
  vet: { isValue: isText, more: AT },
  rival: { isValue: (value) => value === true },
  restart: { isValue: (value) => value === true, more: AT },
  answer: { isValue: (value) => typeof value === 'function' || isJsonObject(value) },
};
const CONDITIONS: Readonly<Record<keyof FaultCondition, (value: unknown) => boolean>> = {
  participant: isText,
  host: isText,
  commandId: isText,
  party: isText,
  template: isText,
  choice: isText,
  nth: (value) => [value].flat().every(isPositive),
  times: isPositive,
  probability: isFraction,
};

type Members = Readonly<Record<string, unknown>>;

/** The largest number that a rule accepts: more milliseconds than a test waits. */
const MAX_COUNT = 2 ** 31 - 1;

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
}
function isPositive(value: unknown): boolean {
  return isCount(value) && value !== 0;
}
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
function isFraction(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
function isOneOf(value: unknown, choices: readonly unknown[]): boolean {
  return choices.includes(value);
}

/** The name of the action. */
export function actionOf(action: FaultAction): string {
  const names = Object.keys(action);
  // In `{ slow, pause }`, `pause` is a setting and not the action.
  return names.find((name) => Object.hasOwn(ACTIONS, name) && name !== 'pause') ?? 'pause';
}

/** @throws LedgerError INVALID_ARGUMENT, whose text lists what a rule accepts */
export function checkRule(rule: unknown, operations: ReadonlySet<string> | undefined): FaultRule {
  if (!isJsonObject(rule)) throw wrong('it is an object: { on, when, do }');
  for (const name of Object.keys(rule))
    if (!['on', 'when', 'do', 'optional'].includes(name)) throw wrong(`there is no '${name}'`);
  const { on, when, do: action } = rule;
  const named = [on].flat();
  if (named.length === 0 || !named.every(isText))
    throw wrong("'on' is the id of an operation, some of them, or '*'");
  for (const each of named as string[])
    if (each !== '*' && operations !== undefined && !operations.has(each))
      throw wrong(`there is no operation '${each}'${similar(each, operations)}`);
  checkCondition(when);
  checkAction(action);
  return rule as unknown as FaultRule;
}

function checkCondition(when: unknown): void {
  if (when === undefined) return;
  if (!isJsonObject(when)) throw wrong("'when' is an object");
  for (const [name, value] of Object.entries(when)) {
    if (!Object.hasOwn(CONDITIONS, name))
      throw wrong(`'when' has no '${name}', but ${Object.keys(CONDITIONS).join(', ')}`);
    if (value !== undefined && !CONDITIONS[name as keyof FaultCondition](value))
      throw wrong(`'when.${name}' cannot be ${JSON.stringify(value)}`);
  }
}

function checkAction(action: unknown): void {
  const choices = Object.keys(ACTIONS).join(', ');
  if (!isJsonObject(action)) throw wrong(`'do' is an object with one of ${choices}`);
  const name = actionOf(action as unknown as FaultAction);
  if (!(name in action)) throw wrong(`'do' is one of ${choices}`);
  const { isValue, more = {} } = ACTIONS[name]!;
  for (const member of Object.keys(action))
    if (member !== name && !Object.hasOwn(more, member))
      throw wrong(`'do' has '${member}', but is one of ${choices}`);
  const isWhole = Object.entries(more).every(
    ([member, isMember]) => action[member] === undefined || isMember(action[member]),
  );
  if (!isWhole || !isValue(action[name], action)) {
    const codes = name === 'reject' ? REJECTIONS : name === 'refuse' ? REFUSALS : undefined;
    const known = codes === undefined ? '' : `, but ${[...codes].join(', ')}`;
    throw wrong(`'do' cannot be ${JSON.stringify(action)}${known}`);
  }
}

/** Ids consist of methods and paths, so that `POST /v2/updates` finds `postV2Updates`. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function similar(name: string, names: ReadonlySet<string>): string {
  const plain = lettersOf(name);
  const near = [...names].filter((each) => lettersOf(each).includes(plain)).slice(0, 5);
  if (near.length > 0) return `. There is ${near.join(', ')}`;
  const meant = nearest(name, [...names]);
  return meant === undefined ? '' : `. The nearest is ${meant}`;
}

const wrong = (why: string): LedgerError => invalidArgument(`This is no rule of a fault: ${why}.`);

/** One line of text, for journals and reports. */
export function describeAction(action: FaultAction): string {
  if ('answer' in action) return 'answer';
  return Object.entries(action)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.join('–');
  return isJsonObject(value) ? JSON.stringify(value) : String(value);
}
