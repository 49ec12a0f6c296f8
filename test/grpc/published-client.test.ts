/**
 * What others' tools read of the messages: `@canton-network/core-ledger-proto`, generated from the official definitions, reads a
 * prepared transaction that came over gRPC as the wallet SDK does before it signs.
 */
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import { GrpcClient } from '../support/grpc-client.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(api.canticle.urls.grpc!)));
afterAll(() => grpc.close());

it('gives a prepared transaction that a published package reads', async () => {
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
