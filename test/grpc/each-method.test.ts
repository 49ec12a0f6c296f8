/**
 * Each method of the Ledger API: its existence, and its answers to an empty request and to a caller without a token. An empty
 * request never causes an internal error.
 */
import { startCanticle, type Canticle } from 'canticle';
import { definitionsOf } from '../../src/network/index.js';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let secured: Canticle;
let grpc: GrpcClient;
let guarded: GrpcClient;
beforeAll(async () => {
  const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const];
  secured = await startCanticle({ grpc: true, auth: { services } });
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  guarded = await GrpcClient.connect(secured.urls.grpc!);
});
afterAll(async () => {
  for (const each of [grpc, guarded]) each.close();
  await secured.close();
});

const METHODS = [...definitionsOf().files.values()]
  .filter(({ package: prefix }) => prefix.startsWith('com.daml.ledger.api.v2'))
  .flatMap(({ package: prefix, services }) =>
    Object.keys(services).flatMap((name) => definitionsOf().methodsOf(`${prefix}.${name}`)),
  );

const outcome = async (
  client: GrpcClient,
  path: string,
  isStream: boolean,
  token?: string,
): Promise<string> => {
  const name = path.slice(1);
  const attempt = isStream
    ? client.stream(name, {}, { deadline: Date.now() + 300, token })
    : client.call(name, {}, { token });
  return attempt.then(
    () => 'OK',
    ({ code, details }: GrpcFault) => `${code} ${details['ErrorInfo']?.reason ?? ''}`.trim(),
  );
};

it('serves each method of the release', () => {
  const served = new Set(
    grpc.services.flatMap((name) =>
      definitionsOf()
        .methodsOf(name)
        .map(({ path }) => path),
    ),
  );
  const missing = METHODS.map(({ path }) => path).filter((path) => !served.has(path));
  expect(missing).toEqual([]);
});

it('answers each empty request', async () => {
  const answers: Record<string, string> = {};
  for (const { path, streamsOut } of METHODS)
    answers[path.replace('/com.daml.ledger.api.v2.', '')] = await outcome(grpc, path, streamsOut);
  expect(answers).toMatchInlineSnapshot(`
    {
      "CommandCompletionService/CompletionStream": "3 INVALID_TOKEN",
      "CommandCompletionService/GetCompletions": "4",
      "CommandService/SubmitAndWait": "3 INVALID_TOKEN",
      "CommandService/SubmitAndWaitForReassignment": "3 INVALID_TOKEN",
      "CommandService/SubmitAndWaitForTransaction": "3 INVALID_TOKEN",
      "CommandSubmissionService/Submit": "3 INVALID_TOKEN",
      "CommandSubmissionService/SubmitReassignment": "3 INVALID_TOKEN",
      "ContractService/GetContract": "3 MISSING_FIELD",
      "EventQueryService/GetEventsByContractId": "3 MISSING_FIELD",
      "PackageService/GetPackage": "3 INVALID_ARGUMENT",
      "PackageService/GetPackageStatus": "3 INVALID_ARGUMENT",
      "PackageService/ListPackages": "OK",
      "PackageService/ListVettedPackages": "OK",
      "StateService/GetActiveContracts": "3 MISSING_FIELD",
      "StateService/GetActiveContractsPage": "3 MISSING_FIELD",
      "StateService/GetConnectedSynchronizers": "OK",
      "StateService/GetLatestPrunedOffsets": "OK",
      "StateService/GetLedgerEnd": "OK",
      "UpdateService/GetUpdateById": "3 MISSING_FIELD",
      "UpdateService/GetUpdateByOffset": "3 NON_POSITIVE_OFFSET",
      "UpdateService/GetUpdates": "3 MISSING_FIELD",
      "UpdateService/GetUpdatesPage": "3 MISSING_FIELD",
      "VersionService/GetLedgerApiVersion": "OK",
      "admin.CommandInspectionService/GetCommandStatus": "OK",
      "admin.IdentityProviderConfigService/CreateIdentityProviderConfig": "3 MISSING_FIELD",
      "admin.IdentityProviderConfigService/DeleteIdentityProviderConfig": "3 MISSING_FIELD",
      "admin.IdentityProviderConfigService/GetIdentityProviderConfig": "3 MISSING_FIELD",
      "admin.IdentityProviderConfigService/ListIdentityProviderConfigs": "OK",
      "admin.IdentityProviderConfigService/UpdateIdentityProviderConfig": "3 MISSING_FIELD",
      "admin.PackageManagementService/ListKnownPackages": "OK",
      "admin.PackageManagementService/UpdateVettedPackages": "OK",
      "admin.PackageManagementService/UploadDarFile": "3 INVALID_DAR",
      "admin.PackageManagementService/ValidateDarFile": "3 INVALID_DAR",
      "admin.ParticipantPruningService/Prune": "3 INVALID_ARGUMENT",
      "admin.PartyManagementService/AllocateExternalParty": "3 MISSING_FIELD",
      "admin.PartyManagementService/AllocateParty": "OK",
      "admin.PartyManagementService/GenerateExternalPartyTopology": "3 INVALID_ARGUMENT",
      "admin.PartyManagementService/GetParticipantId": "OK",
      "admin.PartyManagementService/GetParties": "OK",
      "admin.PartyManagementService/ListKnownParties": "OK",
      "admin.PartyManagementService/UpdatePartyDetails": "3 MISSING_FIELD",
      "admin.PartyManagementService/UpdatePartyIdentityProviderId": "3 INVALID_ARGUMENT",
      "admin.UserManagementService/CreateUser": "3 MISSING_FIELD",
      "admin.UserManagementService/DeleteUser": "3 MISSING_FIELD",
      "admin.UserManagementService/GetUser": "3 INVALID_TOKEN",
      "admin.UserManagementService/GrantUserRights": "3 MISSING_FIELD",
      "admin.UserManagementService/ListUserRights": "3 INVALID_TOKEN",
      "admin.UserManagementService/ListUsers": "OK",
      "admin.UserManagementService/RevokeUserRights": "3 MISSING_FIELD",
      "admin.UserManagementService/UpdateUser": "3 MISSING_FIELD",
      "admin.UserManagementService/UpdateUserIdentityProviderId": "3 MISSING_FIELD",
      "interactive.InteractiveSubmissionService/ExecuteSubmission": "3 INVALID_TOKEN",
      "interactive.InteractiveSubmissionService/ExecuteSubmissionAndWait": "3 INVALID_TOKEN",
      "interactive.InteractiveSubmissionService/ExecuteSubmissionAndWaitForTransaction": "3 INVALID_TOKEN",
      "interactive.InteractiveSubmissionService/GetPreferredPackageVersion": "3 MISSING_FIELD",
      "interactive.InteractiveSubmissionService/GetPreferredPackages": "3 MISSING_FIELD",
      "interactive.InteractiveSubmissionService/PrepareSubmission": "3 INVALID_TOKEN",
      "testing.TimeService/GetTime": "OK",
      "testing.TimeService/SetTime": "3 MISSING_FIELD",
    }
  `);
});

it('requires a token for the same calls as JSON, before it reads the request', async () => {
  const open: string[] = [];
  for (const { path, streamsOut } of METHODS)
    if ((await outcome(guarded, path, streamsOut)) !== '16') open.push(path);
  expect(open).toEqual(['/com.daml.ledger.api.v2.VersionService/GetLedgerApiVersion']);
});

it('allows a user what its rights allow', async () => {
  const admin = await secured.accessToken({ sub: 'participant_admin' });
  const as = (token: string) => ({ token });
  const party = async (partyIdHint: string) => {
    const path = 'admin.PartyManagementService/AllocateParty';
    return (await guarded.call(path, { partyIdHint }, as(admin))).partyDetails.party as string;
  };
  const [alice, bob] = [await party('alice'), await party('bob')];
  await guarded.call(
    'admin.UserManagementService/CreateUser',
    { user: { id: 'ann' }, rights: [{ canActAs: { party: alice } }] },
    as(admin),
  );
  const ann = as(await secured.accessToken({ sub: 'ann' }));
  const submit = (owner: string) =>
    guarded.call(
      'CommandService/SubmitAndWait',
      {
        commands: {
          commandId: 'c',
          actAs: [owner],
          commands: [
            {
              create: {
                templateId: {
                  packageId: '#canticle-quickstart',
                  moduleName: 'Quickstart.Iou',
                  entityName: 'Iou',
                },
                createArguments: {
                  fields: [
                    { value: { party: owner } },
                    { value: { party: owner } },
                    { value: { text: 'EUR' } },
                    { value: { numeric: '1.5' } },
                    { value: { list: {} } },
                  ],
                },
              },
            },
          ],
        },
      },
      ann,
    );
  expect(await submit(alice)).toMatchObject({ completionOffset: expect.any(String) });
  await expect(submit(bob)).rejects.toMatchObject({ code: 7 });
  const own = await guarded.call('admin.UserManagementService/GetUser', {}, ann);
  expect(own.user.id).toBe('ann');
  await expect(
    guarded.call('admin.UserManagementService/GetUser', { userId: 'participant_admin' }, ann),
  ).rejects.toMatchObject({ code: 7 });
  const filtersByParty = { [bob]: {} };
  await expect(
    guarded.stream(
      'StateService/GetActiveContracts',
      { activeAtOffset: '1', eventFormat: { filtersByParty } },
      ann,
    ),
  ).rejects.toMatchObject({ code: 7 });
});

it('sets the time, prunes, and moves parties between identity providers', async () => {
  const { currentTime } = await grpc.call('testing.TimeService/GetTime');
  expect(currentTime).toBe(api.canticle.time);
  const newTime = '2027-01-01T00:00:00Z';
  await grpc.call('testing.TimeService/SetTime', { currentTime, newTime });
  expect(api.canticle.time).toBe('2027-01-01T00:00:00.000000Z');
  await expect(
    grpc.call('testing.TimeService/SetTime', { currentTime, newTime }),
  ).rejects.toMatchObject({ code: 3, message: expect.stringContaining('current_time mismatch') });

  const [alice] = await api.parties('alice', 'bob');
  await grpc.call('admin.ParticipantPruningService/Prune', { pruneUpTo: '1' });
  const pruned = await grpc.call('StateService/GetLatestPrunedOffsets');
  expect(pruned.participantPrunedUpToInclusive).toBe('1');

  const identityProviderConfig = {
    identityProviderId: 'idp',
    issuer: 'https://idp.example',
    jwksUrl: 'https://idp.example/jwks',
  };
  await grpc.call('admin.IdentityProviderConfigService/CreateIdentityProviderConfig', {
    identityProviderConfig,
  });
  const move = { party: alice, targetIdentityProviderId: 'idp' };
  await grpc.call('admin.PartyManagementService/UpdatePartyIdentityProviderId', move);
  const { partyDetails } = await grpc.call('admin.PartyManagementService/GetParties', {
    parties: [alice],
    identityProviderId: 'idp',
  });
  expect(partyDetails).toMatchObject([{ party: alice, identityProviderId: 'idp' }]);
  await expect(
    grpc.call('admin.PartyManagementService/UpdatePartyIdentityProviderId', move),
  ).rejects.toMatchObject({ code: 5 });
});

it('lists and returns its packages', async () => {
  const { packageDetails } = await grpc.call('admin.PackageManagementService/ListKnownPackages');
  const own = packageDetails.find(({ name }: { name: string }) => name === 'model-tests');
  expect(own.version).toBe('1.0.0');
  const { packageId } = own;
  const { hash, archivePayload } = await grpc.call('PackageService/GetPackage', { packageId });
  expect([hash, Buffer.from(archivePayload, 'base64').length]).toEqual([
    packageId,
    Number(own.packageSize),
  ]);
});
