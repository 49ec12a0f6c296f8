/**
 * Which method of the Ledger API is what request of the JSON Ledger API, of those that scripts make. Messages are the same objects
 * there as bodies. NOTE: the time of a ledger stands at a path of our own: the JSON Ledger API has none for it.
 */
type Body = Readonly<Record<string, unknown>>;

export interface Route {
  /** `Service/Method` of the Ledger API. */
  readonly method: string;
  readonly message: (request: Requested) => object;
}

interface Requested {
  /** What stands in the path. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Body | Uint8Array | undefined;
}

const nothing = () => ({});
const body = ({ body: given }: Requested): object => given ?? {};
const page = ({ query }: Requested): object => ({ pageToken: query.get('pageToken') ?? '' });
const user = ({ id }: Requested): object => ({ userId: id, identityProviderId: '' });
const [PARTIES, USERS] = ['admin.PartyManagementService', 'admin.UserManagementService'];

/** By method and path; `*` is one part of it. */
const ROUTES: Readonly<Record<string, Route>> = {
  'POST /v2/dars': {
    method: 'admin.PackageManagementService/UploadDarFile',
    message: ({ body: darFile }) => ({ darFile, submissionId: '' }),
  },
  'GET /v2/version': { method: 'VersionService/GetLedgerApiVersion', message: nothing },
  'GET /v2/state/ledger-end': { method: 'StateService/GetLedgerEnd', message: nothing },
  'POST /v2/state/active-contracts': { method: 'StateService/GetActiveContracts', message: body },
  'POST /v2/commands/submit-and-wait-for-transaction': {
    method: 'CommandService/SubmitAndWaitForTransaction',
    message: body,
  },
  'POST /v2/parties': { method: `${PARTIES}/AllocateParty`, message: body },
  'GET /v2/parties': { method: `${PARTIES}/ListKnownParties`, message: page },
  'POST /v2/users': { method: `${USERS}/CreateUser`, message: body },
  'GET /v2/users': { method: `${USERS}/ListUsers`, message: page },
  'GET /v2/users/*': { method: `${USERS}/GetUser`, message: user },
  'DELETE /v2/users/*': { method: `${USERS}/DeleteUser`, message: user },
  'GET /v2/users/*/rights': { method: `${USERS}/ListUserRights`, message: user },
  'POST /v2/users/*/rights': { method: `${USERS}/GrantUserRights`, message: body },
  'PATCH /v2/users/*/rights': { method: `${USERS}/RevokeUserRights`, message: body },
  'POST /v2/package-vetting/update': {
    method: 'admin.PackageManagementService/UpdateVettedPackages',
    message: body,
  },
  'GET /v2/testing/time': { method: 'testing.TimeService/GetTime', message: nothing },
  'POST /v2/testing/time': { method: 'testing.TimeService/SetTime', message: body },
};

/** @throws TypeError where the request is none that scripts make */
export function routeOf(
  method: string,
  path: string,
  given: Requested['body'],
): { readonly method: string; readonly message: object } {
  const [plain = '', query = ''] = path.split('?');
  const [before, id = '', after] = plain.split(/^(?:\/v2\/users\/)([^/]+)/);
  const known = id === '' ? before! : `/v2/users/*${after}`;
  const route = ROUTES[`${method} ${known}`];
  if (route === undefined) throw new TypeError(`No method of the Ledger API is ${method} ${path}.`);
  const request = { id: decodeURIComponent(id), query: new URLSearchParams(query), body: given };
  return { method: route.method, message: route.message(request) };
}
