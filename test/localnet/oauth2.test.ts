/**
 * OAuth2 as cn-quickstart has it: an OpenID client, unmodified, finds each realm by discovery and logs in by client credentials and by
 * password; tokens name users by their ids, and a realm's are good at its own node alone (L-AUTH-006).
 */
import { Issuer, type Client } from 'openid-client';
import { useLocalnet } from '../../src/testing/jest.js';

const localnet = useLocalnet({ seed: 4, spliceDars: false, auth: 'oauth2' });
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

it("logs the validator's client in by its secret", async () => {
  const validator = await client('app-user-validator', SECRET);
  const tokens = await validator.grant({ grant_type: 'client_credentials', scope: 'openid' });
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid email profile' });
  expect(tokens.expires_in).toBeLessThanOrEqual(300);
  // Its id token is signed by a key of the set, for this client: the client looks at that by itself.
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

it('logs a user in by password, refreshes, and tells who it is', async () => {
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

it('has the users of a realm by their ids, and no ledger-api-user beside them', async () => {
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

it("takes a realm's tokens at its own node alone; sv has none", async () => {
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
  it(`is refused: ${error}`, async () => {
    const asking = { method: 'POST', body: new URLSearchParams(form as Record<string, string>) };
    // The path is the same with a slash at its end.
    for (const url of [appUser.oauth2!.tokenUrl, `${appUser.oauth2!.tokenUrl}/`]) {
      const answer = await fetch(url, asking);
      expect([answer.status, ((await answer.json()) as any).error]).toEqual([status, error]);
    }
  });
});

it('knows no other realm, and lets pages ask', async () => {
  const other = await fetch(appUser.oauth2!.issuer.replace('AppUser', 'Sv'));
  expect([other.status, await other.json()]).toEqual([404, { error: 'Realm does not exist' }]);
  const origin = 'http://wallet.localhost:2000';
  const asked = await fetch(appUser.oauth2!.tokenUrl, { method: 'OPTIONS', headers: { origin } });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
});
