/** Declares the tests of a file or `describe` once for each release in jest, whose tests are data until they run. */
import { isMap } from '../../daml/errors/realms.js';
import { jestState, type JestBlock, type JestItem } from './concurrent-tests.js';
import { notDeclared, type ReleaseTests } from './each-release.js';

/** The listeners of jest's runner for its events. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

type Handler = (event: { readonly name: string }) => void;

export function eachInJest(releases: readonly ReleaseTests[]): void {
  const handlers = (globalThis as { [HANDLERS]?: Handler[] })[HANDLERS];
  const block = jestState()?.currentDescribeBlock;
  if (handlers === undefined || block === undefined)
    throw notDeclared(
      'only jest, vitest and node:test can. In other test runners, call describe and useCanticle in a loop over the releases.',
    );
  // The place that registered a hook, if it fails.
  const asyncError = new Error();
  handlers.push(({ name }) => {
    if (name === 'run_start') split(block, releases, asyncError);
  });
}

/** Moves all of a block into a block for each release. */
function split(block: JestBlock, releases: readonly ReleaseTests[], asyncError: Error): void {
  const { children, hooks } = block;
  block.hooks = [];
  block.tests = [];
  block.children = releases.map(({ name, hooks: own }) => {
    const made: JestBlock = { ...block, name, parent: block, children: [], hooks: [], tests: [] };
    const first = own.map((hook) => ({ ...hook, asyncError, seenDone: false }));
    made.hooks = [...first, ...hooks].map((hook) => ({ ...hook, parent: made }));
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
