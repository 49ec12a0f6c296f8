/**
 * Bad input outside bodies, for each operation: path and query parameters one by one, the request target, headers. The answer always
 * has the API's own form, a refusal changes no state, and the process keeps running. `each-field.test.ts` covers bodies.
 */
import { connect } from 'node:net';
import { type Api, APIS, servedOperations, type Operation } from '../../src/spec/index.js';
import { furnishModel, MODEL_PACKAGES } from '../support/splice/amulet-model.js';
import { clientInProcess, startClient, type Sent, type TestClient } from '../support/client.js';
import {
  kindOf,
  schemaOf,
  strangeTexts,
  targetOf,
  usualValues,
  WRONG_PARAMETERS,
  type Values,
} from '../support/faults/parameters.js';

const HEADERS: Readonly<Record<string, string>>[] = [
  { traceparent: 'nonsense' },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-01' },
  { tracestate: 'x'.repeat(5000) },
  { 'content-type': ';;;' },
  { accept: 'nonsense' },
  { 'x-__proto__': 'polluted' },
];

const OPTIONS = { seed: 9, packages: MODEL_PACKAGES };

let client: TestClient;
let snapshot: string;

function furnish({ canticle }: TestClient): void {
  const alice = canticle.participant.allocateParty('alice');
  canticle.token.mint(alice, '100.0');
  furnishModel(canticle);
  snapshot = canticle.snapshot();
}

async function send(operation: Operation, target: string) {
  const { network } = client.canticle;
  const position = () => `${network.journal.position}/${network.updates.length}`;
  const before = position();
  const body = operation.request?.contentType === 'application/json' ? {} : undefined;
  const answer = await client.call(operation.method.toUpperCase(), target, body);
  const entry = client.newestEntry();
  if (answer.status >= 400) expect(position()).toBe(before);
  else if (operation.operationId === 'resetNetwork') snapshot = client.canticle.snapshot();
  else client.canticle.revert(snapshot);
  expect(answer.status).not.toBe(500);
  return { ...answer, unreadable: entry?.validation.ok === false };
}

/** These check their caller before they read a request, and without Splice's code no user has a wallet. */
const FOR_WALLETS: readonly Api[] = ['wallet', 'names'];
const rows = (Object.keys(APIS) as Api[])
  .filter((api) => !FOR_WALLETS.includes(api))
  .flatMap((api) => servedOperations(api))
  .map((operation) => [operation.api, operation.operationId, operation] as const);

describe('parameters', () => {
  beforeAll(() => {
    client = clientInProcess(OPTIONS);
    furnish(client);
  });
  afterAll(() => client.close());

  it.each(rows)('%s %s', async (api, _id, operation) => {
    const isLedger = api === 'ledger';
    // Splice's servers return it as plain text, or have no such path (V-GEN-018, V-GEN-009).
    const expectedError: unknown = expect.stringMatching(/parameter '|^The requested resource/);
    const usual = usualValues(operation);
    for (const parameter of operation.parameters ?? []) {
      const { in: place, name, required } = parameter;
      const kind = kindOf(schemaOf(operation, parameter));
      const isWorded = api === 'control' || place === 'path';
      const elsewhere = isWorded
        ? expect.objectContaining({ error: expect.any(String) })
        : expectedError;
      const sent = async (given: Values[string]) => {
        const target = targetOf(operation, { ...usual, [name]: given });
        const { status, body, unreadable } = await send(operation, target);
        return { target, status, body: unreadable ? body : undefined, unreadable };
      };
      const refused = async (given: Values[string], detail = '') => {
        const seen = await sent(given);
        expect(seen).toEqual({
          target: seen.target,
          status: isLedger ? 400 : expect.any(Number),
          body: isLedger ? `Invalid value for: ${place} parameter ${name}${detail}` : elsewhere,
          unreadable: true,
        });
      };
      const isText = WRONG_PARAMETERS[kind] === undefined;
      for (const value of isText ? strangeTexts() : WRONG_PARAMETERS[kind]!)
        await (isText ? sent : refused)(value);
      if (place === 'path') continue;
      const once = usual[name] as string;
      if (isLedger && kind !== 'array') await refused([once, once], ' (multiple values)');
      else await sent([once, once]);
      await (isText ? sent : refused)('');
      if (required && kind !== 'array') await refused(undefined, ' (missing)');
      else if (name !== 'stream_idle_timeout_ms') await sent(undefined);
    }
    const target = targetOf(operation, usual);
    const { status } = await send(operation, target);
    const more = 'unknown=1&__proto__=1&constructor=2&toString&&=&';
    const joint = target.includes('?') ? '&' : '?';
    expect((await send(operation, `${target}${joint}${more}`)).status).toBe(status);
  });
});

/** The following tests are about HTTP itself. */
const overPort = (): void => {
  beforeAll(async () => {
    client = await startClient(OPTIONS);
    furnish(client);
  });
  afterAll(() => client.close());
};

describe('the request target', () => {
  overPort();

  it.each(['%', '%4', '%zz', '%u0041', '[', '^', '|'])(
    'is rejected with %s, in the path and in the query',
    async (bad) => {
      for (const target of [`/v2/users/${bad}`, `/v2/parties?filter-party=${bad}`]) {
        const { status, headers, body } = await client.send('GET', target);
        expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=UTF-8']);
        expect(body).toContain('Illegal request-target');
      }
    },
  );

  it('replaces bytes that are not UTF-8', async () => {
    for (const bytes of ['%FF', '%C3', '%ED%A0%80'])
      expect((await client.ledger('GET', `/v2/users/${bytes}`)).body.code).toBe('INVALID_ARGUMENT');
  });

  it('accepts each 64-bit integer', async () => {
    const list = (limit: string) =>
      client.ledger('POST', `/v2/updates?limit=${limit}&stream_idle_timeout_ms=1`, {});
    const { body: usual } = await list('1');
    for (const limit of ['9223372036854775807', '-9223372036854775808', '%2B5', '007'])
      expect((await list(limit)).body).toMatchObject({ code: usual.code });
  });
});

describe('headers', () => {
  overPort();

  const get = (path: string, headers: Sent['headers']) =>
    client.send('GET', path, undefined, { headers });

  it('are ignored if they are invalid', async () => {
    const paths = [
      '/v2/version',
      '/api/scan/v0/dso',
      '/registry/metadata/v1/info',
      '/canticle/v1/time',
    ];
    for (const path of paths) {
      const { status } = await client.send('GET', path);
      for (const headers of HEADERS) expect((await get(path, headers)).status).toBe(status);
    }
    const allocate = (hint: string, headers: Sent['headers']) =>
      client.send('POST', '/v2/parties', `{"partyIdHint":"${hint}"}`, { headers });
    for (const [index, headers] of HEADERS.entries())
      expect((await allocate(`heading-${index}`, headers)).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('may ask for one type of answer only, and a request for another type has no effect', async () => {
    const offset = () => client.canticle.participant.engine.log.end;
    const before = offset();
    const refused = await client.send('POST', '/v2/parties', '{"partyIdHint":"unseen"}', {
      headers: { accept: 'text/html' },
    });
    expect([refused.status, refused.body, offset()]).toEqual([406, '', before]);
    for (const accept of ['text/plain', 'text/*, application/xml;q=0.9', 'application/json-seq'])
      expect((await get('/v2/version', { accept })).status).toBe(406);
    for (const accept of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'text/html, application/*;q=0.1',
      'text/html, */*',
      'what is this',
      '',
    ])
      expect((await get('/v2/version', { accept })).status).toBe(200);
    expect((await get('/livez', { accept: 'text/html' })).status).toBe(200);
    expect((await get('/readyz', { accept: 'application/json' })).status).toBe(406);
    expect((await get('/readyz', { accept: 'text/plain' })).status).toBe(200);
  });

  it('may have at most one token', async () => {
    const { port } = new URL(client.canticle.url);
    const lines = ['GET /v2/version HTTP/1.1', 'Host: x', 'Connection: close'];
    const raw = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.write(
        [...lines, 'Authorization: Bearer a', 'Authorization: Bearer b', '', ''].join('\r\n'),
      );
    });
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toContain('Invalid value for: header Authorization (multiple values)');
  });

  it('are checked after parameters, and before bodies (B-GEN-026)', async () => {
    const headers = { authorization: 'Bearer' };
    const list = (query: string) =>
      client.send('POST', `/v2/updates${query}`, 'no json', { headers });
    expect((await list('?limit=x')).body).toBe('Invalid value for: query parameter limit');
    expect((await list('')).body).toBe('Invalid value for: header Authorization');
  });
});
