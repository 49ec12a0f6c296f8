/** A participant's admin API over gRPC, on its own port: what an operator asks, and what is not there. */
import { startCanticle, type Canticle } from 'canticle';
import { zipOf } from '../support/daml/dar-builder.js';
import { modelPackage } from '../support/daml/model-package.js';
import { GrpcClient } from '../support/grpc-client.js';

const PARTICIPANT = 'com.digitalasset.canton.admin.participant.v30.';
const TOPOLOGY = 'com.digitalasset.canton.topology.admin.v30.';
let canticle: Canticle;
let admin: GrpcClient;
beforeAll(async () => {
  canticle = await startCanticle({
    grpc: { adminApiPort: 0 },
    packages: [modelPackage],
    synchronizers: ['first', 'second'],
    participants: ['one', { name: 'two', synchronizers: ['second'] }],
  });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
});
afterAll(async () => {
  admin.close();
  await canticle.close();
});

it('tells who it is, what it is connected to, and that it is well', async () => {
  const { uniqueIdentifier } = await admin.call(`${TOPOLOGY}IdentityInitializationService/GetId`);
  expect(uniqueIdentifier).toBe(canticle.network.participants[0]!.id);
  const { connectedSynchronizers } = await admin.call(
    `${PARTICIPANT}SynchronizerConnectivityService/ListConnectedSynchronizers`,
  );
  const [first, second] = canticle.network.synchronizers;
  expect(connectedSynchronizers).toMatchObject([
    { synchronizerAlias: 'first', synchronizerId: first!.id, healthy: true },
    { synchronizerAlias: 'second', physicalSynchronizerId: `${second!.id}::35-0` },
  ]);
  const { status } = await admin.call(`${PARTICIPANT}ParticipantStatusService/ParticipantStatus`);
  expect(status).toMatchObject({
    active: true,
    commonStatus: { uid: uniqueIdentifier, version: '3.5.14' },
    connectedSynchronizers: [{ health: 'HEALTH_HEALTHY' }, { health: 'HEALTH_HEALTHY' }],
  });
  const other = await GrpcClient.connect(canticle.grpcAdminApis['two']!);
  const { connectedSynchronizers: ofTwo } = await other.call(
    `${PARTICIPANT}SynchronizerConnectivityService/ListConnectedSynchronizers`,
  );
  expect(ofTwo).toHaveLength(1);
  other.close();
});

it('lists parties with their hosts, by what their ids begin with', async () => {
  const alice = canticle.participant.allocateParty('alice');
  canticle.participants[1]!.allocateParty('bob');
  const path = `${TOPOLOGY}TopologyAggregationService/ListParties`;
  const { results } = await admin.call(path, { limit: 10, filterParty: 'alice' });
  expect(results).toMatchObject([
    {
      party: alice,
      participants: [
        {
          participantUid: canticle.network.participants[0]!.id,
          synchronizers: canticle.network.synchronizers.map(({ id }) => ({
            synchronizerId: id,
            permission: 'PARTICIPANT_PERMISSION_SUBMISSION',
          })),
        },
      ],
    },
  ]);
  expect(await admin.call(path, { limit: 0 })).toEqual({ results: [] });
});

it('lists packages, and takes no file that is no DAR', async () => {
  const { packageDescriptions } = await admin.call(`${PARTICIPANT}PackageService/ListPackages`, {
    filterName: 'model-',
  });
  expect(packageDescriptions).toMatchObject([
    { name: 'model-tests', version: '1.0.0', uploadedAt: '2026-01-01T00:00:00Z' },
  ]);
  const data = Buffer.from(zipOf({ 'a.txt': 'a' })).toString('base64');
  for (const [method, request] of [
    ['ValidateDar', { data, synchronizerId: canticle.network.synchronizers[0]!.id }],
    ['UploadDar', { dars: [{ bytes: data }] }],
  ] as const)
    await expect(
      admin.call(`${PARTICIPANT}PackageService/${method}`, request),
    ).rejects.toMatchObject({ details: { ErrorInfo: { reason: 'INVALID_DAR' } } });
});

it('names what it does not serve', async () => {
  await expect(admin.call(`${PARTICIPANT}PackageService/RemoveDar`)).rejects.toMatchObject({
    code: 12,
    message: `Method not found: ${PARTICIPANT}PackageService/RemoveDar`,
  });
});
