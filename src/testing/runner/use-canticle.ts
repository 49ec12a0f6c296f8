/**
 * An instance for a test file, which reverts after each test. This part is the same for all test runners.
 * NOTE: the texts for authors of tests are from Canticle, here and in all of `src/testing`.
 */
import { lazy } from '../../daml/errors/lazy.js';
import type { Canticle } from '../../assembly/canticle.js';
import { withLines } from '../../assembly/cache/looked-at.js';
import { addToCoverageFile } from '../../assembly/coverage-file.js';
import type { CoverageScope } from '../../network/coverage/choice-coverage.js';
import { LISTENING } from '../../options/canticle.js';
import { checkStartOptions } from '../../assembly/options.js';
import type { CanticleOptions, StartOptions } from '../../assembly/canticle-options.js';
import { createCanticle, createWithRelease } from '../../assembly/start.js';
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
import { RehearsedTests } from './rehearsed-tests.js';
import { expectUpcoming, isQuiet, reportUpcoming } from './upcoming-line.js';
import { UpcomingCalls } from '../../services/upcoming-calls.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';
import type { ApiVersion } from '../../spec/versions.js';
import type { DeclareEach } from './each-release.js';
import type * as EachRelease from './each-release.js';
import type * as InJest from './in-jest.js';
import type * as Upstreams from '../upstream/upstream-canticle.js';

export { matchers };

const eachRelease = lazy(() => require('./each-release.js') as typeof EachRelease);
const inJest = lazy(() => require('./in-jest.js') as typeof InJest);
const upstreams = lazy(() => require('../upstream/upstream-canticle.js') as typeof Upstreams);

/** `timeout` is in milliseconds, for runners that have one. */
type Hook = (action: (context?: HookContext) => void | Promise<void>, timeout?: number) => unknown;

/** The functions of a test runner that Canticle uses. Pass `@jest/globals` or `vitest`. */
export interface TestRunner {
  /** The function of jest or vitest. */
  readonly beforeAll: Hook;
  /** The function of jest or vitest. */
  readonly beforeEach: Hook;
  /** The function of jest or vitest. */
  readonly afterEach: Hook;
  /** The function of jest or vitest. */
  readonly afterAll: Hook;
  /** If present, gets the matchers. */
  readonly expect?: { extend(matchers: never): void };
}

/** The default `port` is any free one, because test files run in parallel. */
export interface UseCanticleOptions extends StartOptions {
  /** `each`, the default, reverts after each test and clears the request journal before it. With `never`, tests build on each other. */
  readonly revert?: 'each' | 'never';
  /**
   * Whether it listens on a free port of the loopback address, so that you can call its `urls`. True by default; it takes a millisecond.
   */
  readonly listen?: boolean;
  /** Declares each test once for each of these releases of Canton, with the release in its title. Bun cannot. */
  readonly releases?: readonly ApiVersion[];
  /**
   * Whether to print nothing at the end about calls that use what the next release disables or removes. False by default.
   */
  readonly quietDeprecations?: boolean;
  /** Required if the hooks are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/**
 * Starts an instance for this file, or for this `describe`. You can use it immediately. It listens from the first `beforeAll` on, and
 * closes at the end. Changes outside of tests, such as in `beforeAll`, stay for all tests. In a test, `reset` reverts to the start of that
 * test; with `revert: 'never'`, it reverts to the start of the first test. If the environment sets CANTICLE_COVERAGE, adds the choice
 * coverage to that file. If it sets CANTICLE_UPSTREAM to the URL of a JSON Ledger API, the tests run there, with the verbs of a real
 * participant.
 */
export const useCanticle = (options: UseCanticleOptions = {}): Canticle =>
  useCanticleIn(options, (releases) => inJest().eachInJest(releases));

/** @param declareEach declares tests for each release in this test runner */
export function useCanticleIn(options: UseCanticleOptions, declareEach: DeclareEach): Canticle {
  const upstream = upstreamInEnvironment();
  if (upstream !== undefined) return useUpstream(options, upstream);
  const { releases, ...others } = options;
  if (releases !== undefined) {
    const { runner } = options;
    if (runner?.expect !== undefined) runner.expect.extend(matchers as never);
    const use = (canton: ApiVersion, hooks: TestRunner): Canticle =>
      useOne({ ...others, canton, runner: hooks }, createWithRelease);
    return eachRelease().useEachRelease(releases, use, declareEach);
  }
  return useOne(others, createCanticle);
}

function useOne(
  options: Omit<UseCanticleOptions, 'releases'>,
  create: typeof createCanticle,
): Canticle {
  const { revert = 'each', listen = true, quietDeprecations, runner, ...given } = options;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const saysWhere = ([name]: readonly [string, unknown]) => Object.hasOwn(LISTENING, name);
  const where: Listening = Object.fromEntries(said.filter(saysWhere));
  const world: CanticleOptions = Object.fromEntries(said.filter((each) => !saysWhere(each)));
  checkStartOptions(where);
  if (!listen) requireNothing(where);
  return useInstance({
    revert,
    runner,
    quietDeprecations,
    coverage: world.coverage,
    make: (coverage) => create({ ...world, coverage }),
    listen: (canticle) => (listen ? canticle.listen(where) : undefined),
  });
}

/** CANTICLE_UPSTREAM: the tests of the file run on a real participant, which cannot revert after them. */
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

/** The differences between {@link useCanticle} and similar functions. */
export interface Use<Made extends Canticle> {
  readonly revert: 'each' | 'never';
  readonly runner?: TestRunner;
  readonly quietDeprecations?: boolean | undefined;
  /** Whether to count choices; if undefined, the environment decides. */
  readonly coverage?: boolean;
  readonly make: (coverage: boolean) => Made;
  /** Opens its ports; undefined if it has none. */
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
  const upcoming = new UpcomingCalls();
  if (!isQuiet(use.quietDeprecations)) {
    upcoming.watch(canticle.requests);
    expectUpcoming();
  }
  const rehearsed = new RehearsedTests(runner?.expect);
  let isVitest = false;
  hooks.beforeAll(async () => {
    lookAt(canticle);
    await use.listen(canticle)?.catch(explainTaken);
    canticle.unref();
  });
  let isFirst = true;
  let firstRequest = 1;
  // The running test, after the tests that contain it. Only node:test has subtests.
  const running: Running[] = [];
  // The default value is necessary: jest passes a callback to functions with a required parameter.
  hooks.beforeEach(({ task, fullName, filePath } = {}) => {
    const context = { task, fullName };
    rehearsed.begin({ fullName, filePath });
    isVitest = task !== undefined;
    const overlapping = isConcurrent(context) || overlaps(context, running.at(-1)?.context);
    if (revert === 'each' && overlapping) throw concurrent();
    // A reset keeps the changes of the file, as the revert after a test does.
    if (revert === 'each' || isFirst) {
      const start = canticle.network.startHere();
      const outer = running.length > 0 ? canticle.faults.neverFired() : [];
      running.push({ context, start, outerFaults: outer.map(({ id }) => id) });
    }
    if (revert === 'each' && running.length === 1) canticle.requests.clear();
    // With `revert: 'never'`, tests may overlap: the requests are then those since the start of the latest test.
    firstRequest = canticle.requests.lastId + 1;
    isFirst = false;
  });
  const undo = (context: HookContext): void => {
    rehearsed.end(context);
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
    reportUpcoming(upcoming, isVitest);
    const error = unhappened(canticle);
    if (error !== undefined) throw error;
    if (file && coverage)
      addToCoverageFile(file, withLines(canticle.coverage.report(coverageScope())));
  });
  return canticle;
}

/** A test, and the state before it. */
interface Running {
  readonly context: HookContext;
  readonly start: string;
  /** Ids of the faults of outer tests that have not happened yet. */
  readonly outerFaults: readonly string[];
}

/** An error about faults that never happened: a test that waits for them proves nothing. */
function unhappened({ faults }: Canticle, outer: readonly string[] = []): Error | undefined {
  const rules = faults.neverFired().filter(({ id }) => !outer.includes(id));
  if (rules.length === 0) return undefined;
  const lines = rules.map(({ id, rule, seen }) => {
    const met = seen === 0 ? 'no call matched' : `${seen} calls matched, but not its count`;
    return `  ${id}: ${describeAction(rule.do)} on ${[rule.on].flat().join(', ')} (${met})`;
  });
  return withCallerStack(
    new Error(
      `Faults that never happened:\n${lines.join('\n')}\nRemove them, or set optional: true.`,
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
      `Failed to listen: ${error.message}. Test files run in parallel, each with its own instance. Remove the option port to use a free port.`,
      { cause: error },
    ),
    { code: error.code },
  );
}

const concurrent = (): Error =>
  new Error(
    "Failed to begin a concurrent test: the instance reverts when a test ends, which would undo the changes of the other running tests. Use test instead of test.concurrent, or useCanticle({ revert: 'never' }).",
  );

/** CANTICLE_COVERAGE_PACKAGES: package names, separated by commas. */
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
        "Failed to register hooks: beforeAll, beforeEach, afterEach and afterAll are not global here. Import from canticle/vitest, canticle/node-test or canticle/bun-test. In jest, pass a runner: useCanticle({ runner }), with `import * as runner from '@jest/globals'`.",
      ),
    );
  return { beforeAll, beforeEach, afterEach, afterAll };
}

/** Registers the matchers with the global `expect`, if it exists. */
export const extendGlobalExpect = (): void => globals.expect?.extend(matchers as never);
