/** Namespaces that belong to several participants: what is proposed, who sees it, and how each owner authorizes it (B-EXT-031). */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCanticle, type Canticle } from 'canticle';
import { namespaceOfOwners } from '../../../src/network/index.js';
import { newKey } from '../../network/external/external-party.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { ADD, externalKey, MANAGER } from '../two-admin-apis.js';

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
beforeEach(() => canticle.reset());
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const synchronizer = () => canticle.network.synchronizers[0]!.id;
const store = () => ({ synchronizer: { id: synchronizer() } });
const uid = (name: Name) => canticle.network.participant(name).id;
const namespace = (name: Name) => uid(name).split('::')[1]!;
const refused = (reason: string) => ({ details: { ErrorInfo: { reason } } });
const invalid = (fault: string) => ({
  code: 3,
  message: expect.stringContaining(`rejected due to an invalid mapping: ${fault}`),
});
/** Only the log has the text of a security alert. */
const REDACTED = { code: 3, message: expect.stringContaining('An error occurred.') };

const definition = (owners: readonly string[], threshold = 1) => ({
  decentralizedNamespace: namespaceOfOwners(owners),
  threshold,
  owners: [...owners],
});
const write = (name: Name, method: string, request: object) =>
  admin[name].call(`${MANAGER}WriteService/${method}`, { store: store(), ...request });
const propose = (name: Name, decentralizedNamespaceDefinition: object, more: object = {}) =>
  write(name, 'Authorize', {
    proposal: { change: ADD, mapping: { decentralizedNamespaceDefinition } },
    ...more,
  });
const abbreviated = (hash: string) => `${hash.slice(0, 12)}...`;
const hexadecimal = (hash: string) => Buffer.from(hash, 'base64').toString('hex');
const authorize = (name: Name, hash: string, more: object = {}) =>
  write(name, 'Authorize', { transactionHash: hexadecimal(hash), ...more });

async function listed(name: Name, filterNamespace: string, more: object = {}): Promise<any[]> {
  const method = `${MANAGER}ReadService/ListDecentralizedNamespaceDefinition`;
  const head = 'range' in more || 'snapshot' in more ? {} : { headState: {} };
  const baseQuery = { store: store(), ...head, ...more };
  return (await admin[name].call(method, { baseQuery, filterNamespace })).results;
}
const proposals = (name: Name, of: string, more: object = {}) =>
  listed(name, of, { proposals: true, ...more });

it('each owner sees a definition and authorizes it by its hash, and it takes effect after the last', async () => {
  const mapping = definition([namespace('one'), namespace('two')].sort());
  const of = mapping.decentralizedNamespace;
  await expect(propose('one', mapping, { mustFullyAuthorize: true })).rejects.toMatchObject(
    REDACTED,
  );
  const { transaction } = await propose('one', mapping);
  expect(transaction.signatures.map(({ signedBy }: any) => signedBy)).toEqual([namespace('one')]);
  const [seen] = await proposals('one', of);
  expect(seen).toMatchObject({
    context: { serial: 1, operation: ADD, signedByFingerprints: [namespace('one')] },
    item: mapping,
  });
  for (const name of NAMES) {
    expect(await proposals(name, of)).toEqual([seen]);
    expect(await listed(name, of)).toEqual([]);
  }
  const { transactionHash } = seen.context;
  await expect(authorize('three', transactionHash)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  // Once more by the same adds nothing.
  await authorize('one', transactionHash, { mustFullyAuthorize: true });
  expect(await listed('one', of)).toEqual([]);
  const done = await authorize('two', transactionHash, { mustFullyAuthorize: true });
  expect(done.transaction).toMatchObject({ transaction: transaction.transaction, proposal: true });
  expect(done.transaction.signatures).toHaveLength(2);
  for (const name of NAMES) {
    expect(await proposals(name, of)).toEqual([]);
    const [inForce] = await listed(name, of);
    expect([...inForce.context.signedByFingerprints].sort()).toEqual(mapping.owners);
  }
  // A mapping in force is no longer a proposal; a second signature by the same owner has no effect.
  expect((await authorize('two', transactionHash)).transaction.proposal).toBe(false);
  await expect(propose('one', mapping)).rejects.toMatchObject(
    refused('TOPOLOGY_MAPPING_ALREADY_EXISTS'),
  );
});

it('an effective definition ends other proposals of the namespace, whose times remain visible', async () => {
  const owners = [namespace('one'), namespace('two')].sort();
  const of = namespaceOfOwners(owners);
  await propose('one', definition(owners, 1));
  const proposed = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  await propose('one', definition(owners, 2));
  const again = canticle.time;
  canticle.advanceTime({ seconds: 10 });
  const [first, second] = await proposals('three', of);
  expect([first.item.threshold, second.item.threshold]).toEqual([1, 2]);
  const { id } = canticle.network.synchronizers[1]!;
  const elsewhere = { store: { synchronizer: { id } } };
  expect(await proposals('three', of, elsewhere)).toEqual([]);
  await propose('two', definition(owners, 2));
  expect(await proposals('three', of)).toEqual([]);
  const ended = await proposals('three', of, { range: {} });
  expect(
    ended.map(({ context, item }) => [item.threshold, context.validFrom, context.validUntil]),
  ).toEqual([
    [1, proposed, canticle.time],
    [2, again, canticle.time],
  ]);
  expect(await proposals('one', of, { ...elsewhere, range: {} })).toEqual([]);
  const at = async (snapshot: string) =>
    (await proposals('one', of, { snapshot })).map(({ item }) => item.threshold);
  expect([await at(again), await at(canticle.time)]).toEqual([[1], [1, 2]]);
  await expect(authorize('two', first.context.transactionHash)).rejects.toMatchObject(
    refused('TOPOLOGY_SERIAL_MISMATCH'),
  );
  expect(await listed('one', of)).toMatchObject([{ item: { threshold: 2 } }]);
});

it('a party of the namespace is hosted once the threshold of owners agrees', async () => {
  const owners = NAMES.map(namespace).sort();
  const of = namespaceOfOwners(owners);
  const party = `shared::${of}`;
  const hosted = () =>
    [...canticle.network.topology.hosts(party, synchronizer()).keys()] as string[];
  const hosting = {
    partyToParticipant: {
      party,
      threshold: 1,
      participants: [
        { participantUid: uid('one'), permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' },
      ],
    },
  };
  const host = (name: Name) =>
    write(name, 'Authorize', { proposal: { change: ADD, mapping: hosting } });
  await propose('one', definition(owners, 2));
  const [{ context }] = await proposals('two', of);
  await authorize('two', context.transactionHash);
  // A namespace that is only proposed has no owners.
  await host('one');
  await expect(host('three')).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  await authorize('three', context.transactionHash);
  expect(hosted()).toEqual([]);
  await host('three');
  expect(hosted()).toEqual([uid('one')]);
});

it('each owner needs a root certificate in the store', async () => {
  const key = newKey();
  const mapping = definition([namespace('one'), key.fingerprint].sort());
  await expect(propose('one', mapping)).rejects.toMatchObject(
    invalid(`No root certificate found for ${key.fingerprint.slice(0, 12)}...`),
  );
  expect(await proposals('one', mapping.decentralizedNamespace)).toEqual([]);
});

it('the id of a namespace must derive from the owners of its first definition', async () => {
  const owners = [namespace('one'), namespace('two')].sort();
  const alien = { ...definition(owners), decentralizedNamespace: namespace('three') };
  await expect(propose('one', alien)).rejects.toMatchObject(
    invalid(`The decentralized namespace ${namespace('three').slice(0, 12)}... is not derived`),
  );
});

describe('an existing namespace (B-EXT-033, B-EXT-034)', () => {
  const both = () => [namespace('one'), namespace('two')].sort();
  const all = () => NAMES.map(namespace).sort();
  const of = () => namespaceOfOwners(both());
  const found = async (threshold: number) => {
    await propose('one', definition(both(), threshold));
    await propose('two', definition(both(), threshold));
  };
  const changed = (owners: readonly string[], threshold: number) => ({
    ...definition(owners, threshold),
    decentralizedNamespace: of(),
  });
  const remove = (name: Name, mapping: object, more: object = {}) =>
    write(name, 'Authorize', {
      proposal: {
        change: 'TOPOLOGY_CHANGE_OP_REMOVE',
        mapping: { decentralizedNamespaceDefinition: mapping },
      },
      ...more,
    });
  const party = () => `shared::${of()}`;
  const host = (name: Name, by: Name) =>
    write(name, 'Authorize', {
      proposal: {
        change: ADD,
        mapping: {
          partyToParticipant: {
            party: party(),
            threshold: 1,
            participants: [
              { participantUid: uid(by), permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' },
            ],
          },
        },
      },
    });
  const hosts = () =>
    [...canticle.network.topology.hosts(party(), synchronizer()).keys()] as string[];

  it('requires its threshold of owners for a change, and each new owner', async () => {
    await found(2);
    canticle.advanceTime({ seconds: 10 });
    await expect(
      propose('one', changed(all(), 1), { mustFullyAuthorize: true }),
    ).rejects.toMatchObject(REDACTED);
    await propose('one', changed(all(), 1));
    const [{ context }] = await proposals('three', of());
    expect(context).toMatchObject({ serial: 2, signedByFingerprints: [namespace('one')] });
    // The new owner is not one of those that it asked for.
    await authorize('three', context.transactionHash);
    expect(await listed('three', of())).toMatchObject([{ context: { serial: 1 } }]);
    canticle.advanceTime({ seconds: 10 });
    const done = await authorize('two', context.transactionHash, { mustFullyAuthorize: true });
    expect(done.transaction.signatures).toHaveLength(3);
    for (const name of NAMES) {
      expect(await proposals(name, of())).toEqual([]);
      const [inForce, ...more] = await listed(name, of());
      expect(more).toEqual([]);
      expect(inForce).toMatchObject({ context: { serial: 2 }, item: changed(all(), 1) });
      expect([...inForce.context.signedByFingerprints].sort()).toEqual(all());
    }
    const times = (await listed('one', of(), { range: {} })).map(({ context: each }) => [
      each.serial,
      each.validUntil,
    ]);
    expect(times).toEqual([
      [1, canticle.time],
      [2, undefined],
    ]);
  });

  it('requires one owner for a change if its threshold is one', async () => {
    await found(1);
    await propose('two', changed(both(), 2), { mustFullyAuthorize: true });
    expect(await listed('one', of())).toMatchObject([
      { context: { serial: 2, signedByFingerprints: [namespace('two')] }, item: { threshold: 2 } },
    ]);
    // From now on it asks for two.
    await propose('two', changed(both(), 1));
    expect(await proposals('one', of())).toMatchObject([{ context: { serial: 3 } }]);
    await expect(
      propose('one', changed(all(), 1), { mustFullyAuthorize: true }),
    ).rejects.toMatchObject(REDACTED);
  });

  it('its latest owners authorize the hosting of its parties', async () => {
    await found(1);
    await host('one', 'one');
    expect(hosts()).toEqual([uid('one')]);
    await propose('one', changed([namespace('two'), namespace('three')].sort(), 2));
    await authorize('three', (await proposals('one', of()))[0].context.transactionHash);
    expect(await listed('one', of())).toMatchObject([{ item: { threshold: 2 } }]);
    await host('two', 'two');
    expect(hosts()).toEqual([uid('one')]);
    await host('three', 'two');
    expect(hosts()).toEqual([uid('two')]);
  });

  it('requires its threshold of owners for its removal, and cannot return', async () => {
    await found(2);
    await host('one', 'one');
    await host('two', 'one');
    expect(hosts()).toEqual([uid('one')]);
    await expect(remove('one', definition(both(), 1))).rejects.toMatchObject({
      code: 9,
      message: expect.stringContaining('REMOVE must not change the topology mapping:'),
    });
    await remove('one', definition(both(), 2));
    const [{ context }] = await proposals('two', of());
    expect(context).toMatchObject({ serial: 2, operation: 'TOPOLOGY_CHANGE_OP_REMOVE' });
    expect(await listed('two', of(), { operation: ADD })).toHaveLength(1);
    await authorize('two', context.transactionHash, { mustFullyAuthorize: true });
    expect(await proposals('two', of())).toEqual([]);
    expect(await listed('two', of(), { operation: ADD })).toEqual([]);
    expect(await listed('two', of(), { operation: ADD, range: {} })).toMatchObject([
      { context: { serial: 1, validUntil: canticle.time } },
    ]);
    // Its parties keep their hosts, and no owner can sign for them.
    expect(hosts()).toEqual([uid('one')]);
    await expect(host('two', 'three')).rejects.toMatchObject(
      refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
    );
    await expect(propose('one', definition(both(), 2))).rejects.toMatchObject(
      refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
    );
  });

  it('cannot be removed before it exists', async () => {
    await expect(remove('one', definition(both(), 1))).rejects.toMatchObject({
      code: 9,
      message: expect.stringContaining('There is no active topology transaction matching'),
    });
  });

  it('stores proposals with other changes until one takes effect', async () => {
    await found(2);
    await propose('one', changed(both(), 1));
    await propose('one', changed(all(), 3));
    expect(await proposals('two', of())).toHaveLength(2);
    const [, { context }] = await proposals('two', of());
    await authorize('three', context.transactionHash);
    await propose('two', changed(both(), 1));
    expect(await proposals('two', of())).toEqual([]);
    await expect(authorize('two', context.transactionHash)).rejects.toMatchObject(
      refused('TOPOLOGY_SERIAL_MISMATCH'),
    );
  });

  it('rejects a second first definition, together with the hosting of a party', async () => {
    const signing = externalKey();
    const mappings = [
      { decentralizedNamespaceDefinition: definition(both(), 2) },
      {
        partyToParticipant: {
          party: party(),
          threshold: 1,
          participants: [
            { participantUid: uid('one'), permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' },
          ],
          partySigningKeys: { keys: [signing.message], threshold: 1 },
        },
      },
    ];
    const { generatedTransactions } = await admin.one.call(
      `${MANAGER}WriteService/GenerateTransactions`,
      { proposals: mappings.map((mapping) => ({ operation: ADD, mapping, store: store() })) },
    );
    await found(1);
    const transactions = generatedTransactions.map((each: any) => ({
      transaction: each.serializedTransaction,
      signatures: [signing.sign(each.transactionHash)],
      proposal: true,
    }));
    await expect(write('one', 'AddTransactions', { transactions })).rejects.toMatchObject({
      code: 9,
      message: expect.stringContaining(
        'The provided serial Some(1) did not match the expected serial Some(2).',
      ),
    });
    expect(await listed('one', of())).toMatchObject([{ item: { threshold: 1 } }]);
  });

  it('keeps its serial in a saved world', async () => {
    await found(1);
    await propose('two', changed(both(), 2));
    const file = join(tmpdir(), `namespaces-${process.pid}.world`);
    canticle.save(file);
    const again = await startCanticle({ load: file, grpc: { adminApiPort: 0 } });
    rmSync(file);
    const client = await GrpcClient.connect(again.grpcAdminApis.one!);
    const { results } = await client.call(
      `${MANAGER}ReadService/ListDecentralizedNamespaceDefinition`,
      { baseQuery: { store: store(), headState: {} }, filterNamespace: of() },
    );
    expect(results).toMatchObject([{ context: { serial: 2 }, item: { threshold: 2 } }]);
    client.close();
    await again.close();
  });
});

it('adds a definition with the signatures of its owners', async () => {
  const owners = [namespace('one'), namespace('two')].sort();
  const mapping = { decentralizedNamespaceDefinition: definition(owners) };
  const { generatedTransactions } = await admin.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    { proposals: [{ operation: ADD, mapping, store: store() }] },
  );
  const sign = async (name: Name, each: object) =>
    (await write(name, 'SignTransactions', { transactions: [each] })).transactions[0];
  const { serializedTransaction: transaction, transactionHash } = generatedTransactions[0];
  const signatures = [newKey().sign(transactionHash)];
  const byOne = await sign('one', { transaction, signatures, proposal: true });
  const byBoth = await sign('two', byOne);
  await write('three', 'AddTransactions', { transactions: [byOne] });
  const of = namespaceOfOwners(owners);
  expect(await proposals('two', of)).toHaveLength(1);
  await write('three', 'AddTransactions', { transactions: [byBoth] });
  expect(await listed('two', of)).toHaveLength(1);
  expect(await proposals('two', of)).toEqual([]);
});

it('owners that are not participants sign the hosting of a party in turn', async () => {
  const keys = [externalKey(), externalKey()];
  const owners = keys.map(({ fingerprint }) => fingerprint).sort();
  const of = namespaceOfOwners(owners);
  const signing = externalKey();
  const mappings = [
    ...keys.map(({ fingerprint, message }) => ({
      namespaceDelegation: {
        namespace: fingerprint,
        targetKey: message,
        canSignAllMappings: {},
      },
    })),
    { decentralizedNamespaceDefinition: definition(owners) },
    {
      partyToParticipant: {
        party: `club::${of}`,
        threshold: 1,
        participants: [
          { participantUid: uid('one'), permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' },
        ],
        partySigningKeys: { keys: [signing.message], threshold: 1 },
      },
    },
  ];
  const { generatedTransactions } = await admin.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    { proposals: mappings.map((mapping) => ({ operation: ADD, mapping, store: store() })) },
  );
  const addAll = (transactions: readonly any[], by: readonly (typeof signing)[]) =>
    write('one', 'AddTransactions', {
      transactions: transactions.map((each) => ({
        transaction: each.serializedTransaction,
        signatures: by.map(({ sign }) => sign(each.transactionHash)),
        proposal: true,
      })),
    });
  const [, , defined, hosted] = generatedTransactions;
  const add = (...by: readonly (typeof signing)[]) => addAll([defined], by);
  await expect(add(...keys, signing)).rejects.toMatchObject(
    invalid(`No root certificate found for ${owners.map(abbreviated).join(', ')}`),
  );
  for (const [index, key] of keys.entries()) {
    const [delegation] = generatedTransactions.slice(index);
    await expect(addAll([delegation], [signing])).rejects.toMatchObject(REDACTED);
    await addAll([delegation], [key]);
  }
  await add(keys[0]!, signing);
  // The same transaction again does not add a proposal.
  await add(keys[0]!, signing);
  const [proposed, ...more] = await proposals('two', of, { range: {} });
  expect(more).toEqual([]);
  expect(proposed.context.signedByFingerprints).toEqual([keys[0]!.fingerprint]);
  await expect(authorize('one', proposed.context.transactionHash)).rejects.toMatchObject(
    refused('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE'),
  );
  // Until it is in force, no key speaks for it.
  await expect(addAll([hosted], [...keys, signing])).rejects.toMatchObject(REDACTED);
  await add(keys[1]!, signing);
  expect(await proposals('two', of)).toEqual([]);
  const party = `club::${of}`;
  const isHosted = () => canticle.network.topology.hosts(party, synchronizer()).size > 0;
  await addAll([hosted], [keys[0]!, signing]);
  await authorize('one', hosted.transactionHash);
  expect(isHosted()).toBe(true);
  expect(await proposals('two', of, { range: {} })).toHaveLength(1);
  const [inForce] = await listed('three', of);
  expect([...inForce.context.signedByFingerprints].sort()).toEqual(owners);

  // Their root certificates are known from now on, also once another definition is in force.
  const { generatedTransactions: changes } = await admin.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    {
      proposals: [
        {
          operation: ADD,
          mapping: { decentralizedNamespaceDefinition: { ...definition(owners, 2) } },
          store: store(),
        },
      ],
    },
  );
  const [{ serializedTransaction, transactionHash }] = changes;
  await write('one', 'AddTransactions', {
    transactions: [
      {
        transaction: serializedTransaction,
        signatures: [keys[1]!.sign(transactionHash)],
        proposal: true,
      },
    ],
  });
  expect(await listed('one', of)).toMatchObject([
    { context: { serial: 2 }, item: { threshold: 2 } },
  ]);

  // Each speaks for its own namespace, and for no other.
  const mapping = definition([namespace('one'), keys[0]!.fingerprint].sort());
  const { transaction } = (await propose('one', mapping)).transaction;
  const [{ context }] = await proposals('one', mapping.decentralizedNamespace);
  const addBy = ({ sign }: typeof signing) =>
    write('two', 'AddTransactions', {
      transactions: [{ transaction, signatures: [sign(context.transactionHash)], proposal: true }],
    });
  await addBy(keys[1]!).catch(() => undefined);
  expect(await listed('one', mapping.decentralizedNamespace)).toEqual([]);
  await addBy(keys[0]!);
  expect(await listed('one', mapping.decentralizedNamespace)).toHaveLength(1);
});
