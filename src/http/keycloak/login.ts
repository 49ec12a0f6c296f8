/**
 * The browser's login (RFC 6749, 4.1; RFC 7636; OpenID Connect Core, 3.1): the authorization endpoint, and the form
 * that it answers with. A user with a session does not log in again.
 * NOTE: the only login method is the password. There is no consent page, and nothing outlives a session.
 */
import type { WireAnswer } from '../answers.js';
import { errorPage, loginPage, postingPage } from './login-pages.js';
import type { Realm, RealmClient } from './realm.js';
import { refusedScope } from './scopes.js';
import type { LoginRequest, Session } from './sessions.js';

/** A request of a browser. */
export interface Browsing {
  /** The parameters of the query, or of the submitted form. */
  readonly parameters: URLSearchParams;
  readonly cookie: string;
  /** URL of the realm, as the browser sees it. */
  readonly issuer: string;
}

/** The cookies of a login in progress and of a completed login. */
const BEGUN = 'AUTH_SESSION_ID';
const IDENTITY = 'KEYCLOAK_IDENTITY';

const IMPLICIT = ['token', 'id_token'];

/** `GET …/protocol/openid-connect/auth`, and the same as POST. */
export function loginAnswer(realm: Realm, browsing: Browsing): WireAnswer {
  const { parameters, cookie, issuer } = browsing;
  const id = parameters.get('client_id');
  if (id === null) return errorPage(400, 'Missing parameter: client_id');
  const client = realm.client(id);
  if (client === undefined) return errorPage(400, 'Client not found.');
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (!mayReturnTo(client, redirectUri)) return errorPage(400, 'Invalid parameter: redirect_uri');

  const types = (parameters.get('response_type') ?? '').split(' ').filter(Boolean);
  const mode = parameters.get('response_mode');
  const isKnownMode = mode === 'query' || mode === 'fragment' || mode === 'form_post';
  const isImplicit = types.some((type) => IMPLICIT.includes(type));
  const request: LoginRequest = {
    client,
    redirectUri,
    responseMode: isKnownMode ? mode : isImplicit ? 'fragment' : 'query',
    responseType: types[0] === 'none' ? 'none' : 'code',
    scope: parameters.get('scope') ?? '',
    state: parameters.get('state') ?? undefined,
    nonce: parameters.get('nonce') ?? undefined,
    challenge: challengeOf(parameters),
    issuer,
    loginHint: parameters.get('login_hint') ?? undefined,
  };
  const error = errorOf(parameters, client, types) ?? pkceError(parameters);
  if (error !== undefined)
    return returned(request, { error: error[0], error_description: error[1] });

  const session = sessionOf(realm, cookie);
  const prompt = (parameters.get('prompt') ?? '').split(' ');
  if (session !== undefined && !prompt.includes('login')) return given(realm, request, session);
  if (prompt.includes('none')) return returned(request, { error: 'login_required' });
  const begun = realm.sessions.begin(request);
  return loginPage(formOf(realm, request, begun), cookieOf(realm, issuer, BEGUN, begun));
}

/** `POST …/login-actions/authenticate`: the form comes back. */
export function loggedIn(
  realm: Realm,
  { parameters, cookie, issuer }: Browsing,
  begun: string,
): WireAnswer {
  const request = realm.sessions.begunBy(begun);
  // A login of another browser, or of one without cookies, is unknown.
  if (request === undefined || cookieIn(cookie, BEGUN) !== begun)
    return errorPage(
      400,
      'Restart login cookie not found. It may have expired; it may have been deleted or cookies are disabled in your browser.',
    );
  const username = parameters.get('username') ?? '';
  const user = realm.user(username);
  if (user === undefined || user.password !== parameters.get('password')) {
    const error = 'Invalid username or password.';
    return loginPage({ ...formOf(realm, request, begun), username, error });
  }
  const refusal = user.isDisabled
    ? 'Account is disabled, contact your administrator.'
    : user.isIncomplete && 'Account is not fully set up';
  if (refusal) return loginPage({ ...formOf(realm, request, begun), username, error: refusal });
  return given(realm, { ...request, issuer }, realm.sessions.open(user));
}

/** The session that a browser is in. */
export const sessionOf = (realm: Realm, cookie: string): Session | undefined =>
  realm.sessions.of(realm.verified(cookieIn(cookie, IDENTITY)));

/** The cookie header that ends a browser's session after logout. */
export const noIdentity = (realm: Realm): string =>
  `${IDENTITY}=; Path=/realms/${realm.options.name}/; Max-Age=0; HttpOnly`;

/** As Keycloak matches them: a pattern that ends with a star matches every URI with that prefix. */
export function mayReturnTo({ redirectUris = [] }: RealmClient, uri: string): boolean {
  if (!URL.canParse(uri) || new URL(uri).username !== '') return false;
  const plain = uri.replace(/\?.*$/, '');
  return redirectUris.some((valid) =>
    valid.endsWith('*') ? plain.startsWith(valid.slice(0, -1)) : uri === valid,
  );
}

function errorOf(
  parameters: URLSearchParams,
  client: RealmClient,
  types: readonly string[],
): [string, string?] | undefined {
  const flow = (name: string): [string, string] => [
    'unauthorized_client',
    `Client is not allowed to initiate browser login with given response_type. ${name} flow is disabled for the client.`,
  ];
  if (!parameters.has('response_type'))
    return ['invalid_request', 'Missing parameter: response_type'];
  const isKnown = types.every((type) => ['code', 'none', ...IMPLICIT].includes(type));
  if (types.length === 0 || !isKnown || (types.length > 1 && types.includes('none')))
    return ['unsupported_response_type'];
  const mode = parameters.get('response_mode') ?? 'query';
  if (!['query', 'fragment', 'form_post'].includes(mode))
    return ['invalid_request', 'Invalid parameter: response_mode'];
  const isStandard = types.includes('code') || types.includes('none');
  if (isStandard && client.redirectUris === undefined) return flow('Standard');
  if (types.some((type) => IMPLICIT.includes(type))) return flow('Implicit');
  const scope = refusedScope(parameters.get('scope') ?? '');
  return scope === undefined ? undefined : ['invalid_scope', scope];
}

const METHODS = ['S256', 'plain'];

function pkceError(parameters: URLSearchParams): [string, string] | undefined {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === null)
    return method === null ? undefined : ['invalid_request', 'Missing parameter: code_challenge'];
  if (method !== null && !METHODS.includes(method))
    return ['invalid_request', 'Invalid parameter: code_challenge_method'];
  return isChallenge(challenge)
    ? undefined
    : ['invalid_request', 'Invalid parameter: code_challenge'];
}

/** RFC 7636, 4.1 and 4.2. */
export const isChallenge = (text: string): boolean => /^[0-9a-zA-Z\-.~_]{43,128}$/.test(text);

function challengeOf(parameters: URLSearchParams): LoginRequest['challenge'] {
  const value = parameters.get('code_challenge');
  if (value === null) return undefined;
  return { value, method: parameters.get('code_challenge_method') ?? 'plain' };
}

function given(realm: Realm, request: LoginRequest, session: Session): WireAnswer {
  const { issuer, responseType } = request;
  const identity = realm.signed({
    iss: issuer,
    sub: session.user.id,
    typ: 'Serialized-ID',
    sid: session.id,
  });
  const code = responseType === 'code' ? { code: realm.sessions.give(request, session) } : {};
  return returned(
    request,
    { session_state: session.id, ...code },
    cookieOf(realm, issuer, IDENTITY, identity),
  );
}

/** Redirects to the client with the result. */
function returned(
  { redirectUri, responseMode, state, issuer }: LoginRequest,
  result: Readonly<Record<string, string | undefined>>,
  cookie?: string,
): WireAnswer {
  const { code, ...others } = result;
  const all = { state, ...others, iss: issuer, code };
  const parameters = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  if (responseMode === 'form_post') return postingPage(redirectUri, parameters, cookie);
  const location = new URL(redirectUri);
  if (responseMode === 'fragment') location.hash = new URLSearchParams(parameters).toString();
  else
    for (const [name, value] of Object.entries(parameters))
      location.searchParams.append(name, value);
  const headers = {
    location: location.href,
    'cache-control': 'no-store, must-revalidate, max-age=0',
  };
  return { status: 302, headers: { ...headers, ...(cookie && { 'set-cookie': cookie }) } };
}

function formOf(realm: Realm, request: LoginRequest, begun: string) {
  const query = new URLSearchParams({ session_code: begun, client_id: request.client.id });
  const action = `${request.issuer}/login-actions/authenticate?${query}`;
  return { realm: realm.options.name, action, username: request.loginHint };
}

/**
 * Over TLS, browsers also send the cookie from frames in pages of other sites, which look whether a user is logged
 * in.
 */
function cookieOf(realm: Realm, issuer: string, name: string, value: string): string {
  const sites = issuer.startsWith('https:') ? 'SameSite=None; Secure' : 'SameSite=Lax';
  return `${name}=${value}; Path=/realms/${realm.options.name}/; HttpOnly; ${sites}`;
}

function cookieIn(cookie: string, name: string): string {
  const [found = ''] = cookie.split(/; */).filter((each) => each.startsWith(`${name}=`));
  return found.slice(name.length + 1);
}
