/** `useCanticle({ releases })`: each test of a file or `describe` runs once for each release. */
import { useCanticle } from '../../../src/testing/jest.js';

const ran: string[] = [];
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

test('the instance has no release before hooks and tests', () => {
  expect(early).toMatch(/^The instance of a release is not available before beforeAll, or outside/);
});
