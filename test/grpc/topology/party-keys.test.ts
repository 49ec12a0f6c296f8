/** Keys of parties in separate mappings, and hostings that change and end (B-EXT-038 to B-EXT-040). */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCanticle, type Canticle } from 'canticle';
import { newKey } from '../../network/external/external-party.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER } from '../two-admin-apis.js';

const VAULT = 'com.digitalasset.canton.crypto.admin.v30.VaultService/';
const REMOVE = 'TOPOLOGY_CHANGE_OP_REMOVE';
const SUBMISSION = 'PARTICIPANT_PERMISSION_SUBMISSION';
const CONFIRMATION = 'PARTICIPANT_PERMISSION_CONFIRMATION';
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];
type Key = ReturnType<typeof externalKey>;

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
beforeEach(() => canticle.reset());
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const synchronizer = () => canticle.network.synchronizers[0]!.id;
const store = () => ({ synchronizer: { id: synchronizer() } });
const uid = (name: Name) => canticle.network.participant(name).id as string;
const namespace = (name: Name) => uid(name).split('::')[1]!;
const refused = (reason: string, more: object = {}) => ({
  details: { ErrorInfo: { reason } },
  ...more,
});
/** Only the log has the text of a security alert. */
const REDACTED = { code: 3, message: expect.stringContaining('An error occurred.') };

const write = (name: Name, method: string, request: object) =>
  admin[name].call(`${MANAGER}WriteService/${method}`, { store: store(), ...request });
const propose = (name: Name, mapping: object, { change = ADD, serial = 0, ...more }: any = {}) =>
  write(name, 'Authorize', {
    proposal: { change, serial, mapping },
    mustFullyAuthorize: true,
    ...more,
  });
async function read(method: string, party: string, more: object = {}): Promise<any[]> {
  const head = 'range' in more || 'snapshot' in more ? {} : { headState: {} };
  const baseQuery = { store: store(), ...head, ...more };
  const request = { baseQuery, filterParty: party };
  return (await admin.two.call(`${MANAGER}ReadService/${method}`, request)).results;
}
const keysOf = (party: string, more?: object) => read('ListPartyToKeyMapping', party, more);
const hostingOf = (party: string, more?: object) => read('ListPartyToParticipant', party, more);
const shownKeys = (item: any) => item.signingKeys.map(({ publicKey }: any) => publicKey);

/** The keys of a party on the first synchronizer. */
const signingOf = (party: string) => {
  const found = canticle.network.externalParties.get(party, synchronizer());
  return found && { threshold: found.threshold, keys: found.keys.map((key) => key.fingerprint) };
};
const partyToKey = (party: string, keys: readonly Key[], threshold = 1) => ({
  partyToKeyMapping: { party, threshold, signingKeys: keys.map(({ message }) => message) },
});
const hosted = (party: string, names: readonly Name[], more: object = {}) => ({
  partyToParticipant: {
    party,
    threshold: 1,
    participants: names.map((name) => ({ participantUid: uid(name), permission: SUBMISSION })),
    ...more,
  },
});

async function generated(mapping: object, operation = ADD) {
  const proposals = [{ operation, serial: 0, mapping, store: store() }];
  const { generatedTransactions } = await admin.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    { proposals },
  );
  const [{ serializedTransaction, transactionHash }] = generatedTransactions;
  return { transaction: serializedTransaction as string, hash: transactionHash as string };
}
async function add(mapping: object, by: readonly Key[], operation = ADD, proposal = false) {
  const { transaction, hash } = await generated(mapping, operation);
  return write('one', 'AddTransactions', {
    transactions: [{ transaction, signatures: by.map(({ sign }) => sign(hash)), proposal }],
  });
}
const sorted = (...keys: readonly Key[]) => keys.map(({ fingerprint }) => fingerprint).sort();

/** A party whose namespace key is outside of any participant, delegated by a root certificate. */
async function externalParty(name = 'ext') {
  const root = externalKey();
  const namespaceDelegation = {
    namespace: root.fingerprint,
    targetKey: root.message,
    canSignAllMappings: {},
  };
  await add({ namespaceDelegation }, [root]);
  return { root, party: `${name}::${root.fingerprint}` };
}

it('a mapping of party keys requires signatures of the namespace and of each new key', async () => {
  const { root, party } = await externalParty();
  const [first, second] = [externalKey(), externalKey()];
  const mapping = partyToKey(party, [first, second], 2);
  await expect(add(mapping, [first, second])).rejects.toMatchObject(REDACTED);
  await expect(add(mapping, [root, first])).rejects.toMatchObject(REDACTED);
  expect(await keysOf(party)).toEqual([]);
  await add(mapping, [root, first], ADD, true);
  expect(await keysOf(party)).toEqual([]);
  expect(await keysOf(party, { proposals: true })).toMatchObject([
    { context: { serial: 1 }, item: { party, threshold: 2 } },
  ]);
  expect(signingOf(party)).toBeUndefined();
  await add(mapping, [root, first, second]);
  const [seen] = await keysOf(party);
  expect(seen.context.serial).toBe(1);
  expect([...seen.context.signedByFingerprints].sort()).toEqual(sorted(root, first, second));
  expect(signingOf(party)).toEqual({ threshold: 2, keys: sorted(first, second) });
  // In the order of their fingerprints.
  expect(shownKeys(seen.item)).toEqual(
    sorted(first, second).map(
      (each) => [first, second].find(({ fingerprint }) => fingerprint === each)!.message.publicKey,
    ),
  );
});

it('a change or removal of keys requires the next serial', async () => {
  const { root, party } = await externalParty();
  const [first, second] = [externalKey(), externalKey()];
  canticle.advanceTime({ seconds: 1 });
  await add(partyToKey(party, [first]), [root, first]);
  canticle.advanceTime({ seconds: 1 });
  // A key that was there before need not sign again.
  await add(partyToKey(party, [first, second]), [root, second]);
  expect(signingOf(party)).toEqual({ threshold: 1, keys: sorted(first, second) });
  const changed = canticle.time;
  canticle.advanceTime({ seconds: 1 });
  await expect(add(partyToKey(party, [first]), [root], REMOVE)).rejects.toMatchObject(
    refused('TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING', {
      message: expect.stringContaining('REMOVE must not change the topology mapping'),
    }),
  );
  await expect(add(partyToKey(party, [second, first]), [first], REMOVE)).rejects.toMatchObject(
    REDACTED,
  );
  // The order of the keys does not matter.
  await add(partyToKey(party, [second, first]), [root], REMOVE);
  expect(signingOf(party)).toBeUndefined();
  const history = await keysOf(party, { range: {} });
  expect(history.map(({ context }) => [context.serial, context.operation])).toEqual([
    [1, ADD],
    [2, ADD],
    [3, REMOVE],
  ]);
  expect(history.map(({ context }) => context.validUntil ?? null)).toEqual([
    changed,
    canticle.time,
    null,
  ]);
  await add(partyToKey(party, [first]), [root, first]);
  expect(signingOf(party)).toEqual({ threshold: 1, keys: [first.fingerprint] });
  const { party: unknown, root: other } = await externalParty('unknown');
  await expect(add(partyToKey(unknown, [first]), [other], REMOVE)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_CORRESPONDING_ACTIVE_TX_TO_REVOKE'),
  );
});

it('a participant sets the keys of a local party, which then signs for itself', async () => {
  const party = canticle.participant.allocateParty('own');
  const { publicKey } = await admin.one.call(`${VAULT}GenerateSigningKey`, {
    usage: ['SIGNING_KEY_USAGE_PROTOCOL'],
  });
  const mapping = { partyToKeyMapping: { party, threshold: 1, signingKeys: [publicKey] } };
  const { transaction } = await propose('one', mapping);
  expect(transaction.signatures).toHaveLength(2);
  expect(signingOf(party)!.keys).toHaveLength(1);
  const keyed = await keysOf(party);
  expect(keyed).toHaveLength(1);
  // The party is hosted as before.
  expect((await hostingOf(party))[0].item).not.toHaveProperty('partySigningKeys.keys');
  await expect(propose('two', mapping)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  // Keys of the hosting go before those of the mapping.
  const key = externalKey();
  const keys = { partySigningKeys: { keys: [key.message], threshold: 1 } };
  const request = hosted(party, ['one'], keys);
  await propose('one', request, { mustFullyAuthorize: false });
  const { transaction: given, hash } = await generated(request);
  await write('one', 'AddTransactions', {
    transactions: [{ transaction: given, signatures: [key.sign(hash)], proposal: true }],
  });
  expect(signingOf(party)!.keys).toEqual([key.fingerprint]);
  await propose('one', hosted(party, ['one']));
  expect(signingOf(party)!.keys).not.toEqual([key.fingerprint]);
  expect(await keysOf(party)).toEqual(keyed);
});

it('the threshold is at most the number of keys, and the limit is twenty different keys', async () => {
  const { root, party } = await externalParty();
  const keys = Array.from({ length: 21 }, externalKey);
  await expect(add(partyToKey(party, keys), [root, ...keys])).rejects.toMatchObject({
    details: {
      ErrorInfo: {
        metadata: expect.objectContaining({
          reason: 'InvariantViolation(None,At most 20 key(s) can be specified, got 21.)',
        }),
      },
    },
  });
  const some = keys.slice(1);
  await expect(add(partyToKey(party, some, 21), [root, ...some])).rejects.toMatchObject(
    refused('TOPOLOGY_SIGNING_THRESHOLD_CANNOT_BE_REACHED'),
  );
  await add(partyToKey(party, some, 20), [root, ...some]);
  expect(signingOf(party)).toEqual({ threshold: 20, keys: sorted(...some) });
  await add(partyToKey(party, [some[0]!, some[0]!]), [root]);
  expect(signingOf(party)).toEqual({ threshold: 1, keys: sorted(some[0]!) });
});

it('a party that is hosted without keys signs with the keys of its mapping', async () => {
  const { root, party } = await externalParty('alice');
  const key = newKey();
  const { format, keyData, keySpec } = key.publicKey;
  const message = { format, publicKey: keyData, usage: ['SIGNING_KEY_USAGE_PROTOCOL'], keySpec };
  const hosting = hosted(party, ['one']);
  hosting.partyToParticipant.participants = [
    { participantUid: uid('one'), permission: CONFIRMATION },
  ];
  await add(hosting, [root], ADD, true);
  const [{ context }] = await hostingOf(party, { proposals: true });
  await write('one', 'Authorize', {
    transactionHash: Buffer.from(context.transactionHash, 'base64').toString('hex'),
    mustFullyAuthorize: true,
  });
  expect(signingOf(party)).toBeUndefined();
  const own = { fingerprint: key.fingerprint, message, sign: (hash: string) => key.sign(hash) };
  await add(partyToKey(party, [own as unknown as Key]), [root, own as unknown as Key]);
  expect(signingOf(party)!.keys).toEqual([key.fingerprint]);
  // A key of another usage is another key, which signs again.
  const usage = [...message.usage, 'SIGNING_KEY_USAGE_NAMESPACE'];
  const wider = { ...own, message: { ...message, usage } } as unknown as Key;
  await expect(add(partyToKey(party, [wider]), [root])).rejects.toMatchObject(REDACTED);
  await add(partyToKey(party, [wider]), [root, wider]);
});

it('a removed namespace delegation cannot return, and its signatures are invalid', async () => {
  const { root, party } = await externalParty();
  const delegation = {
    namespaceDelegation: {
      namespace: root.fingerprint,
      targetKey: root.message,
      canSignAllMappings: {},
    },
  };
  const key = externalKey();
  await add(partyToKey(party, [key]), [root, key]);
  const shown = `The namespace ${root.fingerprint.slice(0, 12)}... has been revoked.`;
  await add(delegation, [root], REMOVE);
  const revoked = refused('TOPOLOGY_NAMESPACE_HAS_BEEN_REVOKED', {
    code: 6,
    message: expect.stringContaining(shown),
  });
  await expect(add(delegation, [root])).rejects.toMatchObject(revoked);
  await expect(add(partyToKey(party, [externalKey()]), [root])).rejects.toMatchObject(REDACTED);
  // Nor does its key in a hosting.
  const partySigningKeys = { keys: [root.message], threshold: 1 };
  await expect(
    add(hosted(party, ['one'], { partySigningKeys }), [root], ADD, true),
  ).rejects.toMatchObject(revoked);
  await expect(add(hosted(party, ['one']), [root], ADD, true)).rejects.toMatchObject(REDACTED);
});

it('only the removal of its root certificate revokes a namespace', async () => {
  const { root, party } = await externalParty();
  const delegated = externalKey();
  const delegation = ({ message }: Key) => ({
    namespaceDelegation: {
      namespace: root.fingerprint,
      targetKey: message,
      canSignAllMappings: {},
    },
  });
  await add(delegation(delegated), [root]);
  const partySigningKeys = { keys: [root.message], threshold: 1 };
  const host = (threshold: number) =>
    add(hosted(party, ['one', 'two'], { partySigningKeys, threshold }), [root], ADD, true);
  const proposed = async () =>
    (await hostingOf(party, { proposals: true })).map(({ item }) => item.threshold).sort();
  await host(1);
  expect(await proposed()).toEqual([1]);
  await add(delegation(delegated), [root], REMOVE);
  await host(2);
  expect(await proposed()).toEqual([1, 2]);
  await add(delegation(root), [root], REMOVE);
  await expect(
    add(hosted(party, ['one'], { partySigningKeys }), [root], ADD, true),
  ).rejects.toMatchObject(refused('TOPOLOGY_NAMESPACE_HAS_BEEN_REVOKED'));
});

it('a key without the namespace usage cannot sign for a namespace', async () => {
  const { root, party } = await externalParty();
  const protocol = externalKey();
  const targetKey = { ...protocol.message, usage: ['SIGNING_KEY_USAGE_PROTOCOL'] };
  const namespaceDelegation = { namespace: root.fingerprint, targetKey, canSignAllMappings: {} };
  await add({ namespaceDelegation }, [root]);
  const key = externalKey();
  await expect(add(partyToKey(party, [key]), [protocol, key])).rejects.toMatchObject(REDACTED);
  await add(partyToKey(party, [key]), [root, key]);
});

it('a hosting is removed with the same mapping and the next serial', async () => {
  const party = canticle.participant.allocateParty('own');
  const remove = (mapping: object, more: object = {}) =>
    propose('one', mapping, { change: REMOVE, ...more });
  await expect(remove(hosted(party, ['one', 'two']))).rejects.toMatchObject(
    refused('TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING', {
      message: expect.stringContaining(
        `actual: PartyToParticipant(partyId = own::${namespace('one').slice(0, 12)}..., participants = Seq(PAR::one::`,
      ),
    }),
  );
  const lower = hosted(party, ['one']);
  lower.partyToParticipant.participants = [
    { participantUid: uid('one'), permission: CONFIRMATION },
  ];
  await expect(remove(lower)).rejects.toMatchObject(
    refused('TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING'),
  );
  await expect(remove(hosted(party, ['one'], { threshold: 2 }))).rejects.toMatchObject(
    refused('TOPOLOGY_CONFIRMING_THRESHOLD_CANNOT_BE_REACHED'),
  );
  for (const serial of [1, 3])
    await expect(remove(hosted(party, ['one']), { serial })).rejects.toMatchObject(
      refused('TOPOLOGY_SERIAL_MISMATCH'),
    );
  const unknown = hosted(`other::${namespace('one')}`, ['one']);
  await expect(remove(unknown)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_CORRESPONDING_ACTIVE_TX_TO_REVOKE'),
  );
  // On the other synchronizer it has no hosting.
  const app = { store: { synchronizer: { id: canticle.network.synchronizers[1]!.id } } };
  canticle.advanceTime({ seconds: 1 });
  await remove(hosted(party, ['one']), { serial: 2 });
  expect(canticle.network.topology.hosts(party, synchronizer()).size).toBe(0);
  expect(await hostingOf(party)).toMatchObject([
    {
      context: { serial: 2, operation: REMOVE, signedByFingerprints: [namespace('one')] },
      item: { participants: [{ participantUid: uid('one') }] },
    },
  ]);
  expect(await hostingOf(party, { operation: ADD })).toEqual([]);
  await propose('one', hosted(party, ['one']), { serial: 3 });
  expect((await hostingOf(party))[0].context.serial).toBe(3);
  await propose('one', hosted(`elsewhere::${namespace('one')}`, ['one']), { ...app, serial: 1 });
});

it('a party of one synchronizer has no hosting on another', async () => {
  const party = `here::${namespace('one')}`;
  const app = { store: { synchronizer: { id: canticle.network.synchronizers[1]!.id } } };
  await propose('one', hosted(party, ['one']), { serial: 1 });
  expect(await hostingOf(party)).toHaveLength(1);
  expect(await hostingOf(party, app)).toEqual([]);
  await propose('one', hosted(party, ['one']), { ...app, serial: 1 });
  expect(await hostingOf(party, app)).toMatchObject([{ context: { serial: 1, operation: ADD } }]);
});

it('a change of only the threshold or the keys is a new version of a hosting', async () => {
  const party = canticle.participant.allocateParty('own');
  await propose('one', hosted(party, ['one', 'two']), { mustFullyAuthorize: false });
  await propose('two', hosted(party, ['one', 'two']), { mustFullyAuthorize: false });
  await propose('one', hosted(party, ['one', 'two'], { threshold: 2 }), { serial: 3 });
  const [seen] = await hostingOf(party);
  expect([seen.context.serial, seen.item.threshold]).toEqual([3, 2]);
  expect(canticle.network.externalParties.confirmationThreshold(party, synchronizer())).toBe(2);
  // The removal names the threshold in force.
  await expect(
    propose('one', hosted(party, ['one', 'two']), { change: REMOVE }),
  ).rejects.toMatchObject(refused('TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING'));
  await propose('one', hosted(party, ['one', 'two']));
  // A host may lower its own permission, and leave, without the party.
  const lower = hosted(party, ['one', 'two']);
  lower.partyToParticipant.participants[1]!.permission = CONFIRMATION;
  for (const [serial, mapping] of [
    [5, lower],
    [6, hosted(party, ['one'])],
  ] as const) {
    await propose('two', mapping);
    expect((await hostingOf(party))[0].context).toMatchObject({
      serial,
      signedByFingerprints: [namespace('two')],
    });
  }
  await propose('one', hosted(party, ['one']), { change: REMOVE });
  expect((await hostingOf(party))[0].context.serial).toBe(7);
});

it('one transaction hosts, changes or removes a party that signs for itself', async () => {
  const key = externalKey();
  const party = `self::${key.fingerprint}`;
  const partySigningKeys = { keys: [key.message], threshold: 1 };
  const hosting = (names: readonly Name[], more: object = {}) =>
    hosted(party, names, { partySigningKeys, ...more });
  const accept = (name: Name, hash: string) =>
    write(name, 'Authorize', {
      transactionHash: Buffer.from(hash, 'base64').toString('hex'),
      mustFullyAuthorize: true,
    });
  await add(hosting(['one']), [key], ADD, true);
  const [{ context }] = await hostingOf(party, { proposals: true });
  await accept('one', context.transactionHash);
  expect(signingOf(party)).toEqual({ threshold: 1, keys: [key.fingerprint] });
  // A key that was there before need not sign, but its namespace speaks for other keys.
  const other = externalKey();
  const keys = [key.message, other.message];
  await expect(
    add(hosting(['one'], { partySigningKeys: { keys, threshold: 1 } }), [key]),
  ).rejects.toMatchObject(REDACTED);
  await add(hosting(['one'], { partySigningKeys: { keys, threshold: 1 } }), [key, other]);
  expect(signingOf(party)!.keys).toEqual([key, other].map((each) => each.fingerprint));
  expect((await hostingOf(party))[0].context.serial).toBe(2);
  const reversed = { keys: [...keys].reverse(), threshold: 1 };
  await add(hosting(['one'], { partySigningKeys: { keys, threshold: 2 } }), [key]);
  expect(signingOf(party)!.threshold).toBe(2);
  await add(hosting(['one'], { partySigningKeys: { ...reversed, threshold: 2 } }), [key], REMOVE);
  expect(signingOf(party)).toBeUndefined();
  expect(canticle.network.topology.hosts(party, synchronizer()).size).toBe(0);
  const stranger = { participantUid: uid('one').replace('one', 'three'), permission: CONFIRMATION };
  await expect(
    add(hosting([], { participants: [stranger] }), [key], ADD, true),
  ).rejects.toMatchObject(refused('TOPOLOGY_UNKNOWN_MEMBERS'));
});

it('a saved world keeps keys and hostings, and a revert restores the earlier ones', async () => {
  const file = join(tmpdir(), `party-keys-${process.pid}.world`);
  const { root, party } = await externalParty();
  const own = canticle.participant.allocateParty('own');
  const snapshot = canticle.snapshot();
  const key = externalKey();
  await add(partyToKey(party, [key]), [root, key]);
  await propose('one', hosted(own, ['one']), { change: REMOVE });
  const [keys, hosting] = [await keysOf(party), await hostingOf(own)];
  canticle.save(file);
  try {
    const again = await startCanticle({ load: file, grpc: { adminApiPort: 0 } });
    const client = await GrpcClient.connect(again.grpcAdminApis['two']!);
    const baseQuery = { store: store(), headState: {} };
    const listed = async (method: string, filterParty: string) =>
      (await client.call(`${MANAGER}ReadService/${method}`, { baseQuery, filterParty })).results;
    expect(await listed('ListPartyToKeyMapping', party)).toEqual(keys);
    expect(await listed('ListPartyToParticipant', own)).toEqual(hosting);
    expect(again.network.externalParties.get(party, synchronizer())!.keys[0]!.fingerprint).toBe(
      key.fingerprint,
    );
    client.close();
    await again.close();
  } finally {
    rmSync(file);
  }
  canticle.revert(snapshot);
  expect(await keysOf(party)).toEqual([]);
  expect((await hostingOf(own))[0].context.operation).toBe(ADD);
});
