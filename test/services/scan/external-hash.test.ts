/** When Scan tells the hash that an external party signed, and how it finds an update by it. */
import { interpret, Numeric, Iou } from '../../../src/daml/index.js';
import { witnessesOf } from '../../../src/network/index.js';
import { SpliceWorld } from '../../support/splice/splice-world.js';

const VERSIONS = ['v0', 'v1', 'v2'] as const;

describe('external transaction hashes', () => {
  const HASH = 'ab'.repeat(32);

  /** A world with one update that an external party signed. */
  function signedWorld(externalHashesSince?: bigint): { world: SpliceWorld; updateId: string } {
    const world = new SpliceWorld({ splice: { externalHashesSince } });
    const alice = world.participant.allocateParty('alice');
    const effectiveAt = world.network.clock.now();
    const transaction = interpret({
      commands: [createIou(alice, alice)],
      actAs: [alice],
      ledgerTime: effectiveAt,
      seed: world.network.random.hex('transaction'),
      packages: world.participant.packagesFor(),
      contract: () => undefined,
    });
    const { updateId } = world.network.commit({
      kind: 'transaction',
      synchronizerId: world.synchronizerId('global'),
      effectiveAt,
      transaction,
      witnesses: witnessesOf(world.network.partySets, transaction),
      submission: {
        participantId: world.network.participants[0]!.id,
        userId: 'alice-wallet',
        commandId: 'signed',
        hasMadeUpCommandId: false,
        submissionId: 'signed',
        actAs: [alice],
        readAs: [],
      },
      workflowId: '',
      externalTransactionHash: HASH,
    });
    return { world, updateId };
  }

  test('the look-up by hash always returns it (S-UPD-036, S-UPD-037)', async () => {
    const { world, updateId } = signedWorld();
    for (const hash of [HASH, HASH.toUpperCase()])
      expect((await world.get(`/api/scan/v2/updates/hash/${hash}`)).body).toMatchObject({
        update_id: updateId,
        external_transaction_hash: HASH,
      });
  });

  test('v0 always returns it, and later versions from the configured time on (S-UPD-038, S-UPD-039)', async () => {
    const hashesOf = async ({ world, updateId }: ReturnType<typeof signedWorld>) =>
      Promise.all(
        VERSIONS.map(async (version) => {
          const { body } = await world.get<Record<string, unknown>>(
            `/api/scan/${version}/updates/${updateId}`,
          );
          const { body: listed } = await world.post(`/api/scan/${version}/updates`, {
            page_size: 1000,
          });
          const inList = listed.transactions.at(-1);
          expect(inList.external_transaction_hash).toBe(body.external_transaction_hash);
          return body.external_transaction_hash;
        }),
      );
    expect(await hashesOf(signedWorld())).toEqual([HASH, undefined, undefined]);
    expect(await hashesOf(signedWorld(0n))).toEqual([HASH, HASH, HASH]);
  });

  test('answers 404 for an unknown hash, and for a text that is not hexadecimal (S-UPD-036)', async () => {
    const { world } = signedWorld();
    for (const hash of ['nonsense', 'cd'.repeat(32)])
      expect(await world.get(`/api/scan/v2/updates/hash/${hash}`)).toEqual({
        status: 404,
        body: { error: `Transaction with hash ${hash} not found` },
      });
  });
});

function createIou(owner: string, issuer: string) {
  const payload = { issuer, owner, currency: 'EUR', amount: Numeric.of('1'), observers: [] };
  return { kind: 'create' as const, templateId: Iou.id, payload };
}
