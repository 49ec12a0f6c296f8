/** The built-in issuer: what a login flow needs of it, and that the Ledger API takes its tokens. */
import { startClient, type TestClient } from '../../support/client.js';

let client: TestClient;
afterEach(() => client.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (body: Record<string, string>, headers = {}) =>
  fetch(`${client.canticle.url}/canticle/v1/issuer/token`, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(body).toString(),
  });

it('a client finds it by discovery, receives a token for its credentials, and may call the API', async () => {
  client = await startClient({
    auth: { services: [{ type: 'built-in-issuer', targetAudience: 'ledger' }] },
  });
  const base = `${client.canticle.url}/canticle/v1/issuer`;
  const discovery = (await (
    await fetch(`${base}/.well-known/openid-configuration`)
  ).json()) as Record<string, string>;
  expect(discovery).toMatchObject({
    issuer: base,
    token_endpoint: `${base}/token`,
    jwks_uri: `${base}/jwks`,
  });
  const granted = await (
    await post({
      grant_type: 'client_credentials',
      client_id: 'participant_admin',
      client_secret: 'x',
    })
  ).json();
  expect(granted).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  const headers = { authorization: `Bearer ${(granted as { access_token: string }).access_token}` };
  expect((await client.ledger('GET', '/v2/users', undefined, { headers })).status).toBe(200);
  expect((await client.ledger('GET', '/v2/users')).status).toBe(401);
});

it('another instance verifies its tokens with the key set URL', async () => {
  client = await startClient({ seed: 3 });
  const url = `${client.canticle.url}/canticle/v1/issuer/jwks`;
  const other = await startClient({ auth: { services: [{ type: 'jwt-jwks', url }] } });
  const headers = {
    authorization: `Bearer ${await client.canticle.accessToken({ sub: 'participant_admin' })}`,
  };
  expect((await other.ledger('GET', '/v2/parties', undefined, { headers })).status).toBe(200);
  const foreign = await startClient({ seed: 4 });
  const wrong = {
    authorization: `Bearer ${await foreign.canticle.accessToken({ sub: 'participant_admin' })}`,
  };
  expect((await other.ledger('GET', '/v2/parties', undefined, { headers: wrong })).status).toBe(
    401,
  );
  await other.close();
  await foreign.close();
});

it('checks secrets and passwords if they are configured', async () => {
  client = await startClient({ issuer: { clients: { app: 'secret', alice: 'pass word' } } });
  const status = async (body: Record<string, string>, headers = {}) =>
    (await post(body, headers)).status;
  const own = { grant_type: 'client_credentials', client_id: 'app' };
  expect(await status({ ...own, client_secret: 'secret' })).toBe(200);
  expect(await status({ ...own, client_secret: 'wrong' })).toBe(401);
  expect(await status({ ...own, client_id: '__proto__', client_secret: '' })).toBe(401);
  const basic = { authorization: `Basic ${Buffer.from('app:secret').toString('base64')}` };
  expect(await status({ grant_type: 'client_credentials' }, basic)).toBe(200);
  expect(await status({ grant_type: 'password', username: 'alice', password: 'pass word' })).toBe(
    200,
  );
  expect(await status({ grant_type: 'password', username: 'alice', password: 'no' })).toBe(401);
  expect(await status({ grant_type: 'implicit' })).toBe(400);
  expect(await status({ grant_type: 'client_credentials' })).toBe(400);
});

it('uses the same key for the same seed', async () => {
  client = await startClient({ seed: 9 });
  const other = await startClient({ seed: 9 });
  const keys = async ({ canticle }: TestClient) =>
    (await fetch(`${canticle.url}/canticle/v1/issuer/jwks`)).json();
  expect(await keys(client)).toEqual(await keys(other));
  await other.close();
});
