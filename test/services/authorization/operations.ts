/** A sample request for every operation of the Ledger API, and which rights alone are enough for it. */
import type { UserRight } from '../../../src/network/index.js';
import type { ServedIds } from '../../../src/spec/index.js';
import {
  create,
  eventFormat,
  transactionFormat,
  updateFormat,
  wildcard,
} from '../../support/ledger-api.js';

/** Rights as tests hand them out, each alone; those with a party are for Alice. */
export const RIGHTS = [
  'nothing',
  'ParticipantAdmin',
  'IdentityProviderAdmin',
  'CanActAs',
  'CanReadAs',
  'CanReadAsAnyParty',
  'CanExecuteAs',
  'CanExecuteAsAnyParty',
] as const;
export type RightName = (typeof RIGHTS)[number];

/** The right by its name, for Alice where it is for a party. */
export function rightOf(name: RightName, party: string): UserRight[] {
  switch (name) {
    case 'nothing':
      return [];
    case 'CanActAs':
    case 'CanReadAs':
    case 'CanExecuteAs':
      return [{ kind: name, party }];
    default:
      return [{ kind: name }];
  }
}

/** The rights that satisfy each level. */
const ENOUGH = {
  open: RIGHTS,
  public: RIGHTS,
  admin: ['ParticipantAdmin'],
  anyAdmin: ['ParticipantAdmin', 'IdentityProviderAdmin'],
  actAs: ['CanActAs'],
  readAs: ['CanActAs', 'CanReadAs', 'CanReadAsAnyParty'],
  readAsAnyParty: ['CanReadAsAnyParty'],
  executeAs: ['CanActAs', 'CanExecuteAs', 'CanExecuteAsAnyParty'],
  operateAs: [
    'ParticipantAdmin',
    'IdentityProviderAdmin',
    'CanActAs',
    'CanReadAs',
    'CanReadAsAnyParty',
    'CanExecuteAs',
    'CanExecuteAsAnyParty',
  ],
  someReader: ['CanActAs', 'CanReadAs', 'CanReadAsAnyParty'],
} as const satisfies Record<string, readonly RightName[]>;

export type Level = keyof typeof ENOUGH;

export const enough = (level: Level): readonly RightName[] => ENOUGH[level];

type Refusal = readonly [status: number, code: string];

export interface Sample {
  readonly level: Level;
  /** Path parameters in place. */
  readonly path: string;
  readonly body?: unknown;
  /** The status and code of an allowed request, if it is not 200. */
  readonly refusal?: Refusal;
}

let count = 0;
const next = () => `sample-${++count}`;

/** @param alice a party that the participant hosts */
export function samples(alice: string, packageId: string): Record<ServedIds<'ledger'>, Sample> {
  const format = eventFormat([alice], wildcard());
  const everyone = eventFormat([], wildcard());
  const commands = () => ({
    commands: [create('#model-tests:Test:Dummy', { operator: alice })],
    commandId: next(),
    actAs: [alice],
  });
  const reassignment = () => ({
    reassignmentCommands: {
      submitter: alice,
      commandId: next(),
      submissionId: '',
      workflowId: '',
      commands: [
        { command: { UnassignCommand: { value: { contractId: '00', source: 'x', target: 'y' } } } },
      ],
    },
  });
  const updates = updateFormat('ACS_DELTA', format);
  const transactions = transactionFormat('ACS_DELTA', format);
  const level = (of: Level, path: string, body?: unknown, refusal?: Refusal): Sample => ({
    level: of,
    path,
    body,
    refusal,
  });
  // PreparedTransaction { metadata { submitter_info { act_as: alice } } }
  const tagged = (tag: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([tag]), varint(bytes.length), bytes]);
  const submitter = tagged(0x0a, Buffer.from(alice));
  const preparedTransaction = tagged(0x12, tagged(0x12, submitter)).toString('base64');
  const execution = {
    preparedTransaction,
    partySignatures: { signatures: [] },
    deduplicationPeriod: { Empty: {} },
    submissionId: 'x',
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  };
  const updateId = `1220${'0'.repeat(64)}`;
  const idp = {
    identityProviderConfig: {
      identityProviderId: 'nobody',
      isDeactivated: false,
      issuer: 'x',
      jwksUrl: 'y',
      audience: '',
    },
  };
  return {
    getLivez: level('open', '/livez'),
    getReadyz: level('open', '/readyz'),
    getV2Version: level('open', '/v2/version'),
    'postV2CommandsSubmit-and-wait': level('actAs', '/v2/commands/submit-and-wait', commands()),
    'postV2CommandsSubmit-and-wait-for-transaction': level(
      'actAs',
      '/v2/commands/submit-and-wait-for-transaction',
      { commands: commands() },
    ),
    'postV2CommandsSubmit-and-wait-for-reassignment': level(
      'actAs',
      '/v2/commands/submit-and-wait-for-reassignment',
      reassignment(),
      [400, 'INVALID_FIELD'],
    ),
    'postV2CommandsSubmit-and-wait-for-transaction-tree': level(
      'actAs',
      '/v2/commands/submit-and-wait-for-transaction-tree',
      commands(),
    ),
    postV2CommandsAsyncSubmit: level('actAs', '/v2/commands/async/submit', commands()),
    'postV2CommandsAsyncSubmit-reassignment': level(
      'actAs',
      '/v2/commands/async/submit-reassignment',
      reassignment(),
      [400, 'INVALID_FIELD'],
    ),
    postV2CommandsCompletions: level(
      'readAs',
      '/v2/commands/completions?stream_idle_timeout_ms=1',
      { parties: [alice], beginExclusive: 0 },
    ),
    'postV2CommandsCommand-completions': level(
      'readAsAnyParty',
      '/v2/commands/command-completions?stream_idle_timeout_ms=1',
      { beginExclusive: 0 },
    ),
    'postV2CommandsCompletion-by-hash': level(
      'someReader',
      '/v2/commands/completion-by-hash',
      { transactionHash: 'AAAA' },
      [404, 'COMPLETION_NOT_FOUND'],
    ),
    'postV2ContractsContract-by-id': level(
      'readAs',
      '/v2/contracts/contract-by-id',
      { contractId: '00', queryingParties: [alice] },
      [400, 'INVALID_FIELD'],
    ),
    'postV2EventsEvents-by-contract-id': level(
      'readAs',
      '/v2/events/events-by-contract-id',
      { contractId: '00', eventFormat: format },
      [400, 'INVALID_FIELD'],
    ),
    getV2Idps: level('admin', '/v2/idps'),
    postV2Idps: level('admin', '/v2/idps', idp, [400, 'INVALID_FIELD']),
    'getV2IdpsIdp-id': level('admin', '/v2/idps/nobody', undefined, [404, 'IDP_CONFIG_NOT_FOUND']),
    'patchV2IdpsIdp-id': level(
      'admin',
      '/v2/idps/nobody',
      { ...idp, updateMask: { paths: ['issuer'], unknownFields: { fields: {} } } },
      [400, 'INVALID_FIELD'],
    ),
    'deleteV2IdpsIdp-id': level('admin', '/v2/idps/nobody', undefined, [
      404,
      'IDP_CONFIG_NOT_FOUND',
    ]),
    'postV2Interactive-submissionPrepare': level('readAs', '/v2/interactive-submission/prepare', {
      ...commands(),
      synchronizerId: '',
      packageIdSelectionPreference: [],
    }),
    'postV2Interactive-submissionExecute': level(
      'executeAs',
      '/v2/interactive-submission/execute',
      execution,
      [400, 'INVALID_FIELD'],
    ),
    'postV2Interactive-submissionExecuteandwait': level(
      'executeAs',
      '/v2/interactive-submission/executeAndWait',
      execution,
      [400, 'INVALID_FIELD'],
    ),
    'postV2Interactive-submissionExecuteandwaitfortransaction': level(
      'executeAs',
      '/v2/interactive-submission/executeAndWaitForTransaction',
      execution,
      [400, 'INVALID_FIELD'],
    ),
    'getV2Interactive-submissionPreferred-package-version': level(
      'public',
      `/v2/interactive-submission/preferred-package-version?parties=${encodeURIComponent(alice)}&package-name=model-tests`,
    ),
    'postV2Interactive-submissionPreferred-packages': level(
      'public',
      '/v2/interactive-submission/preferred-packages',
      { packageVettingRequirements: [{ parties: [alice], packageName: 'model-tests' }] },
    ),
    getV2JoseJwks: level(
      'public',
      `/v2/jose/jwks/synchronizer/x/party/${encodeURIComponent(alice)}`,
      undefined,
      [400, 'INVALID_ARGUMENT'],
    ),
    'getV2TrafficAccountsAccount-id': level(
      'executeAs',
      `/v2/traffic/accounts/${encodeURIComponent(alice)}`,
    ),
    postV2TrafficAccounts: level('admin', '/v2/traffic/accounts', {
      accountId: alice,
      balanceDelta: 1,
      deduplicationId: next(),
    }),
    postV2TrafficEventsPrune: level('admin', '/v2/traffic/events/prune', {
      beforeOrAt: '1970-01-01T00:00:00Z',
    }),
    'getV2Package-vetting': level('public', '/v2/package-vetting', {}),
    'postV2Package-vetting': level('admin', '/v2/package-vetting', { changes: [] }),
    'postV2Package-vettingList': level('public', '/v2/package-vetting/list', {}),
    'postV2Package-vettingUpdate': level('admin', '/v2/package-vetting/update', { changes: [] }),
    postV2DarsValidate: level('admin', '/v2/dars/validate', Buffer.from('no dar'), [
      400,
      'INVALID_DAR',
    ]),
    postV2Dars: level('admin', '/v2/dars', Buffer.from('no dar'), [400, 'INVALID_DAR']),
    getV2Packages: level('public', '/v2/packages'),
    postV2Packages: level('admin', '/v2/packages', Buffer.from('no dar'), [400, 'INVALID_DAR']),
    'getV2PackagesPackage-id': level('public', `/v2/packages/${packageId}`),
    'getV2PackagesPackage-idStatus': level('public', `/v2/packages/${packageId}/status`),
    getV2Parties: level('anyAdmin', '/v2/parties'),
    postV2Parties: level('anyAdmin', '/v2/parties', { partyIdHint: next() }),
    postV2PartiesExternalAllocate: level(
      'anyAdmin',
      '/v2/parties/external/allocate',
      { synchronizer: 'x', onboardingTransactions: [], multiHashSignatures: [] },
      [400, 'INVALID_FIELD'],
    ),
    'getV2PartiesParticipant-id': level('public', '/v2/parties/participant-id'),
    getV2PartiesParty: level('operateAs', `/v2/parties/${encodeURIComponent(alice)}`),
    patchV2PartiesParty: level('anyAdmin', `/v2/parties/${encodeURIComponent(alice)}`, {
      partyDetails: { party: alice },
      updateMask: { paths: ['local_metadata.annotations'], unknownFields: { fields: {} } },
    }),
    'postV2PartiesExternalGenerate-topology': level(
      'public',
      '/v2/parties/external/generate-topology',
      {
        synchronizer: 'x',
        partyHint: 'p',
        publicKey: {
          format: 'CRYPTO_KEY_FORMAT_RAW',
          keyData: '',
          keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
        },
      },
      [400, 'INVALID_ARGUMENT'],
    ),
    'postV2StateActive-contracts': level('readAs', '/v2/state/active-contracts', {
      activeAtOffset: 0,
      eventFormat: format,
    }),
    'getV2StateActive-contracts-page': level('readAs', '/v2/state/active-contracts-page', {
      activeAtOffset: 0,
      eventFormat: format,
    }),
    'postV2StateActive-contracts-page': level('readAs', '/v2/state/active-contracts-page', {
      activeAtOffset: 0,
      eventFormat: format,
    }),
    'getV2StateConnected-synchronizers': level(
      'operateAs',
      `/v2/state/connected-synchronizers?party=${encodeURIComponent(alice)}`,
    ),
    'getV2StateLedger-end': level('public', '/v2/state/ledger-end'),
    'getV2StateLatest-pruned-offsets': level('public', '/v2/state/latest-pruned-offsets'),
    postV2Updates: level('readAs', '/v2/updates', {
      beginExclusive: 0,
      endInclusive: 1,
      updateFormat: updates,
    }),
    postV2UpdatesFlats: level('readAs', '/v2/updates/flats', {
      beginExclusive: 0,
      endInclusive: 1,
      filter: { filtersByParty: format.filtersByParty },
      verbose: true,
    }),
    postV2UpdatesTrees: level('readAs', '/v2/updates/trees', {
      beginExclusive: 0,
      endInclusive: 1,
      filter: { filtersByParty: format.filtersByParty },
      verbose: true,
    }),
    'getV2UpdatesTransaction-tree-by-offsetOffset': level(
      'readAs',
      `/v2/updates/transaction-tree-by-offset/1?parties=${encodeURIComponent(alice)}`,
      undefined,
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'getV2UpdatesTransaction-tree-by-idUpdate-id': level(
      'readAs',
      `/v2/updates/transaction-tree-by-id/${updateId}?parties=${encodeURIComponent(alice)}`,
      undefined,
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesTransaction-by-offset': level(
      'readAs',
      '/v2/updates/transaction-by-offset',
      { offset: 1, transactionFormat: transactions },
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesTransaction-by-id': level(
      'readAs',
      '/v2/updates/transaction-by-id',
      { updateId, transactionFormat: transactions },
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesUpdate-by-offset': level(
      'readAsAnyParty',
      '/v2/updates/update-by-offset',
      { offset: 1, updateFormat: updateFormat('ACS_DELTA', everyone) },
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesUpdate-by-id': level(
      'readAs',
      '/v2/updates/update-by-id',
      { updateId, updateFormat: updates },
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesUpdate-by-hash': level(
      'readAs',
      '/v2/updates/update-by-hash',
      { transactionHash: 'AAAA', updateFormat: updates },
      [404, 'UPDATE_NOT_FOUND'],
    ),
    'postV2UpdatesGet-updates-page': level('readAs', '/v2/updates/get-updates-page', {
      updateFormat: updates,
    }),
    getV2Users: level('anyAdmin', '/v2/users'),
    postV2Users: level('anyAdmin', '/v2/users', { user: { id: next() }, rights: [] }),
    'getV2UsersUser-id': level('anyAdmin', '/v2/users/participant_admin'),
    'patchV2UsersUser-id': level('anyAdmin', '/v2/users/participant_admin', {
      user: { id: 'participant_admin' },
      updateMask: { paths: ['metadata.annotations'], unknownFields: { fields: {} } },
    }),
    'deleteV2UsersUser-id': level('anyAdmin', '/v2/users/nobody', undefined, [
      404,
      'USER_NOT_FOUND',
    ]),
    'getV2Authenticated-user': level('public', '/v2/authenticated-user'),
    'getV2UsersUser-idRights': level('anyAdmin', '/v2/users/participant_admin/rights'),
    'postV2UsersUser-idRights': level('anyAdmin', '/v2/users/participant_admin/rights', {
      userId: 'participant_admin',
      rights: [],
    }),
    'patchV2UsersUser-idRights': level('anyAdmin', '/v2/users/participant_admin/rights', {
      userId: 'participant_admin',
      rights: [],
    }),
    'patchV2UsersUser-idIdentity-provider-id': level(
      'admin',
      '/v2/users/participant_admin/identity-provider-id',
      { userId: 'participant_admin', sourceIdentityProviderId: '', targetIdentityProviderId: '' },
    ),
  };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}
