/** Keys of nodes in a synchronizer's topology store: changes, and the synchronizer's rules for them (B-EXT-035 to B-EXT-037). */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER } from '../two-admin-apis.js';

const VAULT = 'com.digitalasset.canton.crypto.admin.v30.VaultService/';
const AGGREGATION = 'com.digitalasset.canton.topology.admin.v30.TopologyAggregationService/';
const REMOVE = 'TOPOLOGY_CHANGE_OP_REMOVE';
const ALIEN = 'FORCE_FLAG_ALIEN_MEMBER';
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];

let canticle: Canticle;
const admin = {} as Record<Name, GrpcClient>;
beforeAll(async () => {
  canticle = await startCanticle({ participants: [...NAMES], grpc: { adminApiPort: 0 } });
  for (const name of NAMES) admin[name] = await GrpcClient.connect(canticle.grpcAdminApis[name]!);
});
beforeEach(() => canticle.reset());
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const synchronizer = () => canticle.network.synchronizers[0]!;
const store = () => ({ synchronizer: { id: synchronizer().id } });
const uid = (name: Name) => canticle.network.participant(name).id as string;
const namespace = (name: Name) => uid(name).split('::')[1]!;
const refused = (reason: string, more: object = {}) => ({
  details: { ErrorInfo: { reason } },
  ...more,
});
const saying = (reason: string, message: string) =>
  refused(reason, { message: expect.stringContaining(message) });
/** Only the log has the text of a security alert. */
const REDACTED = { code: 3, message: expect.stringContaining('An error occurred.') };

const write = (name: Name, method: string, request: object) =>
  admin[name].call(`${MANAGER}WriteService/${method}`, { store: store(), ...request });
const propose = (name: Name, mapping: object, { change = ADD, serial = 0, ...more }: any = {}) =>
  write(name, 'Authorize', { proposal: { change, serial, mapping }, ...more });
async function listed(of: string, more: object = {}, name: Name = 'two'): Promise<any[]> {
  const head = 'range' in more || 'snapshot' in more ? {} : { headState: {} };
  const baseQuery = { store: store(), ...head, ...more };
  const request = { baseQuery, filterKeyOwnerUid: of };
  return (await admin[name].call(`${MANAGER}ReadService/ListOwnerToKeyMapping`, request)).results;
}
const mappingOf = (member: string, publicKeys: readonly object[]) => ({
  ownerToKeyMapping: { member, publicKeys },
});
const signingKey = async (name: Name, keySpec: number | string = 0) =>
  (
    await admin[name].call(`${VAULT}GenerateSigningKey`, {
      keySpec,
      usage: ['SIGNING_KEY_USAGE_PROTOCOL'],
    })
  ).publicKey;
const bytesOf = (keys: readonly any[]) =>
  keys.map(
    ({ signingPublicKey: key, encryptionPublicKey }) => (key ?? encryptionPublicKey).publicKey,
  );
const asNodeKey = (message: object) => ({ signingPublicKey: message });

/** A transaction without signatures. */
async function generated(mapping: object, operation = ADD, serial = 0, name: Name = 'one') {
  const proposals = [{ operation, serial, mapping, store: store() }];
  const { generatedTransactions } = await admin[name].call(
    `${MANAGER}WriteService/GenerateTransactions`,
    { proposals },
  );
  const [{ serializedTransaction, transactionHash }] = generatedTransactions;
  return { transaction: serializedTransaction as string, hash: transactionHash as string };
}
const add = (
  { transaction, hash }: { readonly transaction: string; readonly hash: string },
  by: readonly ReturnType<typeof externalKey>[],
  { proposal = false, name = 'one' as Name, forceChanges = [ALIEN] } = {},
) =>
  write(name, 'AddTransactions', {
    transactions: [{ transaction, signatures: by.map(({ sign }) => sign(hash)), proposal }],
    forceChanges,
  });

it.each(['EC_CURVE25519', 'EC_P256', 'EC_P384', 'EC_SECP256K1'])(
  'a participant announces a new key of the specification %s, which signs with its namespace',
  async (spec) => {
    const [before] = await listed(uid('one'));
    expect(bytesOf(before.item.publicKeys)).toHaveLength(3);
    const key = await signingKey('one', `SIGNING_KEY_SPEC_${spec}`);
    const publicKeys = [...before.item.publicKeys.slice(1), asNodeKey(key)];
    canticle.advanceTime({ seconds: 1 });
    const changed = canticle.time;
    const mapping = mappingOf(before.item.member, publicKeys);
    const { transaction } = await propose('one', mapping, { mustFullyAuthorize: true });
    expect(transaction.proposal).toBe(false);
    expect(transaction.signatures).toHaveLength(2);
    canticle.advanceTime({ seconds: 1 });
    const [after, ...more] = await listed(uid('one'));
    expect(more).toEqual([]);
    expect(after).toMatchObject({
      context: { serial: 2, operation: ADD, validFrom: changed },
      item: { member: `PAR::${uid('one')}`, publicKeys },
    });
    expect(after.context.signedByFingerprints).toEqual(
      transaction.signatures.map(({ signedBy }: any) => signedBy),
    );
    expect(after.context.signedByFingerprints).toContain(namespace('one'));
    expect(await listed(uid('one'), { snapshot: canticle.time })).toEqual([after]);
    expect(await listed(uid('one'), { range: {} })).toEqual([
      { ...before, context: { ...before.context, validUntil: changed } },
      after,
    ]);
    // The same mapping again needs no new signature.
    await expect(propose('one', mapping)).rejects.toMatchObject(
      refused('TOPOLOGY_MAPPING_ALREADY_EXISTS'),
    );
    const query = { synchronizerIds: [], filterKeyOwnerType: 'PAR', filterKeyOwnerUid: uid('one') };
    const owners = async (asOf?: string) =>
      (
        await admin.two.call(`${AGGREGATION}ListKeyOwners`, {
          ...query,
          limit: 9,
          ...(asOf && { asOf }),
        })
      ).results;
    const [owner] = await owners();
    expect(bytesOf(owner.signingKeys.map(asNodeKey))).toEqual(
      bytesOf([publicKeys[0], publicKeys[2]]),
    );
    expect(owner.encryptionKeys).toHaveLength(1);
    expect((await owners(changed))[0].signingKeys).toHaveLength(2);
    expect(bytesOf((await owners(changed))[0].signingKeys.map(asNodeKey))).toEqual(
      bytesOf(before.item.publicKeys.slice(0, 2)),
    );
  },
);

it('a participant signs topology transactions with its namespace key after a key change', async () => {
  const [{ item }] = await listed(uid('one'));
  await propose('one', mappingOf(item.member, item.publicKeys.slice(1)), {
    mustFullyAuthorize: true,
  });
  const party = canticle.participant.allocateParty('later');
  expect(canticle.network.topology.knows(party)).toBe(true);
  const participants = [
    { participantUid: uid('one'), permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' },
  ];
  const partyToParticipant = { party, threshold: 1, participants };
  const { transaction } = await propose(
    'one',
    { partyToParticipant },
    { mustFullyAuthorize: true },
  );
  expect(transaction.signatures.map(({ signedBy }: any) => signedBy)).toEqual([namespace('one')]);
});

it('each node requires a signing key, and a participant an encryption key', async () => {
  const [{ item }] = await listed(uid('one'));
  const [first, second, encryption] = item.publicKeys;
  const shown = `PAR::one::${namespace('one').slice(0, 12)}...`;
  await expect(propose('one', mappingOf(item.member, [first, second]))).rejects.toMatchObject({
    ...saying(
      'TOPOLOGY_INVALID_OWNER_TO_KEY_MAPPING',
      `The owner to key mapping for ${shown} was rejected, as no encryption key was provided. Supported specs are: List(EC-P256, RSA-2048)`,
    ),
    code: 3,
  });
  await expect(propose('one', mappingOf(item.member, [encryption]))).rejects.toMatchObject(
    saying(
      'TOPOLOGY_INVALID_OWNER_TO_KEY_MAPPING',
      'as no signing key was provided. Supported specs are: List(EC-Curve25519, EC-P256, EC-P384, EC-Secp256k1)',
    ),
  );
  const { publicKey: rsa } = await admin.one.call(`${VAULT}GenerateEncryptionKey`, { keySpec: 2 });
  const keys = [first, { encryptionPublicKey: rsa }];
  await propose('one', mappingOf(item.member, keys), { mustFullyAuthorize: true });
  expect((await listed(uid('one')))[0].item.publicKeys).toEqual(keys);
});

it('a node has up to twenty different keys', async () => {
  const [{ item }] = await listed(uid('one'));
  const [first, , encryption] = item.publicKeys;
  const made: object[] = [];
  for (let i = 0; i < 19; i += 1) made.push(asNodeKey(await signingKey('one')));
  const [, ...fewer] = made;
  const unreadable = (reason: string) => ({
    details: {
      ErrorInfo: {
        reason: 'PROTO_DESERIALIZATION_FAILURE',
        metadata: expect.objectContaining({ reason: expect.stringContaining(reason) }),
      },
    },
  });
  await expect(
    propose('one', mappingOf(item.member, [first, encryption, ...made])),
  ).rejects.toMatchObject(
    unreadable('InvariantViolation(None,At most 20 key(s) can be specified, got 21.)'),
  );
  await propose('one', mappingOf(item.member, [first, encryption, ...fewer]));
  expect((await listed(uid('one')))[0].item.publicKeys).toHaveLength(20);
  await expect(
    propose('one', mappingOf(item.member, [first, encryption, first])),
  ).rejects.toMatchObject(
    unreadable('InvariantViolation(None,All keys must be unique. Duplicate keys: List(Vector('),
  );
  await expect(
    propose('one', mappingOf(item.member, [first, encryption, encryption])),
  ).rejects.toMatchObject(unreadable('EncryptionPublicKey(id = 1220'));
  await expect(propose('one', mappingOf(item.member, [first, {}]))).rejects.toMatchObject(
    unreadable('FieldNotSet(key)'),
  );
});

it('the key of a node has a known format and exactly the bytes of its specification', async () => {
  const [{ item }] = await listed(uid('one'));
  const [, { signingPublicKey: key }] = item.publicKeys;
  const longer = Buffer.concat([Buffer.from(key.publicKey, 'base64'), Buffer.of(0)]);
  for (const [wrong, reason] of [
    [{ format: 99 }, 'UnrecognizedEnum(format,99,List())'],
    [{ publicKey: longer.toString('base64') }, 'Extra data detected in stream'],
  ] as const)
    await expect(
      propose('one', mappingOf(item.member, [asNodeKey({ ...key, ...wrong })])),
    ).rejects.toMatchObject({
      details: {
        ErrorInfo: {
          reason: 'PROTO_DESERIALIZATION_FAILURE',
          metadata: expect.objectContaining({ reason: expect.stringContaining(reason) }),
        },
      },
    });
});

it('a node on the synchronizer cannot remove its mapping of keys', async () => {
  const [{ item }] = await listed(uid('one'));
  const mapping = { ownerToKeyMapping: item };
  const remove = { change: REMOVE, mustFullyAuthorize: true };
  const code = 'TOPOLOGY_INVALID_REMOVAL_OF_OWNER_TO_KEY_MAPPING';
  await expect(propose('one', mapping, remove)).rejects.toMatchObject({
    ...saying(
      code,
      `The owner to key mapping of PAR::one::${namespace('one').slice(0, 12)}... cannot be removed as it is referenced by TopologyTransaction(SynchronizerTrustCertificate(participantId = PAR::one::`,
    ),
    code: 3,
  });
  await expect(propose('one', mapping, remove)).rejects.toMatchObject(
    saying(
      code,
      'featureFlags = EnableMultiSynchronizer), serial = 2, operation = Replace, hash = SHA-256:',
    ),
  );
  // A removal names the mapping in force.
  const other = mappingOf(item.member, item.publicKeys.slice(1));
  await expect(propose('one', other, remove)).rejects.toMatchObject(
    refused('TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING'),
  );
  const { sequencerId, mediatorId } = synchronizer();
  const stranger = externalKey();
  for (const [of, text] of [
    [sequencerId, 'SequencerSynchronizerState(synchronizerId = global-domain::'],
    [sequencerId, 'threshold = 1, active = SEQ::'],
    [mediatorId, 'MediatorSynchronizerState(synchronizerId = global-domain::'],
    [mediatorId, 'group = 0, threshold = 1, active = MED::'],
  ] as const) {
    const [{ item: node }] = await listed(of);
    const removal = await generated({ ownerToKeyMapping: node }, REMOVE);
    await expect(add(removal, [stranger], { forceChanges: [] })).rejects.toMatchObject(
      refused('TOPOLOGY_DANGEROUS_COMMAND_REQUIRES_FORCE_ALIEN_MEMBER'),
    );
    await expect(add(removal, [stranger])).rejects.toMatchObject(saying(code, text));
  }
});

it('a mapping is a proposal until each new key has signed it', async () => {
  const [{ item }] = await listed(uid('one'));
  const key = externalKey();
  const mapping = mappingOf(item.member, [...item.publicKeys, asNodeKey(key.message)]);
  await expect(propose('one', mapping, { mustFullyAuthorize: true })).rejects.toMatchObject(
    REDACTED,
  );
  await propose('one', mapping);
  const [seen] = await listed(uid('one'), { proposals: true });
  expect(seen.context).toMatchObject({ serial: 2, signedByFingerprints: [namespace('one')] });
  expect((await listed(uid('one')))[0].context.serial).toBe(1);
  const given = await generated(mapping);
  // The signature of another key adds nothing.
  await add(given, [externalKey()], { proposal: true });
  expect(await listed(uid('one'), { proposals: true })).toEqual([seen]);
  // Its own key does not speak for the namespace.
  const alone = await generated(
    mappingOf(item.member, [...item.publicKeys, asNodeKey(key.message)].reverse()),
  );
  await expect(add(alone, [key], { proposal: true, name: 'two' })).rejects.toMatchObject(REDACTED);
  await add(given, [key], { proposal: true, name: 'two' });
  expect(await listed(uid('one'), { proposals: true })).toEqual([]);
  const [after] = await listed(uid('one'));
  expect(after.context.signedByFingerprints).toEqual([namespace('one'), key.fingerprint]);
  expect(after.item.publicKeys).toHaveLength(4);
  // The proposal and the mapping before it ended.
  expect(await listed(uid('one'), { range: {} })).toHaveLength(2);
  expect(await listed(uid('one'), { range: {}, proposals: true })).toHaveLength(1);
});

/** A node that is not part of the synchronizer. */
async function outsider() {
  const root = externalKey();
  const own = externalKey();
  const member = `SEQ::outside::${root.fingerprint}`;
  const namespaceDelegation = {
    namespace: root.fingerprint,
    targetKey: root.message,
    canSignAllMappings: {},
  };
  await add(await generated({ namespaceDelegation }), [root]);
  return { root, own, member, mapping: mappingOf(member, [asNodeKey(own.message)]) };
}

it("a participant announces another node with that node's keys, which cannot return after their removal", async () => {
  const { root, own, member, mapping } = await outsider();
  const first = await generated(mapping);
  await expect(add(first, [root, own], { forceChanges: [] })).rejects.toMatchObject(
    refused('TOPOLOGY_DANGEROUS_COMMAND_REQUIRES_FORCE_ALIEN_MEMBER'),
  );
  await expect(add(first, [root])).rejects.toMatchObject(REDACTED);
  await expect(add(first, [own])).rejects.toMatchObject(REDACTED);
  await add(first, [root, own]);
  expect(await listed('outside')).toMatchObject([{ item: { member }, context: { serial: 1 } }]);
  const remove = await generated(mapping, REMOVE);
  await add(remove, [root]);
  expect(await listed('outside')).toMatchObject([{ context: { serial: 2, operation: REMOVE } }]);
  expect(await listed('outside', { operation: ADD })).toEqual([]);
  const owners = await admin.one.call(`${AGGREGATION}ListKeyOwners`, {
    synchronizerIds: [],
    filterKeyOwnerUid: 'outside',
    limit: 9,
  });
  expect(owners.results).toEqual([]);
  const again = await generated(mapping);
  await expect(add(again, [root, own])).rejects.toMatchObject({
    ...saying(
      'TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER',
      `Member SEQ::outside::${root.fingerprint.slice(0, 12)}... tried to re-register its keys which they had previously removed.`,
    ),
    code: 9,
  });
  const { root: other, own: more, mapping: unknown } = await outsider();
  await expect(add(await generated(unknown, REMOVE), [other, more])).rejects.toMatchObject(
    refused('TOPOLOGY_NO_CORRESPONDING_ACTIVE_TX_TO_REVOKE'),
  );
});

it('a changed mapping requires the next serial', async () => {
  const [{ item }] = await listed(uid('one'));
  const mapping = mappingOf(item.member, item.publicKeys.slice(1));
  for (const serial of [1, 3])
    await expect(propose('one', mapping, { serial })).rejects.toMatchObject(
      refused('TOPOLOGY_SERIAL_MISMATCH'),
    );
  await propose('one', mapping, { serial: 2, mustFullyAuthorize: true });
  expect((await listed(uid('one')))[0].context.serial).toBe(2);
});

it('only the node can announce its keys', async () => {
  const [{ item }] = await listed(uid('two'));
  const mapping = mappingOf(item.member, item.publicKeys.slice(1));
  await expect(propose('one', mapping)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  await propose('two', mapping);
  expect((await listed(uid('two'), {}, 'one'))[0].context.serial).toBe(2);
});

it('a change in the authorized store reaches the synchronizers, unless they reject it', async () => {
  const own = { store: { authorized: {} } };
  const [{ item }] = await listed(uid('one'));
  const key = await signingKey('one');
  const publicKeys = [...item.publicKeys, asNodeKey(key)];
  const { transaction } = await propose('one', mappingOf(item.member, publicKeys), own);
  expect(transaction.signatures).toHaveLength(2);
  for (const more of [{}, own]) {
    const [after] = await listed(uid('one'), more, 'one');
    expect([after.context.serial, after.item.publicKeys]).toEqual([2, publicKeys]);
  }
  expect((await listed(uid('one'), own, 'one'))[0].context.store).toEqual({ authorized: {} });
  // The next serial of the own store is not that of the synchronizer, which took another mapping.
  await propose('one', mappingOf(item.member, item.publicKeys), { mustFullyAuthorize: true });
  await propose('one', mappingOf(item.member, publicKeys.slice(1)), own);
  expect((await listed(uid('one')))[0].item.publicKeys).toEqual(item.publicKeys);
  expect((await listed(uid('one'), own, 'one'))[0].item.publicKeys).toEqual(publicKeys.slice(1));
});

it('a saved world keeps the keys, and a revert restores the earlier ones', async () => {
  const file = join(tmpdir(), `node-keys-${process.pid}.world`);
  const [before] = await listed(uid('one'));
  const snapshot = canticle.snapshot();
  const key = await signingKey('one');
  const publicKeys = [...before.item.publicKeys, asNodeKey(key)];
  await propose('one', mappingOf(before.item.member, publicKeys), { mustFullyAuthorize: true });
  const [after] = await listed(uid('one'));
  canticle.save(file);
  try {
    const again = await startCanticle({ load: file, grpc: { adminApiPort: 0 } });
    const client = await GrpcClient.connect(again.grpcAdminApis['two']!);
    const baseQuery = { store: store(), headState: {} };
    const request = { baseQuery, filterKeyOwnerUid: uid('one') };
    const read = `${MANAGER}ReadService/ListOwnerToKeyMapping`;
    expect((await client.call(read, request)).results).toEqual([after]);
    client.close();
    // The participant can still sign with the key that was made for it.
    const one = await GrpcClient.connect(again.grpcAdminApis['one']!);
    const mapping = mappingOf(before.item.member, [...publicKeys].reverse());
    const { transaction } = await one.call(`${MANAGER}WriteService/Authorize`, {
      proposal: { change: ADD, mapping },
      store: store(),
    });
    expect(transaction.signatures.map(({ signedBy }: any) => signedBy)).toEqual([namespace('one')]);
    one.close();
    await again.close();
  } finally {
    rmSync(file);
  }
  canticle.revert(snapshot);
  expect(await listed(uid('one'))).toEqual([before]);
});

it('an export contains the mappings with their signatures', async () => {
  const [{ item }] = await listed(uid('one'));
  const mapping = mappingOf(item.member, item.publicKeys.slice(1));
  const { transaction } = await propose('one', mapping, { mustFullyAuthorize: true });
  const baseQuery = { store: store(), headState: {} };
  const { result } = await admin.two.call(`${MANAGER}ReadService/ListAllV2`, {
    baseQuery,
    includeMappings: ['otk'],
    filterNamespace: namespace('one'),
  });
  const [exported, ...more] = result.items;
  expect(more).toEqual([]);
  const bytes = Buffer.from(exported.transaction, 'base64');
  const [signature] = transaction.signatures;
  for (const part of [transaction.transaction, signature.signature])
    expect(bytes.includes(Buffer.from(part, 'base64'))).toBe(true);
});
