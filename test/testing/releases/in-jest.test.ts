/** `useCanticle({ releases })`: each test of a file or `describe` runs once for each release. */
import { types } from 'node:util';
import { jestState } from '../../../src/testing/runner/concurrent-tests.js';
import { addHooks } from '../../../src/testing/runner/each-release.js';
import { useCanticle } from '../../../src/testing/jest.js';

const ran: string[] = [];
/** The lists and maps in which jest's runner collects the results of a test, for each run of the test. */
const collections: (readonly unknown[])[] = [];
let early = '';

describe('the tests', () => {
  const canticle = useCanticle({ releases: ['3.4', '3.6'], seed: 1 });
  try {
    void canticle.url;
  } catch (error) {
    early = (error as Error).message;
  }
  let alice: string;
  beforeAll(() => {
    alice = canticle.participant.allocateParty('alice');
  });

  const version = async (): Promise<string> => {
    const answer = await fetch(`${canticle.url}/v2/version`);
    return ((await answer.json()) as { version: string }).version;
  };

  test('run once for each release', async () => {
    const name = expect.getState().currentTestName ?? '';
    // A run of several files in one puts the name of the file first.
    ran.push(`${name.slice(name.indexOf('the tests'))}: ${await version()}`);
    expect(alice).toMatch(/^alice::/);
    const running = Object.values(jestState()!.currentlyRunningTest!);
    collections.push(running.filter((each) => Array.isArray(each) || types.isMap(each)));
  });

  describe('of an inner block', () => {
    test.each([1, 2])('run too, %i', async (n) => {
      ran.push(`${n}: ${(await version()).slice(0, 3)}`);
      expect(canticle.participant.allocateParty('bob')).toMatch(/^bob::/);
    });
  });
});

test('other tests run once, after them', () => {
  expect(ran).toEqual([
    'the tests Canton 3.4 run once for each release: 3.4.12',
    '1: 3.4',
    '2: 3.4',
    'the tests Canton 3.6 run once for each release: 3.6.1',
    '1: 3.6',
    '2: 3.6',
  ]);
});

test('no run sees the errors and rejections of another', () => {
  const [one, other] = collections;
  expect(one!.some((each) => types.isMap(each))).toBe(true);
  for (const [index, each] of one!.entries()) expect(other![index]).not.toBe(each);
});

describe('without the events of jest', () => {
  const events = Symbol.for('EVENT_HANDLERS');
  const handlers: unknown = Reflect.get(globalThis, events);
  Reflect.deleteProperty(globalThis, events);
  let message = '';
  try {
    useCanticle({ releases: ['3.4'] });
  } catch (error) {
    ({ message } = error as Error);
  } finally {
    Reflect.set(globalThis, events, handlers);
  }

  test('no tests are declared for releases', () => {
    expect(message).toMatch(
      /^Failed to declare tests for each release: only jest, vitest and node:test can\./,
    );
  });
});

const refusals: string[] = [];
// Separate, because the tests of a block disappear if it has no releases.
describe.each([[[]], [['3.6', '3.5', '3.6']]])('for %j', (releases) => {
  try {
    useCanticle({ releases } as Parameters<typeof useCanticle>[0]);
  } catch (error) {
    refusals.push((error as Error).message);
  }
});

test('releases have to be different ones, and at least one', () => {
  const refusal = expect.stringContaining('releases is not a list of different releases.');
  expect(refusals).toEqual([refusal, refusal]);
});

test('hooks of an instance keep their order and timeouts', () => {
  const added: unknown[] = [];
  const add = (type: string) => (fn: () => void, timeout?: number) =>
    void added.push([type, fn, timeout]);
  const runner = {
    ...{ beforeAll: add('beforeAll'), beforeEach: add('beforeEach') },
    ...{ afterEach: add('afterEach'), afterAll: add('afterAll') },
  };
  const [first, second] = [() => undefined, () => undefined];
  const hooks = [
    { type: 'afterAll', fn: first, timeout: undefined },
    { type: 'beforeEach', fn: second, timeout: 5 },
  ] as const;
  addHooks(runner, { name: 'Canton 3.6', hooks });
  expect(added).toEqual([
    ['afterAll', first, undefined],
    ['beforeEach', second, 5],
  ]);
});

test('the instance has no release before hooks and tests', () => {
  expect(early).toMatch(/^The instance of a release is not available before beforeAll, or outside/);
});
