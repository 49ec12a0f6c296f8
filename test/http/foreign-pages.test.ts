/** The access of foreign web pages: by their origin, by a host name of this machine, by a WebSocket. */
import { request } from 'node:http';
import { startCanticle, startLocalnet, type Canticle, type StartOptions } from 'canticle';
import { refusedUpgrade, StreamClient } from '../support/stream-client.js';

const PAGE = 'https://page.example';
const RESET = '/canticle/v1/reset';
const ADVANCE = '/canticle/v1/time/advance';
const SCAN = '/api/scan/v0/dso-party-id';
const REGISTRY = '/registry/metadata/v1/info';
const json = { 'content-type': 'application/json' };

const started: Canticle[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.close())));

async function start(options: StartOptions = {}): Promise<Canticle> {
  const canticle = await startCanticle({ seed: 1, ...options });
  started.push(canticle);
  return canticle;
}

/** By node:http, because fetch does not allow these headers. */
function status(
  { url }: Canticle,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = path === RESET || body !== undefined ? 'POST' : 'GET';
    request(url + path, { method, headers }, (response) => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end(body);
  });
}

const statuses = async (canticle: Canticle, headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    await Promise.all(
      [RESET, SCAN, REGISTRY, '/v2/version'].map(
        async (path) => [path, await status(canticle, path, headers)] as const,
      ),
    ),
  );

const auth = {
  services: [{ type: 'unsafe-jwt-hmac-256', secret: 's' }],
  adminToken: 'admin',
  adminClaim: true,
} as const;

const DONE = 200;
const bar = (control: number, others: number) => ({
  [RESET]: control,
  [SCAN]: others,
  [REGISTRY]: others,
  '/v2/version': 200,
});

it.each([
  ['a client that is not a browser', {}, bar(DONE, 200)],
  ['a page of another origin', { origin: PAGE }, bar(403, 200)],
  ['a page without an origin', { origin: 'null' }, bar(403, 200)],
  ['a page on this machine', { origin: 'http://localhost:3000' }, bar(403, 200)],
  ['a foreign host name for this machine', { host: 'page.example' }, bar(403, 403)],
  [
    'a foreign host name, with its page',
    { host: 'page.example', origin: 'http://page.example' },
    bar(403, 403),
  ],
  ['an address', { host: '192.0.2.1:80' }, bar(DONE, 200)],
  ['a container name', { host: 'canticle:80' }, bar(DONE, 200)],
  ['a name below localhost', { host: 'scan.localhost:80' }, bar(DONE, 200)],
])('%s', async (_, headers, expected) => {
  expect(await statuses(await start(), headers)).toEqual(expected);
});

it('allows all APIs to a page of the same origin', async () => {
  const canticle = await start();
  expect(await statuses(canticle, { origin: canticle.url })).toEqual(bar(DONE, 200));
});

it('allows all APIs to a configured origin, also as the host name', async () => {
  const canticle = await start({ allowOrigins: [`${PAGE}/`] });
  const headers = { origin: PAGE, host: 'page.example' };
  expect(await statuses(canticle, headers)).toEqual(bar(DONE, 200));
  expect(await statuses(canticle, { origin: 'https://other.example' })).toEqual(bar(403, 200));
  const anyone = await start({ allowOrigins: ['*'] });
  expect(await statuses(anyone, { origin: PAGE, host: 'ledger' })).toEqual(bar(DONE, 200));
});

const VALIDATOR = '/api/validator/v0/scan-proxy/dso-party-id';
const WALLET = '/api/validator/v0/wallet/user-status';
const preflight = { 'access-control-request-method': 'DELETE' };

it.each([
  [SCAN, 'GET, POST, HEAD, OPTIONS'],
  [REGISTRY, 'GET, POST, HEAD, OPTIONS'],
  [VALIDATOR, 'DELETE, GET, POST, HEAD, OPTIONS'],
  [WALLET, 'DELETE, GET, POST, HEAD, OPTIONS'],
  ['/api/sv/v0/dso', 'DELETE, GET, POST, PUT, HEAD, OPTIONS'],
])(
  '%s lets any page read its answers, as the real service does (S-GEN-014, V-GEN-019)',
  async (path, methods) => {
    const canticle = await start();
    for (const [origin, credentials] of [
      [PAGE, null],
      ['http://localhost:3000', 'true'],
    ] as const) {
      const { headers } = await fetch(canticle.url + path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe(credentials);
      const before = await fetch(canticle.url + path, {
        method: 'OPTIONS',
        headers: { origin, ...preflight },
      });
      expect([before.status, before.headers.get('access-control-allow-methods')]).toEqual([
        200,
        methods,
      ]);
    }
  },
);

it('receives no token from the built-in issuer', async () => {
  const canticle = await start({ auth: { services: [{ type: 'built-in-issuer' }] } });
  const form = 'grant_type=client_credentials&client_id=participant_admin';
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const issued = (headers: Readonly<Record<string, string>>) =>
    status(canticle, '/canticle/v1/issuer/token', { ...type, ...headers }, form);
  expect(await issued({})).toBe(200);
  expect(await issued({ origin: canticle.url })).toBe(200);
  expect(await issued({ origin: PAGE })).toBe(403);
  expect(await issued({ host: 'page.example', origin: 'http://page.example' })).toBe(403);
  expect(canticle.requests.list().at(-1)).toMatchObject({ status: 403, outcome: 'refused' });
});

describe('the Ledger API', () => {
  const before = (canticle: Canticle, path: string, origin: string, method: string) =>
    fetch(canticle.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  const shared = ({ headers }: Response) =>
    ['origin', 'credentials', 'methods', 'headers'].map((name) =>
      headers.get(`access-control-allow-${name}`),
    );
  const NONE = [null, null, null, null];

  it('lets only allowed pages read answers (S-GEN-014), and the journal names the option', async () => {
    const canticle = await start();
    const origin = 'http://localhost:3000';
    const answer = await fetch(`${canticle.url}/v2/version`, { headers: { origin } });
    expect([answer.status, shared(answer)]).toEqual([200, NONE]);
    const response = await before(canticle, '/v2/users/alice', origin, 'PATCH');
    expect([response.status, shared(response)]).toEqual([405, NONE]);
    expect(canticle.requests.list().at(-1)).toMatchObject({
      method: 'OPTIONS',
      status: 405,
      explanation: `Pages from '${origin}' may not ask this. Allow them: --allow-origin ${origin}, or the option allowOrigins.`,
    });
  });

  it('answers a preflight request of an allowed page for any method', async () => {
    const canticle = await start({ allowOrigins: [PAGE], auth });
    const methods = 'DELETE, GET, PATCH, POST, PUT, HEAD, OPTIONS';
    for (const [path, method] of [
      ['/v2/users/alice', 'PATCH'],
      ['/v2/users/alice', 'DELETE'],
      ['/v2/commands/submit-and-wait', 'POST'],
      ['/canticle/v1/issuer/token', 'POST'],
      ['/canticle/v1/faults', 'DELETE'],
    ] as const) {
      const answer = await before(canticle, path, PAGE, method);
      expect([answer.status, shared(answer)]).toEqual([
        200,
        [PAGE, 'true', methods, 'authorization,content-type'],
      ]);
    }
    expect(shared(await before(canticle, '/v2/users', 'https://other.example', 'GET'))).toEqual(
      NONE,
    );
  });

  it('lets an allowed page read errors, missing resources and tokens', async () => {
    const canticle = await start({ allowOrigins: [PAGE], auth });
    const headers = { origin: PAGE };
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'alice' });
    const answers = await Promise.all([
      fetch(`${canticle.url}/v2/users`, { headers }),
      fetch(`${canticle.url}/v2/nowhere`, { headers }),
      fetch(`${canticle.url}/livez`, { headers }),
      fetch(`${canticle.url}/canticle/v1/issuer/token`, { method: 'POST', headers, body: form }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 200, 200]);
    expect(answers.map((answer) => shared(answer)[0])).toEqual([PAGE, PAGE, PAGE, PAGE]);
  });

  it('lets pages read answers at each port of a LocalNet', async () => {
    const localnet = await startLocalnet({ spliceDars: false, allowOrigins: [PAGE] });
    started.push(localnet);
    for (const { ledgerApi } of [localnet.appUser, localnet.appProvider]) {
      const answer = await fetch(`${ledgerApi}/v2/users`, {
        method: 'OPTIONS',
        headers: { origin: PAGE, ...preflight },
      });
      expect([answer.status, shared(answer)[0]]).toEqual([200, PAGE]);
    }
  });
});

it('receives the reason, which the journal records', async () => {
  const canticle = await start();
  await status(canticle, RESET, { origin: PAGE });
  expect(canticle.requests.list()).toMatchObject([
    {
      operation: 'resetNetwork',
      status: 403,
      outcome: 'refused',
      explanation: `Pages from '${PAGE}' may not ask this. Allow them: --allow-origin ${PAGE}, or the option allowOrigins.`,
    },
  ]);
});

it('controls accept JSON with its content type only', async () => {
  const canticle = await start();
  const advance = (headers: Readonly<Record<string, string>>) =>
    status(canticle, ADVANCE, headers, '{"duration":"P1D"}');
  expect(await advance(json)).toBe(200);
  expect(await advance({ 'content-type': 'Application/JSON; charset=utf-8' })).toBe(200);
  expect(await advance({ 'content-type': 'text/plain' })).toBe(415);
  expect(await advance({})).toBe(415);
});

it('rejects its WebSocket, and accepts one of a page on this machine', async () => {
  const canticle = await start();
  const url = `${canticle.url}/v2/updates`;
  expect(await refusedUpgrade(url, { headers: { origin: PAGE } })).toMatchObject({ status: 403 });
  const origin = 'http://localhost:3000';
  const client = await new StreamClient(url, { headers: { origin } }).opened();
  await client.close();
});

describe('with authorization', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('requires an admin token for the controls', async () => {
    const canticle = await start({ auth });
    const alice = await canticle.accessToken({ sub: 'alice' }).catch(() => 'alice');
    expect(await status(canticle, RESET)).toBe(401);
    expect(await status(canticle, RESET, bearer(alice))).toBeGreaterThanOrEqual(401);
    expect(await status(canticle, RESET, bearer('admin'))).toBe(DONE);
    expect(await status(canticle, SCAN)).toBe(200);
  });

  it('requires no token for open controls', async () => {
    expect(await status(await start({ auth, openControls: true }), RESET)).toBe(DONE);
  });
});
