/**
 * The requirements of each operation of the Ledger API, one row for each. A stream uses the row of its list.
 * Checked at one place, before the handler and after the JSON layer's checks (B-AUTH-030).
 */
import type { EngineRules } from '../../daml/refusals/engine-rules.js';
import { kindsForAdmins } from '../../network/administration/user-rights.js';
import type { Operations, ReassignmentCommands, Right, User } from '../../spec/generated/ledger.js';
import type { ServedIds } from '../../spec/served.js';
import {
  ADMIN,
  eventFormat,
  idpAdmin,
  nowhere,
  place,
  placeIn,
  PUBLIC,
  readAs,
  readAsOrAnyParty,
  submission,
  transactionFormat,
  updateFormat,
  type Requirement,
} from './requirements.js';

type InputOf<Id extends keyof Operations> = Pick<Operations[Id], 'path' | 'query' | 'body'>;

type Row<Id extends keyof Operations> =
  /** Checks a token if there is one, but needs none. */
  'open' | ((input: InputOf<Id>, rules: EngineRules) => readonly Requirement[]);

/** Over gRPC none may be there. */
const isNamed = (party: string | undefined): boolean => party !== undefined;

const toAll = (requirement: Requirement) => () => [requirement];
const IDP = 'identity-provider-id';

/** Rights that only a participant administrator may give or take (B-USR-030). */
function areAdmins(rights: readonly Right[] | undefined, rules: EngineRules): boolean {
  const kinds = kindsForAdmins(rules);
  return (rights ?? []).some(
    ({ kind }) => kind !== undefined && kinds.some((each) => each in kind),
  );
}

function execution(body: { preparedTransaction: string }): Requirement[] {
  return [
    { kind: 'user', place: place(body, 'userId') },
    { kind: 'executePrepared', prepared: body.preparedTransaction },
  ];
}

/** A user asks about itself or an administrator about anyone. */
const aboutUser = (user: ReturnType<typeof place>, query: object): Requirement[] => [
  { kind: 'userOrAdmin', place: user },
  { kind: 'identityProvider', place: place(query, IDP) },
];

const allocation = (body: { userId?: string }): Requirement[] => [
  { kind: 'adminOrSelf', userId: body.userId ?? '' },
  { kind: 'identityProvider', place: place(body, 'identityProviderId') },
];

type LegacyLookup = Operations['postV2UpdatesTransaction-by-id']['body'];
const legacyLookup = ({ requestingParties = [], transactionFormat: format }: LegacyLookup) => [
  ...readAs(requestingParties),
  ...transactionFormat(format),
];

export const CLAIMS: { readonly [Id in ServedIds<'ledger'>]: Row<Id> } = {
  getLivez: 'open',
  getReadyz: 'open',
  getV2Version: 'open',

  'postV2CommandsSubmit-and-wait': ({ body }) => submission(place(body, 'userId'), body),
  'postV2CommandsSubmit-and-wait-for-transaction': ({ body }) => [
    ...submission(place(body.commands, 'userId'), body.commands ?? {}),
    ...transactionFormat(body.transactionFormat),
  ],
  'postV2CommandsSubmit-and-wait-for-transaction-tree': ({ body }) =>
    submission(place(body, 'userId'), body),
  'postV2CommandsSubmit-and-wait-for-reassignment': ({ body }) => [
    ...reassignment(body),
    ...eventFormat(body.eventFormat),
  ],
  postV2CommandsAsyncSubmit: ({ body }) => submission(place(body, 'userId'), body),
  'postV2CommandsAsyncSubmit-reassignment': ({ body }) => reassignment(body),
  postV2CommandsCompletions: ({ body }) => [
    { kind: 'user', place: place(body, 'userId'), orAnyPartyReader: true },
    ...readAs(body.parties),
  ],
  'postV2CommandsCommand-completions': ({ body }) => readAsOrAnyParty(body.parties),
  'postV2CommandsCompletion-by-hash': toAll({ kind: 'readAsSomeone' }),

  'postV2ContractsContract-by-id': ({ body }) => readAsOrAnyParty(body.queryingParties),
  'postV2EventsEvents-by-contract-id': ({ body }) => eventFormat(body.eventFormat),

  getV2Idps: toAll(ADMIN),
  postV2Idps: toAll(ADMIN),
  'getV2IdpsIdp-id': toAll(ADMIN),
  'patchV2IdpsIdp-id': toAll(ADMIN),
  'deleteV2IdpsIdp-id': toAll(ADMIN),

  // Preparing needs only read rights; executing needs the right to execute (B-AUTH-023).
  'postV2Interactive-submissionPrepare': ({ body }) => [
    { kind: 'user', place: place(body, 'userId') },
    ...readAs([...(body.readAs ?? []), ...body.actAs]),
  ],
  'postV2Interactive-submissionExecute': ({ body }) => execution(body),
  'postV2Interactive-submissionExecuteandwait': ({ body }) => execution(body),
  'postV2Interactive-submissionExecuteandwaitfortransaction': ({ body }) => [
    ...execution(body),
    ...transactionFormat(body.transactionFormat),
  ],
  'getV2Interactive-submissionPreferred-package-version': toAll(PUBLIC),
  'postV2Interactive-submissionPreferred-packages': toAll(PUBLIC),
  getV2JoseJwks: toAll(PUBLIC),

  'getV2TrafficAccountsAccount-id': ({ path }) => [
    { kind: 'executeAs', parties: [path['account-id']] },
  ],
  postV2TrafficAccounts: toAll(ADMIN),
  postV2TrafficEventsPrune: toAll(ADMIN),

  'getV2Package-vetting': toAll(PUBLIC),
  'postV2Package-vetting': toAll(ADMIN),
  'postV2Package-vettingList': toAll(PUBLIC),
  'postV2Package-vettingUpdate': toAll(ADMIN),
  postV2DarsValidate: toAll(ADMIN),
  postV2Dars: toAll(ADMIN),
  getV2Packages: toAll(PUBLIC),
  postV2Packages: toAll(ADMIN),
  'getV2PackagesPackage-id': toAll(PUBLIC),
  'getV2PackagesPackage-idStatus': toAll(PUBLIC),

  getV2Parties: ({ query }) => idpAdmin(place(query, IDP)),
  postV2Parties: ({ body }) => allocation(body),
  postV2PartiesExternalAllocate: ({ body }) => allocation(body),
  'getV2PartiesParticipant-id': toAll(PUBLIC),
  getV2PartiesParty: ({ path, query }) => [
    { kind: 'adminOrOperateAs', parties: [path.party, ...(query.parties ?? [])].filter(isNamed) },
    { kind: 'identityProvider', place: place(query, IDP) },
  ],
  patchV2PartiesParty: ({ body }) => described(body.partyDetails),
  'postV2PartiesExternalGenerate-topology': toAll(PUBLIC),

  'postV2StateActive-contracts': ({ body }) => eventFormat(body.eventFormat),
  'getV2StateActive-contracts-page': ({ body }) => eventFormat(body.eventFormat),
  'postV2StateActive-contracts-page': ({ body }) => eventFormat(body.eventFormat),
  'getV2StateConnected-synchronizers': ({ query }) =>
    query.party
      ? [
          { kind: 'adminOrOperateAs', parties: [query.party] },
          { kind: 'identityProvider', place: place(query, 'identityProviderId') },
        ]
      : [PUBLIC],
  'getV2StateLedger-end': toAll(PUBLIC),
  'getV2StateLatest-pruned-offsets': toAll(PUBLIC),

  postV2Updates: ({ body }) => updateFormat(body.updateFormat),
  postV2UpdatesFlats: ({ body }) => updateFormat(body.updateFormat),
  postV2UpdatesTrees: ({ body }) => updateFormat(body.updateFormat),
  'getV2UpdatesTransaction-tree-by-offsetOffset': ({ query }) => readAs(query.parties ?? []),
  'getV2UpdatesTransaction-tree-by-idUpdate-id': ({ query }) => readAs(query.parties ?? []),
  'postV2UpdatesTransaction-by-offset': ({ body }) => legacyLookup(body as unknown as LegacyLookup),
  'postV2UpdatesTransaction-by-id': ({ body }) => legacyLookup(body),
  'postV2UpdatesUpdate-by-offset': ({ body }) => updateFormat(body.updateFormat),
  'postV2UpdatesUpdate-by-id': ({ body }) => updateFormat(body.updateFormat),
  'postV2UpdatesUpdate-by-hash': ({ body }) => updateFormat(body.updateFormat),
  'postV2UpdatesGet-updates-page': ({ body }) => updateFormat(body.updateFormat),

  getV2Users: () => idpAdmin(nowhere()),
  postV2Users: ({ body }, rules) =>
    idpAdmin(placeIn(body, 'user', 'identityProviderId', noUser), areAdmins(body.rights, rules)),
  'getV2UsersUser-id': ({ path, query }) => aboutUser(place(path, 'user-id'), query),
  'patchV2UsersUser-id': ({ body }) => described(body.user),
  'deleteV2UsersUser-id': () => idpAdmin(nowhere()),
  'getV2Authenticated-user': ({ query }) => aboutUser(place({}, 'user-id'), query),
  'getV2UsersUser-idRights': ({ path, query }) => aboutUser(place(path, 'user-id'), query),
  'postV2UsersUser-idRights': ({ body }, rules) =>
    idpAdmin(place(body, 'identityProviderId'), areAdmins(body.rights, rules)),
  'patchV2UsersUser-idRights': ({ body }, rules) =>
    idpAdmin(place(body, 'identityProviderId'), areAdmins(body.rights, rules)),
  'patchV2UsersUser-idIdentity-provider-id': toAll(ADMIN),
};

const noReassignment = (): ReassignmentCommands => ({ submitter: '', commandId: '', commands: [] });

function reassignment(body: { reassignmentCommands?: ReassignmentCommands }): Requirement[] {
  const { reassignmentCommands: commands } = body;
  const user = placeIn(body, 'reassignmentCommands', 'userId', noReassignment);
  return submission(user, { actAs: commands ? [commands.submitter] : [] });
}

/** If the message that names the identity provider is missing, the provider is not checked. */
function described(message: object | undefined): Requirement[] {
  return message === undefined
    ? [{ kind: 'adminOrIdpAdmin' }]
    : idpAdmin(place(message, 'identityProviderId'));
}

const noUser = (): User => ({ id: '' });
