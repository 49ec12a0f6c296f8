/** How a request travels to another ledger: what is sent, how long and how large an answer may be, and how streams end. */
import { getEventListeners, once } from 'node:events';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { fork } from 'node:child_process';
import timers from 'node:timers';
import { WebSocketServer } from 'ws';
import {
  call,
  drive,
  driveNow,
  headersOf,
  read,
  requestOf,
  sentBody,
} from '../../src/client/requests.js';
import {
  COMMAND_PATIENCE_MS,
  HttpSide,
  mediaTypeOf,
  requesterOf,
} from '../../src/client/http-side.js';
import { OPERATIONS } from '../../src/client/operations.js';
import { streamed, type Streaming } from '../../src/client/stream-side.js';
import { SyncSide } from '../../src/client/sync-side.js';

let answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks)));
});
const sockets = new WebSocketServer({
  server,
  verifyClient: ({ req }: { req: IncomingMessage }) => req.url !== '/closed',
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  sockets.close();
  server.closeAllConnections();
  server.close();
});

const { version, rights, grant, uploadDar, parties } = OPERATIONS;

it('rejects an invalid header at once, and leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { send } = new HttpSide(base, { token: 'of\ntwo lines' });
  await expect(drive(call(version), send)).rejects.toMatchObject({ code: 'ERR_INVALID_CHAR' });
  expect(timers()).toBeLessThanOrEqual(before);
});

it('sends ids, queries, tokens and bodies at their places in the request', async () => {
  const seen: unknown[] = [];
  answer = ({ method, url, headers }, response, body) => {
    const { authorization, 'content-type': type, 'content-length': length } = headers;
    seen.push([method, url, authorization, type, length, body.toString()]);
    response.end('{}');
  };
  const { send } = new HttpSide(`${base}//`, { token: 'own' });
  await drive(call(rights, { id: 'a/b' }), send);
  await drive(call(grant, { id: 'a', body: { userId: 'é' } }), send);
  await drive(call(uploadDar, { body: Buffer.from('dar') }), send);
  await drive(call(parties, { query: { pageSize: 7, pageToken: 'a+b' }, isAnonymous: true }), send);
  await send(requestOf(version), 'of another');
  expect(seen).toEqual([
    ['GET', '/v2/users/a%2Fb/rights', 'Bearer own', undefined, undefined, ''],
    ['POST', '/v2/users/a/rights', 'Bearer own', 'application/json', '15', '{"userId":"é"}'],
    ['POST', '/v2/packages', 'Bearer own', 'application/octet-stream', '3', 'dar'],
    ['GET', '/v2/parties?pageSize=7&pageToken=a%2Bb', undefined, undefined, undefined, ''],
    ['GET', '/v2/version', 'Bearer of another', undefined, undefined, ''],
  ]);
  expect([sentBody({}), headersOf({}, undefined)]).toEqual([undefined, {}]);
});

it('connects to another host than the URL names', async () => {
  answer = ({ headers }, response) => response.end(headers.host);
  const { port } = server.address() as AddressInfo;
  const side = new HttpSide(`http://scan.localhost:${port}`);
  const { bytes } = await side.request({ target: '/', connectTo: '127.0.0.1' });
  expect(bytes.toString()).toBe(`scan.localhost:${port}`);
});

it.each([
  ['http:', http.request],
  ['ws:', http.request],
  ['https:', https.request],
  ['wss:', https.request],
])('sends requests of %s with or without TLS', (protocol, request) => {
  expect(requesterOf(new URL(`${protocol}//localhost`))).toBe(request);
});

it('parses JSON, and reports answers that are not JSON', async () => {
  answer = (_, response) => response.writeHead(201, { 'content-type': 'Text/HTML; x=y' }).end('<');
  const result = await new HttpSide(base).request({ target: '/' });
  expect([result.status, result.mediaType, result.body]).toEqual([201, 'text/html', undefined]);
  expect(mediaTypeOf()).toBe('');
  const { send } = new HttpSide(base);
  await expect(drive(read(version), send)).rejects.toThrow(
    'GET /v2/version was answered with 201: <.',
  );
  answer = (_, response) => response.end(' <html>');
  await expect(drive(read(version), send)).rejects.toThrow(
    'GET /v2/version was answered with a body that is not JSON: <html>.',
  );
});

describe('an answer', () => {
  const ofLength = (length: number) => {
    answer = (_, response) => response.end('x'.repeat(length));
  };

  it('may have at most `maxBytes` bytes', async () => {
    const side = new HttpSide(base, { maxBytes: 10 });
    ofLength(10);
    expect((await side.request({ target: '/' })).bytes).toHaveLength(10);
    ofLength(11);
    await expect(side.request({ target: '/' })).rejects.toMatchObject({
      code: 'EMSGSIZE',
      message: 'its answer has more than 10 bytes',
    });
  });

  it('may take at most `patience` milliseconds, to its last byte', async () => {
    const side = new HttpSide(base, { patience: 60 });
    for (const begins of [true, false]) {
      answer = (_, response) => void (begins && response.write('x'));
      await expect(side.request({ target: '/' })).rejects.toMatchObject({
        code: 'ETIMEDOUT',
        message: 'it took longer than 60 milliseconds',
      });
    }
    answer = (_, response) => void setTimeout(() => response.end('late'), 20);
    expect((await side.request({ target: '/' })).bytes.toString()).toBe('late');
  });

  it('may take a minute by default and six minutes for a command, and the request stops its timer', async () => {
    const [starts, stops] = [jest.spyOn(timers, 'setTimeout'), jest.spyOn(timers, 'clearTimeout')];
    ofLength(1);
    for (const [options, patience] of [
      [{}, 60_000],
      [{ patience: COMMAND_PATIENCE_MS }, 360_000],
    ] as const) {
      await new HttpSide(base, options).request({ target: '/' });
      const index = starts.mock.calls.findIndex(([, after]) => after === patience);
      expect(stops).toHaveBeenCalledWith(starts.mock.results[index]!.value);
    }
    jest.restoreAllMocks();
  });

  it('ends when the signal aborts, and removes its listeners', async () => {
    const ending = new AbortController();
    ofLength(1);
    await new HttpSide(base, { signal: ending.signal }).request({ target: '/' });
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
    answer = () => ending.abort(new Error('stop'));
    const side = new HttpSide(base, { signal: ending.signal });
    await expect(side.request({ target: '/' })).rejects.toThrow('stop');
    await expect(side.request({ target: '/' })).rejects.toThrow('stop');
  });

  it('that never arrives is reported with its error code', async () => {
    answer = (_, response) => response.destroy();
    await expect(new HttpSide(base).request({ target: '/' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    const nowhere = new HttpSide('http://localhost:1');
    await expect(nowhere.request({ target: '/' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: expect.stringContaining('connect ECONNREFUSED'),
    });
  });
});

describe('a WebSocket', () => {
  const opened = (more: Partial<Streaming> = {}, path = '/') =>
    streamed(base, path, { token: undefined, sent: [], take: () => {}, quiet: 2000, ...more });
  let meet: (socket: import('ws').WebSocket, request: IncomingMessage) => void;
  beforeAll(() => sockets.on('connection', (socket, request) => meet(socket, request)));

  it('sends its messages with the token, and reads messages until the caller has enough', async () => {
    const got: string[] = [];
    meet = (socket, { headers }) => {
      socket.send(headers['sec-websocket-protocol']!);
      socket.on('message', (data) => socket.send(String(data)));
    };
    const take = (text: string) => got.push(text) === 3;
    expect(await opened({ token: 'x', sent: ['a', 'b'], take })).toEqual({ kind: 'taken' });
    expect(got).toEqual(['jwt.token.x,daml.ws.auth', 'a', 'b']);
  });

  it('breaks the connection once it has enough messages', async () => {
    let closed: Promise<unknown> | undefined;
    meet = (socket) => {
      closed = once(socket, 'close');
      socket.send('a');
    };
    await opened({ take: () => true });
    await closed;
  });

  it('ends with its close code, with a refusal, or after a quiet period', async () => {
    meet = (socket) => socket.close(1008);
    const { signal } = new AbortController();
    const [starts, stops] = [jest.spyOn(timers, 'setTimeout'), jest.spyOn(timers, 'clearTimeout')];
    expect(await opened({ signal, quiet: 1999 })).toEqual({ kind: 'closed', code: 1008 });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const index = starts.mock.calls.findIndex(([, after]) => after === 1999);
    expect(stops).toHaveBeenCalledWith(starts.mock.results[index]!.value);
    jest.restoreAllMocks();
    expect(await opened({}, '/closed')).toEqual({ kind: 'refused', status: 401 });
    let sent = 0;
    meet = (socket) => {
      const timer = setInterval(() => (sent < 4 ? socket.send(`${(sent += 1)}`) : undefined), 60);
      socket.on('close', () => clearInterval(timer));
    };
    const got: string[] = [];
    const take = (text: string) => void got.push(text);
    expect(await opened({ quiet: 200, take })).toEqual({ kind: 'quiet' });
    expect(got).toEqual(['1', '2', '3', '4']);
  });

  it('ends when the signal aborts, and with an error of the reader', async () => {
    const ending = new AbortController();
    meet = () => ending.abort(new Error('stop'));
    await expect(opened({ signal: ending.signal })).rejects.toThrow('stop');
    await expect(opened({ signal: ending.signal })).rejects.toThrow('stop');
    meet = (socket) => ['x', 'y', 'z'].forEach((text) => socket.send(text));
    const taken: string[] = [];
    const take = (text: string) => {
      taken.push(text);
      throw new Error('no more');
    };
    await expect(opened({ take })).rejects.toThrow('no more');
    await new Promise((resolve) => timers.setTimeout(resolve, 50));
    expect(taken).toEqual(['x']);
    const { port } = server.address() as AddressInfo;
    await expect(
      streamed(base.replace(`${port}`, '1'), '/', {
        ...{ token: undefined, sent: [], take: () => {}, quiet: 2000 },
      }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the synchronous client', () => {
  /** A server in a separate process, because this one blocks. */
  const SERVER = `
    const server = require('node:http').createServer((request, response) => {
      const send = (length) => response.end(JSON.stringify('x'.repeat(length - 2)));
      if (request.url === '/v2/version') return send(10);
      if (request.url === '/v2/idps') return send(11);
      if (request.url === '/v2/packages') return response.destroy();
      if (request.url === '/v2/state/ledger-end') return setTimeout(send, 6000, 10);
      response.writeHead(202).end(JSON.stringify(request.headers));
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  `;
  let child: ReturnType<typeof fork>;
  let url = '';
  beforeAll(async () => {
    child = fork('-e', [SERVER], { execArgv: [] });
    const port = await new Promise((resolve) => child.once('message', resolve));
    url = `http://127.0.0.1:${String(port)}`;
  });
  afterAll(() => child.kill());

  it('limits the bytes and the duration of an answer', () => {
    const side = new SyncSide(url, { token: 'own', maxBytes: 10, patience: 5000 });
    expect(side.send(requestOf(version)).body).toBe('x'.repeat(8));
    expect(() => side.send(requestOf(OPERATIONS.identityProviders))).toThrow(
      `GET ${url}/v2/idps was not answered: its answer has more than 10 bytes.`,
    );
    expect(() => side.send(requestOf(OPERATIONS.packages))).toThrow(
      '/v2/packages was not answered: ',
    );
    side.close();
    const hasty = new SyncSide(url, { patience: 100 });
    expect(() => hasty.send(requestOf(OPERATIONS.ledgerEnd))).toThrow(
      `GET ${url}/v2/state/ledger-end was not answered in 0.1 s.`,
    );
    hasty.close();
  });

  it('continues after a late answer', () => {
    const side = new SyncSide(url, { token: 'own', patience: 3000 });
    expect(() => side.send(requestOf(OPERATIONS.ledgerEnd))).toThrow('was not answered in 3 s.');
    const { authorization } = driveNow(call(parties), side.send);
    expect(authorization).toBe('Bearer own');
    expect(driveNow(call(parties, { isAnonymous: true }), side.send)['authorization']).toBe(
      undefined,
    );
    side.close();
  });
});
