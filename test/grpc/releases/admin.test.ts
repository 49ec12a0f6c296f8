/** The admin API of each release: methods that only one release has, and their answers. */
import { startCanticle, type Canticle, type StartOptions } from 'canticle';
import { Dummy, modelPackage } from '../../support/daml/model-package.js';
import { GrpcClient } from '../../support/grpc/client.js';

const PARTICIPANT = 'com.digitalasset.canton.admin.participant.v30.';
const TOPOLOGY = 'com.digitalasset.canton.topology.admin.v30.';
const REPAIR = `${PARTICIPANT}ParticipantRepairService/`;
const READ = `${TOPOLOGY}TopologyManagerReadService/`;
const VAULT = 'com.digitalasset.canton.crypto.admin.v30.VaultService/';
const UNIMPLEMENTED = 12;
const FAILED_PRECONDITION = 9;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function adminOf(options: StartOptions): Promise<{ canticle: Canticle; admin: GrpcClient }> {
  const canticle = await startCanticle({
    packages: [modelPackage],
    grpc: { adminApiPort: 0 },
    ...options,
  });
  const admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
  open.push(admin, canticle);
  return { canticle, admin };
}

it('3.4 lists errors of its log, and upgrades of synchronizers under older names (R-34-093)', async () => {
  const { admin } = await adminOf({ canton: '3.4' });
  const STATUS = 'com.digitalasset.canton.admin.health.v30.StatusService/';
  expect(await admin.call(`${STATUS}GetLastErrors`)).toEqual({ errors: [] });
  await expect(admin.call(`${STATUS}GetLastErrorTrace`, { traceId: 'x' })).rejects.toMatchObject({
    code: FAILED_PRECONDITION,
    message: 'No trace available for the given traceId',
  });
  const request = { baseQuery: { headState: {} } };
  for (const method of ['ListSynchronizerUpgradeAnnouncement', 'ListSequencerConnectionSuccessor'])
    expect(await admin.call(`${READ}${method}`, request)).toEqual({ results: [] });
  await expect(
    admin.call(`${PARTICIPANT}EnterpriseParticipantReplicationService/SetPassive`),
  ).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'PARTICIPANT_REPLICATION_NOT_SUPPORTED_BY_STORAGE' } },
  });
  expect(admin.services).not.toContain(`${PARTICIPANT}ParticipantReplicationService`);
});

it('3.5 lists all mappings by inclusion, and 3.4 only by exclusion (R-34-094, R-34-095)', async () => {
  const request = { baseQuery: { headState: {} } };
  const { admin } = await adminOf({ canton: '3.5' });
  const { result } = await admin.call(`${READ}ListAllV2`, { ...request, includeMappings: ['otk'] });
  const all = await admin.call(`${READ}ListAll`, request);
  expect(result.items.length).toBeGreaterThan(0);
  expect(result.items.length).toBeLessThan(all.result.items.length);
  const older = await adminOf({ canton: '3.4' });
  expect(older.admin.methodsOf(`${TOPOLOGY}TopologyManagerReadService`)).not.toContain(
    'TopologyManagerReadService/ListAllV2',
  );
  expect((await older.admin.call(`${READ}ListAll`, request)).result.items.length).toBeGreaterThan(
    0,
  );
});

const undecodable = (reason: string) => ({
  details: {
    ErrorInfo: {
      reason: 'PROTO_DESERIALIZATION_FAILURE',
      metadata: { reason: expect.stringContaining(reason) },
    },
  },
});

/** The contracts of a party on two synchronizers, exported, and the participant that imports them. */
async function moved(
  canton: '3.4' | '3.5',
  synchronizersOfTwo: readonly string[],
  prepare: (canticle: Canticle, operator: string, ids: readonly string[]) => void = () => {},
) {
  const { canticle, admin } = await adminOf({
    canton,
    synchronizers: ['first', 'second'],
    participants: ['one', { name: 'two', synchronizers: synchronizersOfTwo }],
  });
  const operator = canticle.participant.allocateParty('olga');
  const ids = ['first', 'second'].map((synchronizer) =>
    canticle.participant.create(Dummy, { operator }, { actAs: operator, synchronizer }),
  );
  prepare(canticle, operator, ids);
  const [one, two] = canticle.network.participants;
  const chunks = await admin.stream(`${REPAIR}ExportAcs`, {
    partyIds: [operator],
    ledgerOffset: String(one!.log.end),
  });
  const acsSnapshot = Buffer.concat(
    chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')),
  ).toString('base64');
  const target = await GrpcClient.connect(canticle.grpcAdminApis['two']!);
  open.push(target);
  await target.call(`${PARTICIPANT}SynchronizerConnectivityService/DisconnectAllSynchronizers`);
  const synchronizerId = canticle.network.synchronizers[0]!.id;
  const importAll = (more: object) =>
    target.clientStream(`${REPAIR}ImportAcs`, [
      { acsSnapshot, contractImportMode: 'CONTRACT_IMPORT_MODE_VALIDATION', ...more },
    ]);
  const activeOnTwo = () =>
    [...two!.activeContracts.now([{ party: operator, templates: undefined }])].map(
      ({ contract }) => contract.contractId,
    );
  return { importAll, activeOnTwo, ids, synchronizerId };
}

it('3.4 imports contracts on all synchronizers, and 3.5 on the named one (R-34-096)', async () => {
  const BOTH = ['first', 'second'];
  const in34 = await moved('3.4', BOTH);
  expect(await in34.importAll({})).toEqual({ contractIdMappings: {} });
  expect(in34.activeOnTwo().sort()).toEqual([...in34.ids].sort());
  const in35 = await moved('3.5', BOTH);
  const { synchronizerId } = in35;
  expect(await in35.importAll({ synchronizerId })).toEqual({});
  expect(in35.activeOnTwo()).toEqual([in35.ids[0]]);
  await expect(in35.importAll({})).rejects.toMatchObject(
    undecodable('FieldNotSet(synchronizer_id)'),
  );
});

it('a contract that was reassigned is not imported', async () => {
  const BOTH = ['first', 'second'];
  const { importAll, activeOnTwo, synchronizerId } = await moved(
    '3.5',
    BOTH,
    ({ participant }, _, ids) => {
      participant.assign(participant.unassign(ids[1]!, { to: 'first' }));
    },
  );
  await expect(importAll({ synchronizerId })).rejects.toMatchObject({
    message: expect.stringContaining('Contracts with a non-zero reassignment counter'),
  });
  expect(activeOnTwo()).toEqual([]);
});

it('3.4 rejects a file with a contract on a synchronizer that it does not know (R-34-096)', async () => {
  const { importAll, activeOnTwo, synchronizerId } = await moved('3.4', ['first']);
  await expect(importAll({})).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'IMPORT_ACS_ERROR' } },
  });
  expect(activeOnTwo()).toEqual([]);
  const in35 = await moved('3.5', ['first']);
  expect(await in35.importAll({ synchronizerId: in35.synchronizerId })).toEqual({});
  expect(in35.activeOnTwo()).toEqual([in35.ids[0]]);
  expect(synchronizerId).toMatch(/^first::/);
});

it('3.6 has pending operations, and configurations that can be deleted (R-36-088)', async () => {
  const { canticle, admin } = await adminOf({ canton: '3.6' });
  await expect(admin.call(`${REPAIR}ListPendingOperations`)).rejects.toMatchObject({
    code: UNIMPLEMENTED,
    message: 'listPendingOperations is not supported with an in-memory pending operation store',
  });
  const { id, physicalId } = canticle.network.synchronizers[0]!;
  const operation = { operationName: 'any', operationKey: 'key', synchronizer: { id } };
  expect(await admin.call(`${REPAIR}DeletePendingOperation`, operation)).toEqual({});
  for (const [wrong, text] of [
    [{ operationName: '' }, 'InvariantViolation(Some(operation_name),'],
    [{ synchronizer: undefined }, 'ValueConversionError(synchronizer,missing)'],
    [{ synchronizer: {} }, 'FieldNotSet(kind)'],
  ] as const)
    await expect(
      admin.call(
        `${REPAIR}DeletePendingOperation`,
        JSON.parse(JSON.stringify({ ...operation, ...wrong })),
      ),
    ).rejects.toMatchObject(undecodable(text));
  const remove = (physicalSynchronizerId: string) =>
    admin.call(`${REPAIR}DeleteSynchronizerConnectionConfig`, { physicalSynchronizerId });
  await expect(remove(physicalId.replace(/0$/, '7'))).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'SYNC_SERVICE_UNKNOWN_SYNCHRONIZER' } },
  });
  await expect(remove('x')).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'PROTO_DESERIALIZATION_FAILURE' } },
  });
  await expect(remove(physicalId)).rejects.toMatchObject({
    code: UNIMPLEMENTED,
    message: expect.stringContaining('does not serve'),
  });
  const methods = admin.methodsOf(`${PARTICIPANT}PartyManagementService`);
  expect(methods).not.toContain('PartyManagementService/GetAddPartyStatus');
});

it('3.6 has the keys of its vault and its topology under other field names', async () => {
  const { admin } = await adminOf({ canton: '3.6' });
  const usageV30 = ['SIGNING_KEY_USAGE_NAMESPACE'];
  const keySpec = 'SIGNING_KEY_SPEC_EC_CURVE25519';
  const { v30 } = await admin.call(`${VAULT}GenerateSigningKey`, { name: 'k', keySpec, usageV30 });
  expect(v30).toMatchObject({ usage: usageV30, keySpec });
  const keys = await admin.call(`${VAULT}ListMyKeys`, { filters: { name: 'k' } });
  expect(
    keys.privateKeysMetadata[0].publicKeyWithName ?? keys.privateKeysMetadata[0].v30,
  ).toMatchObject({ name: 'k' });
  const { results } = await admin.call(`${READ}ListOwnerToKeyMapping`, {
    baseQuery: { headState: {} },
  });
  expect(results[0].v30.publicKeys.length).toBeGreaterThan(0);
});
