/** From a path to an API: methods, prefixes, slashes, unknown paths, documents, browsers. */
import { createCanticle } from 'canticle';
import { type Api, joinedDocument, openApiDocument } from '../../../src/spec/index.js';
import { parse } from 'yaml';
import { startClient, type TestClient } from '../../support/client.js';

let client: TestClient;
beforeAll(async () => {
  client = await startClient({
    registryPrefixes: ['/api/token-standard/v0/registrars/x/'],
    allowOrigins: ['https://wallet.example'],
  });
});
afterAll(() => client.close());

it('answers HEAD like GET, without the body (B-GEN-011)', async () => {
  const get = await client.ledger('GET', '/v2/version');
  const head = await client.ledger('HEAD', '/v2/version');
  expect([head.status, head.headers['content-length'], head.headers['content-type']]).toEqual([
    200,
    get.headers['content-length'],
    get.headers['content-type'],
  ]);
  expect(head.body).toBeUndefined();
});

it('a trailing slash selects the collection (B-GEN-042)', async () => {
  const { body } = await client.ledger('GET', '/v2/users/');
  expect(body).toEqual((await client.ledger('GET', '/v2/users')).body);
  const unknown = await client.scan('GET', '/v0/dso-party-id/');
  expect(unknown.status).toBe(404);
});

it('decodes percent-encoded names in paths (B-GEN-040)', async () => {
  const id = "a@^$.!'b";
  await client.ledger('POST', '/v2/users', {
    user: { id, primaryParty: '', isDeactivated: false, identityProviderId: '' },
  });
  const { status, body } = await client.ledger('GET', `/v2/users/${encodeURIComponent(id)}`);
  expect([status, body.user?.id]).toEqual([200, id]);
});

test.each([
  ['/v2/%75sers/participant_admin', '/v2/users/participant_admin'],
  ['/v2/state/ledger%2Dend', '/v2/state/ledger-end'],
  ['/v2/./state/ledger-end', '/v2/state/ledger-end'],
  ['/v2/x/../state/ledger-end', '/v2/state/ledger-end'],
  ['/v2/users//', '/v2/users'],
  ['/v2/packages//', '/v2/packages'],
  ['//v2//version/', '/v2/version'],
  ['/docs/openapi/', '/docs/openapi'],
])('treats %s as %s (B-GEN-055, B-GEN-056)', async (given, plain) => {
  const get = async (path: string) => (await client.canticle.handle({ path })).body.toString();
  expect(await get(given)).toBe(await get(plain));
});

it('does not treat an empty segment as a name (B-GEN-055)', async () => {
  expect(await client.ledger('GET', '/v2/packages//status')).toMatchObject({
    status: 404,
    body: { code: 'PACKAGE_NOT_FOUND', resources: [['ErrorResource(PACKAGE)', 'status']] },
  });
});

it('the error about an unknown path has the decoded path (B-GEN-056)', async () => {
  const uri = async (path: string, headers = {}) =>
    (await client.ledger('GET', path, undefined, { headers })).body.errors[0].split('://');
  const host = client.canticle.url.slice('http://'.length);
  expect(await uri('/v2/x%3A%3Ay/a%2Fb%20%C3%A9?q=%3A')).toEqual([
    'HttpMethod(GET), uri: http',
    `${host}/v2/x::y/a%2Fb%20%C3%A9?q=%3A`,
  ]);
  expect(await uri('/v2/./state%2Fledger-end')).toEqual([
    'HttpMethod(GET), uri: http',
    `${host}/v2/state%2Fledger-end`,
  ]);
  expect(await uri('/v2/nope', { upgrade: 'websocket', connection: 'upgrade' })).toEqual([
    'HttpMethod(GET), uri: ws',
    `${host}/v2/nope`,
  ]);
});

it('reads a reserved name as a parameter if the path has no such method (B-GEN-058)', async () => {
  const partyDetails = { party: 'participant-id' };
  const request = { partyDetails, updateMask: { paths: ['local_metadata'] } };
  expect(await client.ledger('PATCH', '/v2/parties/participant-id', request)).toMatchObject({
    status: 404,
    body: { code: 'PARTY_NOT_FOUND' },
  });
  expect((await client.ledger('POST', '/v2/parties/participant-id', {})).status).toBe(405);
  expect((await client.ledger('POST', '/docs/openapi', {})).status).toBe(405);
});

it('writes a lone surrogate as a question mark (B-GEN-060)', async () => {
  const { body } = await client.ledger('POST', '/v2/users', '{"user":{"id":"a\\\\ud800 \\ud800"}}');
  expect(body.cause).toContain('User ID "a\\ud800 ?" does not match');
});

test.each([
  ['/v2/state/ledger-end#x', "'#', expected pchar, '/', '?' or 'EOI' (line 1, column 21)"],
  ['/v2/#', "'#', expected segment, '/', '?' or 'EOI' (line 1, column 5)"],
  ['/v2/%zz', "'z', expected HEXDIG (line 1, column 6)"],
  ['/v2/version?a=%z', "'z', expected HEXDIG (line 1, column 16)"],
])('reports the error of the target %s (B-GEN-057)', async (path, fault) => {
  const { status, body } = await client.canticle.handle({ path });
  expect([status, body.toString()]).toEqual([
    400,
    `Illegal request-target: Invalid input ${fault}`,
  ]);
});

it('rejects a path with invalid percent-encoding', async () => {
  expect(await client.ledger('GET', '/v2/users/%E0%A4%A')).toMatchObject({
    status: 400,
    body: 'Illegal request-target: Unexpected end of input, expected HEXDIG (line 1, column 19)',
  });
  expect(await client.registry('GET', '/registry/metadata/v1/instruments/%zz')).toMatchObject({
    status: 400,
  });
});

describe('an unknown path', () => {
  it("has the participant's body, which is not a Canton error (B-GEN-007)", async () => {
    const { status, body } = await client.ledger('GET', '/v2/partys?x=1');
    expect(status).toBe(404);
    expect(body).toEqual({
      errors: [`HttpMethod(GET), uri: ${client.canticle.url}/v2/partys?x=1`],
      status: 404,
      ledgerApiError: null,
    });
  });

  it.each([
    '/api/scan/v0/nowhere',
    '/api/validator/v0/nowhere',
    '/registry/nowhere',
    '/canticle/v1/nowhere',
  ])('%s: has an error in the format of its API', async (path) => {
    const { status, body } = await client.call('GET', path);
    expect([status, Object.keys(body)]).toEqual([404, ['error']]);
  });

  it.each([
    ['POST', '/v2/comands/submit-and-wait', 'Did you mean POST /v2/commands/submit-and-wait?'],
    ['GET', '/v2/state/ledgerend', 'Did you mean GET /v2/state/ledger-end?'],
    [
      'GET',
      '/api/scan/v0/migrations/schedul',
      'Did you mean GET /api/scan/v0/migrations/schedule?',
    ],
    ['GET', '/v2/idp', 'Did you mean GET /v2/idps?'],
    ['PUT', '/v2/version', 'Did you mean GET /v2/version?'],
  ])('%s %s: has the nearest operation in the journal', async (method, path, explanation) => {
    await client.call(method, path);
    expect(client.canticle.requests.list().at(-1)).toMatchObject({
      outcome: 'unmatched',
      explanation,
    });
  });
});

it('rejects an unknown method of a path as each server does', async () => {
  expect(await client.ledger('DELETE', '/v2/version')).toMatchObject({
    status: 405,
    body: 'Method Not Allowed',
  });
  expect(await client.send('DELETE', '/registry/metadata/v1/info')).toMatchObject({
    status: 405,
    body: 'HTTP method not allowed, supported methods: GET',
  });
});

it.each([
  ['GET', '/v2/definitions/packages', 404, 'B-GEN-043'],
  ['GET', '/v2/traffic/state', 404, 'B-GEN-043'],
  ['DELETE', '/v2/packages/some', 405, 'B-PKG-013'],
  ['GET', '/v2/packages/some/details', 404, 'B-PKG-014'],
  ['DELETE', '/v2/parties/some', 405, 'B-PTY-034'],
  ['PATCH', '/v2/parties/some/identity-provider-id', 404, 'B-PTY-034'],
])('%s %s does not exist: %d (%s)', async (method, path, status) => {
  expect((await client.ledger(method, path)).status).toBe(status);
});

it('serves the registry at the root, behind the Scan proxy, and below each configured prefix', async () => {
  const path = '/registry/metadata/v1/info';
  const { body } = await client.registry('GET', path);
  for (const prefix of ['/api/validator/v0/scan-proxy', '/api/token-standard/v0/registrars/x'])
    expect((await client.call('GET', prefix + path)).body).toEqual(body);
});

it.each(['v2-below', '/v2-below', '/v2-below/'])(
  'with pathPrefix %s, serves the Ledger API below it only (B-GEN-008)',
  async (pathPrefix) => {
    const canticle = createCanticle({ pathPrefix });
    expect((await canticle.handle({ path: '/v2-below/v2/version' })).status).toBe(200);
    expect((await canticle.handle({ path: '/v2/version' })).status).toBe(404);
    expect((await canticle.handle({ path: '/v2-below/docs/openapi' })).status).toBe(200);
    expect((await canticle.handle({ path: '/docs/openapi' })).status).toBe(404);
    expect((await canticle.handle({ path: '/api/scan/v0/dso-party-id' })).status).toBe(200);
  },
);

it('accepts any Host header', async () => {
  const { status } = await client.scan('GET', '/v0/dso-party-id', undefined, {
    headers: { host: 'scan.localhost' },
  });
  expect(status).toBe(200);
});

/** For the examples see test/testing/fixtures.test.ts. */
function withoutExamples(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    if (value === null || typeof value !== 'object' || !('schema' in value)) return value;
    const { example: _, ...rest } = value;
    return rest;
  });
}

describe('the API documents', () => {
  it.each<[string, Api[]]>([
    ['/docs/openapi.json', ['ledger']],
    ['/api/scan/docs/openapi.json', ['scan']],
    ['/registry/docs/openapi.json', ['registry']],
    ['/api/validator/docs/openapi.json', ['validator', 'wallet', 'names']],
    ['/canticle/v1/docs/openapi.json', ['control']],
  ])('%s describes %j', async (path, apis) => {
    const { status, headers, body } = await client.call('GET', path);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const document = joinedDocument(apis.map((api) => openApiDocument(api)));
    expect(withoutExamples(body)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('/docs/openapi is the same document as YAML (B-GEN-005, B-GEN-006)', async () => {
    const { headers, body } = await client.ledger('GET', '/docs/openapi');
    expect(headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(parse(body)).toEqual((await client.ledger('GET', '/docs/openapi.json')).body);
    expect(parse(body).info.version).toBe((await client.ledger('GET', '/v2/version')).body.version);
  });
});

describe('a page of another origin (S-GEN-014)', () => {
  const page = { origin: 'https://wallet.example' };

  it('may call Scan, and read the traceparent header', async () => {
    const { headers } = await client.scan('GET', '/v0/dso-party-id', undefined, { headers: page });
    expect(headers).toMatchObject({
      'access-control-allow-origin': page.origin,
      'access-control-expose-headers': 'traceparent',
    });
  });

  it('may send a preflight request before a POST', async () => {
    const preflight = {
      ...page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { status, headers } = await client.send('OPTIONS', '/api/scan/v2/updates', undefined, {
      headers: preflight,
    });
    expect([status, headers['access-control-allow-headers']]).toEqual([200, 'content-type']);
    expect(headers['access-control-allow-methods']).toContain('POST');
  });

  it('may call the participant only if its origin is allowed', async () => {
    for (const [origin, allowed] of [
      [page.origin, page.origin],
      ['https://other.example', undefined],
    ] as const) {
      const { headers } = await client.ledger('GET', '/v2/version', undefined, {
        headers: { origin },
      });
      expect(headers['access-control-allow-origin']).toBe(allowed);
    }
  });

  it('has CORS headers in its answers, and other clients do not', async () => {
    expect((await client.scan('GET', '/v0/dso-party-id')).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

it('does not send the name of the server software', async () => {
  const { headers } = await client.ledger('GET', '/v2/version');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('etag');
});

describe('liveness', () => {
  it('/livez is an empty 200 (B-GEN-002)', async () => {
    expect(await client.ledger('GET', '/livez')).toMatchObject({ status: 200, body: '' });
  });

  it('/readyz reports that the ledger serves (B-GEN-003)', async () => {
    const { body } = await client.ledger('GET', '/readyz');
    expect(body).toBe('[+] ledger ok (SERVING)\nreadyz check passed\n');
  });
});

it.each(['3.4', '3.5', '3.6', '3.7'] as const)(
  'the paths of the health server of a node do not exist in release %s (R-36-029)',
  async (canton) => {
    const canticle = createCanticle({ canton });
    for (const path of ['', '/ready', '/readiness', '/live', '/liveness'])
      expect((await canticle.handle({ path: `/health${path}` })).status).toBe(404);
  },
);
