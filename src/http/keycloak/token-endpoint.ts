/**
 * The token endpoint of a realm (RFC 6749, and OpenID Connect if the scope requests it): codes of the browser's
 * login, client credentials, passwords, refresh tokens.
 * NOTE: answers and errors are those that clients of Keycloak 26 observe; its source is not part of the ledger's.
 */
import { createHash } from 'node:crypto';
import { isChallenge } from './login.js';
import type { Claims, Login, Realm, RealmClient } from './realm.js';
import { grantedScope, includesScope, refusedScope } from './scopes.js';
import type { LoginRequest } from './sessions.js';

/** Seconds. */
const ACCESS_LIFE = 300;
const REFRESH_LIFE = 1800;

export interface Granted {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request, from its form and headers. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  /** `Authorization`, if the client sends its secret there. */
  readonly authorization?: string;
  /** URL of the realm, as the client knows it. */
  readonly issuer: string;
}

const refused = (status: number, error: string, description: string): Granted => ({
  status,
  body: { error, error_description: description },
});

const INVALID_CLIENT = 'Invalid client or Invalid client credentials';

export function granted(realm: Realm, request: TokenRequest): Granted {
  const { form } = request;
  const grantType = form.get('grant_type');
  if (grantType === null)
    return refused(400, 'invalid_request', 'Missing form parameter: grant_type');
  const client = clientOf(realm, request);
  if ('status' in client) return client;
  switch (grantType) {
    case 'authorization_code':
      return byCode(realm, client, request);
    case 'client_credentials':
      return byClient(realm, client, request);
    case 'password':
      return byPassword(realm, client, request);
    case 'refresh_token':
      return byRefreshing(realm, client, request);
    default:
      return refused(400, 'unsupported_grant_type', 'Unsupported grant_type');
  }
}

/** `POST …/logout` with a refresh token: the session ends of which it is. */
export function loggedOutBy(realm: Realm, request: TokenRequest): Granted | undefined {
  const client = clientOf(realm, request);
  if ('status' in client) return client;
  const claims = realm.verified(request.form.get('refresh_token') ?? '');
  if (!isRefresh(claims, client)) return refused(400, 'invalid_grant', 'Invalid refresh token');
  const session = realm.sessions.of(claims);
  if (session !== undefined) realm.sessions.end(session, claims['typ'] === 'Offline');
  return undefined;
}

function clientOf(realm: Realm, request: TokenRequest): RealmClient | Granted {
  const credentials = clientCredentials(request);
  const client = realm.client(credentials.id);
  if (client === undefined) return refused(401, 'invalid_client', INVALID_CLIENT);
  if (client.secret !== undefined && client.secret !== credentials.secret)
    return refused(401, 'unauthorized_client', INVALID_CLIENT);
  return client;
}

/** RFC 6749, 4.1.3: in the order in which Keycloak looks. */
function byCode(realm: Realm, client: RealmClient, tokenRequest: TokenRequest): Granted {
  const { form } = tokenRequest;
  const text = form.get('code');
  if (text === null) return refused(400, 'invalid_request', 'Missing parameter: code');
  const code = realm.sessions.codeOf(text);
  if (code === undefined || code.used) {
    // A code that is used again may be stolen, so its tokens become invalid.
    code?.session.clients.delete(code.request.client.id);
    return refused(400, 'invalid_grant', 'Code not valid');
  }
  code.used = true;
  const { request, session } = code;
  if (realm.sessions.of({ sid: session.id }) === undefined)
    return refused(400, 'invalid_grant', 'User session not found');
  if (request.redirectUri !== form.get('redirect_uri'))
    return refused(400, 'invalid_grant', 'Incorrect redirect_uri');
  if (request.client.id !== client.id)
    return refused(400, 'invalid_grant', 'Auth error: Found different client_id in clientSession');
  const error = verifierError(request, form.get('code_verifier'));
  if (error !== undefined) return refused(400, 'invalid_grant', error);
  const { user } = session;
  session.clients.add(client.id);
  const { nonce, scope } = request;
  const login = { client, subject: user.id, name: user.name, isService: false, session, nonce };
  return tokens(realm, tokenRequest, login, scope);
}

/** RFC 7636, 4.6. */
function verifierError({ challenge }: LoginRequest, verifier: string | null): string | undefined {
  if (challenge === undefined)
    return verifier === null
      ? undefined
      : 'PKCE code verifier specified but challenge not present in authorization';
  if (verifier === null) return 'PKCE code verifier not specified';
  if (!isChallenge(verifier)) return 'PKCE verification failed: Invalid code verifier';
  const { method, value } = challenge;
  const own =
    method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return own === value ? undefined : 'PKCE verification failed: Code mismatch';
}

function byClient(realm: Realm, client: RealmClient, request: TokenRequest): Granted {
  if (client.secret === undefined)
    return refused(
      401,
      'unauthorized_client',
      'Public client not allowed to retrieve service account',
    );
  const { serviceAccount: subject } = client;
  if (subject === undefined)
    return refused(401, 'unauthorized_client', 'Client not enabled to retrieve service account');
  const error = refusedScope(request.form.get('scope') ?? '');
  if (error !== undefined) return refused(400, 'invalid_scope', error);
  return tokens(realm, request, {
    client,
    subject,
    name: `service-account-${client.id}`,
    isService: true,
  });
}

function byPassword(realm: Realm, client: RealmClient, request: TokenRequest): Granted {
  if (!client.takesPasswords)
    return refused(400, 'unauthorized_client', 'Client not allowed for direct access grants');
  const name = request.form.get('username');
  if (name === null) return refused(401, 'invalid_request', 'Missing parameter: username');
  const user = realm.user(name);
  if (user === undefined || user.password !== request.form.get('password'))
    return refused(401, 'invalid_grant', 'Invalid user credentials');
  if (user.isDisabled) return refused(400, 'invalid_grant', 'Account disabled');
  if (user.isIncomplete) return refused(400, 'invalid_grant', 'Account is not fully set up');
  const error = refusedScope(request.form.get('scope') ?? '');
  if (error !== undefined) return refused(400, 'invalid_scope', error);
  const session = realm.sessions.open(user);
  session.clients.add(client.id);
  return tokens(realm, request, {
    client,
    subject: user.id,
    name: user.name,
    isService: false,
    session,
  });
}

function byRefreshing(realm: Realm, client: RealmClient, request: TokenRequest): Granted {
  const claims = realm.verified(request.form.get('refresh_token') ?? '');
  if (!isRefresh(claims, client)) return refused(400, 'invalid_grant', 'Invalid refresh token');
  const session = realm.sessions.of(claims);
  if (session === undefined) return refused(400, 'invalid_grant', 'Session not active');
  if (!session.clients.has(client.id))
    return refused(400, 'invalid_grant', "Session doesn't have required client");
  const { user } = session;
  const login = { client, subject: user.id, name: user.name, isService: false, session };
  const scope = request.form.get('scope') ?? String(claims['scope']);
  return tokens(realm, request, login, scope);
}

const isRefresh = (claims: Claims | undefined, { id }: RealmClient): claims is Claims =>
  (claims?.['typ'] === 'Refresh' || claims?.['typ'] === 'Offline') && claims['azp'] === id;

function tokens(
  realm: Realm,
  { form, issuer }: TokenRequest,
  login: Login,
  wanted = form.get('scope') ?? '',
): Granted {
  const { client, subject, name, isService, session, nonce } = login;
  const isOpenId = includesScope(wanted, 'openid');
  const isOffline = includesScope(wanted, 'offline_access');
  const scope = grantedScope(wanted);
  if (session !== undefined && isOffline) realm.sessions.giveOffline(session);
  const iat = Math.floor(realm.now() / 1000);
  const common = {
    iat,
    iss: issuer,
    sub: subject,
    azp: client.id,
    ...(session && { sid: session.id }),
  };
  const own = { acr: '1', email_verified: !isService, preferred_username: name };
  const access = realm.signed({
    ...common,
    exp: iat + ACCESS_LIFE,
    jti: identified(common, 'access'),
    aud: [realm.options.audience, 'account'],
    typ: 'Bearer',
    ...own,
    scope,
    ...(isService && { client_id: client.id }),
  });
  const id = () =>
    realm.signed({
      ...common,
      exp: iat + ACCESS_LIFE,
      ...(session && { auth_time: session.since }),
      jti: identified(common, 'id'),
      aud: client.id,
      typ: 'ID',
      ...(nonce !== undefined && { nonce }),
      at_hash: createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url'),
      ...own,
    });
  const refresh = () =>
    realm.signed({
      ...common,
      ...(!isOffline && { exp: iat + REFRESH_LIFE }),
      jti: identified(common, 'refresh'),
      aud: issuer,
      typ: isOffline ? 'Offline' : 'Refresh',
      scope,
    });
  const body = {
    access_token: access,
    expires_in: ACCESS_LIFE,
    refresh_expires_in: isService || isOffline ? 0 : REFRESH_LIFE,
    ...(session && { refresh_token: refresh() }),
    token_type: 'Bearer',
    ...(isOpenId && { id_token: id() }),
    'not-before-policy': 0,
    ...(session && { session_state: session.id }),
    scope,
  };
  return { status: 200, body };
}

const identified = (claims: Claims, kind: string): string =>
  createHash('sha256')
    .update(JSON.stringify([claims, kind]))
    .digest('hex')
    .slice(0, 32);

/** RFC 6749, 2.3.1: in the header, or in the form. */
function clientCredentials({ form, authorization = '' }: TokenRequest): {
  id: string;
  secret?: string;
} {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? undefined };
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return { id: decoded(id), secret: decoded(rest.join(':')) };
}

const decoded = (text: string): string =>
  decodeURIComponent(text.replace(/\+/g, ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
