/** Active contracts in Canton's file format, from one participant to another: of the same network, and of another one. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { Dummy, modelPackage } from '../support/daml/model-package.js';
import { differences } from '../properties/state-differences.js';
import { GrpcClient } from '../support/grpc/client.js';

const PARTICIPANT = 'com.digitalasset.canton.admin.participant.v30.';
const IMPORT = `${PARTICIPANT}ParticipantRepairService/ImportAcs`;
const WORLD = {
  seed: 5,
  grpc: { adminApiPort: 0 },
  packages: [modelPackage],
  participants: ['one', 'two'],
} as const;

let canticle: Canticle;
let other: Canticle;
const admins: GrpcClient[] = [];
let dave: string;
let id: string;
let synchronizerId: string;
let file: Buffer;
let snapshot: string;

const connect = async (address: string): Promise<GrpcClient> => {
  const client = await GrpcClient.connect(address);
  admins.push(client);
  return client;
};

beforeAll(async () => {
  [canticle, other] = await Promise.all([startCanticle(WORLD), startCanticle(WORLD)]);
  [dave] = [canticle, other].map(({ participant }) => participant.allocateParty('dave')) as [
    string,
  ];
  id = canticle.participant.create(Dummy, { operator: dave }, { actAs: dave });
  synchronizerId = canticle.network.synchronizers[0]!.id;
  const source = await connect(canticle.urls.grpcAdmin!);
  await connect(canticle.grpcAdminApis['two']!);
  await connect(other.urls.grpcAdmin!);
  const ledgerOffset = String(canticle.network.participants[0]!.log.end);
  const request = { partyIds: [dave], ledgerOffset };
  const chunks = await source.stream(`${PARTICIPANT}ParticipantRepairService/ExportAcs`, request);
  file = Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')));
  snapshot = canticle.snapshot();
});
afterEach(() => canticle.revert(snapshot));
afterAll(async () => {
  for (const admin of admins) admin.close();
  await Promise.all([canticle.close(), other.close()]);
});

/** The file in two parts, of which the first says the rest. */
const parts = (more: object = {}) => {
  const first = {
    contractImportMode: 'CONTRACT_IMPORT_MODE_VALIDATION',
    workflowIdPrefix: 'moved',
    synchronizerId,
    acsSnapshot: file.subarray(0, 100).toString('base64'),
    ...more,
  };
  const rest = { acsSnapshot: file.subarray(100).toString('base64') };
  return JSON.parse(JSON.stringify([first, rest])) as [typeof first, typeof rest];
};
const leave = (admin: GrpcClient) =>
  admin.call(`${PARTICIPANT}SynchronizerConnectivityService/DisconnectAllSynchronizers`);
const refused = (reason: string, text: string) => ({
  details: { ErrorInfo: { reason } },
  message: expect.stringContaining(text),
});
const activeAt = (of: Canticle, place: number) =>
  [
    ...of.network.participants[place]!.activeContracts.now([{ party: dave, templates: undefined }]),
  ].map(({ contract }) => contract.contractId);

it('is imported once by a disconnected participant, and appears in its updates', async () => {
  const two = admins[1]!;
  await expect(two.clientStream(IMPORT, parts())).rejects.toMatchObject(
    refused('IMPORT_ACS_ERROR', 'Please disconnect all synchronizers.'),
  );
  await leave(two);
  const { log } = canticle.network.participants[1]!;
  const before = log.end;
  expect(await two.clientStream(IMPORT, parts())).toEqual({});
  expect(await two.clientStream(IMPORT, parts())).toEqual({});
  expect([log.end, activeAt(canticle, 1)]).toEqual([before + 1, [id]]);
  expect(log.entry(log.end)!.update).toMatchObject({ workflowId: 'moved-1' });
  await two.call(`${PARTICIPANT}SynchronizerConnectivityService/ReconnectSynchronizers`);
  canticle.participant.exercise(Dummy, id, 'Consume', {}, { actAs: dave });
  expect(activeAt(canticle, 0)).toEqual([]);
  canticle.revert(snapshot);
  expect([log.end, activeAt(canticle, 1), activeAt(canticle, 0)]).toEqual([before, [], [id]]);
});

it('is imported by a participant of another network, which can use its contracts', async () => {
  await leave(admins[2]!);
  await admins[2]!.clientStream(IMPORT, parts());
  expect(activeAt(other, 0)).toEqual([id]);
  await admins[2]!.call(`${PARTICIPANT}SynchronizerConnectivityService/ReconnectSynchronizers`);
  const { participant } = other;
  participant.exercise(Dummy, id, 'Consume', {}, { actAs: dave });
  expect(activeAt(other, 0)).toEqual([]);
});

it("is rejected completely, with Canton's errors", async () => {
  const [, two] = admins;
  await leave(two!);
  const tries: [object, string, string][] = [
    [{ contractImportMode: undefined }, 'PROTO_DESERIALIZATION_FAILURE', 'Deserialization'],
    [{ synchronizerId: undefined }, 'PROTO_DESERIALIZATION_FAILURE', 'Deserialization'],
    [{ synchronizerId: 'x::y' }, 'IMPORT_ACS_ERROR', 'Unable to resolve x::y'],
    [{ acsSnapshot: 'AAAA' }, 'PROTO_DESERIALIZATION_FAILURE', 'Deserialization'],
    [{ excludedStakeholderIds: ['no party'] }, 'PROTO_DESERIALIZATION_FAILURE', 'Deserialization'],
    ...[
      { contractOverride: { x: 'y' } },
      { contractOverride: { [id]: 'no package!' } },
      { packageIdOverride: { 'no package!': 'y' } },
      { packageIdOverride: { y: 'no package!' } },
      { packageNameOverride: { name: 'no package!' } },
    ].map((representativePackageIdOverride): [object, string, string] => [
      { representativePackageIdOverride },
      'PROTO_DESERIALIZATION_FAILURE',
      'Deserialization',
    ]),
  ];
  for (const [more, reason, text] of tries)
    await expect(two!.clientStream(IMPORT, parts(more))).rejects.toMatchObject(
      refused(reason, text),
    );
  expect(await two!.clientStream(IMPORT, [])).toEqual({});
  await two!.clientStream(IMPORT, parts({ excludedStakeholderIds: [dave] }));
  expect(activeAt(canticle, 1)).toEqual([]);
  canticle.participant.exercise(Dummy, id, 'Consume', {}, { actAs: dave });
  await expect(two!.clientStream(IMPORT, parts())).rejects.toMatchObject(
    refused('IMPORT_ACS_ERROR', `Cannot add previously archived contract ${id}`),
  );
});

it('a contract whose content has another id is rejected, unless the mode accepts it', async () => {
  const [, two] = admins;
  await leave(two!);
  const content = gunzipSync(file);
  const own = Buffer.from(id, 'hex');
  const other = Buffer.from(own);
  other[other.length - 1]! ^= 1;
  for (let at = content.indexOf(own); at >= 0; at = content.indexOf(own)) other.copy(content, at);
  const forged = gzipSync(content).toString('base64');
  const send = (contractImportMode: string) =>
    two!.clientStream(IMPORT, [{ ...parts()[0], contractImportMode, acsSnapshot: forged }]);
  await expect(send('CONTRACT_IMPORT_MODE_VALIDATION')).rejects.toMatchObject(
    refused('IMPORT_ACS_ERROR', 'Failed to authenticate contract with id: 00'),
  );
  expect(activeAt(canticle, 1)).toEqual([]);
  await send('CONTRACT_IMPORT_MODE_ACCEPT');
  expect(activeAt(canticle, 1)).toEqual([id]);
});

it('a contract with unreadable bytes is rejected', async () => {
  const [, two] = admins;
  await leave(two!);
  const content = gunzipSync(file);
  // Only the blob has the id as bytes. A tag and a length precede it.
  const own = Buffer.from(id, 'hex');
  const at = content.indexOf(own);
  content.fill(0xff, at - 2, at + own.length);
  const acsSnapshot = gzipSync(content).toString('base64');
  await expect(two!.clientStream(IMPORT, [{ ...parts()[0], acsSnapshot }])).rejects.toMatchObject(
    refused('PROTO_DESERIALIZATION_FAILURE', 'Deserialization'),
  );
  expect(activeAt(canticle, 1)).toEqual([]);
});

it('can contain one party, at the time when a participant began to host it', async () => {
  const path = `${PARTICIPANT}PartyManagementService/`;
  const [one, two] = admins;
  const [first, second] = canticle.network.participants;
  const request = {
    partyId: dave,
    synchronizerId,
    targetParticipantUid: second!.id,
    beginOffsetExclusive: '1',
  };
  await expect(one!.stream(`${path}ExportPartyAcs`, request)).rejects.toMatchObject(
    refused('EFFECTIVE_PARTY_TO_PARTICIPANT_MAPPING_NOT_FOUND', dave),
  );
  await expect(
    two!.clientStream(`${path}ImportPartyAcs`, parts({ partyId: dave })),
  ).rejects.toMatchObject(
    refused('PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING', dave.slice(0, 18)),
  );
  const importAlone = (partyId: string) =>
    one!.clientStream(`${path}ImportPartyAcs`, parts({ partyId }));
  await expect(importAlone('nobody')).rejects.toMatchObject(
    refused('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', 'party_id'),
  );
  // Only this participant hosts the party, so it needs no contracts.
  await expect(importAlone(dave)).rejects.toMatchObject(
    refused('PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING', dave.slice(0, 18)),
  );
  const event = { kind: 'added', party: dave, participantId: second!.id } as const;
  const events = [{ ...event, permission: 'observation' as const }];
  canticle.network.commit({ kind: 'topology', synchronizerId, events, workflowId: '' });
  const chunks = await one!.stream(`${path}ExportPartyAcs`, request);
  file = Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')));
  await leave(two!);
  const { excludedStakeholderIds, ...own } = parts({ partyId: dave })[0] as any;
  expect(excludedStakeholderIds).toBeUndefined();
  await two!.clientStream(`${path}ImportPartyAcs`, [own, parts()[1]!]);
  expect([activeAt(canticle, 1), activeAt(canticle, 0)]).toEqual([[id], [id]]);
  expect(first!.log.end).toBeGreaterThan(0);
});

it('stays imported when the world is saved as a file', async () => {
  await leave(admins[1]!);
  await admins[1]!.clientStream(IMPORT, parts());
  const again = createCanticle({ packages: [modelPackage], load: canticle.dump() });
  expect([activeAt(again, 1), activeAt(again, 0)]).toEqual([[id], [id]]);
  expect(differences(again, canticle)).toEqual([]);
});
