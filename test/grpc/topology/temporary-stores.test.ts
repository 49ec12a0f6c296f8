/**
 * Temporary topology stores over the admin API: made, listed, dropped; transactions in them are generated, signed, joined and read by
 * the rules of any store, and have no effect elsewhere.
 */
import type { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER, useTwoAdminApis } from '../two-admin-apis.js';

const apis = useTwoAdminApis();

const write = (method: string, request: object = {}, client = apis.one) =>
  client.call(`${MANAGER}WriteService/${method}`, request);
const temporary = (name: string) => ({ temporary: { name } });
const create = (name: string, client = apis.one) =>
  write('CreateTemporaryTopologyStore', { name, protocolVersion: 34 }, client);
const read = async (method: string, name: string, more: object = {}, client = apis.one) => {
  const baseQuery = { store: temporary(name), headState: {}, ...more };
  return (await client.call(`${MANAGER}ReadService/${method}`, { baseQuery })).results;
};
const refused = (reason: string) => ({ details: { ErrorInfo: { reason } } });
/** Only the log has the text of a security alert. */
const REDACTED = { code: 3, message: expect.stringContaining('An error occurred.') };

const root = externalKey();
const delegate = externalKey();

async function generate(name: string, mapping: object, serial = 0) {
  const proposals = [{ operation: ADD, serial, mapping, store: temporary(name) }];
  return (await write('GenerateTransactions', { proposals })).generatedTransactions[0];
}
const add = (name: string, transaction: string, signatures: object[], proposal = false) =>
  write('AddTransactions', {
    transactions: [{ transaction, signatures, proposal }],
    store: temporary(name),
  });
const delegation = (target = root, restriction: object = { canSignAllMappings: {} }) => ({
  namespaceDelegation: {
    namespace: root.fingerprint,
    targetKey: target.message,
    ...restriction,
  },
});
const hosting = (threshold = 1) => ({
  partyToParticipant: {
    party: `ext::${root.fingerprint}`,
    threshold,
    participants: apis.canticle.network.participants.map(({ id }) => ({
      participantUid: id,
      permission: 'PARTICIPANT_PERMISSION_CONFIRMATION',
    })),
  },
});

it('is created and dropped once, and listed in between', async () => {
  expect(await create('drafts')).toEqual({ storeId: { name: 'drafts' } });
  await expect(create('drafts')).rejects.toMatchObject(
    refused('TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS'),
  );
  const listed = async (client: GrpcClient) =>
    (await client.call(`${MANAGER}ReadService/ListAvailableStores`)).storeIds;
  expect(await listed(apis.one)).toContainEqual(temporary('drafts'));
  expect(await listed(apis.two)).not.toContainEqual(temporary('drafts'));
  const drop = () => write('DropTemporaryTopologyStore', { storeId: { name: 'drafts' } });
  await drop();
  await expect(drop()).rejects.toMatchObject({ ...refused('TOPOLOGY_STORE_NOT_FOUND'), code: 5 });
  await expect(read('ListNamespaceDelegation', 'drafts')).rejects.toMatchObject(
    refused('TOPOLOGY_STORE_NOT_FOUND'),
  );
  await expect(generate('drafts', delegation())).rejects.toMatchObject(
    refused('TOPOLOGY_STORE_NOT_FOUND'),
  );
  await expect(
    write('CreateTemporaryTopologyStore', { name: 'old', protocolVersion: 33 }),
  ).rejects.toMatchObject(refused('PROTO_DESERIALIZATION_FAILURE'));
});

it('accepts only signatures that its delegations allow', async () => {
  await create('chain');
  const ofDelegate = await generate('chain', delegation(delegate, {}));
  const signedByRoot = [root.sign(ofDelegate.transactionHash)];
  // Nothing in the store says that the root speaks for the namespace.
  await expect(add('chain', ofDelegate.serializedTransaction, signedByRoot)).rejects.toMatchObject(
    REDACTED,
  );
  const ofRoot = await generate('chain', delegation());
  await expect(
    add('chain', ofRoot.serializedTransaction, [
      { ...root.sign(ofRoot.transactionHash), signature: Buffer.alloc(64).toString('base64') },
    ]),
  ).rejects.toMatchObject(REDACTED);
  await add('chain', ofRoot.serializedTransaction, [root.sign(ofRoot.transactionHash)]);
  await add('chain', ofDelegate.serializedTransaction, signedByRoot);
  const results = await read('ListNamespaceDelegation', 'chain');
  expect(results.map(({ item }: any) => item.targetKey.publicKey)).toEqual(
    [root, delegate].map(({ message }) => message.publicKey),
  );
  expect(results[1]).toMatchObject({
    context: {
      store: temporary('chain'),
      serial: 1,
      transactionHash: ofDelegate.transactionHash,
      signedByFingerprints: [root.fingerprint],
    },
    item: { canSignAllButNamespaceDelegations: {} },
  });
  // The delegated key may sign a hosting, and no delegation.
  const third = await generate('chain', delegation(externalKey()));
  await expect(
    add('chain', third.serializedTransaction, [delegate.sign(third.transactionHash)]),
  ).rejects.toMatchObject(REDACTED);
});

it('collects signatures until none is missing, and has no effect elsewhere', async () => {
  const proposed = await generate('chain', hosting());
  const { serializedTransaction: transaction, transactionHash: hash } = proposed;
  const signatures = [delegate.sign(hash)];
  await expect(add('chain', transaction, signatures)).rejects.toMatchObject(REDACTED);
  await add('chain', transaction, signatures, true);
  expect(await read('ListPartyToParticipant', 'chain')).toEqual([]);
  const [waiting] = await read('ListPartyToParticipant', 'chain', { proposals: true });
  expect(waiting.item.party).toBe(`ext::${root.fingerprint}`);
  // Each participant signs what the store knows it by: its own delegation, which it authorizes there.
  const accept = (client: GrpcClient, name: string) =>
    write(
      'Authorize',
      { transactionHash: Buffer.from(hash, 'base64').toString('hex'), store: temporary(name) },
      client,
    );
  await expect(accept(apis.one, 'chain')).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  const own = async (client: GrpcClient) => {
    const query = { baseQuery: { store: { authorized: {} }, headState: {} } };
    const path = `${MANAGER}ReadService/ListNamespaceDelegation`;
    const { namespace, targetKey } = (await client.call(path, query)).results[0].item;
    return { namespaceDelegation: { namespace, targetKey, canSignAllMappings: {} } };
  };
  const store = temporary('chain');
  for (const client of [apis.one, apis.two]) {
    // If the second has a store of that name, it signs. The test adds the signed transaction to the first's store.
    if (client === apis.two) await create('chain', apis.two);
    const request = {
      proposal: { change: ADD, mapping: await own(client) },
      mustFullyAuthorize: true,
      store,
    };
    const authorized = await write('Authorize', request, client);
    if (client === apis.two)
      await write('AddTransactions', { transactions: [authorized.transaction], store });
  }
  await accept(apis.one, 'chain');
  expect(await read('ListPartyToParticipant', 'chain')).toEqual([]);
  const given = { transactions: [{ transaction, signatures, proposal: true }], store };
  const bySecond = await write(
    'SignTransactions',
    { ...given, signedBy: [apis.canticle.network.participants[1]!.id.split('::')[1]] },
    apis.two,
  ).catch((error: unknown) => error);
  expect(bySecond).toMatchObject({ transactions: [{ proposal: true }] });
  await write('AddTransactions', { transactions: bySecond.transactions, store });
  const [found] = await read('ListPartyToParticipant', 'chain');
  expect(found.context.signedByFingerprints).toHaveLength(3);
  expect(await read('ListPartyToParticipant', 'chain', { proposals: true })).toEqual([]);
  expect(apis.canticle.network.topology.knows(`ext::${root.fingerprint}`)).toBe(false);
});

it('checks serials, and rejects dangerous or existing transactions', async () => {
  const mapping = hosting(2);
  const propose = (serial: number, more: object = {}) =>
    write('Authorize', {
      proposal: { change: ADD, serial, mapping },
      store: temporary('chain'),
      ...more,
    });
  await expect(propose(3)).rejects.toMatchObject(refused('TOPOLOGY_SERIAL_MISMATCH'));
  // Of another threshold the party decides alone, whose key this participant has not.
  await expect(propose(0)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  const next = await generate('chain', mapping);
  await add('chain', next.serializedTransaction, [delegate.sign(next.transactionHash)]);
  const [now] = await read('ListPartyToParticipant', 'chain');
  expect([now.context.serial, now.item.threshold]).toEqual([2, 2]);
  const tooMany = await generate('chain', hosting(3));
  await expect(
    add('chain', tooMany.serializedTransaction, [delegate.sign(tooMany.transactionHash)]),
  ).rejects.toMatchObject(refused('TOPOLOGY_CONFIRMING_THRESHOLD_CANNOT_BE_REACHED'));
  const [{ item }] = await read('ListNamespaceDelegation', 'chain', {
    filterSignedKey: apis.canticle.network.participants[0]!.id.split('::')[1],
  });
  const { namespace, targetKey } = item;
  await expect(
    write('Authorize', {
      proposal: {
        change: ADD,
        mapping: { namespaceDelegation: { namespace, targetKey, canSignAllMappings: {} } },
      },
      store: temporary('chain'),
      mustFullyAuthorize: true,
    }),
  ).rejects.toMatchObject(refused('TOPOLOGY_MAPPING_ALREADY_EXISTS'));
  const vetted = (participantUid: string) =>
    write('Authorize', {
      proposal: { change: ADD, mapping: { vettedPackages: { participantUid } } },
      store: temporary('chain'),
      mustFullyAuthorize: true,
    });
  const [first, second] = apis.canticle.network.participants;
  await expect(vetted(second!.id)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  await vetted(first!.id);
  const [{ item: vetting }] = await read('ListVettedPackages', 'chain');
  expect(vetting.participantUid).toBe(first!.id);
});

it('is empty after it is dropped and created again, and a revert restores it', async () => {
  const before = await read('ListNamespaceDelegation', 'chain');
  const snapshot = apis.canticle.snapshot();
  await write('DropTemporaryTopologyStore', { storeId: { name: 'chain' } });
  await create('chain');
  expect(await read('ListNamespaceDelegation', 'chain')).toEqual([]);
  const ofDelegate = await generate('chain', delegation(delegate, {}));
  await expect(
    add('chain', ofDelegate.serializedTransaction, [root.sign(ofDelegate.transactionHash)]),
  ).rejects.toMatchObject(REDACTED);
  apis.canticle.revert(snapshot);
  expect(await read('ListNamespaceDelegation', 'chain')).toEqual(before);
  // The delegation counts again: the delegated key signs the next serial.
  const next = await generate('chain', hosting());
  await add('chain', next.serializedTransaction, [delegate.sign(next.transactionHash)]);
  expect((await read('ListPartyToParticipant', 'chain'))[0].context.serial).toBe(3);
});

it('does not compare a removal with the mapping, unlike the store of a synchronizer (B-EXT-034)', async () => {
  await create('removals');
  const remove = async (serial: number, mapping: object) => {
    const operation = 'TOPOLOGY_CHANGE_OP_REMOVE';
    const proposals = [{ operation, serial, mapping, store: temporary('removals') }];
    const { generatedTransactions } = await write('GenerateTransactions', { proposals });
    const [{ serializedTransaction: transaction, transactionHash }] = generatedTransactions;
    await add('removals', transaction, [root.sign(transactionHash)], true);
  };
  const { serializedTransaction, transactionHash } = await generate('removals', delegation());
  await add('removals', serializedTransaction, [root.sign(transactionHash)]);
  await remove(1, hosting());
  const proposals = await read('ListPartyToParticipant', 'removals', { proposals: true });
  expect(proposals).toMatchObject([{ context: { operation: 'TOPOLOGY_CHANGE_OP_REMOVE' } }]);
});
