/**
 * Messages and services of `@canton-network/core-ledger-proto`, which were generated from the official definitions, over
 * `@grpc/grpc-js`: a prepared transaction is read as the wallet SDK does before it signs, and an external party is onboarded.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  PreparedTransaction,
  TopologyManagerReadServiceClient,
  TopologyManagerWriteServiceClient,
} from '@canton-network/core-ledger-proto';
import { Client, credentials } from '@grpc/grpc-js';
import { GrpcClient } from '../support/grpc/client.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: { adminApiPort: 0 } });
let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(api.canticle.urls.grpc!)));
afterAll(() => grpc.close());

it('returns a prepared transaction that the published package decodes', async () => {
  const [alice] = await api.parties('alice');
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
  const createArguments = { fields: [{ label: 'operator', value: { party: alice! } }] };
  const request = {
    userId: 'u',
    commandId: 'c',
    actAs: [alice!],
    commands: [{ create: { templateId, createArguments } }],
  };
  const path = 'interactive.InteractiveSubmissionService/PrepareSubmission';
  const method = grpc.method(path);
  const answer = await grpc.raw(path, grpc.written(method, request));
  // The first field, with a length of two bytes: the transaction.
  const length = (answer[1]! & 0x7f) + answer[2]! * 0x80;
  const { transaction, metadata } = PreparedTransaction.fromBinary(answer.subarray(3, 3 + length));
  expect([answer[0], metadata?.submitterInfo?.commandId]).toEqual([0x0a, 'c']);
  const [node] = transaction!.nodes;
  const { v1 } = node!.versionedNode as any;
  expect(v1.nodeType.create.argument.sum.record.fields[0]).toMatchObject({
    label: 'operator',
    value: { sum: { oneofKind: 'party', party: alice } },
  });
});

/** Calls methods of a published service by the types that it comes with. */
function caller(client: Client, service: any) {
  const { typeName, methods } = new service(undefined);
  return (localName: string, request: object): Promise<any> => {
    const method = methods.find((each: any) => each.localName === localName);
    return new Promise((resolve, reject) =>
      client.makeUnaryRequest(
        `/${typeName}/${method.name}`,
        (message: any) => Buffer.from(method.I.toBinary(message)),
        (bytes: Buffer) => method.O.fromBinary(bytes),
        method.I.create(request),
        (error, answer) => (error ? reject(error) : resolve(answer)),
      ),
    );
  };
}

it('onboards an external party with the services of the published package', async () => {
  const client = new Client(api.canticle.urls.grpcAdmin!, credentials.createInsecure());
  const read = caller(client, TopologyManagerReadServiceClient);
  const write = caller(client, TopologyManagerWriteServiceClient);
  const { id } = api.canticle.network.synchronizers[0]!;
  const store = { store: { oneofKind: 'synchronizer', synchronizer: { id } } };
  const timeQuery = { oneofKind: 'headState', headState: {} };
  const baseQuery = { store, timeQuery };
  const { results: vetted } = await read('listVettedPackages', { baseQuery });
  const { participantUid } = vetted[0].item;

  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  const hash = createHash('sha256')
    .update(Buffer.from([0, 0, 0, 12]))
    .update(der.subarray(-32));
  const fingerprint = `1220${hash.digest('hex')}`;
  const party = `bob::${fingerprint}`;
  const key = { format: 4, publicKey: der, usage: [1, 4], keySpec: 1 };
  const proposal = (mapping: object) => ({ operation: 1, serial: 1, store, mapping: { mapping } });
  // Its definitions predate hostings that name the keys themselves.
  const partyToKeyMapping = { party, threshold: 1, signingKeys: [key] };
  const namespaceDelegation = { namespace: fingerprint, targetKey: key, isRootDelegation: true };
  const participants = [{ participantUid, permission: 2 }];
  const partyToParticipant = { party, threshold: 1, participants };
  const { generatedTransactions } = await write('generateTransactions', {
    proposals: [
      proposal({ oneofKind: 'namespaceDelegation', namespaceDelegation }),
      proposal({ oneofKind: 'partyToKeyMapping', partyToKeyMapping }),
      proposal({ oneofKind: 'partyToParticipant', partyToParticipant }),
    ],
  });
  const transactions = generatedTransactions.map((each: any) => ({
    transaction: each.serializedTransaction,
    proposal: true,
    signatures: [
      {
        format: 3,
        signature: sign(null, Buffer.from(each.transactionHash), privateKey),
        signedBy: fingerprint,
        signingAlgorithmSpec: 1,
      },
    ],
  }));
  await write('addTransactions', { transactions, store });
  const transactionHash = Buffer.from(generatedTransactions[2].transactionHash).toString('hex');
  await write('authorize', {
    type: { oneofKind: 'transactionHash', transactionHash },
    mustFullyAuthorize: true,
    store,
  });
  const { results } = await read('listPartyToParticipant', { baseQuery, filterParty: 'bob' });
  expect(results.map(({ item }: any) => item.party)).toEqual([party]);
  client.close();
});
