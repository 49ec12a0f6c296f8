/**
 * Each method of each release: a participant of a release serves the methods of its definitions, except those of the list below. It answers
 * UNIMPLEMENTED to the methods of other releases.
 */
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { startCanticle, type Canticle } from 'canticle';
import { definitionsOf } from '../../../src/network/index.js';
import { API_VERSIONS, releaseOf, type ApiVersion } from '../../../src/spec/index.js';
import { GrpcClient } from '../../support/grpc/client.js';

const UNIMPLEMENTED = 12;
const LEDGER_API = /^\/com\.daml\.ledger\.api\.v2\./;
const ADMIN_API =
  /^\/com\.digitalasset\.canton\.(admin\.(participant|health)|(crypto|time|topology)\.admin)\.v30\./;

/** The methods of a release, by their paths without packages. */
function methodsIn(version: ApiVersion, which: RegExp): ReadonlyMap<string, string> {
  const definitions = definitionsOf(releaseOf(version).definitions);
  const paths = [...definitions.files.values()]
    .flatMap(({ package: prefix, services }) =>
      Object.keys(services).flatMap((name) => definitions.methodsOf(`${prefix}.${name}`)),
    )
    .map(({ path }) => path)
    .filter((path) => which.test(path));
  return new Map(paths.map((path) => [path.replace(/^.*\.(?=[^.]+\/)/, ''), path]));
}

const same = (bytes: Buffer): Buffer => bytes;

/** Sends an empty message. @returns the text of the status UNIMPLEMENTED; undefined for other answers */
function unimplemented(client: Client, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = client.makeBidiStreamRequest(path, same, same, { deadline: Date.now() + 20_000 });
    const served = (): void => {
      resolve(undefined);
      call.cancel();
    };
    // A method that is not found has no headers, only a status. A stream may stay open without an element.
    call.on('metadata', served);
    call.on('data', served);
    call.on('end', () => resolve(undefined));
    call.on('error', ({ code, details }: ServiceError) =>
      resolve(code === UNIMPLEMENTED ? details : undefined),
    );
    call.end(Buffer.alloc(0));
  });
}

/** The methods that no release serves. */
const NOT_SERVED: ReadonlySet<string> = new Set([
  // Only where party replication is configured.
  'PartyManagementAlphaService/ExportPartyAcs',
  'PartyManagementAlphaService/AddPartyWithAcs',
  'PartyManagementAlphaService/GetAddPartyStatus',
  'PartyManagementService/AddPartyWithAcsAsync',
  // Upgrades of synchronizers.
  'ParticipantRepairService/PerformLateLsu',
  'ParticipantRepairService/PerformSynchronizerUpgrade',
  'SynchronizerConnectivityService/PerformManualLsu',
  'TopologyManagerReadService/LogicalUpgradeState',
  'TopologyManagerReadService/SequencerLsuState',
  // Synchronizers that the network does not have.
  'SynchronizerConnectivityService/ConnectSynchronizer',
  'SynchronizerConnectivityService/RegisterSynchronizer',
  'SynchronizerConnectivityService/ModifySynchronizer',
  'ParticipantRepairService/MigrateSynchronizer',
  'ParticipantRepairService/PurgeDeactivatedSynchronizer',
  // Sequenced events, commitments, and files of the node.
  'StatusService/HealthDump',
  'ParticipantRepairService/IgnoreEvents',
  'ParticipantRepairService/UnignoreEvents',
  'ParticipantRepairService/RollbackUnassignment',
  'ParticipantRepairService/RepairCommitmentsUsingAcs',
  'ParticipantRepairService/ExportAcsOld',
  'ParticipantRepairService/ImportAcsOld',
  'ParticipantInspectionService/OpenCommitment',
  'ParticipantInspectionService/InspectCommitmentContracts',
  'ParticipantInspectionService/SetConfigForSlowCounterParticipants',
  // Stores of keys outside of the node.
  'VaultService/RegisterKmsEncryptionKey',
  'VaultService/RegisterKmsSigningKey',
  'VaultService/RotateWrapperKey',
  'VaultService/GetWrapperKeyId',
  'VaultService/ImportKeyPair',
  'TopologyManagerReadService/ExportTopologySnapshot',
  'TopologyManagerReadService/ExportTopologySnapshotV2',
  'TopologyManagerReadService/GenesisState',
  'TopologyManagerReadService/GenesisStateV2',
  'TopologyManagerWriteService/ImportTopologySnapshot',
  'TopologyManagerWriteService/ImportTopologySnapshotV2',
]);

const PORTS = [
  ['Ledger API', LEDGER_API, 'grpc'],
  ['admin API', ADMIN_API, 'grpcAdmin'],
] as const;

describe.each(API_VERSIONS)('a participant of release %s', (version) => {
  let canticle: Canticle;
  beforeAll(async () => {
    canticle = await startCanticle({ canton: version, grpc: { adminApiPort: 0 } });
  });
  afterAll(() => canticle.close());

  it.each(PORTS)('serves the methods of its %s, and no others', async (_, which, url) => {
    const client = new Client(canticle.urls[url]!, credentials.createInsecure());
    const own = methodsIn(version, which);
    const every = new Map(API_VERSIONS.flatMap((each) => [...methodsIn(each, which)]));
    const wrong: string[] = [];
    for (const [name, path] of every) {
      const isServed = own.has(name) && !NOT_SERVED.has(name);
      const isFound = (await unimplemented(client, path)) !== `Method not found: ${path.slice(1)}`;
      if (isServed !== isFound) wrong.push(name);
    }
    client.close();
    expect(wrong).toEqual([]);
  });

  it.each(PORTS)('lists the services of its %s, with their methods', async (_, which, url) => {
    const client = await GrpcClient.connect(canticle.urls[url]!);
    const own = [...methodsIn(version, which).keys()];
    const listed = client.services
      .map((service) => `/${service}/`)
      .filter((service) => which.test(service))
      .flatMap((service) => client.methodsOf(service.slice(1, -1)));
    client.close();
    const lacking = own.filter((name) => !NOT_SERVED.has(name) && !listed.includes(name));
    expect([lacking, listed.filter((name) => !own.includes(name))]).toEqual([[], []]);
  });
});

it('each method that no release serves is one of a release', () => {
  const every = API_VERSIONS.flatMap((version) =>
    [LEDGER_API, ADMIN_API].flatMap((which) => [...methodsIn(version, which).keys()]),
  );
  expect([...NOT_SERVED].filter((name) => !every.includes(name))).toEqual([]);
});

describe('a method that a release lacks is not found', () => {
  const V2 = '/com.daml.ledger.api.v2.';
  let canticle: Canticle;
  afterEach(() => canticle.close());

  it.each<[ApiVersion, string, string]>([
    ['3.4', 'R-34-033', `${V2}StateService/GetActiveContractsPage`],
    ['3.4', 'R-34-035', `${V2}UpdateService/GetUpdatesPage`],
    ['3.4', 'R-34-037', `${V2}CommandCompletionService/GetCompletions`],
    ['3.6', 'R-36-044', `${V2}admin.PartyManagementAlphaService/GetAddPartyStatus`],
    [
      '3.6',
      'traffic accounts are off',
      '/com.digitalasset.canton.tea.v1.TrafficService/GetAccount',
    ],
    ['3.7', 'R-36-021', `${V2}interactive.InteractiveSubmissionService/GetPreferredPackageVersion`],
  ])('%s (%s): %s', async (canton, _, path) => {
    canticle = await startCanticle({ canton, grpc: true });
    const client = new Client(canticle.urls.grpc!, credentials.createInsecure());
    expect(await unimplemented(client, path)).toBe(`Method not found: ${path.slice(1)}`);
    client.close();
  });
});

it('each participant of a network has the methods of its release', async () => {
  const releases = { old: '3.4', usual: '3.5', next: '3.6', last: '3.7' } as const;
  const canticle = await startCanticle({
    grpc: true,
    participants: Object.entries(releases).map(([name, canton]) => ({ name, canton })),
  });
  const asked = ['GetUpdatesPage', 'GetUpdateByHash'].map(
    (method) => `/com.daml.ledger.api.v2.UpdateService/${method}`,
  );
  const served: Record<string, readonly boolean[]> = {};
  for (const name of Object.keys(releases)) {
    const client = new Client(canticle.grpcApis[name]!, credentials.createInsecure());
    const answers = await Promise.all(asked.map((path) => unimplemented(client, path)));
    served[name] = answers.map((answer) => answer === undefined);
    client.close();
  }
  await canticle.close();
  expect(served).toEqual({
    old: [false, false],
    usual: [true, false],
    next: [true, true],
    last: [true, true],
  });
});
