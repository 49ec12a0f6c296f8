/** Every mapping of topology stores, as signed transactions (B-GRPC-033). */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { newKey } from '../../network/external/external-party.js';
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

const READ = 'com.digitalasset.canton.topology.admin.v30.TopologyManagerReadService/';
const WRITE = 'com.digitalasset.canton.topology.admin.v30.TopologyManagerWriteService/';
const PARTIES = 'admin.PartyManagementService/';

let canticle: Canticle;
let admin: GrpcClient;
let synchronizer: string;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 1, grpc: { adminApiPort: 0 } });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
  synchronizer = canticle.network.synchronizers[0]!.id;
});
afterAll(async () => {
  admin.close();
  await canticle.close();
});

type Fields = Readonly<Record<number, readonly (Uint8Array | number)[]>>;
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const found: Record<number, (Uint8Array | number)[]> = {};
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    (found[field] ??= []).push(wire === 2 ? reader.bytes() : Number(reader.uint64()));
  }
  return found;
}
const nested = (fields: Fields, ...path: readonly number[]): Fields =>
  path.reduce((at, field) => fieldsOf(at[field]![0] as Uint8Array), fields);
const textOf = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString();

interface Signed {
  readonly transaction: Uint8Array;
  readonly hash: Uint8Array;
  readonly mapping: Fields;
  readonly signatures: readonly Fields[];
  readonly isProposal: boolean;
  readonly joint: readonly Fields[];
}

function signedIn({ transaction: given }: { readonly transaction: string }): Signed {
  const versioned = fieldsOf(Buffer.from(given, 'base64'));
  expect(versioned[2]).toEqual([30]);
  const signed = nested(versioned, 1);
  const transaction = signed[1]![0] as Uint8Array;
  const digest = createHash('sha256')
    .update(Buffer.from([0, 0, 0, 11]))
    .update(transaction);
  return {
    transaction,
    hash: Buffer.concat([Buffer.from([0x12, 0x20]), digest.digest()]),
    mapping: nested(fieldsOf(transaction), 1, 3),
    signatures: (signed[2] ?? []).map((each) => fieldsOf(each as Uint8Array)),
    isProposal: signed[3]?.[0] === 1,
    joint: (signed[4] ?? []).map((each) => fieldsOf(each as Uint8Array)),
  };
}

const store = () => ({ synchronizer: { id: synchronizer } });
const list = async (method: 'ListAll' | 'ListAllV2', more: object = {}, base: object = {}) => {
  const baseQuery = { store: store(), headState: {}, ...base };
  const { result } = await admin.call(`${READ}${method}`, { baseQuery, ...more });
  return result.items as any[];
};
/** The numbers of the kinds of mappings. */
const kindsOf = (items: any[]): number[] =>
  items.map((item) => Number(Object.keys(signedIn(item).mapping)[0]));
const reasonOf = (method: string, request: object): Promise<string> =>
  admin.call(`${READ}${method}`, request).then(
    () => Promise.reject(new Error('It was not refused.')),
    (fault: GrpcFault) => fault.details['ErrorInfo'].metadata.reason,
  );

it('returns the same bytes for the founding transactions of a synchronizer each time', async () => {
  const includeMappings = ['nsd', 'dnd', 'dop', 'mds', 'sds', 'dtc'];
  const items = await list('ListAllV2', { includeMappings });
  const bytes = items.map(({ transaction }) => Buffer.from(transaction, 'base64'));
  const digest = createHash('sha256').update(Buffer.concat(bytes)).digest('hex');
  expect([bytes.map(({ length }) => length), digest]).toEqual([
    [292, 292, 521, 454, 477, 478, 292, 333],
    'dfd0b85dfebbd3d7d78dfdcd7aa06cc59497be086d6b3b4a2072d58e0bdc16ed',
  ]);
});

it('returns the founding transactions of a synchronizer before those of its members', async () => {
  const kinds = kindsOf(await list('ListAllV2'));
  // Delegations, the namespace that is owned together, keys; parameters, mediators, sequencers; certificates and vetted packages.
  expect(kinds.slice(0, 8)).toEqual([1, 1, 3, 4, 4, 11, 12, 13]);
  expect(kinds.slice(8, 11)).toEqual([1, 4, 5]);
});

it('returns the same hashes as the other methods, and valid signatures', async () => {
  const alice = canticle.participant.allocateParty('alice');
  const partyIn = (each: any) => textOf(nested(signedIn(each).mapping, 9)[1]![0]);
  const items = await list('ListAllV2', { includeMappings: ['ptp'] });
  const item = items.find((each) => partyIn(each) === alice);
  const { hash, signatures, isProposal } = signedIn(item);
  const baseQuery = { store: store(), headState: {} };
  const { results } = await admin.call(`${READ}ListPartyToParticipant`, {
    baseQuery,
    filterParty: 'alice',
  });
  const [{ context }] = results;
  expect(Buffer.from(hash).toString('base64')).toBe(context.transactionHash);
  expect([item.sequenced, item.validFrom]).toEqual([context.sequenced, context.validFrom]);
  expect(signatures.map((each) => textOf(each[3]![0]))).toEqual(context.signedByFingerprints);
  const namespaces = await admin.call(`${READ}ListNamespaceDelegation`, {
    baseQuery,
    filterNamespace: context.signedByFingerprints[0],
  });
  const der = Buffer.from(namespaces.results[0].item.targetKey.publicKey, 'base64');
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  expect(verify(null, hash, key, signatures[0]![2]![0] as Uint8Array)).toBe(true);
  expect(isProposal).toBe(false);
});

it('returns the included kinds, or all except the excluded kinds', async () => {
  const all = kindsOf(await list('ListAllV2'));
  expect(kindsOf(await list('ListAllV2', { includeMappings: ['dop', 'mds'] }))).toEqual([11, 12]);
  const excludeMappings = ['nsd', 'otk', 'ptp'];
  expect(kindsOf(await list('ListAll', { excludeMappings }))).toEqual(
    all.filter((each) => ![1, 4, 9].includes(each)),
  );
  const known = 'nsd, dnd, otk, dtc, pdp, phl, vtp, ptp, dop, sep, mds, sds, sep, ptk, lsu, scs';
  const wrong = `UnrecognizedEnum(TopologyMapping.Code,xyz,List(${known}))`;
  const baseQuery = { headState: {} };
  expect(await reasonOf('ListAll', { baseQuery, excludeMappings: ['nsd', 'xyz'] })).toBe(wrong);
  expect(await reasonOf('ListAllV2', { baseQuery, includeMappings: ['xyz'] })).toBe(wrong);
  expect(await reasonOf('ListAll', { excludeMappings: ['xyz'] })).toBe('FieldNotSet(base_query)');
  expect(await reasonOf('ListAllV2', {})).toBe('FieldNotSet(base_query)');
});

it('filters by prefixes of namespaces and of signing keys', async () => {
  const own = canticle.participant.id.split('::')[1]!;
  const filterNamespace = own.slice(0, 20);
  const found = kindsOf(await list('ListAllV2', { filterNamespace }));
  expect(found.slice(0, 4)).toEqual([1, 4, 5, 8]);
  expect(found).not.toContain(12);
  expect(kindsOf(await list('ListAllV2', {}, { filterSignedKey: own.slice(0, 20) }))).toEqual(
    found,
  );
  expect(await list('ListAllV2', {}, { operation: 'TOPOLOGY_CHANGE_OP_REMOVE' })).toEqual([]);
});

it('returns the signatures of an external party', async () => {
  const grpc = await GrpcClient.connect(canticle.urls.grpc!);
  const key = newKey();
  const publicKey = { format: 3, keyData: key.publicKey.keyData, keySpec: 1 };
  const generated = await grpc.call(`${PARTIES}GenerateExternalPartyTopology`, {
    synchronizer,
    partyHint: 'ext',
    publicKey,
  });
  const { topologyTransactions, multiHash } = generated;
  await grpc.call(`${PARTIES}AllocateExternalParty`, {
    synchronizer,
    onboardingTransactions: topologyTransactions.map((transaction: string) => ({ transaction })),
    multiHashSignatures: [key.sign(multiHash)],
  });
  grpc.close();
  const items = await list('ListAllV2', { filterNamespace: key.fingerprint });
  expect(items).toHaveLength(1);
  const { transaction, hash, joint } = signedIn(items[0]);
  expect(Buffer.from(transaction).toString('base64')).toBe(topologyTransactions[0]);
  const [{ 1: hashes, 2: signatures }] = joint as [Record<number, Uint8Array[]>];
  expect(Buffer.from(hashes![0]!)).toEqual(hash);
  const { 2: signature, 3: signedBy } = fieldsOf(signatures![0]!);
  expect(textOf(signedBy![0])).toBe(key.fingerprint);
  const der = Buffer.from(key.publicKey.keyData, 'base64');
  const read = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const signed = Buffer.from(multiHash, 'base64');
  expect(verify(null, signed, read, signature![0] as Uint8Array)).toBe(true);
});

it('returns added transactions of a temporary store, with proposals on request', async () => {
  const temporary = { temporary: { name: 'all' } };
  await admin.call(`${WRITE}CreateTemporaryTopologyStore`, { name: 'all', protocolVersion: 35 });
  const key = newKey();
  const { fingerprint } = key;
  const targetKey = { format: 4, publicKey: key.publicKey.keyData, usage: [1], keySpec: 1 };
  const namespaceDelegation = { namespace: fingerprint, targetKey, canSignAllMappings: {} };
  const operation = 'TOPOLOGY_CHANGE_OP_ADD_REPLACE';
  const proposals = [{ operation, serial: 1, store: temporary, mapping: { namespaceDelegation } }];
  const { generatedTransactions } = await admin.call(`${WRITE}GenerateTransactions`, { proposals });
  const [{ serializedTransaction: transaction, transactionHash }] = generatedTransactions;
  const signatures = [key.sign(transactionHash)];
  await admin.call(`${WRITE}AddTransactions`, {
    store: temporary,
    transactions: [{ transaction, signatures }],
  });
  const items = await list('ListAll', {}, { store: temporary });
  expect(items).toHaveLength(1);
  const signed = signedIn(items[0]);
  expect(Buffer.from(signed.transaction).toString('base64')).toBe(transaction);
  expect(Buffer.from(signed.signatures[0]![2]![0] as Uint8Array).toString('base64')).toBe(
    signatures[0]!['signature'],
  );
  expect(await list('ListAll', {}, { store: temporary, proposals: true })).toEqual([]);
});
