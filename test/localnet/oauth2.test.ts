/**
 * OAuth2 as in cn-quickstart. An unmodified OpenID client finds each realm by discovery and logs in by client credentials, by
 * password and by the browser. Tokens name users by their ids, and a realm's tokens are valid at its own node only (L-AUTH-006).
 */
import { createPublicKey } from 'node:crypto';
import { generators, Issuer, type Client } from 'openid-client';
import { useLocalnet } from '../../src/testing/jest.js';

const localnet = useLocalnet({
  seed: 4,
  spliceDars: false,
  auth: 'oauth2',
  redirectUris: ['http://my-app.localhost:5173/*'],
});
const { appUser, appProvider, sv } = localnet;

const VALIDATOR_USER = '97bb6cef-a7a9-410b-ba8c-ada08451a5c9';
const WALLET_USER = '92a520cb-2f09-4e55-b465-d178c6cfe5e4';
const SECRET = '6m12QyyGl81d9nABWQXMycZdXho6ejEX';

async function client(client_id: string, client_secret?: string): Promise<Client> {
  const issuer = await Issuer.discover(appUser.oauth2!.issuer);
  const method = client_secret === undefined ? 'none' : 'client_secret_basic';
  return new issuer.Client({ client_id, client_secret, token_endpoint_auth_method: method });
}

async function statusOf(path: string, token: string, node = appUser): Promise<number> {
  const answer = await fetch(`${node.ledgerApi}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
}

it("logs in the validator's client with its secret", async () => {
  const validator = await client('app-user-validator', SECRET);
  const tokens = await validator.grant({ grant_type: 'client_credentials', scope: 'openid' });
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid email profile' });
  expect(tokens.expires_in).toBeLessThanOrEqual(300);
  // A key of the set signs its id token for this client: the client library checks that.
  expect(tokens.claims()).toMatchObject({
    sub: VALIDATOR_USER,
    aud: 'app-user-validator',
    preferred_username: 'service-account-app-user-validator',
  });
  // It is the participant's administrator, and the validator's user.
  expect(await statusOf('/v2/users', tokens.access_token!)).toBe(200);
  const info = (await (await fetch(`${appUser.validator}/v0/validator-user`)).json()) as any;
  expect(info).toEqual({ party_id: appUser.party, user_name: VALIDATOR_USER, featured: false });
});

it("logs in a user with a password, refreshes the token, and returns the user's identity", async () => {
  const wallet = await client('app-user-unsafe');
  const grant = {
    grant_type: 'password',
    username: 'app-user',
    password: 'abc123',
    scope: 'openid',
  };
  const tokens = await wallet.grant(grant);
  expect(tokens.claims()).toMatchObject({ sub: WALLET_USER, preferred_username: 'app-user' });
  expect(await statusOf(`/v2/users/${WALLET_USER}`, tokens.access_token!)).toBe(200);
  expect(await statusOf('/v2/users', tokens.access_token!)).toBe(403);
  const again = await wallet.refresh(tokens);
  expect(again.claims().sub).toBe(WALLET_USER);
  expect(await wallet.userinfo(again)).toMatchObject({
    sub: WALLET_USER,
    preferred_username: 'app-user',
  });
});

it('has the users of a realm with their ids, and no ledger-api-user', async () => {
  expect([appUser.user, appUser.walletUser, appUser.walletUserName]).toEqual([
    VALIDATOR_USER,
    WALLET_USER,
    'app-user',
  ]);
  const answer = await fetch(`${appUser.ledgerApi}/v2/users`, {
    headers: { authorization: `Bearer ${appUser.token()}` },
  });
  const { users } = (await answer.json()) as { users: { id: string; primaryParty: string }[] };
  expect(users.map(({ id, primaryParty }) => [id, primaryParty])).toEqual([
    [WALLET_USER, appUser.party],
    [VALIDATOR_USER, appUser.party],
    ['participant_admin', ''],
  ]);
});

it('accepts tokens of a realm only on the node of the realm, and sv has no realm', async () => {
  const token = appUser.token();
  const statuses = [appUser, appProvider, sv].map((node) => statusOf('/v2/users', token, node));
  expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
  expect(sv.oauth2).toBeUndefined();
  expect(await statusOf('/v2/users', sv.token(), sv)).toBe(200);
  expect(await statusOf('/v2/users', sv.token())).toBe(401);
});

describe.each([
  [{}, 400, 'invalid_request'],
  [{ grant_type: 'client_credentials', client_id: 'nobody' }, 401, 'invalid_client'],
  [
    { grant_type: 'client_credentials', client_id: 'app-user-validator', client_secret: 'wrong' },
    401,
    'unauthorized_client',
  ],
  [{ grant_type: 'client_credentials', client_id: 'app-user-unsafe' }, 401, 'unauthorized_client'],
  [
    { grant_type: 'password', client_id: 'app-user-validator', client_secret: SECRET },
    400,
    'unauthorized_client',
  ],
  [
    { grant_type: 'password', client_id: 'app-user-unsafe', username: 'app-user', password: 'x' },
    401,
    'invalid_grant',
  ],
  [{ grant_type: 'implicit', client_id: 'app-user-unsafe' }, 400, 'unsupported_grant_type'],
  [
    { grant_type: 'refresh_token', client_id: 'app-user-unsafe', refresh_token: 'x.y.z' },
    400,
    'invalid_grant',
  ],
])('a login by %j', (form, status, error) => {
  it(`fails with ${error}`, async () => {
    const init = { method: 'POST', body: new URLSearchParams(form as Record<string, string>) };
    // The path is the same with a slash at its end.
    for (const url of [appUser.oauth2!.tokenUrl, `${appUser.oauth2!.tokenUrl}/`]) {
      const answer = await fetch(url, init);
      expect([answer.status, ((await answer.json()) as any).error]).toEqual([status, error]);
    }
  });
});

it('describes a realm, answers 404 for others, and allows requests from pages', async () => {
  const own = (await (await fetch(appUser.oauth2!.issuer)).json()) as Record<string, string>;
  const key = createPublicKey({
    key: Buffer.from(own['public_key']!, 'base64'),
    type: 'spki',
    format: 'der',
  });
  expect([own['realm'], key.asymmetricKeyType]).toEqual(['AppUser', 'rsa']);
  const other = await fetch(appUser.oauth2!.issuer.replace('AppUser', 'Sv'));
  expect([other.status, await other.json()]).toEqual([404, { error: 'Realm does not exist' }]);
  const origin = 'http://wallet.localhost:2000';
  const preflight = await fetch(appUser.oauth2!.tokenUrl, {
    method: 'OPTIONS',
    headers: { origin },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    origin,
  ]);
});

describe('the admin API of Keycloak', () => {
  const keycloak = () => appUser.oauth2!.issuer.replace(/\/realms.*/, '');
  const users = () => `${keycloak()}/admin/realms/AppUser/users`;
  const logIn = async (realm: string, client_id: string, username: string, password: string) => {
    const form = { grant_type: 'password', scope: 'openid', client_id, username, password };
    const url = `${keycloak()}/realms/${realm}/protocol/openid-connect/token`;
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const request = async (call: string, body?: unknown, token?: string) => {
    const [method, path = ''] = call.split(' ');
    const given = token ?? (await logIn('master', 'admin-cli', 'admin', 'admin')).body.access_token;
    const answer = await fetch(path.startsWith('http') ? path : users() + path, {
      method: method!,
      headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, body: json, location: answer.headers.get('location') };
  };
  // As in the tests of cn-quickstart.
  const newcomer = {
    username: 'app-user-Tag',
    email: 'app-user-tag@app-user.localhost',
    ...{ firstName: 'app', lastName: 'user tag', enabled: true },
    attributes: { partyId: ['tag::1220'] },
    credentials: [{ type: 'password', value: 'abc123', temporary: false }],
  };

  it('creates a user, who can log in, and deletes the password and the user', async () => {
    const { status, location } = await request('POST ', newcomer);
    expect([status, location!.startsWith(`${users()}/`)]).toEqual([201, true]);
    const id = location!.split('/').pop()!;
    const { body } = await logIn('AppUser', 'app-user-unsafe', 'app-user-tag', 'abc123');
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: id, preferred_username: 'app-user-tag' });
    expect((await request('GET ?username=user-tag')).body).toMatchObject([
      { id, username: 'app-user-tag', attributes: { partyId: ['tag::1220'] }, enabled: true },
    ]);
    const changed = { type: 'password', value: 'other', temporary: false };
    expect((await request(`PUT /${id}/reset-password`, changed)).status).toBe(204);
    expect((await logIn('AppUser', 'app-user-unsafe', 'app-user-tag', 'abc123')).status).toBe(401);
    expect((await request(`DELETE /${id}`)).status).toBe(204);
    expect((await request(`GET /${id}`)).body).toEqual({ error: 'User not found' });
    expect((await request('POST ', { ...newcomer, enabled: false })).status).toBe(201);
    const disabled = await logIn('AppUser', 'app-user-unsafe', 'app-user-tag', 'abc123');
    expect([disabled.status, disabled.body.error_description]).toEqual([400, 'Account disabled']);
  });

  it('a revert removes the user, and invalid users and callers without admin rights are rejected', async () => {
    expect((await request('GET ')).body.map(({ username }: any) => username)).toEqual([
      'app-user',
      'adrian',
    ]);
    const refusals: [Promise<{ status: number; body: unknown }>, number, object][] = [
      [request('POST ', {}), 400, { field: 'username' }],
      [
        request('POST ', { username: 'Adrian' }),
        409,
        { errorMessage: 'User exists with same username' },
      ],
      [
        request(`POST ${users().replace('AppUser', 'Sv')}`, newcomer),
        404,
        { error: 'Realm not found.' },
      ],
      [request('POST ', newcomer, appUser.token()), 401, { error: 'HTTP 401 Unauthorized' }],
      [request(`GET ${users().replace('users', 'clients')}`), 404, { error: expect.any(String) }],
    ];
    for (const [answer, status, body] of refusals)
      expect(await answer).toMatchObject({ status, body });
  });
});

describe('the login in a browser', () => {
  const BACK = 'http://wallet.localhost:2000/';
  const PASSWORD = 'abc123';

  /** The parts of a browser for a login: it keeps cookies and fills in the form, but does not follow redirects. */
  class Browser {
    private readonly cookies = new Map<string, string>();

    async go(url: string, form?: Record<string, string>) {
      const cookie = [...this.cookies].map((each) => each.join('=')).join('; ');
      const body = form && new URLSearchParams(form);
      const method = form === undefined ? 'GET' : 'POST';
      const answer = await fetch(url, { method, headers: { cookie }, body, redirect: 'manual' });
      for (const each of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
        if (/Max-Age=0/.test(each)) this.cookies.delete(name!);
        else this.cookies.set(name!, value!);
      }
      const page = await answer.text();
      const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1]?.replace(/&#38;/g, '&');
      return {
        status: answer.status,
        page,
        action,
        location: answer.headers.get('location') ?? '',
      };
    }

    async logIn(url: string, username = 'app-user', password = PASSWORD) {
      const { action } = await this.go(url);
      return this.go(action!, { username, password, credentialId: '' });
    }
  }

  const wallet = async () => {
    const issuer = await Issuer.discover(appUser.oauth2!.issuer);
    const metadata = { client_id: 'app-user-wallet', token_endpoint_auth_method: 'none' as const };
    return new issuer.Client({ ...metadata, redirect_uris: [BACK], response_types: ['code'] });
  };
  const begin = async (more: Record<string, string | undefined> = {}) => {
    const client = await wallet();
    const [verifier, state, nonce] = [generators.codeVerifier(), generators.state(), 'n-1'];
    const url = client.authorizationUrl({
      scope: 'openid',
      state,
      nonce,
      code_challenge: generators.codeChallenge(verifier),
      code_challenge_method: 'S256',
      // As Splice's pages ask, and Auth0 reads it.
      audience: 'https://canton.network.global',
      ...more,
    });
    const checks = { code_verifier: verifier, state, nonce };
    const finish = (location: string) =>
      client.callback(BACK, client.callbackParams(location), checks);
    return { client, url, verifier, checks, finish };
  };
  const parametersOf = (location: string) =>
    Object.fromEntries(new URL(location.replace('#', '?')).searchParams) as Record<string, string>;

  it('logs in with a code and PKCE, reuses the session, returns the user, refreshes and logs out', async () => {
    const browser = new Browser();
    const { client, url, finish } = await begin();
    const { location } = await browser.logIn(url);
    const tokens = await finish(location);
    expect(tokens.claims()).toMatchObject({
      sub: WALLET_USER,
      azp: 'app-user-wallet',
      nonce: 'n-1',
    });
    expect(await statusOf(`/v2/users/${WALLET_USER}`, tokens.access_token!)).toBe(200);
    expect(await client.userinfo(tokens)).toMatchObject({ preferred_username: 'app-user' });

    const second = await begin();
    const again = await second.finish((await browser.go(second.url)).location);
    expect(again.session_state).toBe(tokens.session_state);
    expect((await client.refresh(tokens)).claims().sub).toBe(WALLET_USER);

    const end = client.endSessionUrl({
      id_token_hint: again.id_token,
      post_logout_redirect_uri: BACK,
      state: 's',
    });
    expect(await browser.go(end)).toMatchObject({ status: 302, location: `${BACK}?state=s` });
    await expect(client.refresh(tokens)).rejects.toMatchObject({
      error: 'invalid_grant',
      error_description: 'Session not active',
    });
    expect((await browser.go(url)).page).toContain('id="kc-form-login"');
  });

  it('shows the form again after a wrong password, only to the same browser', async () => {
    const browser = new Browser();
    const { url, finish } = await begin();
    const { status, page, action } = await browser.logIn(url, 'app-user', 'wrong');
    expect([status, page]).toEqual([200, expect.stringContaining('Invalid username or password.')]);
    const elsewhere = await new Browser().go(action!, { username: 'app-user', password: PASSWORD });
    expect(elsewhere.status).toBe(400);
    const right = await browser.go(action!, { username: 'app-user', password: PASSWORD });
    expect((await finish(right.location)).claims().sub).toBe(WALLET_USER);
  });

  it('accepts a code once, with its verifier, client and redirect URI', async () => {
    const browser = new Browser();
    const { url, client, verifier, finish } = await begin();
    const exchange = async (more: Record<string, string | undefined>) => {
      const { code } = parametersOf((await browser.go(url)).location);
      const form = { code, redirect_uri: BACK, code_verifier: verifier, ...more };
      const body = { grant_type: 'authorization_code', ...form };
      return client.grant(JSON.parse(JSON.stringify(body))).then(
        () => 'tokens',
        (error: { error_description: string }) => error.error_description,
      );
    };
    const { location } = await browser.logIn(url);
    const tokens = await finish(location);
    expect([
      await exchange({ code: undefined }),
      await exchange({ code: 'x' }),
      await exchange({ redirect_uri: `${BACK}other` }),
      await exchange({ code_verifier: undefined }),
      await exchange({ code_verifier: 'short' }),
      await exchange({ code_verifier: generators.codeVerifier() }),
    ]).toEqual([
      'Missing parameter: code',
      'Code not valid',
      'Incorrect redirect_uri',
      'PKCE code verifier not specified',
      'PKCE verification failed: Invalid code verifier',
      'PKCE verification failed: Code mismatch',
    ]);
    // A second use of a code invalidates the tokens for it.
    expect(await exchange({ code: parametersOf(location).code })).toBe('Code not valid');
    await expect(client.refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it.each([
    [{ client_id: 'nobody' }, 'Client not found.'],
    [{ redirect_uri: 'http://evil.localhost:2000/' }, 'Invalid parameter: redirect_uri'],
    [{ redirect_uri: 'http://wallet.localhost:x/' }, 'Invalid parameter: redirect_uri'],
  ])('shows the error of %j, and does not redirect', async (wrong, fault) => {
    const { url } = await begin(wrong);
    const { status, page } = await new Browser().go(url);
    expect([status, page]).toEqual([400, expect.stringContaining(fault)]);
  });

  it('redirects to configured URIs in addition to the default ones', async () => {
    const { url } = await begin({ redirect_uri: 'http://my-app.localhost:5173/back' });
    const { location } = await new Browser().logIn(url);
    expect(location).toMatch(/^http:\/\/my-app\.localhost:5173\/back\?/);
  });

  it.each([
    [{ response_type: 'token' }, 'unauthorized_client', '#'],
    [{ response_type: 'ticket' }, 'unsupported_response_type', '?'],
    [{ response_mode: 'pigeon' }, 'invalid_request', '?'],
    [{ scope: 'openid daml_ledger_api' }, 'invalid_scope', '?'],
    [{ code_challenge: 'short' }, 'invalid_request', '?'],
    [{ code_challenge_method: 'S512' }, 'invalid_request', '?'],
    [{ prompt: 'none' }, 'login_required', '?'],
  ])('redirects the error of %j to the client', async (wrong, error, mark) => {
    const { url, checks } = await begin(wrong);
    const { status, location } = await new Browser().go(url);
    expect([status, location.startsWith(`${BACK}${mark}`)]).toEqual([302, true]);
    expect(parametersOf(location)).toMatchObject({
      error,
      state: checks.state,
      iss: appUser.oauth2!.issuer,
    });
  });

  it('asks for confirmation of a logout without a token, and accepts a refresh token', async () => {
    const browser = new Browser();
    const { client, url, finish } = await begin({ scope: 'openid offline_access' });
    const tokens = await finish((await browser.logIn(url)).location);
    expect(tokens.scope).toBe('openid email profile offline_access');
    const out = client.endSessionUrl({
      client_id: 'app-user-wallet',
      post_logout_redirect_uri: BACK,
    });
    const { action } = await browser.go(out);
    expect(await browser.go(action!, {})).toMatchObject({ status: 302, location: BACK });
    // Offline access outlives the browser's session.
    const again = await client.refresh(tokens);
    const end = { client_id: 'app-user-wallet', refresh_token: again.refresh_token! };
    const { end_session_endpoint } = client.issuer.metadata;
    expect(await new Browser().go(end_session_endpoint!, end)).toMatchObject({ status: 204 });
    await expect(client.refresh(again)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
