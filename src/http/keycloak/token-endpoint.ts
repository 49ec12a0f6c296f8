/**
 * The token endpoint of a realm (RFC 6749, and OpenID Connect where the scope asks for it): client credentials, passwords, refreshing.
 * NOTE: answers and refusals are those of Keycloak 26, whose source is not part of the ledger's: what is told here is what its clients see.
 */
import { createHash } from 'node:crypto';
import type { Claims, Login, Realm, RealmClient } from './realm.js';

/** Seconds. */
const ACCESS_LIFE = 300;
const REFRESH_LIFE = 1800;

export interface Granted {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request as its form and headers tell it. */
export interface Asked {
  readonly form: URLSearchParams;
  /** `Authorization`, where the client says its secret there. */
  readonly authorization?: string;
  /** URL of the realm, as the client knows it. */
  readonly issuer: string;
}

const refused = (status: number, error: string, description: string): Granted => ({
  status,
  body: { error, error_description: description },
});

const INVALID_CLIENT = 'Invalid client or Invalid client credentials';

export function granted(realm: Realm, asked: Asked): Granted {
  const { form } = asked;
  const grantType = form.get('grant_type');
  if (grantType === null)
    return refused(400, 'invalid_request', 'Missing form parameter: grant_type');
  const credentials = clientCredentials(asked);
  const client = realm.client(credentials.id);
  if (client === undefined) return refused(401, 'invalid_client', INVALID_CLIENT);
  if (client.secret !== undefined && client.secret !== credentials.secret)
    return refused(401, 'unauthorized_client', INVALID_CLIENT);
  switch (grantType) {
    case 'client_credentials':
      return byClient(realm, client, asked);
    case 'password':
      return byPassword(realm, client, asked);
    case 'refresh_token':
      return byRefreshing(realm, client, asked);
    default:
      return refused(400, 'unsupported_grant_type', 'Unsupported grant_type');
  }
}

function byClient(realm: Realm, client: RealmClient, asked: Asked): Granted {
  if (client.secret === undefined)
    return refused(
      401,
      'unauthorized_client',
      'Public client not allowed to retrieve service account',
    );
  const { serviceAccount: subject } = client;
  if (subject === undefined)
    return refused(401, 'unauthorized_client', 'Client not enabled to retrieve service account');
  return tokens(realm, asked, {
    client,
    subject,
    name: `service-account-${client.id}`,
    isService: true,
  });
}

function byPassword(realm: Realm, client: RealmClient, asked: Asked): Granted {
  if (!client.takesPasswords)
    return refused(400, 'unauthorized_client', 'Client not allowed for direct access grants');
  const name = asked.form.get('username');
  if (name === null) return refused(401, 'invalid_request', 'Missing parameter: username');
  const user = realm.user(name);
  if (user === undefined || user.password !== asked.form.get('password'))
    return refused(401, 'invalid_grant', 'Invalid user credentials');
  return tokens(realm, asked, { client, subject: user.id, name, isService: false });
}

function byRefreshing(realm: Realm, client: RealmClient, asked: Asked): Granted {
  const claims = realm.verified(asked.form.get('refresh_token') ?? '');
  const isOurs = claims?.['typ'] === 'Refresh' && claims['azp'] === client.id;
  const user = realm.options.users.find(({ id }) => id === claims?.['sub']);
  if (!isOurs || user === undefined) return refused(400, 'invalid_grant', 'Invalid refresh token');
  const login = { client, subject: user.id, name: user.name, isService: false };
  const scope = asked.form.get('scope') ?? String(claims['scope']);
  return tokens(realm, asked, login, scope);
}

function tokens(
  realm: Realm,
  { form, issuer }: Asked,
  login: Login,
  wanted = form.get('scope') ?? '',
): Granted {
  const { client, subject, name, isService } = login;
  const isOpenId = wanted.split(' ').includes('openid');
  const scope = isOpenId ? 'openid email profile' : 'email profile';
  const iat = Math.floor(realm.now() / 1000);
  const common = { iat, iss: issuer, sub: subject, azp: client.id };
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
      jti: identified(common, 'id'),
      aud: client.id,
      typ: 'ID',
      ...own,
    });
  const refresh = () =>
    realm.signed({
      ...common,
      exp: iat + REFRESH_LIFE,
      jti: identified(common, 'refresh'),
      aud: issuer,
      typ: 'Refresh',
      scope,
    });
  const body = {
    access_token: access,
    expires_in: ACCESS_LIFE,
    refresh_expires_in: isService ? 0 : REFRESH_LIFE,
    ...(!isService && { refresh_token: refresh() }),
    token_type: 'Bearer',
    ...(isOpenId && { id_token: id() }),
    'not-before-policy': 0,
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
function clientCredentials({ form, authorization = '' }: Asked): { id: string; secret?: string } {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? undefined };
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return { id: decoded(id), secret: decoded(rest.join(':')) };
}

const decoded = (text: string): string =>
  decodeURIComponent(text.replace(/\+/g, ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
