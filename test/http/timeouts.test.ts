/** A participant's server during silence: requests that take too long, and idle connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createCanticle } from 'canticle';
import { requestTimeoutOf } from '../../src/http/request-timeout.js';
import { startClient } from '../support/client.js';
import { create, LedgerApi, ledgerApiOptions, startLedgerApi } from '../support/ledger-api.js';
import { model } from '../support/daml/model-package.js';
import { endingTimers } from '../support/process/node-timers.js';
import { StreamClient } from '../support/stream-client.js';

/** Waits longer than any test does. */
const OPEN_LIST = '/v2/updates?stream_idle_timeout_ms=9000000000000';
const LIST = { beginExclusive: 0, filter: { filtersForAnyParty: {} } };
const NEWER_LIST = {
  beginExclusive: 0,
  updateFormat: {
    includeTransactions: {
      eventFormat: { filtersForAnyParty: {} },
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    },
  },
};
const LATE = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body: 'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
};

describe('a request that takes longer than the request timeout (B-GEN-009)', () => {
  let api: LedgerApi;
  beforeAll(async () => {
    const options = ledgerApiOptions({ requestTimeout: 1 });
    api = new LedgerApi(await startClient(options));
  });
  afterAll(() => api.client.close());

  it('has an undocumented answer with status 503, and the connection closes', async () => {
    const answer = await api.client.send('POST', OPEN_LIST, LIST);
    expect(answer).toMatchObject(LATE);
    expect(answer.headers).toMatchObject({ connection: 'close', 'content-length': '105' });
    expect(api.canticle.requests.list().at(-1)).toMatchObject({
      status: 503,
      outcome: 'refused',
      explanation: expect.stringContaining('1 ms (requestTimeout)'),
    });
  });

  it('continues to run if it is a command', async () => {
    const alice = api.canticle.participant.allocateParty('alice');
    const commands = api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const active = () => api.canticle.participant.activeContracts({ template: model('Dummy') });
    api.canticle.pauseSynchronizer();
    const path = '/v2/commands/submit-and-wait';
    expect(await api.client.send('POST', path, commands)).toMatchObject(LATE);
    const count = api.canticle.requests.list().length;
    expect(active()).toHaveLength(0);
    api.canticle.resumeSynchronizer();
    await new Promise(setImmediate);
    expect(active()).toHaveLength(1);
    expect(api.canticle.requests.list()).toHaveLength(count);
    // A second request shows that the command succeeded.
    expect((await api.post(path, commands)).body.code).toBe('DUPLICATE_COMMAND');
  });

  it('has the same answer without a port', async () => {
    const { status, headers, body } = await api.canticle.handle({ path: OPEN_LIST, body: LIST });
    expect({ status, headers, body: body.toString() }).toMatchObject(LATE);
  });

  it('stops reading', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout');
    const before = timers().length;
    await api.canticle.handle({ path: OPEN_LIST, body: LIST });
    expect(timers().length).toBeLessThanOrEqual(before);
  });
});

it('the request timeout is 20 seconds by default (B-GEN-009)', async () => {
  const canticle = createCanticle();
  const [lengths, { status }] = await endingTimers(20_000, () =>
    canticle.handle({ path: OPEN_LIST, body: LIST }),
  );
  expect(status).toBe(503);
  expect(lengths).toContain(20_000);
});

it('answers over HTTP while a test fakes all timers', async () => {
  const api = await startLedgerApi();
  jest.useFakeTimers();
  try {
    const alice = api.canticle.participant.allocateParty('alice');
    const commands = api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const answers = await Promise.all([
      fetch(`${api.canticle.url}/v2/version`),
      fetch(`${api.canticle.url}/v2/commands/submit-and-wait`, {
        method: 'POST',
        body: JSON.stringify(commands),
        headers: { 'content-type': 'application/json' },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  } finally {
    jest.useRealTimers();
    await api.client.close();
  }
});

it.each([
  ['ledger', 20_000],
  ['control', 20_000],
  ['wallet', 38_000],
  ['validator', 38_000],
  ['scan', 38_000],
  ['registry', 38_000],
] as const)('%s waits %d ms, or for the configured time (V-GEN-016)', (api, timeout) => {
  expect([requestTimeoutOf(api, undefined), requestTimeoutOf(api, 7)]).toEqual([timeout, 7]);
});

describe('a release that takes time limits of clients (B-GEN-070, B-GEN-071)', () => {
  const canticle = createCanticle({
    canton: '3.6',
    auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 's' }] },
  });
  const guarded = (limit: string, path = '/v2/parties') =>
    canticle.handle({ path, headers: { 'request-timeout': limit } });

  it.each([
    [
      'soon',
      "Invalid Request-Timeout header value 'soon': expected a positive integer number of milliseconds.",
    ],
    [
      '1.5',
      "Invalid Request-Timeout header value '1.5': expected a positive integer number of milliseconds.",
    ],
    [
      '9223372036854775808',
      "Invalid Request-Timeout header value '9223372036854775808': expected a positive integer number of milliseconds.",
    ],
  ])('rejects %s, which is not a number of milliseconds (R-36-022)', async (limit, text) => {
    const { status, headers, body } = await guarded(limit);
    expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=UTF-8']);
    expect(body.toString()).toBe(text);
  });

  it.each(['999', '0', '-1', '-9223372036854775808'])(
    'rejects %s, which is below the minimum (R-36-023)',
    async (limit) => {
      const { status, body } = await guarded(limit);
      expect(status).toBe(400);
      expect(body.toString()).toBe(
        `Request-Timeout '${limit}' ms is below the minimum of 1000 ms.`,
      );
    },
  );

  it.each(['60001', '9223372036854775807'])(
    'rejects %s, which is above the maximum',
    async (limit) => {
      expect((await guarded(limit)).body.toString()).toBe(
        `Request-Timeout '${limit}' ms is above the maximum of 60000 ms.`,
      );
    },
  );

  it.each(['1000', '+1000', '60000'])('accepts %s', async (limit) => {
    expect((await guarded(limit)).status).toBe(401);
  });

  it('checks the limit before the token, on each path, and for streams (R-36-026)', async () => {
    for (const path of ['/v2/parties', '/v2/version', '/livez', '/v2/nothing', '/docs/openapi'])
      expect((await guarded('1', path)).status).toBe(400);
    expect((await guarded('1', '/api/scan/version')).status).toBe(200);
    expect(canticle.requests.list().at(-2)).toMatchObject({ status: 400, outcome: 'refused' });
    const served = await startClient({ canton: '3.6' });
    const opened = (limit: string) =>
      new StreamClient(`${served.canticle.url}/v2/updates`, {
        headers: { 'request-timeout': limit },
      }).opened();
    await expect(opened('1')).rejects.toThrow('400');
    await (await opened('1000')).close();
    await served.close();
  });

  it('answers 408 without a body when the limit passes, and 503 without a limit (R-36-024)', async () => {
    const open = createCanticle({ canton: '3.6' });
    const late =
      (headers = {}) =>
      () =>
        open.handle({ path: OPEN_LIST, body: NEWER_LIST, headers });
    const [lengths, answer] = await endingTimers(1500, late({ 'request-timeout': '1500' }));
    expect(lengths).toContain(1500);
    expect([answer.status, answer.body.toString()]).toEqual([408, '']);
    expect(open.requests.list().at(-1)).toMatchObject({ status: 408, outcome: 'refused' });
    const [, usual] = await endingTimers(20_000, late());
    expect(usual.status).toBe(503);
  });

  it.each(['3.4', '3.5'] as const)('but release %s ignores the header', async (canton) => {
    const { status } = await createCanticle({ canton }).handle({
      path: '/v2/version',
      headers: { 'request-timeout': 'soon' },
    });
    expect(status).toBe(200);
  });
});

describe('a connection without data closes after the idle timeout', () => {
  let api: LedgerApi;
  beforeAll(async () => {
    api = await startLedgerApi({ idleTimeout: 20 });
  });
  afterAll(() => api.client.close());

  it.each([
    ['before a request', ''],
    ['during a request', 'POST /v2/updates HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'],
    ['after an answer', 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('%s', async (_, said) => {
    const socket = connect(api.canticle.port, '127.0.0.1');
    socket.write(said);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('but not while received data waits for a busy process', async () => {
    const socket = connect(api.canticle.port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    socket.write('GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK/u);
  });

  it('as a WebSocket, without a closing frame', async () => {
    const client = await new StreamClient(`${api.canticle.url}/v2/updates`).opened();
    expect(await client.closed).toBe(1006);
  });
});
