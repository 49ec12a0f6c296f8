/** The findings of a rehearsal: the effects of an upgrade, each with its calls. */
import { MAX_FINDINGS, MAX_FINDING_PLACES } from '../limits.js';
import {
  calledName,
  joinCalls,
  testKey,
  type CallPair,
  type DeprecatedPart,
  type Run,
  type RunTest,
} from './calls.js';
import { effectsOf, type Effect, type Kind } from './compare-calls.js';

/** Calls with the same effect. */
export interface Finding extends Effect {
  /** Such as `GET /v2/users/{user-id}`. */
  readonly call: string;
  readonly count: number;
  /** The first places, in order: a line, or a test. */
  readonly places: readonly string[];
  /** Replaces the call, as the release notes say. */
  readonly instead?: string;
  /** The group of disabled parts of the API. */
  readonly group?: string;
}

/** The comparison of two runs. */
export interface Comparison {
  /** Sorted, the most severe first. */
  readonly findings: readonly Finding[];
  /** The number of findings beyond the limit. */
  readonly moreFindings: number;
  readonly compared: number;
  readonly notMade: number;
  readonly additional: number;
  /** The calls beyond the limits of a run, which are not compared. */
  readonly left: number;
  /** The tests that fail only in the second run. */
  readonly brokenTests: readonly RunTest[];
}

/** In the order of reports. */
const KINDS: readonly Kind[] = [
  'disabled',
  'removed',
  'rejected',
  'accepted',
  'error',
  'missing',
  'shape',
  'text',
  'value',
  'added',
];

export const isBreaking = ({ kind }: Effect): boolean => kind !== 'added';

/** @param api its API; the Ledger API if it is unknown */
type ReplacedAt = (
  operation: string | undefined,
  api: string | undefined,
) => DeprecatedPart | undefined;

/** @param deprecatedAt the replacement of an operation, if the run does not have it */
export function compareRuns(before: Run, after: Run, deprecatedAt: ReplacedAt): Comparison {
  const { pairs, notMade, additional } = joinCalls(before.calls, after.calls);
  const groups = new Map<string, CallPair[]>();
  const effects = new Map<string, Effect & { readonly call: string }>();
  for (const pair of pairs)
    for (const effect of effectsOf(pair)) {
      const call = calledName(pair.before);
      const key = JSON.stringify([effect.kind, call, effect.detail]);
      effects.set(key, { ...effect, call });
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [pair]);
      else group.push(pair);
    }
  const all = [...groups].map(([key, calls]) => findingOf(effects.get(key)!, calls, deprecatedAt));
  const findings = all.sort(bySeverity).slice(0, MAX_FINDINGS);
  return {
    findings,
    moreFindings: all.length - findings.length,
    compared: pairs.length,
    notMade,
    additional,
    left: before.left + after.left,
    brokenTests: brokenTests(before, after),
  };
}

function findingOf(
  effect: Effect & { readonly call: string },
  pairs: readonly CallPair[],
  deprecatedAt: ReplacedAt,
): Finding {
  const { before, after } = pairs[0]!;
  const isOfApi =
    effect.kind === 'disabled' || effect.kind === 'removed' || effect.kind === 'rejected';
  const part = isOfApi
    ? (before.deprecated ?? after.deprecated ?? deprecatedAt(before.operation, before.api))
    : undefined;
  const places = [...new Set(pairs.map(({ before: call }) => placeOf(call)))].sort();
  return {
    ...effect,
    count: pairs.length,
    places: places.slice(0, MAX_FINDING_PLACES),
    ...(part !== undefined && { instead: part.instead }),
    ...(part?.group !== undefined && { group: part.group }),
  };
}

/** The line that made the call, and its test. */
function placeOf({ place, test }: CallPair['before']): string {
  const title = test === undefined ? '' : test.title;
  const where = place ?? test?.file ?? '';
  return [where, title].filter((each) => each !== '').join(', ') || 'outside of tests';
}

function bySeverity(a: Finding, b: Finding): number {
  const order = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  if (order !== 0) return order;
  return a.call < b.call || (a.call === b.call && a.detail < b.detail) ? -1 : 1;
}

function brokenTests(before: Run, after: Run): readonly RunTest[] {
  const failed = new Set(before.tests.filter((each) => each.failed).map(testKey));
  const broken = new Map<string, RunTest>();
  for (const test of after.tests)
    if (test.failed && !failed.has(testKey(test))) broken.set(testKey(test), test);
  return [...broken].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, test]) => test);
}
