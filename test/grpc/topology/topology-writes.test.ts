/**
 * An external party is hosted on two participants over their admin APIs. Its hosting is generated, signed with its own key, added,
 * and authorized by each participant. Only then does the party exist.
 */
import type { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER, useTwoAdminApis } from '../two-admin-apis.js';

const apis = useTwoAdminApis();
const { fingerprint, message: signingKey, sign: signed } = externalKey();
const party = `ext::${fingerprint}`;

const store = () => ({ synchronizer: { id: apis.canticle.network.synchronizers[0]!.id } });
const hostsOf = (of = party) => [
  ...apis.canticle.network.topology.hosts(of, apis.canticle.network.synchronizers[0]!.id).keys(),
];

/** Only the log has the text of a security alert. */
const REDACTED = { code: 3, message: expect.stringContaining('An error occurred.') };

async function hosting(
  hint = 'ext',
): Promise<{ serializedTransaction: string; transactionHash: string }> {
  const partyToParticipant = {
    party: `${hint}::${fingerprint}`,
    threshold: 1,
    participants: apis.canticle.network.participants.map(({ id }) => ({
      participantUid: id,
      permission: 'PARTICIPANT_PERMISSION_CONFIRMATION',
    })),
    partySigningKeys: { keys: [signingKey], threshold: 1 },
  };
  const { generatedTransactions } = await apis.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    {
      proposals: [
        {
          operation: ADD,
          mapping: { partyToParticipant },
          store: store(),
        },
      ],
    },
  );
  return generatedTransactions[0];
}

it('hosts a party once each host has authorized the transaction of its key', async () => {
  const { serializedTransaction: transaction, transactionHash } = await hosting();
  const add = (signatures: object[]) =>
    apis.one.call(`${MANAGER}WriteService/AddTransactions`, {
      transactions: [{ transaction, signatures, proposal: true }],
      store: store(),
    });
  const broken = { ...signed(transactionHash), signature: Buffer.alloc(64).toString('base64') };
  await expect(add([broken])).rejects.toMatchObject({ code: 3 });
  await add([signed(transactionHash)]);
  expect(hostsOf()).toEqual([]);

  const hash = Buffer.from(transactionHash, 'base64').toString('hex');
  const authorize = (client: GrpcClient, more: object = {}) =>
    client.call(`${MANAGER}WriteService/Authorize`, {
      transactionHash: hash,
      store: store(),
      ...more,
    });
  // Of the first, where the second has not spoken.
  await expect(authorize(apis.one, { mustFullyAuthorize: true })).rejects.toMatchObject({
    code: 3,
  });
  const answer = await authorize(apis.one);
  expect(answer.transaction.transaction).toBe(transaction);
  expect(hostsOf()).toEqual([]);
  await authorize(apis.two, { mustFullyAuthorize: true });
  expect(hostsOf()).toEqual(apis.canticle.network.participants.map(({ id }) => id));
  // A transaction in force can be authorized again with a key that may sign it.
  await expect(authorize(apis.two)).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
  await expect(
    apis.two.call(`${MANAGER}WriteService/Authorize`, {
      transactionHash: hash.replace(/..$/, (last) => (last === '00' ? '01' : '00')),
      store: store(),
    }),
  ).rejects.toMatchObject({
    code: 5,
    details: { ErrorInfo: { reason: 'TOPOLOGY_TRANSACTION_NOT_FOUND' } },
  });
  const { results } = await apis.two.call(`${MANAGER}ReadService/ListPartyToParticipant`, {
    baseQuery: { store: store(), headState: {} },
    filterParty: 'ext',
  });
  expect(results[0].item).toMatchObject({
    party,
    partySigningKeys: { threshold: 1, keys: [{ publicKey: signingKey.publicKey }] },
  });
});

it('hosts a party with the signatures of participants that another client adds', async () => {
  const { serializedTransaction: transaction, transactionHash } = await hosting('other');
  const given = { transaction, signatures: [signed(transactionHash)], proposal: true };
  const sign = async (client: GrpcClient, each: object, more: object = {}) => {
    const request = { transactions: [each], store: store(), ...more };
    const { transactions } = await client.call(`${MANAGER}WriteService/SignTransactions`, request);
    return transactions[0];
  };
  await expect(sign(apis.one, given, { signedBy: [fingerprint] })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
  const add = (each: object) =>
    apis.one.call(`${MANAGER}WriteService/AddTransactions`, {
      transactions: [each],
      store: store(),
    });
  const ofBoth = await sign(apis.two, await sign(apis.one, given));
  const [, , second] = ofBoth.signatures;
  expect(second.signedBy).toBe(apis.canticle.network.participants[1]!.id.split('::')[1]);
  const broken = { ...second, signature: ofBoth.signatures[1].signature };
  const signatures = [...ofBoth.signatures.slice(0, 2), broken];
  await expect(add({ ...ofBoth, signatures })).rejects.toMatchObject({ code: 3 });
  expect(hostsOf(`other::${fingerprint}`)).toEqual([]);
  await add(ofBoth);
  expect(hostsOf(`other::${fingerprint}`)).toHaveLength(2);
});

it('adds another host for a local party, or moves the party there, once both agree', async () => {
  const [first, second] = apis.canticle.network.participants;
  const own = apis.canticle.participant.allocateParty('own');
  const hosted = (...ids: readonly { id: string }[]) => ({
    party: own,
    threshold: 1,
    participants: ids.map(({ id }) => ({
      participantUid: id,
      permission: 'PARTICIPANT_PERMISSION_SUBMISSION',
    })),
  });
  const propose = (client: GrpcClient, partyToParticipant: object, more: object = {}) =>
    client.call(`${MANAGER}WriteService/Authorize`, {
      proposal: { change: ADD, mapping: { partyToParticipant } },
      store: store(),
      ...more,
    });
  const both = hosted(first!, second!);
  await expect(propose(apis.one, both, { mustFullyAuthorize: true })).rejects.toMatchObject(
    REDACTED,
  );
  const { transaction } = await propose(apis.one, both);
  expect(transaction).toMatchObject({ proposal: true });
  expect(transaction.signatures).toHaveLength(1);
  expect(hostsOf(own)).toEqual([first!.id]);
  // The answer has the added transaction, which was a proposal.
  const last = (await propose(apis.two, both)).transaction;
  expect([last.proposal, last.signatures.length]).toEqual([true, 1]);
  expect(hostsOf(own)).toEqual([first!.id, second!.id]);
  await expect(propose(apis.two, hosted(second!))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
  await propose(apis.one, hosted(second!));
  expect(hostsOf(own)).toEqual([second!.id]);
  const stranger = { id: second!.id.replace('two', 'three') };
  await expect(propose(apis.one, hosted(second!, stranger))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_UNKNOWN_MEMBERS' } },
  });
});

it('vets and unvets with topology transactions that the participant’s key signs', async () => {
  const path = `${MANAGER}WriteService/`;
  const [first, second] = apis.canticle.network.participants;
  const baseQuery = { store: store(), headState: {} };
  const vettedBy = async ({ id }: { readonly id: string }) => {
    const query = { baseQuery, filterParticipant: id };
    const { results } = await apis.one.call(`${MANAGER}ReadService/ListVettedPackages`, query);
    return results[0];
  };
  const mappingOf = (participantUid: string, packages: readonly object[]) => ({
    vettedPackages: { participantUid, packages },
  });
  const authorize = (packages: readonly object[], more: object = {}, of = first!.id) =>
    apis.one.call(`${path}Authorize`, {
      proposal: { change: ADD, mapping: mappingOf(of, packages), ...more },
      mustFullyAuthorize: true,
      store: store(),
    });
  const refused = (reason: string) => ({ details: { ErrorInfo: { reason } } });
  const { context, item } = await vettedBy(first!);
  const [left, ...rest] = [...item.packages].reverse();
  const others = rest.reverse();
  const { transaction } = await authorize(others);
  expect(transaction).toMatchObject({
    proposal: false,
    signatures: [{ signedBy: first!.id.split('::')[1] }],
  });
  const after = await vettedBy(first!);
  expect([after.context.serial, after.item.packages]).toEqual([context.serial + 1, others]);
  await expect(authorize(others)).rejects.toMatchObject(refused('TOPOLOGY_MAPPING_ALREADY_EXISTS'));
  await expect(authorize(item.packages, { serial: 1 })).rejects.toMatchObject(
    refused('TOPOLOGY_SERIAL_MISMATCH'),
  );
  const unknown = { packageId: 'ab'.repeat(32) };
  await expect(authorize([...others, unknown])).rejects.toMatchObject(
    refused('TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES'),
  );
  const until = { ...left, validUntilExclusive: '2100-01-01T00:00:00.000001Z' };
  await authorize([...others, until]);
  expect((await vettedBy(first!)).item.packages).toEqual([...others, until]);

  // Of another participant: its key signs, and who adds it says that it means to.
  await expect(authorize([], {}, second!.id)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  const before = await vettedBy(second!);
  const mapping = mappingOf(second!.id, before.item.packages.slice(0, -1));
  const { generatedTransactions } = await apis.one.call(`${path}GenerateTransactions`, {
    proposals: [{ operation: ADD, mapping, store: store() }],
  });
  const given = { transaction: generatedTransactions[0].serializedTransaction };
  const add = (each: object, forceChanges: readonly string[] = ['FORCE_FLAG_ALIEN_MEMBER']) =>
    apis.one.call(`${path}AddTransactions`, { transactions: [each], forceChanges, store: store() });
  await expect(add(given)).rejects.toMatchObject(refused('PROTO_DESERIALIZATION_FAILURE'));
  const { transactionHash } = generatedTransactions[0];
  const byStranger = { ...given, signatures: [signed(transactionHash)] };
  await expect(add(byStranger)).rejects.toMatchObject(REDACTED);
  const request = { transactions: [byStranger], store: store() };
  const { transactions } = await apis.two.call(`${path}SignTransactions`, request);
  const [, own] = transactions[0].signatures;
  const signedByOwn = { ...given, signatures: [own] };
  await expect(add(signedByOwn, [])).rejects.toMatchObject(
    refused('TOPOLOGY_DANGEROUS_COMMAND_REQUIRES_FORCE_ALIEN_MEMBER'),
  );
  const forged = { ...own, signature: Buffer.alloc(64).toString('base64') };
  await expect(add({ ...given, signatures: [forged] })).rejects.toMatchObject(REDACTED);
  expect((await vettedBy(second!)).context.serial).toBe(before.context.serial);
  await add(signedByOwn);
  const now = await vettedBy(second!);
  expect([now.context.serial, now.item.packages]).toEqual([
    before.context.serial + 1,
    before.item.packages.slice(0, -1),
  ]);
});

it('adds a transaction of the authorized store again without a change', async () => {
  const namespace = apis.canticle.network.participants[0]!.id.split('::')[1]!;
  const namespaceDelegation = { namespace, targetKey: signingKey, canSignAllMappings: {} };
  const authorized = { store: { authorized: {} } };
  const { transaction } = await apis.one.call(`${MANAGER}WriteService/Authorize`, {
    proposal: { change: ADD, mapping: { namespaceDelegation } },
    mustFullyAuthorize: true,
    ...authorized,
  });
  const listed = async (): Promise<any[]> => {
    const { results } = await apis.one.call(`${MANAGER}ReadService/ListNamespaceDelegation`, {
      baseQuery: { ...authorized, range: {} },
      filterTargetKeyFingerprint: fingerprint,
    });
    return results;
  };
  const before = await listed();
  expect(before).toMatchObject([{ context: { serial: 1 } }]);
  await apis.one.call(`${MANAGER}WriteService/AddTransactions`, {
    transactions: [transaction],
    ...authorized,
  });
  expect(await listed()).toEqual(before);
});

it('names an unsupported request in the error', async () => {
  const path = `${MANAGER}WriteService/`;
  const refusal = (method: string, what: string) => ({
    code: 12,
    message: `${path}${method} does not serve ${what}`,
  });
  const authorizing = (mapping: object) =>
    apis.one.call(`${path}Authorize`, { proposal: { change: ADD, mapping }, store: store() });
  const limits = { synchronizerId: store().synchronizer.id, party };
  await expect(authorizing({ partyHostingLimits: limits })).rejects.toMatchObject(
    refusal('Authorize', 'PartyHostingLimits'),
  );
  await expect(apis.one.call(`${path}ImportTopologySnapshot`)).rejects.toMatchObject({
    code: 12,
    message: `Method not found: ${path}ImportTopologySnapshot`,
  });
});

it('rejects invalid topology transactions', async () => {
  const add = (transaction: Buffer) =>
    apis.one.call(`${MANAGER}WriteService/AddTransactions`, {
      transactions: [{ transaction: transaction.toString('base64') }],
      store: store(),
    });
  // Version 30, and nothing in it; then no message at all.
  for (const [bytes, reason] of [
    [Buffer.from([0x10, 30]), 'FieldNotSet(TopologyTransaction: data)'],
    [Buffer.from([0xff]), expect.stringContaining('BufferException(')],
  ] as const)
    await expect(add(bytes)).rejects.toMatchObject({
      details: { ErrorInfo: { metadata: expect.objectContaining({ reason }) } },
    });
});

it.each([
  ['AddTransactions', { transactions: [] }],
  ['SignTransactions', { transactions: [] }],
  ['Authorize', { transactionHash: '00' }],
])('%s requires a store', async (method, request) => {
  await expect(apis.one.call(`${MANAGER}WriteService/${method}`, request)).rejects.toMatchObject({
    details: {
      ErrorInfo: {
        reason: 'PROTO_DESERIALIZATION_FAILURE',
        metadata: expect.objectContaining({ reason: 'FieldNotSet(store)' }),
      },
    },
  });
});
