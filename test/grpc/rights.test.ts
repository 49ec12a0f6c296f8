/**
 * The rights that gRPC methods require: each method with each right alone, by the table for JSON's operations (B-AUTH-009,
 * B-AUTH-010, B-AUTH-017 to B-AUTH-024, B-AUTH-029).
 */
import { startCanticle, type Canticle } from 'canticle';
import { definitionsOf } from '../../src/network/index.js';
import type { ServedIds } from '../../src/spec/index.js';
import {
  enough,
  rightOf,
  RIGHTS,
  samples,
  type Level,
  type RightName,
} from '../services/authorization/operations.js';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';

/** The operation whose level it has, or a level where JSON has no such operation; and a message about Alice. */
type Row = readonly [as: ServedIds<'ledger'> | { readonly level: Level }, message?: object];

const admin = { level: 'admin' } as const;
/** Where a stream begins that ends at once, once it is allowed. */
const NEVER = '1000000';
const SIGNING_KEY = {
  format: 'CRYPTO_KEY_FORMAT_RAW',
  keyData: '',
  keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
};

function rowsFor(alice: string): Readonly<Record<string, Readonly<Record<string, Row>>>> {
  const eventFormat = { filtersByParty: { [alice]: {} } };
  const transactionShape = 'TRANSACTION_SHAPE_ACS_DELTA';
  const ofAlice = { includeTransactions: { eventFormat, transactionShape } };
  const ofAnyone = {
    includeTransactions: { eventFormat: { filtersForAnyParty: {} }, transactionShape },
  };
  const commands = { commands: { commandId: 'c', actAs: [alice] } };
  const reassignmentCommands = { submitter: alice, commandId: 'c' };
  const execution = { preparedTransaction: { metadata: { submitterInfo: { actAs: [alice] } } } };
  const updateId = `1220${'0'.repeat(64)}`;
  return {
    CommandService: {
      SubmitAndWait: ['postV2CommandsSubmit-and-wait', commands],
      SubmitAndWaitForTransaction: ['postV2CommandsSubmit-and-wait-for-transaction', commands],
      SubmitAndWaitForReassignment: [
        'postV2CommandsSubmit-and-wait-for-reassignment',
        { reassignmentCommands },
      ],
    },
    CommandSubmissionService: {
      Submit: ['postV2CommandsAsyncSubmit', commands],
      SubmitReassignment: ['postV2CommandsAsyncSubmit-reassignment', { reassignmentCommands }],
    },
    CommandCompletionService: {
      CompletionStream: ['postV2CommandsCompletions', { parties: [alice], beginExclusive: NEVER }],
      GetCompletions: ['postV2CommandsCommand-completions', { beginExclusive: NEVER }],
    },
    UpdateService: {
      GetUpdates: ['postV2Updates', { beginExclusive: NEVER, updateFormat: ofAlice }],
      GetUpdateByOffset: ['postV2UpdatesUpdate-by-offset', { offset: '1', updateFormat: ofAnyone }],
      GetUpdateById: ['postV2UpdatesUpdate-by-id', { updateId, updateFormat: ofAlice }],
      GetUpdatesPage: ['postV2UpdatesGet-updates-page', { updateFormat: ofAlice }],
    },
    StateService: {
      GetActiveContracts: ['postV2StateActive-contracts', { activeAtOffset: NEVER, eventFormat }],
      GetActiveContractsPage: ['postV2StateActive-contracts-page', { eventFormat }],
      GetConnectedSynchronizers: ['getV2StateConnected-synchronizers', { party: alice }],
      GetLedgerEnd: ['getV2StateLedger-end'],
      GetLatestPrunedOffsets: ['getV2StateLatest-pruned-offsets'],
    },
    EventQueryService: {
      GetEventsByContractId: [
        'postV2EventsEvents-by-contract-id',
        { contractId: '00', eventFormat },
      ],
    },
    ContractService: {
      GetContract: [
        'postV2ContractsContract-by-id',
        { contractId: '00', queryingParties: [alice] },
      ],
    },
    'interactive.InteractiveSubmissionService': {
      PrepareSubmission: [
        'postV2Interactive-submissionPrepare',
        { actAs: [alice], commandId: 'c' },
      ],
      ExecuteSubmission: ['postV2Interactive-submissionExecute', execution],
      ExecuteSubmissionAndWait: ['postV2Interactive-submissionExecuteandwait', execution],
      ExecuteSubmissionAndWaitForTransaction: [
        'postV2Interactive-submissionExecuteandwaitfortransaction',
        execution,
      ],
      GetPreferredPackageVersion: ['getV2Interactive-submissionPreferred-package-version'],
      GetPreferredPackages: ['postV2Interactive-submissionPreferred-packages'],
    },
    VersionService: { GetLedgerApiVersion: ['getV2Version'] },
    PackageService: {
      ListPackages: ['getV2Packages'],
      GetPackage: ['getV2PackagesPackage-id'],
      GetPackageStatus: ['getV2PackagesPackage-idStatus'],
      ListVettedPackages: ['postV2Package-vettingList'],
    },
    'admin.PackageManagementService': {
      ListKnownPackages: [admin],
      UploadDarFile: ['postV2Dars'],
      ValidateDarFile: ['postV2DarsValidate'],
      UpdateVettedPackages: ['postV2Package-vettingUpdate'],
    },
    'admin.PartyManagementService': {
      GetParticipantId: ['getV2PartiesParticipant-id'],
      GetParties: ['getV2PartiesParty', { parties: [alice] }],
      ListKnownParties: ['getV2Parties'],
      AllocateParty: ['postV2Parties'],
      AllocateExternalParty: ['postV2PartiesExternalAllocate'],
      GenerateExternalPartyTopology: [
        'postV2PartiesExternalGenerate-topology',
        { synchronizer: 'x', partyHint: 'p', publicKey: SIGNING_KEY },
      ],
      UpdatePartyDetails: ['patchV2PartiesParty', { partyDetails: { party: alice } }],
      UpdatePartyIdentityProviderId: [admin, { party: alice }],
    },
    'admin.CommandInspectionService': { GetCommandStatus: [admin] },
    'admin.ParticipantPruningService': { Prune: [admin] },
    'testing.TimeService': { GetTime: [{ level: 'public' }], SetTime: [admin] },
    'admin.UserManagementService': {
      CreateUser: ['postV2Users', { user: { id: '☃' } }],
      GetUser: ['getV2UsersUser-id', { userId: 'participant_admin' }],
      UpdateUser: ['patchV2UsersUser-id', { user: { id: 'participant_admin' } }],
      DeleteUser: ['deleteV2UsersUser-id', { userId: 'nobody' }],
      ListUsers: ['getV2Users'],
      GrantUserRights: ['postV2UsersUser-idRights', { userId: 'participant_admin' }],
      RevokeUserRights: ['patchV2UsersUser-idRights', { userId: 'participant_admin' }],
      ListUserRights: ['getV2UsersUser-idRights', { userId: 'participant_admin' }],
      UpdateUserIdentityProviderId: [
        'patchV2UsersUser-idIdentity-provider-id',
        { userId: 'participant_admin' },
      ],
    },
    'admin.IdentityProviderConfigService': {
      CreateIdentityProviderConfig: ['postV2Idps'],
      GetIdentityProviderConfig: ['getV2IdpsIdp-id', { identityProviderId: 'nobody' }],
      ListIdentityProviderConfigs: ['getV2Idps'],
      UpdateIdentityProviderConfig: ['patchV2IdpsIdp-id'],
      DeleteIdentityProviderConfig: ['deleteV2IdpsIdp-id', { identityProviderId: 'nobody' }],
    },
  };
}

let canticle: Canticle;
let client: GrpcClient;
let rows: ReturnType<typeof rowsFor>;
let levels: ReturnType<typeof samples>;
const tokens = {} as Record<RightName, string>;
beforeAll(async () => {
  const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const];
  canticle = await startCanticle({ grpc: true, auth: { services } });
  client = await GrpcClient.connect(canticle.urls.grpc!);
  const alice = canticle.participant.allocateParty('alice');
  rows = rowsFor(alice);
  levels = samples(alice, '');
  const { users } = canticle.network.participants[0]!;
  for (const right of RIGHTS) {
    users.create({ id: right }, rightOf(right, alice));
    tokens[right] = await canticle.accessToken({ sub: right });
  }
});
afterAll(async () => {
  client.close();
  await canticle.close();
});

const levelOf = ([as]: Row): Level => (typeof as === 'string' ? levels[as].level : as.level);
const methods = (): (readonly [path: string, isStream: boolean, row: Row])[] =>
  Object.entries(rows).flatMap(([service, table]) =>
    definitionsOf()
      .methodsOf(`com.daml.ledger.api.v2.${service}`)
      .map(({ path, streamsOut }) => {
        const name = path.split('/')[2]!;
        return [`${service}/${name}`, streamsOut, table[name]!] as const;
      }),
  );

it('the table has a row for each served method', () => {
  const known = new Set(methods().map(([path]) => path));
  const served = client.services
    .filter((name) => name.startsWith('com.daml.ledger.api.v2.'))
    .flatMap((name) => definitionsOf().methodsOf(name))
    .map(({ path }) => path.replace('/com.daml.ledger.api.v2.', ''));
  expect(served.filter((path) => !known.has(path))).toEqual([]);
});

it.each(RIGHTS)('%s grants only its methods', async (right) => {
  const PERMISSION_DENIED = 7;
  const token = tokens[right];
  const wrong: unknown[] = [];
  for (const [path, isStream, row] of methods()) {
    const call = isStream
      ? client.stream(path, row[1] ?? {}, { token })
      : client.call(path, row[1] ?? {}, { token });
    const code = await call.then(
      () => 0,
      (fault: GrpcFault) => fault.code,
    );
    const isAllowed = enough(levelOf(row)).includes(right);
    if (isAllowed !== (code !== PERMISSION_DENIED)) wrong.push([path, levelOf(row), code]);
  }
  expect(wrong).toEqual([]);
});
