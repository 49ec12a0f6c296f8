/**
 * What a fault is, as plain data: which calls it meets, and what goes wrong with them. A file, a control and a test say it alike.
 * NOTE: rules are ours, and so is what is said of a wrong one: no real system goes wrong on demand.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { invalidArgument } from '../request-errors.js';

/** How a connection tells that there is no answer: it breaks, or a proxy answers in the server's stead. */
export type LossForm = 'reset' | 502 | 504;

/** What an operation of a test answers, in place of the network. */
export interface GivenAnswer {
  /** Of HTTP; 200 by default. */
  readonly status?: number;
  /** By name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** A call as rules and handlers see it. */
export interface FaultCall {
  /** As the API's document names it. */
  readonly operation: string;
  /** The name of the participant that was asked. */
  readonly participant: string;
  /** Path, query and body, decoded. */
  readonly input: unknown;
}

/** Undefined lets the call go on. */
export type FaultHandler = (
  call: FaultCall,
) => GivenAnswer | undefined | void | Promise<GivenAnswer | undefined | void>;

/** One of these; times are in milliseconds of this machine. */
export type FaultAction =
  /** Lost before it was processed, or after: what was committed stays. */
  | { readonly lose: 'request' | 'answer'; readonly as?: LossForm }
  /** So long, or drawn from such a range. */
  | { readonly delay: number | readonly [number, number]; readonly of?: 'request' | 'answer' }
  /** Until it is released. */
  | { readonly hold: 'request' | 'answer' }
  /** Waits until so many are there, which then have their turn one by one, in an order that the seed draws. */
  | { readonly shuffle: number }
  /** Such a part of the body is sent, and then the connection breaks. */
  | { readonly truncate: number }
  /** The body comes in so many pieces, with a pause of `pause` before each. */
  | { readonly slow: number; readonly pause: number }
  /** Refused before it was processed: by a participant, with an error code, or by what stands before it. */
  | { readonly refuse: ErrorCode | 429 | 503; readonly retryAfter?: number }
  /** Refused once it was sequenced: whoever waits is told so, and there is a completion. */
  | { readonly reject: ErrorCode }
  /** Sent so many times more by a proxy, which gives the last answer. */
  | { readonly repeat: number }
  /** Of a stream: so many elements come, or all up to the first half of a reassignment, and then it ends. */
  | { readonly cut: number | 'reassignment'; readonly as?: 'reset' | 'close' | ErrorCode }
  /** Of a stream: so many elements come, and the others once it is released. */
  | { readonly stall: number }
  /** Participants forget their updates up to there; all but the last where 0. */
  | { readonly prune: number }
  /** Time moves on: an ISO-8601 duration. */
  | { readonly advance: string }
  /** A synchronizer stops to sequence, or goes on. */
  | { readonly pause: string }
  | { readonly resume: string }
  /** Somebody else archives the contracts that the call is about to use. */
  | { readonly rival: true }
  /** The participant restarts: open streams and what waits for an answer are cut off, and offsets stay. */
  | { readonly restart: true }
  | { readonly answer: GivenAnswer | FaultHandler };

/** Which calls a rule meets: those for which all that is named holds. */
export interface FaultCondition {
  /** Its name. */
  readonly participant?: string;
  /** Of the command that is submitted. */
  readonly commandId?: string;
  /** An id, or the hint that it begins with, of any party that the request names. */
  readonly party?: string;
  /** `Module:Entity`, or more of its id. */
  readonly template?: string;
  /** The name of a choice that the command exercises. */
  readonly choice?: string;
  /** Which of the calls that are met otherwise, counted from 1. */
  readonly nth?: number | readonly number[];
  /** At most so often. */
  readonly times?: number;
  /** From 0 to 1, drawn from the seed of the network. */
  readonly probability?: number;
}

/** What goes wrong, and where. */
export interface FaultRule {
  /** Ids of operations of any API, or '*'. */
  readonly on: string | readonly string[];
  /** Each call of these operations by default. */
  readonly when?: FaultCondition;
  /** What happens then. */
  readonly do: FaultAction;
  /** It may never happen: nobody is told so at the end. */
  readonly optional?: boolean;
}

/** Those that a participant tells after a request was sequenced, or could not be. */
const REJECTIONS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_SEQUENCED_TIMEOUT',
  'SEQUENCER_REQUEST_FAILED',
  'SEQUENCER_BACKPRESSURE',
  'LOCAL_VERDICT_LOCKED_CONTRACTS',
  'LOCAL_VERDICT_INACTIVE_CONTRACTS',
  'LOCAL_VERDICT_TIMEOUT',
  'MEDIATOR_SAYS_TX_TIMED_OUT',
]);

/** Those that it tells at once, whatever was asked. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PARTICIPANT_BACKPRESSURE',
  'SUBMISSION_ALREADY_IN_FLIGHT',
  'REQUEST_TIME_OUT',
  'ACCESS_TOKEN_EXPIRED',
  'STALE_STREAM_AUTHORIZATION',
]);

const ACTIONS: Readonly<Record<string, (value: unknown, action: Members) => boolean>> = {
  lose: (value, { as = 'reset' }) =>
    isOneOf(value, ['request', 'answer']) && isOneOf(as, ['reset', 502, 504]),
  delay: (value, { of = 'request' }) =>
    (isCount(value) || (Array.isArray(value) && value.length === 2 && value.every(isCount))) &&
    isOneOf(of, ['request', 'answer']),
  hold: (value) => isOneOf(value, ['request', 'answer']),
  shuffle: (value) => isCount(value, 1),
  truncate: isPart,
  slow: (value, { pause }) => isCount(value, 1) && isCount(pause),
  refuse: (value, { retryAfter = 1 }) =>
    (isOneOf(value, [429, 503]) || REFUSALS.has(value as ErrorCode)) && isCount(retryAfter),
  reject: (value) => REJECTIONS.has(value as ErrorCode),
  repeat: (value) => isCount(value, 1),
  cut: (value, { as = 'reset' }) =>
    (isCount(value) || value === 'reassignment') &&
    (isOneOf(as, ['reset', 'close']) || REFUSALS.has(as as ErrorCode)),
  stall: isCount,
  prune: isCount,
  advance: isText,
  resume: isText,
  pause: isText,
  rival: (value) => value === true,
  restart: (value) => value === true,
  answer: (value) => typeof value === 'function' || isJsonObject(value),
};
const MODIFIERS = ['as', 'of', 'retryAfter', 'pause'];
const CONDITIONS: Readonly<Record<keyof FaultCondition, (value: unknown) => boolean>> = {
  participant: isText,
  commandId: isText,
  party: isText,
  template: isText,
  choice: isText,
  nth: (value) => [value].flat().every((each) => isCount(each, 1)),
  times: (value) => isCount(value, 1),
  probability: isPart,
};

type Members = Readonly<Record<string, unknown>>;

/** Longer than anything that a test waits for; what is counted is counted in thousands. */
const MAX_COUNT = 2 ** 31 - 1;

function isCount(value: unknown, least: unknown = 0): boolean {
  const from = typeof least === 'number' ? least : 0;
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= MAX_COUNT;
}
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
function isPart(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
function isOneOf(value: unknown, choices: readonly unknown[]): boolean {
  return choices.includes(value);
}

/** The action's own word. */
export function actionOf(action: FaultAction): string {
  const names = Object.keys(action);
  // Of `{ slow, pause }` the pause is a part.
  return names.find((name) => name in ACTIONS && name !== 'pause') ?? 'pause';
}

/** @throws LedgerError INVALID_ARGUMENT, which says what a rule may be */
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
      throw wrong(`there is no operation '${each}'.${similar(each, operations)}`);
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
  for (const member of Object.keys(action))
    if (member !== name && !MODIFIERS.includes(member))
      throw wrong(`'do' has '${member}', but is one of ${choices}`);
  if (!(name in action)) throw wrong(`'do' is one of ${choices}`);
  if (!ACTIONS[name]!(action[name], action)) {
    const codes = name === 'reject' ? REJECTIONS : name === 'refuse' ? REFUSALS : undefined;
    const known = codes === undefined ? '' : `, but ${[...codes].join(', ')}`;
    throw wrong(`'do' cannot be ${JSON.stringify(action)}${known}`);
  }
}

function similar(name: string, names: ReadonlySet<string>): string {
  const plain = name.toLowerCase();
  const near = [...names].filter((each) => each.toLowerCase().includes(plain)).slice(0, 5);
  return near.length === 0 ? '' : ` There is ${near.join(', ')}`;
}

const wrong = (why: string): LedgerError => invalidArgument(`This is no rule of a fault: ${why}.`);

/** In one line, for journals and reports. */
export function describeAction(action: FaultAction): string {
  if ('answer' in action) return 'answer';
  return Object.entries(action)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join('–') : String(value)}`)
    .join(', ');
}
