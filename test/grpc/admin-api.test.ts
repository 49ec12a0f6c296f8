/** A participant's admin API over gRPC, on a separate port: the calls of an operator, and missing methods. */
import { gunzipSync } from 'node:zlib';
import { startCanticle, type Canticle } from 'canticle';
import { buildDar, zipOf } from '../support/daml/dar-builder.js';
import { e, u } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { Dummy, modelPackage } from '../support/daml/model-package.js';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';

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

it('reports its identity, its connections, and its health', async () => {
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

it('reports its traffic state on a synchronizer, without traffic if metering is off', async () => {
  const [first, second] = canticle.network.synchronizers;
  const { traffic, participants } = canticle.network;
  const stateAt = (synchronizerId: string) =>
    admin.call(`${PARTICIPANT}TrafficControlService/TrafficControlState`, { synchronizerId });
  const { trafficState } = await stateAt(second!.id);
  expect(trafficState).toMatchObject({ extraTrafficPurchased: '0', baseTrafficRemainder: '0' });
  expect(trafficState.serial).toBeUndefined();
  traffic.meter(first!.id, { burst: 400_000, window: 1_200_000_000n });
  traffic.grant(first!.id, participants[0]!.id, 70_000);
  const operator = canticle.participant.allocateParty('dora');
  canticle.participant.create(Dummy, { operator }, { actAs: operator, synchronizer: 'first' });
  const metered = (await stateAt(first!.id)).trafficState;
  expect(metered).toMatchObject({
    extraTrafficPurchased: '70000',
    extraTrafficConsumed: '0',
    serial: 1,
  });
  expect(Number(metered.baseTrafficRemainder)).toBe(400_000 - Number(metered.lastConsumedCost));
  await expect(stateAt('third::1220')).rejects.toMatchObject({
    message: expect.stringContaining(
      'This participant is not connected to synchronizer third::1220.',
    ),
  });
});

it('lists parties with their hosts, and filters by prefixes of their ids', async () => {
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

it('lists packages, and refuses an invalid DAR', async () => {
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

it('lists the topology of each synchronizer, by store and by prefixes of ids', async () => {
  const [first, second] = canticle.network.synchronizers;
  const [one, two] = canticle.network.participants;
  const carol = canticle.participant.allocateParty('carol');
  const read = (method: string, request: object) =>
    admin.call(`${TOPOLOGY}TopologyManagerReadService/List${method}`, request);
  const baseQuery = { store: { synchronizer: { id: first!.id } }, headState: {} };
  const { results } = await read('PartyToParticipant', { baseQuery, filterParty: 'carol' });
  expect(results).toMatchObject([
    {
      context: {
        store: { synchronizer: { physicalId: first!.physicalId } },
        operation: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE',
        signedByFingerprints: [carol.split('::')[1]],
      },
      item: {
        party: carol,
        threshold: 1,
        participants: [
          { participantUid: one!.id, permission: 'PARTICIPANT_PERMISSION_SUBMISSION' },
        ],
      },
    },
  ]);
  const everywhere = { baseQuery: { headState: {} }, filterParty: 'carol' };
  expect((await read('PartyToParticipant', everywhere)).results).toHaveLength(2);
  const removed = { ...everywhere.baseQuery, operation: 'TOPOLOGY_CHANGE_OP_REMOVE' };
  expect((await read('PartyToParticipant', { baseQuery: removed })).results).toEqual([]);

  const vetted = await read('VettedPackages', { baseQuery, filterParticipant: one!.id });
  const model = one!.packages.packageIdForName('model-tests');
  expect(vetted.results[0].item.packages).toContainEqual({ packageId: model });
  expect(vetted.results[0].context.serial).toBeGreaterThan(0);

  const atSecond = { store: { synchronizer: { physicalId: second!.physicalId } }, headState: {} };
  const state = { synchronizerId: second!.id, threshold: 1, observers: [] };
  const mediators = await read('MediatorSynchronizerState', { baseQuery: atSecond });
  expect(mediators.results).toMatchObject([
    {
      context: { store: { synchronizer: { physicalId: second!.physicalId } } },
      item: { ...state, active: [second!.mediatorId] },
    },
  ]);
  const anywhere = { baseQuery: { headState: {} }, filterSynchronizerId: second!.id.slice(0, 9) };
  const sequencers = await read('SequencerSynchronizerState', anywhere);
  expect(sequencers.results).toMatchObject([{ item: { ...state, active: [second!.sequencerId] } }]);
  expect((await read('PartyHostingLimits', { baseQuery: atSecond })).results).toEqual([]);
  const trusted = await read('SynchronizerTrustCertificate', { baseQuery: atSecond });
  expect(trusted.results.map(({ item }: any) => item.participantUid)).toEqual([one!.id, two!.id]);

  const own = { store: { authorized: {} }, headState: {} };
  const delegations = await read('NamespaceDelegation', { baseQuery: own });
  expect(delegations.results).toMatchObject([
    { item: { namespace: one!.id.split('::')[1], isRootDelegation: false } },
  ]);
  const keys = await read('OwnerToKeyMapping', { baseQuery, filterKeyOwnerType: 'SEQ' });
  expect(keys.results).toMatchObject([
    { item: { member: `SEQ::${first!.sequencerId}`, publicKeys: [{ signingPublicKey: {} }] } },
  ]);
  const { storeIds } = await read('AvailableStores', {});
  expect(storeIds).toHaveLength(3);
  await expect(read('PartyToParticipant', {})).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'PROTO_DESERIALIZATION_FAILURE' } },
  });
});

it('reports keys of nodes, synchronizers by alias, and the contents of a package', async () => {
  const [first] = canticle.network.synchronizers;
  const { results } = await admin.call(`${TOPOLOGY}TopologyAggregationService/ListKeyOwners`, {
    limit: 10,
    synchronizerIds: [first!.id],
  });
  expect(results.map(({ keyOwner }: any) => keyOwner.slice(0, 3))).toEqual(['SEQ', 'MED', 'PAR']);
  const byAlias = `${PARTICIPANT}SynchronizerConnectivityService/GetSynchronizerId`;
  expect(await admin.call(byAlias, { synchronizerAlias: 'first' })).toEqual({
    synchronizerId: first!.id,
    physicalSynchronizerId: first!.physicalId,
  });
  await expect(admin.call(byAlias, { synchronizerAlias: 'third' })).rejects.toMatchObject({
    code: 5,
    details: { ErrorInfo: { reason: 'SYNC_SERVICE_UNKNOWN_SYNCHRONIZER' } },
  });
  const contents = `${PARTICIPANT}PackageService/GetPackageContents`;
  const packageId = canticle.network.participants[0]!.packages.packageIdForName('model-tests');
  expect(await admin.call(contents, { packageId })).toMatchObject({
    description: { packageId, name: 'model-tests' },
    modules: expect.arrayContaining([{ name: 'Test' }]),
    isUtilityPackage: false,
  });
  await expect(admin.call(contents, { packageId: 'abc' })).rejects.toMatchObject({ code: 5 });
});

it("exports active contracts in Canton's file format", async () => {
  const { participant } = canticle;
  const dave = participant.allocateParty('dave');
  const id = participant.create('#model-tests:Test:Dummy', { operator: dave }, { actAs: [dave] });
  const end = canticle.network.participants[0]!.log.end;
  const path = `${PARTICIPANT}ParticipantRepairService/ExportAcs`;
  const file = async (request: object) => {
    const chunks = await admin.stream(path, { ledgerOffset: String(end), ...request });
    return gunzipSync(Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64'))));
  };
  const [first] = canticle.network.synchronizers;
  const exported = await file({ partyIds: [dave], synchronizerId: first!.id });
  expect(exported.includes(id)).toBe(true);
  // Its length, then a versioned message of version 30.
  expect(exported.readUInt8(exported.length - 1)).toBe(30);
  expect((await file({ partyIds: [dave], excludedStakeholderIds: [dave] })).length).toBe(0);
  const to = canticle.network.synchronizers[1]!.id;
  const contractSynchronizerRenames = { [first!.id]: { targetSynchronizerId: to } };
  const renamed = await file({ partyIds: [dave], contractSynchronizerRenames });
  expect([renamed.includes(to), renamed.includes(first!.id)]).toEqual([true, false]);
  await expect(file({ ledgerOffset: String(end + 1) })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'INVALID_ARGUMENT_REPAIR' } },
  });
});

it('returns DARs, lists their contents, and vets all packages of a DAR at once', async () => {
  const service = `${PARTICIPANT}PackageService/`;
  const of = (name: string) => ({
    name,
    version: '1.0.0',
    modules: { Main: { templates: { Asset: { fields: { owner: t.party } } } } },
  });
  const [assets, library] = [encodePackage(of('assets')), encodePackage(of('library'))];
  const bytes = Buffer.from(buildDar(assets, library)).toString('base64');
  const synchronizerId = canticle.network.synchronizers[0]!.id;
  const dar = { bytes, description: 'of assets' };
  const { darIds } = await admin.call(`${service}UploadDar`, { dars: [dar], synchronizerId });
  const [mainPackageId] = darIds;
  const described = { main: mainPackageId, description: 'of assets' };
  const { dars } = await admin.call(`${service}ListDars`);
  expect(dars).toMatchObject([described]);
  const [{ name }] = dars;
  expect((await admin.call(`${service}ListDars`, { filterName: `${name}x` })).dars).toEqual([]);
  const { payload, data } = await admin.call(`${service}GetDar`, { mainPackageId });
  expect(payload).toBe(bytes);
  expect(data).toMatchObject(described);
  const { packages } = await admin.call(`${service}GetDarContents`, { mainPackageId });
  expect(packages[0]).toMatchObject({ packageId: mainPackageId, name });
  const packageId = packages.at(-1).packageId;
  const references = await admin.call(`${service}GetPackageReferences`, { packageId });
  expect(references.dars).toMatchObject([described]);

  const isVetted = () =>
    canticle.network.topology
      .vetting(canticle.network.participants[0]!.id, synchronizerId)
      .packages.has(mainPackageId);
  expect(isVetted()).toBe(false);
  await admin.call(`${service}VetDar`, { mainPackageId, synchronizerId });
  expect(isVetted()).toBe(true);
  await admin.call(`${service}UnvetDar`, { mainPackageId, synchronizerId });
  expect(isVetted()).toBe(false);
  await expect(admin.call(`${service}VetDar`, { mainPackageId })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER' } },
  });
  await expect(admin.call(`${service}GetDar`, { mainPackageId: 'ab' })).rejects.toMatchObject({
    code: 5,
    message: expect.stringContaining('getDar operation failed due to non-existent DAR archive'),
    details: { ErrorInfo: { reason: 'DAR_NOT_FOUND' } },
  });
});

it('errors have no trace id for calls without a traceparent, except pings (B-ERR-040)', async () => {
  const id = '0af7651916cd43dd8448eb211c80319c';
  const refused = (metadata: Record<string, string> = {}): Promise<GrpcFault> =>
    admin
      .call(`${PARTICIPANT}PackageService/GetDar`, { mainPackageId: 'ab' }, { metadata })
      .catch((error: unknown) => error);
  const bare = await refused();
  expect(bare.message).toMatch(/^DAR_NOT_FOUND\(11,0\): /);
  expect(bare.details).not.toHaveProperty('RequestInfo');
  expect(bare.details.ErrorInfo.metadata).toEqual({
    operation: 'getDar',
    mainPackageId: 'ab',
    participant: 'one',
    category: '11',
  });
  const named = await refused({ traceparent: `00-${id}-b7ad6b7169203331-01` });
  expect(named.message).toMatch(/^DAR_NOT_FOUND\(11,0af76519\): /);
  expect(named.details).toMatchObject({
    ErrorInfo: { metadata: { tid: id } },
    RequestInfo: id,
  });
  const ping = admin.call(`${PARTICIPANT}PingService/Ping`, { targetParties: ['!'] });
  await expect(ping).rejects.toMatchObject({
    details: { RequestInfo: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
});

it('removes unused packages with their file, and lists their history', async () => {
  const service = `${PARTICIPANT}PackageService/`;
  const owned = e.list(t.party, [e.field(t.con('Main:Asset'), 'owner', e.var('this'))]);
  const main = encodePackage({
    name: 'removed',
    version: '1.0.0',
    modules: {
      Main: {
        templates: {
          Asset: {
            fields: { owner: t.party },
            signatories: owned,
            choices: {
              Archive: {
                argument: t.unit,
                returns: t.unit,
                controllers: owned,
                update: u.pure(t.unit, e.unit),
              },
            },
          },
        },
      },
    },
  });
  const bytes = Buffer.from(buildDar(main)).toString('base64');
  const upload = () =>
    admin.call(`${service}UploadDar`, {
      dars: [{ bytes }],
      vetAllPackages: true,
      synchronizerId: canticle.network.synchronizers[0]!.id,
    });
  const [mainPackageId] = (await upload()).darIds;
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  const asset = '#removed:Main:Asset';
  const id = participant.create(asset, { owner }, { actAs: [owner], synchronizer: 'first' });
  const refused = (text: string) => ({
    code: 9,
    message: expect.stringContaining(text),
    details: { ErrorInfo: { reason: 'PACKAGE_OR_DAR_REMOVAL_ERROR' } },
  });
  const removeDar = () => admin.call(`${service}RemoveDar`, { mainPackageId });
  const removePackage = (more = {}) =>
    admin.call(`${service}RemovePackage`, { packageId: mainPackageId, ...more });
  await expect(removeDar()).rejects.toMatchObject(refused(`in-use by contract ContractId(${id})`));
  await expect(removePackage()).rejects.toMatchObject(refused('currently in-use by contract'));
  participant.exercise(asset, id, 'Archive', {}, { actAs: [owner] });
  await expect(removePackage()).rejects.toMatchObject(refused('is currently vetted on'));
  expect(await removeDar()).toEqual({});
  const known = async () =>
    (await admin.call(`${service}ListPackages`, { filterName: 'removed' })).packageDescriptions;
  expect(await known()).toEqual([]);
  for (const method of ['GetDar', 'RemoveDar', 'VetDar'])
    await expect(admin.call(`${service}${method}`, { mainPackageId })).rejects.toBeDefined();
  await expect(
    admin.call(`${service}GetPackageContents`, { packageId: mainPackageId }),
  ).rejects.toMatchObject({ code: 5 });
  expect(() => participant.create(asset, { owner }, { actAs: [owner] })).toThrow(/removed/);
  const eventFormat = { filtersByParty: { [owner]: {} }, verbose: true };
  const shape = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' };
  const response = await fetch(`${canticle.url}/v2/updates?stream_idle_timeout_ms=20`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ beginExclusive: 0, updateFormat: { includeTransactions: shape } }),
  });
  expect(await response.json()).toHaveLength(2);
  await upload();
  expect(await known()).toHaveLength(1);
  participant.create(asset, { owner }, { actAs: [owner], synchronizer: 'first' });
});

it('a ping creates a contract that the other participant archives', async () => {
  const [one, two] = canticle.network.participants;
  const path = `${PARTICIPANT}PingService/Ping`;
  const ends = () => [one!.log.end, two!.log.end];
  const before = ends();
  for (const { id } of [one!, two!]) {
    const request = { targetParties: [id], timeout: '5s', workflowId: 'w' };
    expect(await admin.call(path, request)).toMatchObject({ success: { responder: id } });
  }
  expect(ends()).toEqual([before[0]! + 4, before[1]! + 2]);
  const alice = canticle.participant.allocateParty('pinged');
  expect(await admin.call(path, { targetParties: [alice], timeout: '5s' })).toEqual({
    failure: { reason: expect.stringContaining('responder did not respond in time') },
  });
  const stranger = `x::${alice.split('::')[1]}`;
  expect(await admin.call(path, { targetParties: [stranger], timeout: '5s' })).toEqual({
    failure: { reason: expect.any(String) },
  });
  await expect(admin.call(path, { targetParties: [one!.id] })).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'PROTO_DESERIALIZATION_FAILURE' } },
  });
});

it('disconnects from a synchronizer and reconnects', async () => {
  const service = `${PARTICIPANT}SynchronizerConnectivityService/`;
  const connected = async () => {
    const { results } = await admin.call(`${service}ListRegisteredSynchronizers`);
    return results.map((each: any) => [each.config.synchronizerAlias, each.connected ?? false]);
  };
  const named = { synchronizerAlias: 'second' };
  await admin.call(`${service}DisconnectSynchronizer`, named);
  expect(await connected()).toEqual([
    ['first', true],
    ['second', false],
  ]);
  expect(await admin.call(`${service}ReconnectSynchronizer`, named)).toEqual({
    connectedSuccessfully: true,
  });
  await admin.call(`${service}DisconnectAllSynchronizers`);
  expect((await connected()).map(([, is]: [string, boolean]) => is)).toEqual([false, false]);
  await admin.call(`${service}ReconnectSynchronizers`);
  expect((await connected()).map(([, is]: [string, boolean]) => is)).toEqual([true, true]);
});

it('returns the offset at a time, and the highest safe offset for pruning', async () => {
  const [first] = canticle.network.synchronizers;
  const { log } = canticle.network.participants[0]!;
  const synchronizerId = first!.id;
  const highest = async (request: object): Promise<number> => {
    const path = `${PARTICIPANT}PartyManagementService/GetHighestOffsetByTimestamp`;
    return Number((await admin.call(path, { synchronizerId, ...request })).ledgerOffset);
  };
  canticle.participant.allocateParty('olga', { synchronizers: ['first'] });
  const timestamp = canticle.time;
  const before = log.end;
  canticle.participant.allocateParty('otto', { synchronizers: ['second'] });
  canticle.participant.allocateParty('oskar', { synchronizers: ['first'] });
  expect(await highest({ timestamp })).toBe(before);
  const late = { timestamp: '2030-01-01T00:00:00Z' };
  expect(await highest({ ...late, force: true })).toBe(log.end);
  for (const [request, reason] of [
    [late, 'UNPROCESSED_REQUESTED_TIMESTAMP'],
    [{ timestamp: '2000-01-01T00:00:00Z' }, 'INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR'],
    [{ synchronizerId: 'x::y', timestamp }, 'INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR'],
    [{}, 'INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR'],
  ] as const)
    await expect(highest(request)).rejects.toMatchObject({ details: { ErrorInfo: { reason } } });

  const service = `${PARTICIPANT}PruningService/`;
  const safe = (beforeOrAt: string) =>
    admin.call(`${service}GetSafePruningOffset`, { beforeOrAt, ledgerEnd: String(log.end) });
  expect(await safe(timestamp)).toEqual({ safePruningOffset: String(before) });
  expect(await safe(late.timestamp)).toEqual({ safePruningOffset: String(log.end - 1) });
  await expect(safe('2000-01-01T00:00:00Z')).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'NO_INTERNAL_PARTICIPANT_DATA_BEFORE' } },
  });
  expect(await admin.call(`${service}GetSchedule`)).toEqual({});
});

it('prunes automatically on a schedule', async () => {
  const service = `${PARTICIPANT}PruningService/`;
  const call = (method: string, request: object = {}) => admin.call(`${service}${method}`, request);
  const { log } = canticle.network.participants[0]!;
  const schedule = { cron: '0 0 8 ? * SAT', maxDuration: '3600s', retention: '600s' };
  await expect(call('SetCron', { cron: schedule.cron })).rejects.toMatchObject({
    code: 3,
    message: expect.stringContaining(
      'has not been previously configured. Use set_schedule instead.',
    ),
  });
  for (const wrong of [{ cron: 'often' }, { retention: '0s' }, { maxDuration: '1.5s' }])
    await expect(
      call('SetSchedule', { schedule: { ...schedule, ...wrong } }),
    ).rejects.toMatchObject({
      details: { ErrorInfo: { reason: 'PROTO_DESERIALIZATION_FAILURE' } },
    });
  await call('SetSchedule', { schedule });
  expect(await call('GetSchedule')).toEqual({ schedule });
  await call('SetRetention', { retention: '300s' });
  expect((await call('GetParticipantSchedule')).schedule).toEqual({
    schedule: { ...schedule, retention: '300s' },
    pruneInternallyOnly: false,
  });
  const { end, prunedUpTo } = log;
  // A Saturday.
  canticle.setTime('2026-01-03T07:59:59Z');
  expect(log.prunedUpTo).toBe(prunedUpTo);
  canticle.setTime('2026-01-03T08:00:00Z');
  expect(log.prunedUpTo).toBeGreaterThanOrEqual(end - 1);
  await call('ClearSchedule');
  expect(await call('GetSchedule')).toEqual({});
});

it('names an unsupported method in the error', async () => {
  await expect(
    admin.call(`${PARTICIPANT}ParticipantRepairService/IgnoreEvents`),
  ).rejects.toMatchObject({
    code: 12,
    message: `Method not found: ${PARTICIPANT}ParticipantRepairService/IgnoreEvents`,
  });
});
