/** Errors for a test's author: the test's own line first, and the details that explain the failure. */
import { createCanticle, startCanticle, type StartOptions } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { IOU } from '../support/ledger.js';

const canticle = useCanticle({ seed: 7 });
const { participant, token } = canticle;
const alice = participant.allocateParty('alice');
const bob = participant.allocateParty('bob');
const iou = (more: object = {}) => ({
  issuer: alice,
  owner: alice,
  currency: 'EUR',
  amount: '1.0',
  observers: [],
  ...more,
});
const create = (payload: unknown, actAs = alice) => participant.create(IOU, payload, { actAs });

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}

const framesOf = (error: Error): string[] =>
  error.stack!.split('\n').filter((line) => /^\s+at /.test(line));

describe('the first frame belongs to the caller, and no frame to Canticle', () => {
  it.each<[string, () => unknown]>([
    ['a rejected submission', () => create(iou(), bob)],
    ['an invalid payload', () => create(iou({ owner: 5 }))],
    ['a time in the past', () => canticle.setTime('2025-01-01T00:00:00Z')],
    ['an invalid party', () => token.mint(undefined as never, '1.0')],
    ['a transfer', () => token.transfer({ from: alice, to: bob, amount: '1.0' })],
    ['an option', () => createCanticle({ sede: 7 } as never)],
    ['a verb of scenarios', () => canticle.scenario.party('')],
    ['a missing submitter', () => participant.create(IOU, iou(), {} as never)],
    ['a path instead of a DAR', () => participant.uploadDar('app.dar' as never)],
  ])('%s', (_, action) => {
    const frames = framesOf(thrownBy(action));
    expect(frames[0]).toContain(__filename);
    expect(frames.filter((frame) => /[/\\]src[/\\]/.test(frame))).toEqual([]);
  });

  it('the error for a value that is not a DAR shows it, and explains how to pass one', () => {
    expect(() => participant.uploadDar('app.dar' as never)).toThrow(
      "uploadDar needs the bytes of a DAR, not 'app.dar'. Read the file first",
    );
  });

  it.each([
    ['answered', 200, alice],
    ['refused', 400, bob],
  ])('a rejected submission after a command that is %s over HTTP', async (_, status, actAs) => {
    const command = { CreateCommand: { templateId: IOU, createArguments: iou() } };
    const body = { commands: [command], commandId: 'over HTTP', userId: 'alice', actAs: [actAs] };
    const answer = await canticle.handle({ path: '/v2/commands/submit-and-wait', body });
    expect(answer.status).toBe(status);
    expect(framesOf(thrownBy(() => create(iou(), bob)))[0]).toContain(__filename);
  });

  it('an asynchronous start', async () => {
    const error = await startCanticle({ prot: 1 } as StartOptions).then(
      () => new Error('It started.'),
      (thrown: Error) => thrown,
    );
    expect(framesOf(error)[0]).toContain(__filename);
  });
});

it.each([
  [iou({ owner: undefined }), 'createArguments.owner: expected a string'],
  [iou({ observers: [bob, null] }), 'createArguments.observers[1]: expected a string'],
  [undefined, 'createArguments: expected an object'],
])('the error names a field that cannot be read', (payload, reason) => {
  expect(() => create(payload)).toThrow(`(${reason})`);
});

it('the error of a rejected transfer reports the holdings of the sender', () => {
  token.mint(alice, '5.0');
  token.transfer({ from: alice, to: bob, amount: '1.0' });
  const poor = () => token.transfer({ from: alice, to: bob, amount: '7.0' });
  expect(thrownBy(poor).stack).toMatch(
    /holds 5\.0 TestToken, of which 1\.0 locked; the transfer needs 7\.0\.$/m,
  );
});

it('the error of a passed deadline reports the ledger time', () => {
  token.mint(alice, '5.0');
  const { instruction } = token.transfer({ from: alice, to: bob, amount: '1.0' });
  canticle.advanceTime({ days: 2 });
  const late = () => token.accept(instruction, bob);
  expect(thrownBy(late).stack).toContain(
    `The code looked at the ledger's time, which is ${canticle.time}.`,
  );
  expect(thrownBy(() => create(iou(), bob)).stack).not.toContain('looked at');
});

it('each error for a reverted party explains the revert', () => {
  const own = createCanticle({ seed: 8 });
  const nobody = thrownBy(() => own.participant.create(IOU, iou(), { actAs: alice })).stack;
  expect(nobody).toMatch(/Nobody allocated alice\.$/m);
  const start = own.snapshot();
  const zoe = own.participant.allocateParty('zoe');
  own.revert(start);
  const forgotten = /A revert, such as that after each test, forgets the parties/;
  const uses = [
    () => own.participant.create(IOU, iou({ issuer: zoe, owner: zoe }), { actAs: zoe }),
    () => own.token.mint(zoe, '1.0'),
  ];
  for (const use of uses) expect(thrownBy(use).stack).toMatch(forgotten);
});

it('a concurrent test is rejected if each test is reverted', async () => {
  const hooks: Record<string, (context?: object) => void | Promise<void>> = {};
  const hook = (name: string) => (action: (context?: object) => void | Promise<void>) =>
    void (hooks[name] = action);
  const runner = {
    beforeAll: hook('all'),
    beforeEach: hook('each'),
    afterEach: hook('after'),
    afterAll: hook('end'),
  };
  const own = useCanticle({ runner, listen: false });
  const message = 'use test instead of test.concurrent';
  const concurrent = { task: { concurrent: true } };
  expect(() => hooks['each']!(concurrent)).toThrow(new RegExp(message, 'i'));
  expect(() => hooks['each']!({ task: {} })).not.toThrow();
  // Jest tells it by the state of its runner.
  const state = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  )!;
  const { currentlyRunningTest } = (globalThis as never)[state] as {
    currentlyRunningTest: { concurrent: boolean };
  };
  expect(() => hooks['each']!()).not.toThrow();
  currentlyRunningTest.concurrent = true;
  try {
    expect(() => hooks['each']!()).toThrow(new RegExp(message, 'i'));
    useCanticle({ runner, listen: false, revert: 'never' });
    expect(() => hooks['each']!()).not.toThrow();
  } finally {
    currentlyRunningTest.concurrent = false;
  }
  await own.close();
});
