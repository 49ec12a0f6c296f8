/**
 * Work that may wait for a ledger: a generator that yields the promises it waits for. With a ledger in this process
 * it yields none, so that the same code runs synchronously.
 */
import { invariant } from '../daml/errors/ledger-error.js';
import { isPromise } from '../daml/errors/realms.js';

export type Waiting<T> = Generator<Promise<unknown>, T, unknown>;
export type Awaitable<T> = T | Promise<T>;

/** An answer of a ledger, or a promise of it. */
export function* awaited<T>(answer: Awaitable<T>): Waiting<T> {
  return isPromise(answer) ? ((yield answer) as T) : answer;
}

/** Runs work that never waits. */
export function atOnce<T>(work: Waiting<T>): T {
  const step = work.next();
  invariant(step.done === true, 'a ledger in this process answers at once');
  return step.value;
}

export async function inTime<T>(work: Waiting<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    try {
      const answer = await step.value;
      step = work.next(answer);
    } catch (error) {
      step = work.throw(error);
    }
  }
  return step.value;
}
