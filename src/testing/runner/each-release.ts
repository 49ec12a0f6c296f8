/** Declares the tests of a file or `describe` once for each release. Jest allows this: its tests are data until they run. */
import type { Canticle } from '../../assembly/canticle.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { isMap } from '../../daml/errors/realms.js';
import type { ApiVersion } from '../../spec/versions.js';
import { jestState, type JestBlock, type JestHook, type JestItem } from './concurrent-tests.js';
import type { TestRunner } from './use-canticle.js';

/** The listeners of jest's runner for its events. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

type Handler = (event: { readonly name: string }) => void;

/** @param use makes an instance of a release, and registers its hooks */
export function useEachRelease(
  releases: readonly ApiVersion[],
  use: (release: ApiVersion, runner: TestRunner) => Canticle,
): Canticle {
  const handlers = (globalThis as { [HANDLERS]?: Handler[] })[HANDLERS];
  const block = jestState()?.currentDescribeBlock;
  if (handlers === undefined || block === undefined) throw onlyJest();
  let current: Canticle | undefined;
  const ways = releases.map((release) => {
    const hooks: Omit<JestHook, 'parent'>[] = [];
    const add =
      (type: string): TestRunner['beforeAll'] =>
      (fn, timeout) =>
        hooks.push({ type, fn, timeout, asyncError: new Error(), seenDone: false });
    add('beforeAll')(() => void (current = canticle));
    const canticle = use(release, {
      beforeAll: add('beforeAll'),
      beforeEach: add('beforeEach'),
      afterEach: add('afterEach'),
      afterAll: add('afterAll'),
    });
    return { name: `Canton ${release}`, hooks };
  });
  handlers.push(({ name }) => {
    if (name === 'run_start') split(block, ways);
  });
  return new Proxy({} as Canticle, {
    get(_, name) {
      if (current === undefined) throw tooEarly();
      const value: unknown = Reflect.get(current, name, current);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
}

interface Way {
  readonly name: string;
  readonly hooks: readonly Omit<JestHook, 'parent'>[];
}

/** Moves all of a block into a block for each release. */
function split(block: JestBlock, ways: readonly Way[]): void {
  const { children, hooks } = block;
  block.hooks = [];
  block.tests = [];
  block.children = ways.map(({ name, hooks: own }) => {
    const made: JestBlock = { ...block, name, parent: block, children: [], hooks: [], tests: [] };
    made.hooks = [...own, ...hooks].map((hook) => ({ ...hook, parent: made }));
    adopt(made, children);
    return made;
  });
}

function adopt(parent: JestBlock, children: readonly JestItem[]): void {
  for (const child of children) {
    const copy = copyOf(child, parent);
    parent.children.push(copy);
    if (copy.type === 'test') parent.tests.push(copy);
  }
}

function copyOf(item: JestItem, parent: JestBlock): JestItem {
  const copy = { ...item, parent };
  if (item.type === 'test') {
    // Lists and maps of a test collect its results.
    for (const [name, value] of Object.entries(copy))
      if (Array.isArray(value)) Object.assign(copy, { [name]: [] });
      else if (isMap(value)) Object.assign(copy, { [name]: new Map() });
    return copy;
  }
  const block = copy as JestBlock;
  const { children, hooks } = block;
  block.children = [];
  block.tests = [];
  block.hooks = hooks.map((hook) => ({ ...hook, parent: block }));
  adopt(block, children);
  return block;
}

const onlyJest = (): Error =>
  withCallerStack(
    new TypeError(
      'Failed to declare tests for each release: only jest can. In other test runners, call describe and useCanticle in a loop over the releases.',
    ),
  );

const tooEarly = (): Error =>
  withCallerStack(
    new Error(
      'The instance of a release is not available before beforeAll. Use it in a hook or a test.',
    ),
  );
