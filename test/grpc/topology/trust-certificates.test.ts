/** Trust certificates of participants in a synchronizer's store: changes, and the effects of a removal (B-EXT-043). */
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER } from '../two-admin-apis.js';

const REMOVE = 'TOPOLOGY_CHANGE_OP_REMOVE';
const CONNECTIVITY =
  'com.digitalasset.canton.admin.participant.v30.SynchronizerConnectivityService/';
const MULTI = 'PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER';
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];

let canticle: Canticle;
const admin = {} as Record<Name, GrpcClient>;
beforeAll(async () => {
  canticle = await startCanticle({
    participants: [...NAMES],
    synchronizers: ['global', 'other'],
    grpc: { adminApiPort: 0 },
  });
  for (const name of NAMES) admin[name] = await GrpcClient.connect(canticle.grpcAdminApis[name]!);
});
beforeEach(() => canticle.reset());
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const idOf = (alias: string) => canticle.network.synchronizer(alias)!.id;
const store = (alias = 'global') => ({ synchronizer: { id: idOf(alias) } });
const participantOf = (name: Name) => canticle.network.participant(name);
const uid = (name: Name) => participantOf(name).id as string;
const short = (id: string) => id.replace(/(::.{12}).*/, '$1...');
const refused = (reason: string, message?: string) => ({
  details: { ErrorInfo: { reason } },
  ...(message !== undefined && { message: expect.stringContaining(message) }),
});
const certificateOf = (participantUid: string, featureFlags = [MULTI], alias = 'global') => ({
  synchronizerTrustCertificate: { participantUid, synchronizerId: idOf(alias), featureFlags },
});
const write = (name: Name, method: string, request: object) =>
  admin[name].call(`${MANAGER}WriteService/${method}`, { store: store(), ...request });
const propose = (name: Name, mapping: object, { change = ADD, ...more }: any = {}) =>
  write(name, 'Authorize', {
    proposal: { change, serial: 0, mapping },
    mustFullyAuthorize: true,
    ...more,
  });
async function listed(filterUid = '', more: object = {}, name: Name = 'one'): Promise<any[]> {
  const baseQuery = { store: store(), headState: {}, ...more };
  const request = { baseQuery, filterUid };
  const path = `${MANAGER}ReadService/ListSynchronizerTrustCertificate`;
  return (await admin[name].call(path, request)).results;
}
const connectedOf = async (name: Name) =>
  (
    await admin[name].call(`${CONNECTIVITY}ListConnectedSynchronizers`, {})
  ).connectedSynchronizers.map(({ synchronizerAlias }: any) => synchronizerAlias);

it('changes the feature flags of a certificate with the next serial, and stays connected', async () => {
  const [before, second] = await listed();
  expect(before).toMatchObject({
    context: { serial: 2, signedByFingerprints: [uid('one').split('::')[1]] },
    item: { participantUid: uid('one'), synchronizerId: idOf('global'), featureFlags: [MULTI] },
  });
  expect(second.item.participantUid).toBe(uid('two'));
  await expect(propose('one', certificateOf(uid('one')))).rejects.toMatchObject(
    refused('TOPOLOGY_MAPPING_ALREADY_EXISTS'),
  );
  const { transaction } = await propose('one', certificateOf(uid('one'), []));
  expect(transaction.proposal).toBe(false);
  const [after, ...more] = await listed(uid('one'));
  expect(more).toEqual([]);
  expect(after).toMatchObject({ context: { serial: 3 }, item: { featureFlags: [] } });
  expect(await connectedOf('one')).toEqual(['global', 'other']);
  // Another synchronizer has its own certificate.
  expect((await listed(uid('one'), { store: store('other') }))[0].context.serial).toBe(2);
});

describe.each([
  [35, true],
  [34, false],
] as const)('on protocol version %i', (protocolVersion, isChecked) => {
  it('reassigns only with the feature flag of all hosts of the stakeholders (B-RSG-036)', async () => {
    await canticle.close();
    for (const client of Object.values(admin)) client.close();
    canticle = await startCanticle({
      participants: [...NAMES],
      synchronizers: ['global', 'other'],
      protocolVersion,
      grpc: { adminApiPort: 0 },
    });
    for (const name of NAMES) admin[name] = await GrpcClient.connect(canticle.grpcAdminApis[name]!);
    const [one, two] = canticle.participants;
    const alice = one!.allocateParty('alice');
    const bob = two!.allocateParty('bob');
    const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [bob] };
    const contract = one!.create(IOU, iou, { actAs: [alice], synchronizer: 'global' });
    const unassign = () => one!.unassign(contract, { to: 'other', submitter: alice });
    const text = (alias: string, ...names: Name[]) =>
      `Submission failed because: Multi-synchronizer feature flag is not enabled for synchronizer ${short(idOf(alias))}::${protocolVersion}-0 on the following participants: Set(${names.map((name) => `PAR::${short(uid(name))}`).join(', ')})`;
    const change = (name: Name, alias: string, flags: string[]) =>
      propose(name, certificateOf(uid(name), flags, alias), { store: store(alias) });

    await change('two', 'other', []);
    if (!isChecked) {
      one!.assign(unassign());
      return;
    }
    expect(unassign).toThrow(text('other', 'two'));
    await change('two', 'global', []);
    await change('one', 'global', []);
    expect(unassign).toThrow(text('global', 'one', 'two'));
    await change('one', 'global', [MULTI]);
    await change('two', 'global', [MULTI]);
    await change('two', 'other', [MULTI]);
    const half = unassign();
    await change('one', 'other', []);
    expect(() => one!.assign(half)).toThrow(text('other', 'one'));
    await change('one', 'other', [MULTI]);
    one!.assign(half);
  });
});

it('requires the signature of the participant', async () => {
  await expect(propose('two', certificateOf(uid('one'), []))).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  await expect(propose('two', certificateOf(uid('one')), { change: REMOVE })).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  expect(await connectedOf('one')).toEqual(['global', 'other']);
});

it.each(['global', 'other'])(
  'writes a certificate for %s that names the own store into that synchronizer only',
  async (alias) => {
    await propose('one', certificateOf(uid('one'), [], alias), { store: { authorized: {} } });
    const serials = ['global', 'other'].map(async (each) => {
      const [{ context }] = await listed(uid('one'), { store: store(each) });
      return context.serial;
    });
    expect(await Promise.all(serials)).toEqual(alias === 'global' ? [3, 2] : [2, 3]);
  },
);

it('disconnects a participant that removes its certificate, and it cannot return', async () => {
  const { end } = participantOf('two').log;
  const own = participantOf('one').log.end;
  const alice = participantOf('one').allocateParty('alice');
  const bob = participantOf('two').allocateParty('bob');
  await propose('one', certificateOf(uid('one')), { change: REMOVE });
  expect(await connectedOf('one')).toEqual(['other']);
  expect(await listed(uid('one'), {}, 'two')).toMatchObject([
    { context: { serial: 3, operation: REMOVE } },
  ]);
  // Others see that its admin party is gone. It does not see that itself.
  const { events } = [...participantOf('two').log.between(end, participantOf('two').log.end)].at(
    -1,
  )!.update as any;
  expect(events).toEqual([{ kind: 'revoked', party: uid('one'), participantId: uid('one') }]);
  expect(participantOf('one').log.end - own).toBe(participantOf('two').log.end - end - 1);
  // Its mappings remain, without effect.
  const { topology } = canticle.network;
  expect([...topology.hosts(alice, idOf('global')).keys()]).toEqual([]);
  expect([...topology.hosts(alice, idOf('other')).keys()]).toEqual([uid('one')]);
  expect([...topology.hosts(uid('one'), idOf('global')).keys()]).toEqual([]);
  expect([...topology.hosts(uid('one'), idOf('other')).keys()]).toEqual([uid('one')]);
  const { results } = await admin.two.call(`${MANAGER}ReadService/ListPartyToParticipant`, {
    baseQuery: { store: store(), headState: {} },
    filterParty: alice,
  });
  expect(results).toMatchObject([
    {
      context: { serial: 1, operation: ADD },
      item: { participants: [{ participantUid: uid('one') }] },
    },
  ]);
  const iou = { issuer: bob, owner: bob, currency: 'EUR', amount: '1.0', observers: [alice] };
  const two = canticle.participants[1]!;
  const { contractId } = { contractId: two.create(IOU, iou, { actAs: bob }) };
  expect(two.contract(contractId)).toMatchObject({ synchronizerId: idOf('other') });
  // It cannot connect, or add a certificate again.
  const reconnect = (method: string, request: object) =>
    admin.one.call(`${CONNECTIVITY}${method}`, request);
  await expect(
    reconnect('ReconnectSynchronizer', { synchronizerAlias: 'global' }),
  ).rejects.toMatchObject(
    refused('INITIAL_ONBOARDING_ERROR', 'Unable to register onboarding topology transactions'),
  );
  await expect(reconnect('ReconnectSynchronizers', {})).rejects.toMatchObject(
    refused('INITIAL_ONBOARDING_ERROR'),
  );
  await reconnect('ReconnectSynchronizers', { ignoreFailures: true });
  expect(await connectedOf('one')).toEqual(['other']);
  await expect(propose('one', certificateOf(uid('one')))).rejects.toMatchObject(
    refused(
      'TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER',
      `Members List(PAR::${short(uid('one'))}) tried to rejoin a synchronizer which they had previously left.`,
    ),
  );
  // No party can be hosted on it any more, and its keys can be removed.
  const participants = ['one', 'two'].map((name) => ({
    participantUid: uid(name as Name),
    permission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  }));
  const hosting = { partyToParticipant: { party: bob, threshold: 1, participants } };
  await expect(propose('two', hosting, { mustFullyAuthorize: false })).rejects.toMatchObject(
    refused('TOPOLOGY_UNKNOWN_MEMBERS', `Members PAR::${short(uid('one'))} are unknown.`),
  );
});

it('does not count a participant that is only disconnected as one that left', async () => {
  const bob = participantOf('two').allocateParty('bob');
  participantOf('one').disconnect(idOf('global'));
  expect(await listed(uid('one'), {}, 'two')).toHaveLength(1);
  const participants = ['one', 'two'].map((name) => ({
    participantUid: uid(name as Name),
    permission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  }));
  const hosting = { partyToParticipant: { party: bob, threshold: 1, participants } };
  const { transaction } = await propose('two', hosting, { mustFullyAuthorize: false });
  expect(transaction.proposal).toBe(true);
  participantOf('one').reconnect(idOf('global'));
  expect(await connectedOf('one')).toEqual(['global', 'other']);
});

it('forgets the updates that a participant missed before it left', async () => {
  participantOf('one').disconnect(idOf('global'));
  participantOf('two').allocateParty('bob');
  const { end } = participantOf('one').log;
  await propose('one', certificateOf(uid('one')), { change: REMOVE });
  participantOf('two').allocateParty('carol');
  expect(participantOf('one').log.end).toBe(end + 1);
  expect(await connectedOf('one')).toEqual(['other']);
});

it('keeps a departure in saved worlds, and takes it back with a revert', async () => {
  const alice = participantOf('one').allocateParty('alice');
  const before = canticle.snapshot();
  await propose('one', certificateOf(uid('one')), { change: REMOVE });
  const saved = canticle.dump();
  const again = createCanticle({ load: saved });
  expect(Buffer.compare(again.dump(), saved)).toBe(0);
  const { network } = again;
  expect(network.topology.hosts(alice, idOf('global')).size).toBe(0);
  expect(() => network.participants[0]!.reconnect(idOf('global'))).toThrow(
    'INITIAL_ONBOARDING_ERROR',
  );
  canticle.revert(before);
  expect(await connectedOf('one')).toEqual(['global', 'other']);
  expect(await listed(uid('one'))).toHaveLength(1);
  expect(canticle.network.topology.hosts(alice, idOf('global')).size).toBe(1);
});

it('accepts the certificate of a foreign participant once its keys are known', async () => {
  const key = externalKey();
  const foreign = `foreign::${key.fingerprint}`;
  const generated = async (mapping: object) => {
    const path = `${MANAGER}WriteService/GenerateTransactions`;
    const { generatedTransactions } = await admin.one.call(path, {
      proposals: [{ operation: ADD, serial: 0, mapping, store: store() }],
    });
    const [{ serializedTransaction: transaction, transactionHash }] = generatedTransactions;
    return { transaction, signatures: [key.sign(transactionHash)] };
  };
  const add = async (mapping: object) =>
    write('one', 'AddTransactions', {
      transactions: [await generated(mapping)],
      forceChanges: ['FORCE_FLAG_ALIEN_MEMBER'],
    });
  const namespaceDelegation = {
    namespace: key.fingerprint,
    targetKey: key.message,
    isRootDelegation: true,
  };
  await add({ namespaceDelegation });
  await expect(add(certificateOf(foreign))).rejects.toMatchObject(
    refused(
      'TOPOLOGY_INSUFFICIENT_KEYS',
      `Members PAR::${short(foreign)} are missing a valid owner to key mapping.`,
    ),
  );
  const [{ item }] = (
    await admin.one.call(`${MANAGER}ReadService/ListOwnerToKeyMapping`, {
      baseQuery: { store: store(), headState: {} },
      filterKeyOwnerUid: uid('one'),
    })
  ).results;
  const encryption = item.publicKeys.filter((each: any) => each.encryptionPublicKey);
  const ownerToKeyMapping = {
    member: `PAR::${foreign}`,
    publicKeys: [{ signingPublicKey: key.message }, ...encryption],
  };
  await add({ ownerToKeyMapping });
  await add(certificateOf(foreign));
  expect(await listed(foreign)).toMatchObject([{ context: { serial: 1 } }]);
  await expect(add(certificateOf(foreign, [], 'other'))).rejects.toMatchObject(
    refused('TOPOLOGY_MISSING_MAPPING', 'Missing synchronizer parameters'),
  );
});
