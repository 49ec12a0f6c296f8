/** External parties on several participants: hosted when the last one agreed, executed wherever the signer likes (B-EXT-014). */
import { decodePreparedTransaction } from '@canton-network/core-tx-visualizer';
import {
  create,
  eventFormat,
  startLedgerApi,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import {
  execution,
  EXECUTE_AND_WAIT,
  newKey,
  preparation,
  PREPARE,
  type PreparedAnswer,
  type TestKey,
} from './external-party.js';

const GENERATE = '/v2/parties/external/generate-topology';
const ALLOCATE = '/v2/parties/external/allocate';
const NAMES = ['one', 'two', 'three'] as const;

let ledger: LedgerApi;
beforeEach(async () => {
  ledger = await startLedgerApi({ participants: NAMES.map((name) => ({ name })) });
});
afterEach(() => ledger.client.close());

const network = () => ledger.canticle.network;
const idOf = (name: string) => network().participant(name).id;
const at = (name: string, path: string) => `/participants/${name}${path}`;

async function generate(key: TestKey, more: Record<string, unknown> = {}) {
  return ledger.ok(GENERATE, {
    synchronizer: network().synchronizers[0]!.id,
    partyHint: 'alice',
    publicKey: key.publicKey,
    otherConfirmingParticipantUids: [idOf('two')],
    observingParticipantUids: [idOf('three')],
    confirmationThreshold: 2,
    ...more,
  });
}

function allocation(transactions: readonly string[], multiHashSignatures: readonly unknown[] = []) {
  return {
    synchronizer: network().synchronizers[0]!.id,
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures,
  };
}

const permissions = (party: string) => {
  const { topology, synchronizers } = network();
  return NAMES.map((name) => topology.permission(party, idOf(name), synchronizers[0]!.id));
};

it('hosts the party once all participants received the same transactions', async () => {
  const key = newKey();
  const { partyId, topologyTransactions, multiHash } = await generate(key);
  await ledger.ok(ALLOCATE, allocation(topologyTransactions, [key.sign(multiHash)]));
  await ledger.ok(at('two', ALLOCATE), allocation(topologyTransactions));
  expect(permissions(partyId)).toEqual([undefined, undefined, undefined]);
  await ledger.ok(at('three', ALLOCATE), allocation(topologyTransactions));
  expect(permissions(partyId)).toEqual(['confirmation', 'confirmation', 'observation']);
  expect(network().externalParties.get(partyId, network().synchronizers[0]!.id)).toMatchObject({
    threshold: 1,
    confirmationThreshold: 2,
  });
});

it("accepts the participants' approvals before the party's signature", async () => {
  const key = newKey();
  const { partyId, topologyTransactions, multiHash } = await generate(key);
  for (const name of ['three', 'two'])
    await ledger.ok(at(name, ALLOCATE), allocation(topologyTransactions));
  expect(permissions(partyId)).toEqual([undefined, undefined, undefined]);
  await ledger.ok(ALLOCATE, allocation(topologyTransactions, [key.sign(multiHash)]));
  expect(permissions(partyId)).toEqual(['confirmation', 'confirmation', 'observation']);
});

it('prepares on one participant, executes on another, and each sees the update', async () => {
  const key = newKey();
  const { partyId: party, topologyTransactions, multiHash } = await generate(key);
  for (const name of NAMES)
    await ledger.ok(at(name, ALLOCATE), allocation(topologyTransactions, [key.sign(multiHash)]));
  const dummy = create(model('Dummy'), { operator: party });
  const answer: PreparedAnswer = await ledger.ok(at('one', PREPARE), preparation(dummy, party));
  await ledger.ok(at('two', EXECUTE_AND_WAIT), execution(answer, { party, key }));
  for (const name of NAMES) {
    const { offset: activeAtOffset } = (
      await ledger.client.ledger('GET', at(name, '/v2/state/ledger-end'))
    ).body;
    const entries = await ledger.ok(at(name, '/v2/state/active-contracts'), {
      eventFormat: eventFormat([party], wildcard()),
      activeAtOffset,
    });
    expect(entries).toHaveLength(1);
  }
});

it('rejects a participant that does not host the party, or does not exist', async () => {
  const key = newKey();
  const alone = await generate(key, {
    otherConfirmingParticipantUids: [],
    observingParticipantUids: [],
    confirmationThreshold: 1,
  });
  const body = allocation(alone.topologyTransactions, [key.sign(alone.multiHash)]);
  const { status, body: error } = await ledger.post(at('two', ALLOCATE), body);
  expect([status, error.code]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(error.cause).toMatch(
    /is to be hosted on a single participant .* that is not this participant/,
  );
  const strange = await generate(key, {
    observingParticipantUids: [`stranger::${key.fingerprint}`],
  });
  const unknown = await ledger.post(
    ALLOCATE,
    allocation(strange.topologyTransactions, [key.sign(strange.multiHash)]),
  );
  expect([unknown.status, unknown.body.code]).toEqual([
    404,
    `Members PAR::stranger::${key.fingerprint.slice(0, 12)}... are unknown.`,
  ]);
});

it('allows the same key and hint on another synchronizer (B-EXT-012)', async () => {
  const two = await startLedgerApi({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
  try {
    const key = newKey();
    const parties = new Set<string>();
    const { synchronizers, topology } = two.canticle.network;
    for (const { id } of synchronizers) {
      const request = { synchronizer: id, partyHint: 'alice', publicKey: key.publicKey };
      const { partyId, topologyTransactions, multiHash } = await two.ok(GENERATE, request);
      const onboardingTransactions = topologyTransactions.map((transaction: string) => ({
        transaction,
      }));
      await two.ok(ALLOCATE, {
        synchronizer: id,
        onboardingTransactions,
        multiHashSignatures: [key.sign(multiHash)],
      });
      parties.add(partyId);
    }
    expect(parties.size).toBe(1);
    const [party] = [...parties];
    expect(topology.synchronizersOf(party!)).toEqual(synchronizers.map(({ id }) => id));
    for (const { id, physicalId } of synchronizers) {
      const body = preparation(create(model('Dummy'), { operator: party }), party!, {
        synchronizerId: id,
      });
      const answer: PreparedAnswer = await two.ok(PREPARE, body);
      expect(decodePreparedTransaction(answer.preparedTransaction).metadata!.synchronizerId).toBe(
        physicalId,
      );
      const { updateId } = await two.ok(
        EXECUTE_AND_WAIT,
        execution(answer, { party: party!, key }),
      );
      expect(two.canticle.network.updateById(updateId)!.synchronizerId).toBe(id);
    }
  } finally {
    await two.client.close();
  }
});

it('a revert removes the hosting', async () => {
  const snapshot = ledger.canticle.snapshot();
  const key = newKey();
  const { partyId, topologyTransactions, multiHash } = await generate(key);
  const everywhere = async () => {
    for (const name of NAMES)
      await ledger.ok(at(name, ALLOCATE), allocation(topologyTransactions, [key.sign(multiHash)]));
  };
  await everywhere();
  ledger.canticle.revert(snapshot);
  expect(permissions(partyId)).toEqual([undefined, undefined, undefined]);
  await everywhere();
  expect(permissions(partyId)).toEqual(['confirmation', 'confirmation', 'observation']);
});
