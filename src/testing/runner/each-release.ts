/** Declares the tests of a file or `describe` once for each release, in the way of its test runner. */
import type { Canticle } from '../../assembly/canticle.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { ApiVersion } from '../../spec/versions.js';
import type { TestRunner } from './use-canticle.js';

export type HookName = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';

export interface ReleaseHook {
  readonly type: HookName;
  readonly fn: Parameters<TestRunner['beforeAll']>[0];
  readonly timeout: number | undefined;
}

/** The tests of one release. */
export interface ReleaseTests {
  /** Such as `Canton 3.6`. */
  readonly name: string;
  /** Those of its instance. They come before the hooks of the file. */
  readonly hooks: readonly ReleaseHook[];
}

/** Declares the tests of the present file or `describe` for each release. @throws if the test runner cannot */
export type DeclareEach = (releases: readonly ReleaseTests[]) => void;

/** @param use makes an instance of a release, and registers its hooks */
export function useEachRelease(
  releases: readonly ApiVersion[],
  use: (release: ApiVersion, runner: TestRunner) => Canticle,
  declareEach: DeclareEach,
): Canticle {
  if (releases.length === 0 || new Set(releases).size < releases.length) throw notDistinct();
  let current: Canticle | undefined;
  const declared = releases.map((release) => {
    const hooks: ReleaseHook[] = [];
    const add =
      (type: HookName): TestRunner['beforeAll'] =>
      (fn, timeout) =>
        hooks.push({ type, fn, timeout });
    add('beforeAll')(() => void (current = canticle));
    const canticle = use(release, {
      beforeAll: add('beforeAll'),
      beforeEach: add('beforeEach'),
      afterEach: add('afterEach'),
      afterAll: add('afterAll'),
    });
    return { name: `Canton ${release}`, hooks };
  });
  declareEach(declared);
  return new Proxy({} as Canticle, {
    get(_, name) {
      if (current === undefined) throw tooEarly();
      const value: unknown = Reflect.get(current, name, current);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
}

/** Registers the hooks of an instance in the present `describe`. */
export function addHooks(runner: Pick<TestRunner, HookName>, { hooks }: ReleaseTests): void {
  for (const { type, fn, timeout } of hooks) runner[type](fn, timeout);
}

export const notDeclared = (why: string): Error =>
  withCallerStack(new TypeError(`Failed to declare tests for each release: ${why}`));

const notDistinct = (): Error => notDeclared('releases is not a list of different releases.');

const tooEarly = (): Error =>
  withCallerStack(
    new Error(
      'The instance of a release is not available before beforeAll, or outside of the tests of its releases. Use it in a hook or a test. In node:test, import test, describe and hooks from canticle/node-test.',
    ),
  );
