/**
 * The operations of a Ledger API that Canticle calls on other participants. Each has its JSON request, the parts of
 * its answer that are used, and its gRPC method if scripts call it over gRPC.
 */
import type { Shape } from '../spec/shapes.js';
import { ANSWERS, CONTRACT } from './shapes.js';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `*` is the place of an id. */
  readonly path: string;
  /** `Service/Method` of `com.daml.ledger.api.v2`. */
  readonly grpc?: string;
  readonly answer?: Shape;
  /** For a list with pages. */
  readonly pages?: Pages;
}

/**
 * The members of a list: its items, the token of the next page, and the token's name in the request: in the query,
 * or in the body of a POST.
 */
export interface Pages {
  readonly items: string;
  readonly next: string;
  readonly token: string;
}

/** An operation that changes no data. */
export interface Read extends Operation {
  readonly isRead: true;
}

type More = Omit<Operation, 'method' | 'path' | 'answer'>;
const get = (path: string, answer?: Shape, more?: More): Read => ({
  ...{ method: 'GET', path, isRead: true },
  ...(answer && { answer }),
  ...more,
});
/** Its question is in the body. */
const query = (path: string, answer?: Shape, more?: More): Read => ({
  ...get(path, answer, more),
  method: 'POST',
});
const change = (method: Operation['method'], path: string, grpc?: string): Operation => ({
  ...{ method, path },
  ...(grpc !== undefined && { grpc }),
});
const pagesOf = (items: string): Pages => ({ items, next: 'nextPageToken', token: 'pageToken' });

const [PARTIES, USERS] = ['admin.PartyManagementService', 'admin.UserManagementService'];
const [USER, RIGHTS] = ['/v2/users/*', '/v2/users/*/rights'];
/** NOTE: our own path, because the JSON Ledger API has no operation for it. */
const TIME = '/v2/testing/time';

export const OPERATIONS = {
  version: get('/v2/version', ANSWERS.version, { grpc: 'VersionService/GetLedgerApiVersion' }),
  ledgerEnd: get('/v2/state/ledger-end', ANSWERS.ledgerEnd, { grpc: 'StateService/GetLedgerEnd' }),
  prunedOffsets: get('/v2/state/latest-pruned-offsets', ANSWERS.pruned),
  synchronizers: get('/v2/state/connected-synchronizers', ANSWERS.synchronizers),
  activeContracts: query('/v2/state/active-contracts', undefined, {
    grpc: 'StateService/GetActiveContracts',
  }),
  /** Over a WebSocket: each message. */
  activeContractsStream: get('/v2/state/active-contracts', CONTRACT),
  activeContractsPage: query('/v2/state/active-contracts-page', ANSWERS.contracts, {
    pages: pagesOf('activeContracts'),
  }),
  updates: query('/v2/updates'),
  updateAt: query('/v2/updates/update-by-offset', ANSWERS.update),
  eventsOf: query('/v2/events/events-by-contract-id'),
  submit: change(
    'POST',
    '/v2/commands/submit-and-wait-for-transaction',
    'CommandService/SubmitAndWaitForTransaction',
  ),
  reassign: change('POST', '/v2/commands/submit-and-wait-for-reassignment'),
  participantId: get('/v2/parties/participant-id', ANSWERS.participantId),
  parties: get('/v2/parties', ANSWERS.parties, {
    grpc: `${PARTIES}/ListKnownParties`,
    pages: pagesOf('partyDetails'),
  }),
  party: get('/v2/parties/*'),
  allocateParty: change('POST', '/v2/parties', `${PARTIES}/AllocateParty`),
  authenticatedUser: get('/v2/authenticated-user', ANSWERS.authenticatedUser),
  users: get('/v2/users', ANSWERS.users, { grpc: `${USERS}/ListUsers`, pages: pagesOf('users') }),
  user: get(USER, undefined, { grpc: `${USERS}/GetUser` }),
  createUser: change('POST', '/v2/users', `${USERS}/CreateUser`),
  deleteUser: change('DELETE', USER, `${USERS}/DeleteUser`),
  rights: get(RIGHTS, ANSWERS.rights, { grpc: `${USERS}/ListUserRights` }),
  grant: change('POST', RIGHTS, `${USERS}/GrantUserRights`),
  revoke: change('PATCH', RIGHTS, `${USERS}/RevokeUserRights`),
  identityProviders: get('/v2/idps', ANSWERS.identityProviders),
  packages: get('/v2/packages', ANSWERS.packages),
  package: get('/v2/packages/*'),
  packageStatus: get('/v2/packages/*/status', ANSWERS.packageStatus),
  uploadDar: change('POST', '/v2/packages', 'admin.PackageManagementService/UploadDarFile'),
  vettedPackages: query('/v2/package-vetting/list', ANSWERS.vetted, {
    pages: pagesOf('vettedPackages'),
  }),
  vet: change(
    'POST',
    '/v2/package-vetting/update',
    'admin.PackageManagementService/UpdateVettedPackages',
  ),
  time: get(TIME, undefined, { grpc: 'testing.TimeService/GetTime' }),
  setTime: change('POST', TIME, 'testing.TimeService/SetTime'),
} satisfies Readonly<Record<string, Operation>>;
