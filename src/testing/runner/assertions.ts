/** Canticle's matchers for runners without matchers: `expect(bob).toHold('30.0')` throws an AssertionError of node:assert. */
import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { matchers } from './use-canticle.js';
import { isObject, type MatcherState, type Verdict } from '../matchers/matcher.js';
import type { CanticleMatchers } from '../matchers/types.js';
import { isPromise } from '../../daml/errors/realms.js';

/** The result of a matcher: a promise if the subject is one. */
export type Asserted<Subject> = Subject extends
  | PromiseLike<unknown>
  | { arrayBuffer(): unknown }
  | ((...args: never[]) => PromiseLike<unknown>)
  ? Promise<void>
  : void;

/** The matchers of a subject. */
export interface Assertions<Subject> extends CanticleMatchers<Asserted<Subject>> {
  /** The negated matchers. */
  readonly not: CanticleMatchers<Asserted<Subject>>;
}

type Matcher = (
  this: MatcherState,
  subject: unknown,
  ...expected: unknown[]
) => Verdict | Promise<Verdict>;

/**
 * Canticle's matchers on a subject. Use node:assert for other assertions.
 * @throws AssertionError, which shows the actual state of the ledger
 */
export function expect<Subject>(subject: Subject): Assertions<Subject> {
  const whole: unknown = { ...bound(subject, false), not: bound(subject, true) };
  return whole as Assertions<Subject>;
}

function bound(subject: unknown, isNot: boolean): Record<string, unknown> {
  const state: MatcherState = { isNot, equals: holds, utils: {} };
  return Object.fromEntries(
    Object.entries(matchers).map(([name, matcher]) => [
      name,
      function assertion(...expected: unknown[]): void | Promise<void> {
        const settle = (verdict: Verdict): void => {
          if (verdict.pass !== isNot) return;
          throw new AssertionError({ message: verdict.message(), stackStartFn: assertion });
        };
        const verdict = (matcher as Matcher).call(state, subject, ...expected);
        return isPromise(verdict) ? verdict.then(settle) : settle(verdict);
      },
    ]),
  );
}

/** Whether the value has all expected members. It may have more members, but not more elements. Asymmetric matchers work inside. */
function holds(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((each, index) => holds(actual[index], each))
    );
  if (!isObject(expected) || !isObject(actual)) return isDeepStrictEqual(actual, expected);
  return Object.entries(expected).every(([name, each]) => holds(actual[name], each));
}

function isAsymmetric(value: unknown): value is { asymmetricMatch(actual: unknown): boolean } {
  return isObject(value) && typeof value['asymmetricMatch'] === 'function';
}
