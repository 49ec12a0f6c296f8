/** Compares a call at one release with the same call at another, and says what the upgrade breaks. */
import { compareJson, type Difference } from '../compare.js';
import { jsonIn } from '../har.js';
import { Identities } from '../identities.js';
import type { CallPair, RunCall } from './calls.js';

/**
 * The effect of an upgrade on a call. `added`: the answer has a new member, which most clients ignore; all others break
 * a client that relies on the answer.
 */
export type Kind =
  | 'disabled'
  | 'removed'
  | 'rejected'
  | 'accepted'
  | 'error'
  | 'missing'
  | 'shape'
  | 'text'
  | 'value'
  | 'added';

export interface Effect {
  readonly kind: Kind;
  /** The difference: an error, or a member and its values. Calls with the same effect have the same text. */
  readonly detail: string;
}

const DISABLED = 'DEPRECATED_API_DISABLED';
const OF_GRPC = 'GRPC';

/** The names of the statuses of gRPC that have no error of Canton. */
const GRPC_STATUSES: Readonly<Record<number, string>> = {
  1: 'CANCELLED',
  4: 'DEADLINE_EXCEEDED',
  8: 'RESOURCE_EXHAUSTED',
  12: 'UNIMPLEMENTED',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
};

/** Characters of a text in a finding. */
const SHOWN_TEXT = 200;

export function effectsOf({ before, after }: CallPair): readonly Effect[] {
  const [was, is] = [outcomeOf(before), outcomeOf(after)];
  if (after.isUnknown === true && before.isUnknown !== true) return [rejection(after, is)];
  if (!was.isRejected && is.isRejected) return [rejection(after, is)];
  if (was.isRejected && !is.isRejected)
    return [{ kind: 'accepted', detail: `no longer rejected with ${was.code}` }];
  if (was.code !== is.code) {
    if (is.code === DISABLED) return [rejection(after, is)];
    return [{ kind: 'error', detail: `${was.code} becomes ${is.code}` }];
  }
  return uniqueEffects(differencesOf(before, after).flatMap(effectOf));
}

interface Outcome {
  readonly isRejected: boolean;
  /** The error code, or the status. */
  readonly code: string;
  readonly text: string;
}

function outcomeOf({ method, status, error, answer, elements }: RunCall): Outcome {
  const last = elements?.at(-1);
  const inStream = last === undefined ? undefined : errorIn(last);
  const { code = error, cause } = inStream ?? errorIn(answer) ?? {};
  const isRejected = inStream !== undefined || (method === OF_GRPC ? status !== 0 : status >= 400);
  const named = method === OF_GRPC ? GRPC_STATUSES[status] : undefined;
  return { isRejected, code: code ?? named ?? String(status), text: cause ?? plainText(answer) };
}

interface CantonError {
  readonly code?: string;
  readonly cause?: string;
}

/** The error in a body: each has a code and a cause. */
function errorIn(text: string | undefined): CantonError | undefined {
  const value = text === undefined ? undefined : jsonIn(text)?.value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, cause } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof cause === 'string' ? { code, cause } : undefined;
}

const plainText = (answer = ''): string => (jsonIn(answer) === undefined ? answer : '');

function rejection(call: RunCall, { code, text }: Outcome): Effect {
  if (code === DISABLED) return { kind: 'disabled', detail: code };
  const { method, status, isUnknown = false } = call;
  if (isUnknown) return { kind: 'removed', detail: 'the release does not have it' };
  const shown = withoutTokens(text);
  const isStated = code !== String(status) && method !== OF_GRPC;
  const head = isStated ? `${status} ${code}` : code;
  return { kind: 'rejected', detail: shown === '' ? head : `${head}: ${shown}` };
}

/** Ids and times differ from call to call. */
const withoutTokens = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8,}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, SHOWN_TEXT);

function differencesOf(before: RunCall, after: RunCall): readonly Difference[] {
  if (before.elements !== undefined && after.elements !== undefined) {
    const [left, right] = [elementsOf(before.elements), elementsOf(after.elements)];
    // The number of elements that a client sees depends on its speed.
    const both = Math.min(left.length, right.length);
    return left.slice(0, both).flatMap((each, i) => compareJson(each, right[i], new Identities()));
  }
  const [left, right] = [before.answer ?? '', after.answer ?? ''];
  return compareJson(valueIn(left), valueIn(right), new Identities());
}

/** The JSON value of a text; or else the text itself. */
const valueIn = (text: string): unknown => jsonIn(text)?.value ?? text;

/** Without checkpoints, whose timing varies. */
const elementsOf = (texts: readonly string[]): unknown[] =>
  texts.filter((text) => !text.includes('OffsetCheckpoint')).map(valueIn);

/** One type of JSON values, by the first character of a text. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^"/, 'text'],
  [/^\{/, 'object'],
  [/^\[/, 'list'],
  [/^n/, 'null'],
  [/^[tf]/, 'boolean'],
  [/^/, 'number'],
];
const typeOf = (shown: string): string => TYPES.find(([pattern]) => pattern.test(shown))![1];

/** The version of the participant changes with each upgrade. */
const NAMES_RELEASE = '/version';

function effectOf({ at, recorded, now, why }: Difference): readonly Effect[] {
  const place = at.replace(/\/\d+(?=\/|$)/g, '/*') || 'the answer';
  if (place === NAMES_RELEASE) return [];
  const isElement = place.endsWith('/*');
  if (recorded === undefined)
    return [{ kind: isElement ? 'value' : 'added', detail: `${place} is new` }];
  if (now === undefined)
    return [{ kind: isElement ? 'value' : 'missing', detail: `${place} is missing` }];
  // Ids of two runs need not correspond one to one.
  if (why !== undefined) return [];
  const [was, is] = [typeOf(recorded), typeOf(now)];
  if (was !== is) return [{ kind: 'shape', detail: `${place}: ${was} becomes ${is}` }];
  const change = `${place}: ${withoutTokens(recorded)} becomes ${withoutTokens(now)}`;
  return [{ kind: was === 'text' ? 'text' : 'value', detail: change }];
}

function uniqueEffects(effects: readonly Effect[]): readonly Effect[] {
  const known = new Map(effects.map((each) => [`${each.kind} ${each.detail}`, each]));
  return [...known.values()];
}
