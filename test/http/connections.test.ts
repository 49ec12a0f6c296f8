/** Connections with other than plain requests: half-closed ones, absolute URLs, pipelined requests, encodings. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startClient, type TestClient } from '../support/client.js';

let client: TestClient;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.close());

/** Sends the text, and closes its half of the connection. @returns all that came before the other half was closed */
function sendAndClose(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: client.canticle.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
    socket.end(text);
  });
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
const LEDGER_END = '{"offset":';

it('a client that has closed its half receives an answer that takes time', async () => {
  const body = JSON.stringify({ beginExclusive: 0, filter: { filtersForAnyParty: {} } });
  const head = request(
    'POST /v2/updates?stream_idle_timeout_ms=20',
    `content-length: ${body.length}`,
  );
  const answer = await sendAndClose(head + body);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"Transaction"');
});

it('a client may send several requests before the first answer', async () => {
  const both = request('GET /livez') + request('GET /v2/state/ledger-end');
  const [, first, second] = (await sendAndClose(both)).split('HTTP/1.1 200 OK');
  expect(first).not.toContain(LEDGER_END);
  expect(second).toContain(LEDGER_END);
});

it('a target may be a whole URL, as proxies send it', async () => {
  const answer = await sendAndClose(request('GET http://X:80/v2/state/ledger-end'));
  expect(answer).toContain(LEDGER_END);
  expect(await sendAndClose(request('GET http://x/v2/nothing'))).toMatch(/^HTTP\/1\.1 404 /);
});

it('rejects a whole URL with another host (B-GEN-062)', async () => {
  const answer = await sendAndClose(request('GET http://anywhere:99/v2/state/ledger-end'));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(
    "'Host' header value of request to `http://anywhere:99/v2/state/ledger-end` doesn't match request target authority",
  );
});

it('an answer has the headers of its server, in the same order (B-GEN-059)', async () => {
  const namesOf = (answer: string) => answer.split('\r\n\r\n')[0]!.split('\r\n').slice(1, -1);
  const closing = await sendAndClose(request('GET /v2/state/ledger-end', 'connection: close'));
  expect(namesOf(closing)).toEqual([
    'Server: pekko-http/1.1.0',
    'Connection: close',
    'Content-Type: application/json',
    expect.stringMatching(/^Content-Length: \d+$/),
  ]);
  const two = request('GET /v2/version') + request('GET /v2/version');
  const [, first] = (await sendAndClose(two)).split('HTTP/1.1 200 OK');
  expect(namesOf(first!)).toEqual([
    'Server: pekko-http/1.1.0',
    'Content-Type: application/json',
    expect.stringMatching(/^Content-Length: \d+$/),
  ]);
});

it('the archive of a package arrives in chunks, without its length (B-GEN-064)', async () => {
  const packages = await (await fetch(`${client.canticle.url}/v2/packages`)).json();
  const target = `GET /v2/packages/${(packages as { packageIds: string[] }).packageIds[0]}`;
  const heads = async (text: string) =>
    (await sendAndClose(text)).split('\r\n\r\n')[0]!.split('\r\n');
  const head = await heads(request(target, 'connection: close'));
  expect(head).toContain('Transfer-Encoding: chunked');
  expect(head.join()).not.toMatch(/Content-Length/i);
  const old = await heads(request(target).replace('HTTP/1.1', 'HTTP/1.0'));
  expect(old.join()).not.toMatch(/Content-Length|Transfer-Encoding/i);
});

it('ignores an unknown expectation (B-GEN-061)', async () => {
  const answer = await sendAndClose(request('GET /v2/state/ledger-end', 'expect: nonsense'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

it('neither decompresses requests nor compresses answers', async () => {
  const plain = await client.ledger('GET', '/v2/version', undefined, {
    headers: { 'accept-encoding': 'gzip' },
  });
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
  const zipped = await client.ledger('POST', '/v2/parties', gzipSync('{"partyIdHint":"zipped"}'), {
    headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
  });
  expect([zipped.status, zipped.body]).toEqual([
    400,
    expect.stringMatching(/^Invalid value for: body/),
  ]);
});

it('reads a chunked body that Expect announces', async () => {
  const head = request('POST /v2/parties', 'transfer-encoding: chunked', 'expect: 100-continue');
  const answer = await sendAndClose(`${head}5\r\n{"par\r\n14\r\ntyIdHint":"chunked"}\r\n0\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(answer).toContain('"party":"chunked::1220');
});

/** The headers that ask for a stream. */
const UPGRADE = [
  'host: x',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
].join('\r\n');

describe('the head of a request', () => {
  const padded = (length: number) => {
    const path = '/v2/parties/x?filter=';
    return path + 'p'.repeat(length - path.length);
  };

  it('has a target of at most 2048 characters, which holds about 24 parties', async () => {
    expect((await client.send('GET', padded(2048))).status).toBe(200);
    for (const method of ['GET', 'POST'])
      expect(await client.send(method, padded(2049))).toMatchObject({
        status: 414,
        headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
        body: expect.stringContaining('limit of 2048 characters'),
      });
  });

  it('has at most 64 headers, of at most 8192 characters each', async () => {
    const version = (headers: Record<string, string>) =>
      client.send('GET', '/v2/version', undefined, { headers });
    expect((await version({ long: 'x'.repeat(8192) })).status).toBe(200);
    expect((await version({ long: 'x'.repeat(8193) })).status).toBe(431);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}`, 'x']));
    expect((await version(many(60))).status).toBe(200);
    expect((await version(many(65))).status).toBe(400);
  });

  it.each([
    ['no version', 'GET /v2/version\r\nhost: x'],
    ['HTTP/0.9', 'GET /v2/version HTTP/0.9\r\nhost: x'],
    ['HTTP/1.2', 'GET /v2/version HTTP/1.2\r\nhost: x'],
    ['HTTP/2.0', 'GET /v2/version HTTP/2.0\r\nhost: x'],
    ['another protocol', 'GET /v2/version ICE/1.0\r\nhost: x'],
  ])('has version 1.0 or 1.1: %s is rejected', async (_what, head) => {
    const answer = await sendAndClose(`${head}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 505 HTTP Version Not Supported\r\n/);
    expect(answer).toMatch(/\r\n\r\nThe server does not support the HTTP protocol version used in/);
  });

  it.each([
    ['FOO', 501],
    ['get', 501],
    ['GETS', 501],
    ['PROPFIND', 501],
    ['FIFTEEN-LETTERS', 501],
    ['SIXTEEN--LETTERS', 400],
    ['\x16\x03\x01', 400],
  ])('has a supported method: %j has the status %i', async (method, status) => {
    const line = method < ' ' ? method : request(`${method} /v2/version`);
    const answer = await sendAndClose(line);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nconnection: close\r\n[^]*\r\n\r\nUnsupported HTTP method$/i);
  });

  it.each([
    ['a header name with a space', 'ho st: x', `Illegal character ' ' in header name`],
    [
      'a control character in a header',
      'host: x\x01',
      `Illegal character '\\u0001' in header value`,
    ],
    ['an invalid length', 'content-length: x', `Illegal 'content-length' header`],
    [
      'two lengths',
      'content-length: 1\r\ncontent-length: 2',
      'HTTP message must not contain more than one Content-Length header',
    ],
    [
      'a length and chunks',
      'content-length: 1\r\ntransfer-encoding: chunked',
      'A chunked request must not contain a Content-Length header',
    ],
  ])('is rejected if it is malformed: %s', async (_what, header, words) => {
    const answer = await sendAndClose(`POST /v2/parties HTTP/1.1\r\n${header}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.endsWith(`\r\n\r\n${words}`)).toBe(true);
  });

  it('answers earlier requests before an invalid one', async () => {
    const both = request('GET /v2/state/ledger-end') + request('FOO /livez');
    const answer = await sendAndClose(both);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"offset"[^]*HTTP\/1\.1 501 Not Implemented/);
  });

  it('ignores bytes after the last request of a connection', async () => {
    const answer = await sendAndClose(`${request('GET /v2/version', 'connection: close')}FOO`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"version"/);
    expect(answer.match(/HTTP\//g)).toHaveLength(1);
  });

  it('may have more than Node’s limit of 16 KiB for headers', async () => {
    const long = Array.from({ length: 4 }, (_, n) => `long-${n}: ${'x'.repeat(8000)}`);
    expect(await sendAndClose(request('GET /v2/version', ...long))).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('rejects an invalid chunk with a text', async () => {
    const head = request('POST /v2/parties', 'transfer-encoding: chunked');
    const answer = await sendAndClose(`${head}zz\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*Illegal character 'z' in chunk start$/);
  });

  it.each([
    ['two hosts', 'HTTP/1.1\r\nhost: x\r\nHost: y', 400, 'more than one Host header'],
    ['the same host twice', 'HTTP/1.0\r\nhost: x\r\nhost: x', 400, 'more than one Host header'],
    ['no host', 'HTTP/1.1\r\naccept: */*', 400, 'missing required `Host` header'],
    ['no host, in HTTP/1.0', 'HTTP/1.0\r\naccept: */*', 200, '"version":'],
    ['two hosts, for a stream', `HTTP/1.1\r\n${UPGRADE}\r\nHost: y`, 400, 'more than one Host'],
  ])('names exactly one host: %s', async (_what, head, status, words) => {
    const answer = await sendAndClose(
      `GET ${head.includes('Upgrade') ? '/v2/updates' : '/v2/version'} ${head}\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(words);
  });

  it('has the same limits for a stream', async () => {
    const head = request(
      `GET /v2/updates?${'x'.repeat(2048)}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    );
    expect(await sendAndClose(head)).toMatch(/^HTTP\/1\.1 414 /);
  });
});

describe('treats an invalid upgrade as a plain GET, which is not found (B-GEN-007)', () => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const upgradeWith = (more: object) => {
    const headers = Object.entries({ ...upgrade, ...more });
    return sendAndClose(
      request('GET /v2/updates', ...headers.map(([name, value]) => `${name}: ${value}`)),
    );
  };

  it.each([
    ['another version', { 'sec-websocket-version': '8' }],
    ['a key that is too short', { 'sec-websocket-key': 'c2hvcnQ=' }],
    ['another protocol', { upgrade: 'irc/6.9' }],
  ])('%s', async (_what, more) => {
    expect(await upgradeWith({})).toMatch(/^HTTP\/1\.1 101 /);
    expect(await upgradeWith(more)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
