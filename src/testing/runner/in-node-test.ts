/**
 * The functions of node:test that declare tests. In a file or `describe` with releases, they keep each call, and make it again for each
 * release. Otherwise they do what those of node:test do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import nodeTest from 'node:test';
import { setImmediate } from 'node:timers';
import { isPromise } from '../../daml/errors/realms.js';
import type { HookContext } from './concurrent-tests.js';
import { addHooks, notDeclared, type DeclareEach, type ReleaseTests } from './each-release.js';

/** A file or `describe`. */
interface Block {
  /** Its calls, while it keeps them. */
  kept?: (() => unknown)[] | undefined;
  releases?: readonly ReleaseTests[];
}

const file: Block = {};
const blocks = new AsyncLocalStorage<Block>();
const here = (): Block => blocks.getStore() ?? file;

type Any = (...args: unknown[]) => unknown;

type Action = (context?: HookContext) => void | Promise<void>;

/** The hooks of node:test, by the names of other test runners. */
export const runner = {
  beforeAll: (action: Action) => nodeTest.before(() => action()),
  beforeEach: (action: Action) => nodeTest.beforeEach((context) => action(context as HookContext)),
  afterEach: (action: Action) => nodeTest.afterEach((context) => action(context as HookContext)),
  afterAll: (action: Action) => nodeTest.after(() => action()),
};

export const eachInNodeTest: DeclareEach = (releases) => {
  const block = here();
  if (block.kept !== undefined) throw notDeclared('this file or describe has releases already.');
  const kept: (() => unknown)[] = [];
  Object.assign(block, { kept, releases });
  if (block !== file) return;
  for (const release of releases)
    nodeTest.describe(release.name, async () => {
      // The file has declared its tests by then, except after a real wait.
      await new Promise(setImmediate);
      block.kept = undefined;
      declareAll(release, kept);
    });
};

/** Declares what a `describe` has kept. */
function end(block: Block): void {
  const { kept, releases } = block;
  block.kept = undefined;
  if (kept !== undefined)
    for (const release of releases!)
      nodeTest.describe(release.name, () => declareAll(release, kept));
}

function declareAll(release: ReleaseTests, kept: readonly (() => unknown)[]): void {
  if (kept.length === 0)
    throw notDeclared('there is no test. Import test, describe and hooks from canticle/node-test.');
  addHooks(runner, release);
  for (const declare of kept) void declare();
}

/** The forms of a function, such as `test.skip`. */
const FORMS = new Set<string | symbol>(['only', 'skip', 'todo', 'expectFailure']);

/** A function that declares a test or a hook, or a form of it. */
function keeping<T extends object>(declare: T, argsOf = (args: unknown[]) => args): T {
  return new Proxy(declare, {
    apply(target, self, args: unknown[]) {
      const make = (): unknown => Reflect.apply(target as Any, self, argsOf(args));
      const { kept } = here();
      if (kept === undefined) return make();
      kept.push(make);
      return Promise.resolve();
    },
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      return FORMS.has(name) ? keeping(part as object, argsOf) : part;
    },
  });
}

/** The body of a `describe` is a block. */
const inBlock = (args: unknown[]): unknown[] =>
  args.map((each) => (typeof each === 'function' ? blockOf(each as Any) : each));

function blockOf(body: Any): Any {
  return (...args) => {
    const block: Block = {};
    return blocks.run(block, () => {
      const result = body(...args);
      if (isPromise(result)) return result.then(() => end(block));
      end(block);
      return result;
    });
  };
}

/** The function of node:test, also for the tests of each release. */
export const test: typeof nodeTest.test = keeping(nodeTest.test);
/** The function of node:test, also for the tests of each release. */
export const it: typeof nodeTest.it = keeping(nodeTest.it);
/** The function of node:test, also for the tests of each release. */
export const describe: typeof nodeTest.describe = keeping(nodeTest.describe, inBlock);
/** The function of node:test, also for the tests of each release. */
export const suite: typeof nodeTest.suite = keeping(nodeTest.suite, inBlock);
/** The function of node:test, also for the tests of each release. */
export const before: typeof nodeTest.before = keeping(nodeTest.before);
/** The function of node:test, also for the tests of each release. */
export const beforeEach: typeof nodeTest.beforeEach = keeping(nodeTest.beforeEach);
/** The function of node:test, also for the tests of each release. */
export const afterEach: typeof nodeTest.afterEach = keeping(nodeTest.afterEach);
/** The function of node:test, also for the tests of each release. */
export const after: typeof nodeTest.after = keeping(nodeTest.after);
