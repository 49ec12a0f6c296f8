/** Records failures of tests at their declaration, for a runner whose hooks do not receive them. */
import { isPromise } from '../../daml/errors/realms.js';

type Body = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Wraps `test` of a runner, or a part of it such as `test.only` or the result of `test.each(table)`, so that a body
 * that throws is recorded.
 * @param failed is called before the runner receives the failure
 */
export function noting<T extends object>(declare: T, failed: () => void): T {
  const noted = (body: Body): Body => {
    const rethrow = (error: unknown): never => {
      failed();
      throw error;
    };
    const run: Body = function (...args) {
      try {
        const result = body.apply(this, args);
        return isPromise(result) ? result.catch(rethrow) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
    // Runners use the length to detect tests that wait for a callback.
    return Object.defineProperty(run, 'length', { value: body.length });
  };
  return new Proxy(declare, {
    apply(target, self, args: unknown[]) {
      const given = args.map((each) => (typeof each === 'function' ? noted(each as Body) : each));
      const result: unknown = Reflect.apply(target as Body, self, given);
      return typeof result === 'function' ? noting(result, failed) : result;
    },
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      return typeof part === 'function' && name !== 'prototype' ? noting(part, failed) : part;
    },
  });
}
