/**
 * Canticle in a test file of jest, or of vitest with globals: an instance in one line, rewound after each test, and matchers
 * whose failures show what the ledger holds. Importing it registers the matchers.
 */
import type { Canticle } from '../canticle.js';
import { createCanticle, type CanticleOptions } from '../start.js';
import * as matchers from './matchers/index.js';
import { lookAt, lookAwayFrom } from './matchers/instances.js';
import type { CanticleMatchers } from './matchers/types.js';

export { lookAt, matchers };
export type { CanticleMatchers };
export type { ExpectedError, Instrument } from './matchers/types.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where jest's own types are extended
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as jest has it
    interface Matchers<R, T = {}> extends CanticleMatchers<R> {}
  }
}

declare module 'expect' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as jest has it
  interface Matchers<R extends void | Promise<void>, T = unknown> extends CanticleMatchers<R> {}
}

type Hook = (action: () => void | Promise<void>) => unknown;

/** What a test runner offers: `@jest/globals` or `vitest` as a whole. */
export interface TestRunner {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  readonly expect?: { extend(matchers: never): void };
}

export interface UseCanticleOptions extends CanticleOptions {
  /** `each`, the default: what a test does is undone after it, and the request journal starts afresh. `never`: tests build on each other. */
  readonly revert?: 'each' | 'never';
  /** Whether it listens, on a free port of loopback, so that its `urls` can be called. True by default; it takes a millisecond. */
  readonly listen?: boolean;
  /** Where the hooks are no globals: `import * as runner from 'vitest'`. */
  readonly runner?: TestRunner;
}

/**
 * Starts an instance for this file, or for this `describe`. It is there at once; it listens from the first `beforeAll` on and is
 * closed at the end. What is done to it outside of tests, as in `beforeAll`, stays for all of them.
 */
export function useCanticle(options: UseCanticleOptions = {}): Canticle {
  const { revert = 'each', listen = true, runner, ...world } = options;
  const hooks = runner ?? globalRunner();
  if (runner?.expect !== undefined) runner.expect.extend(matchers as never);
  const canticle = createCanticle(world);
  lookAt(canticle);
  hooks.beforeAll(async () => {
    lookAt(canticle);
    if (listen) await canticle.listen();
  });
  if (revert === 'each') {
    let before: string;
    hooks.beforeEach(() => {
      before = canticle.snapshot();
      canticle.requests.clear();
    });
    hooks.afterEach(() => rewind(canticle, before));
  }
  hooks.afterAll(async () => {
    lookAwayFrom(canticle);
    await canticle.close();
  });
  return canticle;
}

function rewind(canticle: Canticle, snapshot: string): void {
  try {
    canticle.revert(snapshot);
  } catch {
    // The test went further back itself, which took the snapshot away: the start is what is left.
    canticle.reset();
  }
}

const globals = globalThis as Partial<TestRunner>;

function globalRunner(): TestRunner {
  const { beforeAll, beforeEach, afterEach, afterAll } = globals;
  if (!beforeAll || !beforeEach || !afterEach || !afterAll)
    throw new Error(
      "Failed to register hooks: beforeAll and its like are no globals here. Hand them in: useCanticle({ runner }), with `import * as runner from 'vitest'` or '@jest/globals'.",
    );
  return { beforeAll, beforeEach, afterEach, afterAll };
}

globals.expect?.extend(matchers as never);
