/** Parties of several participants: what is proposed, who sees it, and how each of them authorizes it (B-EXT-014, B-EXT-030, B-EXT-032). */
import { startCanticle, type Canticle } from 'canticle';
import { newKey, type TestKey } from '../../network/external/external-party.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { MANAGER } from '../two-admin-apis.js';

const GENERATE = '/v2/parties/external/generate-topology';
const ALLOCATE = '/v2/parties/external/allocate';
const NAMES = ['one', 'two', 'three'] as const;
type Name = (typeof NAMES)[number];

let canticle: Canticle;
const admin = {} as Record<Name, GrpcClient>;
beforeAll(async () => {
  canticle = await startCanticle({
    participants: [...NAMES],
    synchronizers: [{ alias: 'global' }, { alias: 'app' }],
    grpc: { adminApiPort: 0 },
  });
  for (const name of NAMES) admin[name] = await GrpcClient.connect(canticle.grpcAdminApis[name]!);
});
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const synchronizer = () => canticle.network.synchronizers[0]!.id;
const store = () => ({ synchronizer: { id: synchronizer() } });
const uid = (name: string) => canticle.network.participant(name).id;
const namespace = (name: string) => uid(name).split('::')[1]!;

async function json(name: Name, path: string, body?: object): Promise<any> {
  const target = name === 'one' ? path : `/participants/${name}${path}`;
  const answer = await canticle.handle({ path: target, ...(body && { method: 'POST', body }) });
  const result = answer.json();
  if (answer.status !== 200) throw new Error(JSON.stringify(result));
  return result;
}

async function proposals(name: Name, party: string, more: object = {}): Promise<any[]> {
  const { results } = await admin[name].call(`${MANAGER}ReadService/ListPartyToParticipant`, {
    baseQuery: {
      store: store(),
      ...(!('range' in more || 'snapshot' in more) && { headState: {} }),
      proposals: true,
      ...more,
    },
    filterParty: party,
  });
  return results;
}

const authorize = (name: Name, transactionHash: string, more: object = {}) =>
  admin[name].call(`${MANAGER}WriteService/Authorize`, {
    transactionHash,
    store: store(),
    ...more,
  });

/** Whose signatures a transaction of the answer has, of which some cover others with it. */
const signersOf = ({ signatures, multiTransactionSignatures: joint }: any): string[] =>
  [...signatures, ...joint.flatMap((each: any) => each.signatures)]
    .map(({ signedBy }: any) => signedBy)
    .sort();

const hexadecimal = (hash: string) => Buffer.from(hash, 'base64').toString('hex');

const isHosted = async (name: Name, party: string): Promise<boolean> =>
  (await json(name, '/v2/parties')).partyDetails.some(
    (each: any) => each.party === party && each.isLocal,
  );

let hints = 0;
async function propose(key: TestKey, others: readonly Name[] = ['two'], more: object = {}) {
  const { partyId, topologyTransactions, multiHash } = await json('one', GENERATE, {
    synchronizer: synchronizer(),
    partyHint: `party-${(hints += 1)}`,
    publicKey: key.publicKey,
    otherConfirmingParticipantUids: others.map(uid),
    confirmationThreshold: 1 + others.length,
    ...more,
  });
  const onboardingTransactions = topologyTransactions.map((transaction: string) => ({
    transaction,
  }));
  const request = { synchronizer: synchronizer(), onboardingTransactions };
  await json('one', ALLOCATE, { ...request, multiHashSignatures: [key.sign(multiHash)] });
  return { party: partyId as string, request };
}

it('each host sees the proposal, and authorizes it by its hash', async () => {
  const key = newKey();
  const { party } = await propose(key);
  const [seen] = await proposals('one', party);
  expect(seen).toMatchObject({
    context: { serial: 1, operation: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE' },
    item: {
      party,
      threshold: 2,
      participants: [{ participantUid: uid('one') }, { participantUid: uid('two') }],
    },
  });
  expect([...seen.context.signedByFingerprints].sort()).toEqual(
    [key.fingerprint, namespace('one')].sort(),
  );
  for (const name of ['two', 'three'] as const)
    expect(await proposals(name, party)).toEqual([seen]);
  for (const name of NAMES) {
    expect(await proposals(name, party, { proposals: false })).toEqual([]);
    expect(await isHosted(name, party)).toBe(false);
  }
  const hash = hexadecimal(seen.context.transactionHash);
  const { transaction } = await authorize('two', hash, { mustFullyAuthorize: true });
  expect(transaction.transaction).toBeTruthy();
  expect(transaction.proposal).toBe(true);
  expect(signersOf(transaction)).toEqual(
    [key.fingerprint, ...['one', 'two'].map(namespace)].sort(),
  );
  for (const name of ['one', 'two'] as const) {
    expect(await isHosted(name, party)).toBe(true);
    expect(await proposals(name, party)).toEqual([]);
    expect(await proposals(name, party, { proposals: false })).toHaveLength(1);
  }
  await expect(authorize('two', hash)).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
});

it('a participant that will not host the party cannot authorize the proposal', async () => {
  const { party } = await propose(newKey());
  const [{ context }] = await proposals('three', party);
  await expect(authorize('three', hexadecimal(context.transactionHash))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
  expect(await proposals('two', party)).toHaveLength(1);
});

it('each host accepts the request over either API, and the party exists after the last', async () => {
  const { party, request } = await propose(newKey(), ['two', 'three']);
  await json('three', ALLOCATE, request);
  const [{ context }] = await proposals('one', party);
  expect(context.signedByFingerprints).toContain(namespace('three'));
  expect(await isHosted('one', party)).toBe(false);
  await authorize('two', hexadecimal(context.transactionHash));
  for (const name of NAMES) expect(await isHosted(name, party)).toBe(true);
});

it('an effective change ends other proposals with the same or an earlier serial', async () => {
  const party = canticle.participant.allocateParty('own');
  const hosted = async (...names: Name[]) => {
    const hosts = names.map((name) => ({
      participantUid: uid(name),
      permission: 'PARTICIPANT_PERMISSION_OBSERVATION',
    }));
    const own = { participantUid: uid('one'), permission: 'PARTICIPANT_PERMISSION_SUBMISSION' };
    const mapping = { partyToParticipant: { party, threshold: 1, participants: [own, ...hosts] } };
    const proposal = { change: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE', serial: 2, mapping };
    await admin.one.call(`${MANAGER}WriteService/Authorize`, { proposal, store: store() });
  };
  await hosted('two');
  await hosted('three');
  const all = await proposals('one', party);
  expect(all.map(({ context }) => context.serial)).toEqual([2, 2]);
  const hashOf = (name: Name) =>
    hexadecimal(
      all.find(({ item }) =>
        item.participants.some(({ participantUid }: any) => participantUid === uid(name)),
      ).context.transactionHash,
    );
  const [ended, authorized] = [hashOf('two'), hashOf('three')];
  await authorize('three', authorized);
  expect(await proposals('two', party)).toEqual([]);
  await expect(authorize('two', ended)).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_SERIAL_MISMATCH' } },
  });
  // Its owner has signed both: nothing is added, and nothing changes.
  expect((await authorize('one', ended)).transaction.proposal).toBe(true);
  const again = (await authorize('one', authorized)).transaction;
  expect([again.proposal, signersOf(again)]).toEqual([
    false,
    ['one', 'three'].map(namespace).sort(),
  ]);
  expect(await isHosted('three', party)).toBe(true);
  expect(await isHosted('two', party)).toBe(false);
});

it('lists an ended proposal with its times, by time and by range', async () => {
  const key = newKey();
  const began = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  const { party } = await propose(key, ['two', 'three']);
  const proposed = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  const [{ context }] = await proposals('one', party);
  const hash = hexadecimal(context.transactionHash);
  await authorize('two', hash);
  const signedAgain = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  await authorize('three', hash);
  const inForce = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  const periods = async (time: object) =>
    (await proposals('three', party, time)).map(({ context: each }) => [
      each.validFrom,
      each.validUntil ?? null,
      each.signedByFingerprints.length,
    ]);
  const first = [proposed, signedAgain, 2];
  const second = [signedAgain, inForce, 3];
  expect(await proposals('three', party)).toEqual([]);
  expect(await periods({ range: {} })).toEqual([first, second]);
  const { id } = canticle.network.synchronizers[1]!;
  expect(await periods({ store: { synchronizer: { id } }, range: {} })).toEqual([]);
  expect(await periods({ range: { until: proposed } })).toEqual([first]);
  expect(await periods({ range: { from: signedAgain } })).toEqual([second]);
  expect(await periods({ range: { from: inForce } })).toEqual([]);
  // At a moment counts what was there before it, until it ended.
  expect(await periods({ snapshot: began })).toEqual([]);
  expect(await periods({ snapshot: proposed })).toEqual([]);
  expect(await periods({ snapshot: signedAgain })).toEqual([first]);
  expect(await periods({ snapshot: inForce })).toEqual([second]);
  expect(await periods({ snapshot: canticle.time })).toEqual([]);
});

it('lists proposals in the order of their times, including one that ended', async () => {
  const first = await propose(newKey());
  canticle.advanceTime({ seconds: 10 });
  const second = await propose(newKey());
  const [{ context }] = await proposals('two', second.party);
  await authorize('two', hexadecimal(context.transactionHash));
  const parties = (await proposals('three', '', { range: {} })).map(({ item }) => item.party);
  expect(parties.slice(-2)).toEqual([first, second].map(({ party }) => party));
});

it('a hosting with separately mapped keys is a proposal until each key has signed it', async () => {
  const [own, other] = [newKey(), newKey()];
  const party = `apart::${own.fingerprint}`;
  const participants = (['one', 'two'] as const).map((name) => ({
    participantUid: uid(name),
    permission: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  }));
  const messageOf = ({ publicKey: { format, keyData, keySpec } }: TestKey) => ({
    format,
    keySpec,
    publicKey: keyData,
    usage: ['SIGNING_KEY_USAGE_NAMESPACE', 'SIGNING_KEY_USAGE_PROTOCOL'],
  });
  const delegation = {
    namespace: own.fingerprint,
    targetKey: messageOf(own),
    canSignAllMappings: {},
  };
  const hosting = { party, threshold: 1, participants };
  const signingKeys = [own, other].map(messageOf);
  const mappings = [
    { namespaceDelegation: delegation },
    { partyToParticipant: hosting },
    { partyToKeyMapping: { party, threshold: 1, signingKeys } },
  ];
  const { generatedTransactions } = await admin.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    {
      proposals: mappings.map((mapping) => ({
        operation: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE',
        mapping,
        store: store(),
      })),
    },
  );
  const add = (keys: readonly TestKey[]) =>
    admin.one.call(`${MANAGER}WriteService/AddTransactions`, {
      transactions: generatedTransactions.map((each: any) => ({
        transaction: each.serializedTransaction,
        signatures: keys.map((key) => key.sign(each.transactionHash)),
        proposal: true,
      })),
      store: store(),
    });
  const listed = async (name: Name, isProposal: boolean, filterParty = party): Promise<any[]> => {
    const { results } = await admin[name].call(`${MANAGER}ReadService/ListPartyToKeyMapping`, {
      baseQuery: { store: store(), headState: {}, proposals: isProposal },
      filterParty,
    });
    return results;
  };
  await add([own]);
  // A proposed hosting that contains its keys has no mapping of keys.
  await propose(newKey());
  for (const name of NAMES) {
    const [seen, ...more] = await listed(name, true, '');
    expect(more).toEqual([]);
    expect(seen.context.operation).toBe('TOPOLOGY_CHANGE_OP_ADD_REPLACE');
    expect(seen.item).toMatchObject({ party, threshold: 1 });
    expect(seen.context.signedByFingerprints).toEqual([own.fingerprint]);
    expect(await listed(name, false, '')).toEqual([]);
  }
  await add([own, other]);
  for (const name of NAMES) {
    expect(await listed(name, true)).toEqual([]);
    const [seen] = await listed(name, false);
    expect(seen.context.signedByFingerprints).toEqual([own, other].map((key) => key.fingerprint));
  }
  const [{ context }] = await proposals('two', party);
  await authorize('one', hexadecimal(context.transactionHash));
  await authorize('two', hexadecimal(context.transactionHash));
  expect(await isHosted('two', party)).toBe(true);
  expect(await listed('three', false)).toHaveLength(1);
});
