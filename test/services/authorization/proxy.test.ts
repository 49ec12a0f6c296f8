/**
 * Authorization outside the Ledger API. The validator's proxy and its registry require a known token. Scan, its registry and the
 * validator's status require none (V-GEN-002 to V-GEN-004, L-AUTH-003). Calls every path with every token.
 */
import { createCanticle } from 'canticle';
import { SignJWT } from 'jose';
import { servedOperations, type Api } from '../../../src/spec/index.js';

const AUDIENCE = 'https://canton.network.global';
const NOW = Date.UTC(2026, 5, 1);
const PROXY = '/api/validator/v0/scan-proxy';
const MISSING = 'The resource requires authentication, which was not supplied with the request';
const REJECTED = 'The supplied authentication is invalid';

const canticle = createCanticle({
  seed: 1,
  registryPrefixes: ['/elsewhere'],
  realClock: () => NOW,
  auth: {
    services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe', targetAudience: AUDIENCE }],
    adminToken: 'the-admin-token',
  },
});

const sign = (payload: object, secret = 'unsafe', alg = 'HS256'): Promise<string> =>
  new SignJWT({ sub: 'nobody-knows', aud: AUDIENCE, ...payload })
    .setProtectedHeader({ alg })
    .sign(
      new TextEncoder().encode(secret.padEnd(64)).slice(0, alg === 'HS256' ? secret.length : 64),
    );
const at = (seconds: number) => NOW / 1000 + seconds;
const unsigned = [{ alg: 'none' }, { sub: 'x', aud: AUDIENCE }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** Headers and their refusal; undefined for those that pass. */
const TOKENS: Record<string, [headers: () => Promise<Record<string, string>>, refusal?: string]> = {
  'no header': [async () => ({}), MISSING],
  'another scheme': [async () => ({ authorization: 'Basic dXNlcjpwYXNz' }), MISSING],
  'a scheme alone': [async () => ({ authorization: 'Bearer' }), MISSING],
  'two tokens': [async () => ({ authorization: 'Bearer a b' }), MISSING],
  'no JWT': [async () => ({ authorization: 'Bearer nonsense' }), REJECTED],
  "the participant's admin token": [
    async () => ({ authorization: 'Bearer the-admin-token' }),
    REJECTED,
  ],
  unsigned: [async () => ({ authorization: `Bearer ${unsigned}.` }), REJECTED],
  'another key': [async () => bearer(await sign({}, 'other!')), REJECTED],
  'another algorithm': [async () => bearer(await sign({}, 'unsafe', 'HS512')), REJECTED],
  expired: [async () => bearer(await sign({ exp: at(-1) })), REJECTED],
  'not yet valid': [async () => bearer(await sign({ nbf: at(60) })), REJECTED],
  'not yet issued': [async () => bearer(await sign({ iat: at(60) })), REJECTED],
  'another audience': [async () => bearer(await sign({ aud: 'https://x.example' })), REJECTED],
  'no audience': [async () => bearer(await sign({ aud: undefined })), REJECTED],
  'no user': [async () => bearer(await sign({ sub: undefined })), REJECTED],
  'a user that does not exist': [async () => bearer(await sign({}))],
  "a user of Splice's own claim": [
    async () =>
      bearer(await sign({ sub: undefined, 'https://canton-network': { daml_user: 'x' } })),
  ],
  'one audience of several': [async () => bearer(await sign({ aud: ['x', AUDIENCE] }))],
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Place {
  readonly method: string;
  readonly path: string;
}

const placesOf = (api: Api, prefix: string, isIncluded = (_: string) => true): Place[] =>
  servedOperations(api)
    .filter(({ path }) => isIncluded(path))
    .map(({ method, path }) => ({
      method: method.toUpperCase(),
      path: prefix + path.replace(/\{[^}]*\}/g, 'x'),
    }));
const isOpen = (path: string) => !isProxied(path) && !/^\/v0\/(?:admin|register)/.test(path);
const isProxied = (path: string) => /^\/v\d\/scan-proxy\//.test(path);

const GUARDED = [
  ...placesOf('validator', '/api/validator', isProxied),
  ...placesOf('registry', PROXY, (path) => !/(?:transfer|allocation)-instruction\/v2/.test(path)),
];
/** Paths that also require a known user, by the realm in their refusal. */
const BY_REALM: Record<string, Place[]> = {
  'splice validator operator realm': placesOf('validator', '/api/validator', (path) =>
    path.startsWith('/v0/admin/'),
  ),
  'splice validator realm': placesOf('validator', '/api/validator', (path) =>
    path.startsWith('/v0/register'),
  ),
  'splice wallet realm': placesOf('wallet', '/api/validator', (path) => path !== '/v0/status'),
  'splice ans realm': placesOf('names', '/api/validator'),
  'splice sv realm': placesOf(
    'sv',
    '/api/sv',
    (path) => /^\/v0\/admin\//.test(path) && !/cometbft|identities-dump/.test(path),
  ),
  'splice sv admin realm': placesOf('sv', '/api/sv', (path) => path.endsWith('identities-dump')),
};
const OPEN = [
  ...placesOf('validator', '/api/validator', isOpen),
  ...placesOf('registry', ''),
  ...placesOf('registry', '/elsewhere'),
  ...placesOf('scan', '/api/scan'),
  ...['', '/api/scan', '/api/validator', '/registry'].map((base) => ({
    method: 'GET',
    path: `${base}/docs/openapi.json`,
  })),
  { method: 'GET', path: '/docs/asyncapi' },
];

test.each(Object.entries(TOKENS).filter(([, [, refusal]]) => refusal !== undefined))(
  'checks a token that is %s, in apps that identify the user',
  async (_, [headersOf, refusal]) => {
    const headers = await headersOf();
    for (const [realm, places] of Object.entries(BY_REALM)) {
      expect([realm, places.length > 0]).toEqual([realm, true]);
      for (const place of places) {
        const { status, body, headers: answerHeaders } = await request(place, headers);
        expect([place, status, body.toString(), answerHeaders['www-authenticate']]).toEqual([
          place,
          401,
          refusal,
          `Bearer realm="${realm}"`,
        ]);
      }
    }
  },
);

const request = ({ method, path }: Place, headers: Record<string, string>) =>
  canticle.handle({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: {} }),
  });

test('the lists contain open and guarded operations, and several tokens', () => {
  expect(GUARDED.length).toBeGreaterThan(25);
  expect(OPEN.length).toBeGreaterThan(100);
});

test.each(Object.entries(TOKENS))('checks a token that is %s', async (_, [headersOf, refusal]) => {
  const headers = await headersOf();
  for (const place of GUARDED) {
    const answer = await request(place, headers);
    if (refusal === undefined) expect([place, answer.status]).not.toEqual([place, 401]);
    else
      expect([place, answer.status, answer.body.toString(), answer.headers]).toMatchObject([
        place,
        401,
        refusal,
        {
          'content-type': 'text/plain; charset=UTF-8',
          'www-authenticate': 'Bearer realm="splice scan proxy realm"',
        },
      ]);
  }
});

test('does not serve two documents of the registry, even with a token (V-PRX-001)', async () => {
  for (const path of [
    'transfer-instruction/v2/transfer-factory',
    'allocation-instruction/v2/allocation-factory',
  ]) {
    const { status, body } = await request(
      { method: 'POST', path: `${PROXY}/registry/${path}` },
      bearer(await sign({})),
    );
    const uri = `http://localhost${PROXY}/registry/${path}`;
    expect([status, JSON.parse(body.toString())]).toEqual([
      404,
      { error: `The requested resource could not be found: ${uri}` },
    ]);
    expect((await request({ method: 'POST', path: `/registry/${path}` }, {})).status).toBe(400);
  }
});

test('open operations return the same answer with any token', async () => {
  const broken = await TOKENS['another key']![0]();
  for (const place of OPEN) {
    const [without, withBroken] = [await request(place, {}), await request(place, broken)];
    expect([place, withBroken.status]).toEqual([place, without.status]);
    expect([401, 403]).not.toContain(without.status);
  }
});

test('accepts a token in the query, and the journal has the reason of a rejection', async () => {
  const place = { method: 'GET', path: `${PROXY}/dso-party-id` };
  const ask2 = async (token: string) =>
    (await request({ ...place, path: `${place.path}?access_token=${token}` }, {})).status;
  expect(await ask2(await sign({}))).toBe(200);
  expect(await ask2(await sign({ exp: at(-1) }))).toBe(401);
  expect(canticle.requests.list().at(-1)).toMatchObject({
    status: 401,
    operation: 'getDsoPartyId',
    outcome: 'refused',
    explanation: 'The token is not of this time',
  });
});

test('is open without authorization', async () => {
  const { status } = await createCanticle().handle({ path: `${PROXY}/dso-party-id` });
  expect(status).toBe(200);
});
