/**
 * An instance for a test file, rewound after each test: what is the same under every runner.
 * NOTE: what is told to authors of tests is in words of ours, here and in this whole room.
 */
import { lazy } from '../../daml/errors/lazy.js';
import type { Canticle } from '../../assembly/canticle.js';
import { withLines } from '../../assembly/cache/looked-at.js';
import { addToCoverageFile } from '../../assembly/coverage-file.js';
import type { CoverageScope } from '../../network/coverage/choice-coverage.js';
import { LISTENING } from '../../options/canticle.js';
import { checkStartOptions } from '../../assembly/options.js';
import { createCanticle, type CanticleOptions, type StartOptions } from '../../assembly/start.js';
import { describeAction } from '../../network/faults/check-rule.js';
import * as matchers from '../matchers/index.js';
import { lookAt, lookAwayFrom } from '../matchers/instances.js';
import { upstreamInEnvironment, type Upstream } from '../upstream/upstream-setting.js';
import {
  failureText,
  hasFailed,
  isConcurrent,
  overlaps,
  printBelow,
  type HookContext,
} from './concurrent-tests.js';
import { isKeeping, keepOpen, LONGEST_HOOK } from './keep-open.js';
import { refusedText } from './refused-requests.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';
import type * as Upstreams from '../upstream/upstream-canticle.js';

export { matchers };

const upstreams = lazy(() => require('../upstream/upstream-canticle.js') as typeof Upstreams);

/** `timeout` is in milliseconds, for runners that take one. */
type Hook = (action: (context?: HookContext) => void | Promise<void>, timeout?: number) => unknown;

/** What a test runner offers: `@jest/globals` or `vitest` as a whole. */
export interface TestRunner {
  /** As jest and vitest have it. */
  readonly beforeAll: Hook;
  /** As jest and vitest have it. */
  readonly beforeEach: Hook;
  /** As jest and vitest have it. */
  readonly afterEach: Hook;
  /** As jest and vitest have it. */
  readonly afterAll: Hook;
  /** Gets the matchers, where it is given. */
  readonly expect?: { extend(matchers: never): void };
}

/** Its `port` is any free one by default, as test files run at the same time. */
export interface UseCanticleOptions extends StartOptions {
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
 * the file that CANTICLE_COVERAGE names in the environment, where it names one. Where CANTICLE_UPSTREAM is the address of a JSON Ledger
 * API, the tests run there instead, with the verbs that a real participant has.
 */
export function useCanticle(options: UseCanticleOptions = {}): Canticle {
  const upstream = upstreamInEnvironment();
  if (upstream !== undefined) return useUpstream(options, upstream);
  const { revert = 'each', listen = true, runner, ...given } = options;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const saysWhere = ([name]: readonly [string, unknown]) => Object.hasOwn(LISTENING, name);
  const where: Listening = Object.fromEntries(said.filter(saysWhere));
  const world: CanticleOptions = Object.fromEntries(said.filter((each) => !saysWhere(each)));
  checkStartOptions(where);
  if (!listen) requireNothing(where);
  return useInstance({
    revert,
    runner,
    coverage: world.coverage,
    make: (coverage) => createCanticle({ ...world, coverage }),
    listen: (canticle) => (listen ? canticle.listen(where) : undefined),
  });
}

/** CANTICLE_UPSTREAM: the tests of the file run on a real participant, where nothing is undone after them. */
function useUpstream({ runner, ...options }: UseCanticleOptions, upstream: Upstream): Canticle {
  const hooks = runner ?? globalRunner();
  if (runner?.expect !== undefined) runner.expect.extend(matchers as never);
  const canticle = new (upstreams().UpstreamCanticle)(upstream, options);
  hooks.beforeAll(() => canticle.open());
  hooks.beforeEach(() => canticle.beginTest());
  hooks.afterEach(() => canticle.endTest());
  hooks.afterAll(() => canticle.close());
  return canticle.facade;
}

/** What {@link useCanticle} and its like differ in. */
export interface Use<Made extends Canticle> {
  readonly revert: 'each' | 'never';
  readonly runner?: TestRunner;
  /** Whether choices are counted; where undefined the environment says it. */
  readonly coverage?: boolean;
  readonly make: (coverage: boolean) => Made;
  /** Opens its ports; undefined where it has none. */
  readonly listen: (canticle: Made) => Promise<void> | undefined;
}

/** Registers the hooks of an instance. */
export function useInstance<Made extends Canticle>(use: Use<Made>): Made {
  const { revert, runner } = use;
  const file = fromEnvironment('CANTICLE_COVERAGE');
  const coverage = use.coverage ?? Boolean(file);
  const hooks = runner ?? globalRunner();
  if (runner?.expect !== undefined) runner.expect.extend(matchers as never);
  const canticle = use.make(coverage);
  lookAt(canticle);
  hooks.beforeAll(async () => {
    lookAt(canticle);
    await use.listen(canticle)?.catch(explainTaken);
    canticle.unref();
  });
  let isFirst = true;
  let firstRequest = 1;
  // The test that runs, behind those that it is a subtest of, as node:test has them.
  const running: Running[] = [];
  // The default keeps jest from taking the parameter for a callback to wait for.
  hooks.beforeEach(({ task, fullName } = {}) => {
    const context = { task, fullName };
    const overlapping = isConcurrent(context) || overlaps(context, running.at(-1)?.context);
    if (revert === 'each' && overlapping) throw concurrent();
    // What the file has made stays with a reset, as it does with the revert after a test.
    if (revert === 'each' || isFirst) {
      const start = canticle.network.startHere();
      const outer = running.length > 0 ? canticle.faults.neverFired() : [];
      running.push({ context, start, outerFaults: outer.map(({ id }) => id) });
    }
    if (revert === 'each' && running.length === 1) canticle.requests.clear();
    // Where the tests build on each other, they may overlap: what is told is of the one that began last.
    firstRequest = canticle.requests.lastId + 1;
    isFirst = false;
  });
  const undo = (context: HookContext): void => {
    const refused = hasFailed(context) ? refusedText(canticle, firstRequest) : undefined;
    try {
      if (revert === 'each') takeBack();
    } finally {
      if (refused !== undefined) printBelow(context, refused);
    }
  };
  const takeBack = () => {
    const error = unhappened(canticle, running.pop()?.outerFaults);
    canticle.network.reset(true);
    const outer = running.at(-1);
    if (outer !== undefined) canticle.network.startHere(outer.start);
    if (error !== undefined) throw error;
  };
  if (isKeeping())
    hooks.afterEach(async (context = {}) => {
      if (hasFailed(context)) await keepOpen(canticle, failureText(context));
      undo(context);
    }, LONGEST_HOOK);
  else hooks.afterEach((context = {}) => undo(context));
  hooks.afterAll(async () => {
    lookAwayFrom(canticle);
    await canticle.close();
    const error = unhappened(canticle);
    if (error !== undefined) throw error;
    if (file && coverage)
      addToCoverageFile(file, withLines(canticle.coverage.report(coverageScope())));
  });
  return canticle;
}

/** A test, and what was there before it. */
interface Running {
  readonly context: HookContext;
  readonly start: string;
  /** Ids of those of the tests around it that have not happened yet. */
  readonly outerFaults: readonly string[];
}

/** Of faults that were asked for and never came: a test that waits for them in vain shows nothing. */
function unhappened({ faults }: Canticle, outer: readonly string[] = []): Error | undefined {
  const rules = faults.neverFired().filter(({ id }) => !outer.includes(id));
  if (rules.length === 0) return undefined;
  const lines = rules.map(({ id, rule, seen }) => {
    const met = seen === 0 ? 'no call met it' : `${seen} calls met it but for the count`;
    return `  ${id}: ${describeAction(rule.do)} on ${[rule.on].flat().join(', ')} (${met})`;
  });
  return withCallerStack(
    new Error(
      `Faults that never happened:\n${lines.join('\n')}\nRemove them, or say optional: true.`,
    ),
  );
}

type Listening = Omit<StartOptions, keyof CanticleOptions>;

function requireNothing(where: Listening): void {
  for (const name of Object.keys(where))
    throw withCallerStack(
      new TypeError(
        `Failed to create a Canticle: ${name} cannot be used with listen: false, which opens no port.`,
      ),
    );
}

function explainTaken(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EADDRINUSE') throw error;
  throw Object.assign(
    new Error(
      `Failed to listen: ${error.message}. Test files run at the same time, each with an instance of its own: without the option port each has a free one.`,
      { cause: error },
    ),
    { code: error.code },
  );
}

const concurrent = (): Error =>
  new Error(
    "Failed to begin a concurrent test: what one test does is undone when it ends, under the hands of those that run beside it. Use test instead of test.concurrent, or useCanticle({ revert: 'never' }).",
  );

/** CANTICLE_COVERAGE_PACKAGES: names with commas between them. */
export function coverageScope(): CoverageScope {
  const names = fromEnvironment('CANTICLE_COVERAGE_PACKAGES');
  return names ? { packages: names.split(',').map((name) => name.trim()) } : {};
}

const globals = globalThis as Partial<TestRunner>;

export function globalRunner(): TestRunner {
  const { beforeAll, beforeEach, afterEach, afterAll } = globals;
  if (!beforeAll || !beforeEach || !afterEach || !afterAll)
    throw withCallerStack(
      new Error(
        "Failed to register hooks: beforeAll and its like are no globals here. In vitest, import from canticle/vitest, in node:test from canticle/node-test, in Bun from canticle/bun-test. In jest hand them in: useCanticle({ runner }), with `import * as runner from '@jest/globals'`.",
      ),
    );
  return { beforeAll, beforeEach, afterEach, afterAll };
}

/** Registers the matchers with the global `expect`, where there is one. */
export const extendGlobalExpect = (): void => globals.expect?.extend(matchers as never);
