/** An instance for a test file, rewound after each test: what is the same under jest and vitest. */
import type { Canticle } from '../../assembly/canticle.js';
import { addToCoverageFile } from '../../assembly/coverage-file.js';
import type { CoverageScope } from '../../network/coverage/choice-coverage.js';
import { createCanticle, type CanticleOptions } from '../../assembly/start.js';
import * as matchers from '../matchers/index.js';
import { lookAt, lookAwayFrom } from '../matchers/instances.js';

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
  /** Where the hooks are no globals: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/**
 * Starts an instance for this file, or for this `describe`. It is there at once; it listens from the first `beforeAll` on and is
 * closed at the end. What is done to it outside of tests, as in `beforeAll`, stays for all of them: `reset` in a test goes back to
 * where that test began, and with `revert: 'never'` to where the first one did. Its choice coverage is added to
 * the file that CANTICLE_COVERAGE names in the environment, where it names one.
 */
export function useCanticle(options: UseCanticleOptions = {}): Canticle {
  const { revert = 'each', listen = true, runner, ...world } = options;
  const file = process.env['CANTICLE_COVERAGE'];
  const coverage = world.coverage ?? Boolean(file);
  const hooks = runner ?? globalRunner();
  if (runner?.expect !== undefined) runner.expect.extend(matchers as never);
  const canticle = createCanticle({ ...world, coverage });
  lookAt(canticle);
  hooks.beforeAll(async () => {
    lookAt(canticle);
    if (!listen) return;
    await canticle.listen();
    canticle.unref();
  });
  let isFirst = true;
  hooks.beforeEach(() => {
    // What the file has made stays with a reset, as it does with the revert after a test.
    if (revert === 'each' || isFirst) canticle.network.startHere();
    if (revert === 'each') canticle.requests.clear();
    isFirst = false;
  });
  if (revert === 'each') hooks.afterEach(() => canticle.reset());
  hooks.afterAll(async () => {
    lookAwayFrom(canticle);
    await canticle.close();
    if (file && coverage) addToCoverageFile(file, canticle.coverage.report(coverageScope()));
  });
  return canticle;
}

/** CANTICLE_COVERAGE_PACKAGES: names with commas between them. */
function coverageScope(): CoverageScope {
  const names = process.env['CANTICLE_COVERAGE_PACKAGES'];
  return names ? { packages: names.split(',').map((name) => name.trim()) } : {};
}

const globals = globalThis as Partial<TestRunner>;

function globalRunner(): TestRunner {
  const { beforeAll, beforeEach, afterEach, afterAll } = globals;
  if (!beforeAll || !beforeEach || !afterEach || !afterAll)
    throw new Error(
      "Failed to register hooks: beforeAll and its like are no globals here. In vitest, import from canticle/vitest. In jest hand them in: useCanticle({ runner }), with `import * as runner from '@jest/globals'`.",
    );
  return { beforeAll, beforeEach, afterEach, afterAll };
}

/** Registers the matchers with the global `expect`, where there is one. */
export const extendGlobalExpect = (): void => globals.expect?.extend(matchers as never);
