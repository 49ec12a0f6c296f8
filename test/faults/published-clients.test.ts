/**
 * Published clients under faults: `@canton-network/wallet-sdk` 1.4.0 with transactions of an external party, and the WebSockets of
 * `@canton-network/core-asyncapi-client` 1.8.0. Scenarios to replay the faults that they do not survive are in scenarios/faults.
 */
import { readdirSync } from 'node:fs';
import { WebSocketClient } from '@canton-network/core-asyncapi-client';
import { SDK } from '@canton-network/wallet-sdk';
import type { FaultAction } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { NOT_SURVIVED, replay } from '../support/survival/replay.js';
import { auth, cutWaits, giveLaterNode, logAdapter } from '../support/wallet-sdk.js';

const DUMMY = model('Dummy');
const EXECUTE = 'postV2Interactive-submissionExecuteandwait';

giveLaterNode();
const canticle = useCanticle({ seed: 3, clock: 'wall', packages: [modelPackage] });
let sdk: Awaited<ReturnType<typeof SDK.create>>;
let alice: { partyId: string; publicKey: string; privateKey: string };
const restoreWaits = cutWaits();
beforeAll(async () => {
  sdk = await SDK.create({ auth, ledgerClientUrl: canticle.urls.ledgerApi, logAdapter });
  const { ledgerProvider } = (sdk.ledger as any).sdkContext;
  ledgerProvider.client.logger.level = 'silent';
  const keys = sdk.keys.generate();
  const { partyId } = await newParty(keys, 'alice').execute({ grantUserRights: false });
  alice = { ...keys, partyId };
});
afterAll(restoreWaits);

const newParty = (
  { publicKey, privateKey }: { publicKey: string; privateKey: string },
  partyHint: string,
) => sdk.party.external.create(publicKey, { partyHint }).sign(privateKey);
const active = () => canticle.participant.activeContracts({ template: DUMMY }).length;
const signed = () => {
  const command = {
    CreateCommand: { templateId: DUMMY, createArguments: { operator: alice.partyId } },
  };
  const prepared = sdk.ledger.prepare({ partyId: alice.partyId, commands: command as never });
  return prepared.sign(alice.privateKey);
};
const outcomeOf = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'failed',
  );

it('a scenario exists for each fault that a client does not survive', () => {
  expect(readdirSync(NOT_SURVIVED)).toEqual([
    'allocation-never-done.yaml',
    'execute-answer-lost.yaml',
    'submit-answer-lost.yaml',
    'updates-cut.yaml',
    'updates-token-expired.yaml',
  ]);
});

describe('wallet-sdk', () => {
  it.each<[FaultAction, string, number]>([
    [{ delay: 2, of: 'answer' }, 'done', 1],
    [{ lose: 'request' }, 'failed', 0],
    [{ reject: 'NOT_SEQUENCED_TIMEOUT' }, 'NOT_SEQUENCED_TIMEOUT', 0],
    // The client reports a failure, although it took effect.
    [{ truncate: 0.5 }, 'failed', 1],
    [{ repeat: 1 }, 'DUPLICATE_COMMAND', 1],
    [{ restart: true }, 'failed', 1],
  ])(
    'execute under %j: %s, with %i effects; the retry takes effect once',
    async (action, first, effects) => {
      canticle.faults.add({ on: EXECUTE, when: { nth: 1 }, do: action });
      const transaction = signed();
      const { partyId } = alice;
      expect([await outcomeOf(transaction.execute({ partyId })), active()]).toEqual([
        first,
        effects,
      ]);
      const again = await outcomeOf(transaction.execute({ partyId }));
      expect([again, active()]).toEqual([effects === 1 ? 'DUPLICATE_COMMAND' : 'done', 1]);
    },
  );

  it('receives the rejection of a submission, and may wait for a late completion', async () => {
    const { partyId } = alice;
    const rule = canticle.faults.add({ on: '*', do: { reject: 'NOT_SEQUENCED_TIMEOUT' } });
    expect(await outcomeOf(signed().execute({ partyId }))).toBe('NOT_SEQUENCED_TIMEOUT');
    rule.remove();
    canticle.faults.add({ on: EXECUTE, do: { hold: 'completion' } });
    expect(await outcomeOf(signed().execute({ partyId }))).toBe('done');
    const { log } = canticle.participant.engine;
    expect(log.completedUpTo).toBe(log.end - 1);
    canticle.faults.release();
    expect(log.completedUpTo).toBe(log.end);
  });

  it('takes effect twice if it prepares again after a lost answer', async () => {
    replay(canticle, 'execute-answer-lost');
    const { partyId } = alice;
    expect(await outcomeOf(signed().execute({ partyId }))).toBe('failed');
    expect(await outcomeOf(signed().execute({ partyId }))).toBe('done');
    expect(active()).toBe(2);
  });

  it('treats a party as allocated at the second request if the first answer was lost', async () => {
    canticle.faults.add({
      on: 'postV2PartiesExternalAllocate',
      when: { nth: 1 },
      do: { lose: 'answer' },
    });
    const bob = newParty(sdk.keys.generate(), 'bob');
    expect(await outcomeOf(bob.execute({ grantUserRights: false }))).toBe('failed');
    expect(await outcomeOf(bob.execute({ grantUserRights: false }))).toBe('done');
  });

  it('under heavy load, polls forever for a party that is not allocated', async () => {
    replay(canticle, 'allocation-never-done');
    const bob = newParty(sdk.keys.generate(), 'bob');
    let isOver = false;
    const waiting = bob
      .execute({ grantUserRights: false, expectHeavyLoad: true })
      .then(() => (isOver = true));
    const looks = () => canticle.requests.list({ operation: 'getV2PartiesParty' }).length;
    const before = looks();
    while (looks() < before + 20) await new Promise(setImmediate);
    expect(isOver).toBe(false);
    // It ends if another client allocates the party.
    expect(await outcomeOf(bob.execute({ grantUserRights: false }))).toBe('done');
    await waiting;
  });
});

describe('core-asyncapi-client', () => {
  /** The updates of the stream, which must end. */
  async function seen(): Promise<string[]> {
    const baseUrl = canticle.url.replace('http', 'ws');
    const accessTokenProvider = { getAccessToken: () => Promise.resolve('') } as never;
    const client = new WebSocketClient({ baseUrl, accessTokenProvider });
    (client as unknown as { logger: { level: string } }).logger.level = 'silent';
    const beginExclusive = canticle.participant.ledgerEnd;
    for (let count = 0; count < 3; count += 1)
      canticle.participant.create(DUMMY, { operator: alice.partyId }, { actAs: alice.partyId });
    const stream = client.streamUpdates({
      beginExclusive,
      partyId: alice.partyId,
      templateIds: [DUMMY],
    } as never) as AsyncIterable<{ update?: object; code?: string }>;
    const given: string[] = [];
    for await (const { update, code } of stream)
      given.push(update === undefined ? `error ${code}` : Object.keys(update)[0]!);
    // A checkpoint of the past depends on the clock.
    return given.filter((each) => each !== 'OffsetCheckpoint');
  }

  it('treats a broken stream as complete: it misses later updates without an error', async () => {
    replay(canticle, 'updates-cut');
    expect(await seen()).toEqual(['Transaction']);
  });

  it('delivers the error of an expired token like an update', async () => {
    replay(canticle, 'updates-token-expired');
    expect(await seen()).toEqual(['Transaction', 'error ACCESS_TOKEN_EXPIRED']);
  });

  it('treats a stream that never opens as empty', async () => {
    canticle.faults.add({ on: 'postV2Updates', do: { lose: 'request' } });
    expect(await seen()).toEqual([]);
  });
});
