/**
 * An external party comes to two participants over their admin APIs: its hosting is generated, signed with its own key, added, and
 * authorized by each participant; only then is it there.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../support/grpc-client.js';

const TOPOLOGY = 'com.digitalasset.canton.topology.admin.v30.TopologyManager';
let canticle: Canticle;
let one: GrpcClient;
let two: GrpcClient;
beforeAll(async () => {
  canticle = await startCanticle({ participants: ['one', 'two'], grpc: { adminApiPort: 0 } });
  one = await GrpcClient.connect(canticle.grpcAdminApis['one']!);
  two = await GrpcClient.connect(canticle.grpcAdminApis['two']!);
});
afterAll(async () => {
  one.close();
  two.close();
  await canticle.close();
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const der = publicKey.export({ format: 'der', type: 'spki' });
/** Of a key: a hash of its bytes for that purpose, 12. */
const fingerprint = `1220${createHash('sha256')
  .update(Buffer.from([0, 0, 0, 12]))
  .update(der.subarray(-32))
  .digest('hex')}`;
const party = `ext::${fingerprint}`;

const store = () => ({ synchronizer: { id: canticle.network.synchronizers[0]!.id } });
const hostsOf = (of = party) => [
  ...canticle.network.topology.hosts(of, canticle.network.synchronizers[0]!.id).keys(),
];

async function hosting(
  hint = 'ext',
): Promise<{ serializedTransaction: string; transactionHash: string }> {
  const signingKey = {
    format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
    publicKey: der.toString('base64'),
    usage: ['SIGNING_KEY_USAGE_NAMESPACE', 'SIGNING_KEY_USAGE_PROTOCOL'],
    keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
  };
  const partyToParticipant = {
    party: `${hint}::${fingerprint}`,
    threshold: 1,
    participants: canticle.network.participants.map(({ id }) => ({
      participantUid: id,
      permission: 'PARTICIPANT_PERMISSION_CONFIRMATION',
    })),
    partySigningKeys: { keys: [signingKey], threshold: 1 },
  };
  const { generatedTransactions } = await one.call(`${TOPOLOGY}WriteService/GenerateTransactions`, {
    proposals: [
      {
        operation: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE',
        mapping: { partyToParticipant },
        store: store(),
      },
    ],
  });
  return generatedTransactions[0];
}

const signed = (hash: string, by = fingerprint) => ({
  format: 'SIGNATURE_FORMAT_CONCAT',
  signature: sign(null, Buffer.from(hash, 'base64'), privateKey).toString('base64'),
  signedBy: by,
  signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
});

it('is hosted once each participant has authorized what its key signed', async () => {
  const { serializedTransaction: transaction, transactionHash } = await hosting();
  const add = (signatures: object[]) =>
    one.call(`${TOPOLOGY}WriteService/AddTransactions`, {
      transactions: [{ transaction, signatures, proposal: true }],
      store: store(),
    });
  const broken = { ...signed(transactionHash), signature: Buffer.alloc(64).toString('base64') };
  await expect(add([broken])).rejects.toMatchObject({ code: 3 });
  await add([signed(transactionHash)]);
  expect(hostsOf()).toEqual([]);

  const hash = Buffer.from(transactionHash, 'base64').toString('hex');
  const authorize = (client: GrpcClient, more: object = {}) =>
    client.call(`${TOPOLOGY}WriteService/Authorize`, {
      transactionHash: hash,
      store: store(),
      ...more,
    });
  // Of the first, where the second has not spoken.
  await expect(authorize(one, { mustFullyAuthorize: true })).rejects.toMatchObject({ code: 3 });
  const told = await authorize(one);
  expect(told.transaction.transaction).toBe(transaction);
  expect(hostsOf()).toEqual([]);
  await authorize(two, { mustFullyAuthorize: true });
  expect(hostsOf()).toEqual(canticle.network.participants.map(({ id }) => id));
  await expect(authorize(two)).rejects.toMatchObject({
    code: 5,
    details: { ErrorInfo: { reason: 'TOPOLOGY_TRANSACTION_NOT_FOUND' } },
  });
  const { results } = await two.call(`${TOPOLOGY}ReadService/ListPartyToParticipant`, {
    baseQuery: { store: store(), headState: {} },
    filterParty: 'ext',
  });
  expect(results[0].item).toMatchObject({
    party,
    partySigningKeys: { threshold: 1, keys: [{ publicKey: der.toString('base64') }] },
  });
});

it('is hosted with what participants sign for who adds it', async () => {
  const { serializedTransaction: transaction, transactionHash } = await hosting('other');
  const given = { transaction, signatures: [signed(transactionHash)], proposal: true };
  const sign = async (client: GrpcClient, each: object, more: object = {}) => {
    const request = { transactions: [each], store: store(), ...more };
    const { transactions } = await client.call(`${TOPOLOGY}WriteService/SignTransactions`, request);
    return transactions[0];
  };
  await expect(sign(one, given, { signedBy: [fingerprint] })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_SECRET_KEY_NOT_IN_STORE' } },
  });
  const add = (each: object) =>
    one.call(`${TOPOLOGY}WriteService/AddTransactions`, { transactions: [each], store: store() });
  const ofBoth = await sign(two, await sign(one, given));
  const [, , second] = ofBoth.signatures;
  expect(second.signedBy).toBe(canticle.network.participants[1]!.id.split('::')[1]);
  const broken = { ...second, signature: ofBoth.signatures[1].signature };
  const signatures = [...ofBoth.signatures.slice(0, 2), broken];
  await expect(add({ ...ofBoth, signatures })).rejects.toMatchObject({ code: 3 });
  expect(hostsOf(`other::${fingerprint}`)).toEqual([]);
  await add(ofBoth);
  expect(hostsOf(`other::${fingerprint}`)).toHaveLength(2);
});

it('is hosted by another participant too, and by it alone, once each that has a say agrees', async () => {
  const [first, second] = canticle.network.participants;
  const own = canticle.participant.allocateParty('own');
  const hosted = (...ids: readonly { id: string }[]) => ({
    party: own,
    threshold: 1,
    participants: ids.map(({ id }) => ({
      participantUid: id,
      permission: 'PARTICIPANT_PERMISSION_SUBMISSION',
    })),
  });
  const propose = (client: GrpcClient, partyToParticipant: object, more: object = {}) =>
    client.call(`${TOPOLOGY}WriteService/Authorize`, {
      proposal: {
        change: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE',
        serial: 2,
        mapping: { partyToParticipant },
      },
      store: store(),
      ...more,
    });
  const both = hosted(first!, second!);
  await expect(propose(one, both, { mustFullyAuthorize: true })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_UNAUTHORIZED_TRANSACTION' } },
  });
  const { transaction } = await propose(one, both);
  expect(transaction).toMatchObject({ proposal: true });
  expect(transaction.signatures).toHaveLength(1);
  expect(hostsOf(own)).toEqual([first!.id]);
  expect((await propose(two, both)).transaction.proposal).toBe(false);
  expect(hostsOf(own)).toEqual([first!.id, second!.id]);
  await expect(propose(two, hosted(second!))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE' } },
  });
  await propose(one, hosted(second!));
  expect(hostsOf(own)).toEqual([second!.id]);
  const stranger = { id: second!.id.replace('two', 'three') };
  await expect(propose(one, hosted(second!, stranger))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_UNKNOWN_MEMBERS' } },
  });
});

it('names what it does not serve', async () => {
  const path = `${TOPOLOGY}WriteService/`;
  const mapping = { vettedPackages: { participantUid: canticle.network.participants[0]!.id } };
  const proposal = { change: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE', mapping };
  await expect(one.call(`${path}Authorize`, { proposal })).rejects.toMatchObject({ code: 12 });
  const { generatedTransactions } = await one.call(`${path}GenerateTransactions`, {
    proposals: [{ operation: proposal.change, mapping, store: store() }],
  });
  const transaction = generatedTransactions[0].serializedTransaction;
  await expect(
    one.call(`${path}AddTransactions`, { transactions: [{ transaction }], store: store() }),
  ).rejects.toMatchObject({ code: 12 });
  await expect(one.call(`${path}ImportTopologySnapshot`)).rejects.toMatchObject({
    code: 12,
    message: `Method not found: ${path}ImportTopologySnapshot`,
  });
});
