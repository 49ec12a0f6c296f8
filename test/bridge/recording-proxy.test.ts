/** The proxy that records, before a server that notes the requests that reach it. */
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { openProxy, type RecordingProxy } from '../../src/bridge/recording-proxy.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function opened(port: number, token?: string): Promise<RecordingProxy> {
  const proxy = await openProxy({
    host: '127.0.0.1',
    port: 0,
    target: new URL(`http://127.0.0.1:${port}`),
    onExchange: () => undefined,
    ...(token !== undefined && { token }),
  });
  closing.push(() => proxy.close());
  return proxy;
}

/** A server that answers 200 to all after it has read the body, and rejects upgrades with 400. */
async function noting() {
  const seen: { headers: IncomingHttpHeaders[]; bodies: string[]; connections: number } = {
    headers: [],
    bodies: [],
    connections: 0,
  };
  const server = createServer(async (incoming, response) => {
    seen.headers.push(incoming.headers);
    seen.bodies.push(await text(incoming));
    response.end('here');
  });
  server.on('connection', () => (seen.connections += 1));
  server.on('upgrade', (incoming, socket) => {
    seen.headers.push(incoming.headers);
    socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { port: portOf(server), seen };
}

const get = (port: number, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/v2/version`, { headers }).then((answer) => answer.text());

const upgrade = (port: number, protocols: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-protocol': protocols,
    };
    request({ host: '127.0.0.1', port, path: '/v2/updates', headers })
      .on('response', (answer) => answer.resume().on('close', resolve))
      .on('error', reject)
      .end();
  });

test('adds its token to HTTP and WebSocket requests without a token', async () => {
  const { port, seen } = await noting();
  const proxy = await opened(port, 'given');
  await get(proxy.port);
  await get(proxy.port, { authorization: 'Bearer own' });
  await upgrade(proxy.port, 'daml.ws.auth');
  await upgrade(proxy.port, 'jwt.token.own, daml.ws.auth');
  expect(seen.headers.map(({ authorization }) => authorization)).toEqual([
    'Bearer given',
    'Bearer own',
    'Bearer given',
    undefined,
  ]);
});

test('uses one connection for consecutive requests', async () => {
  const { port, seen } = await noting();
  const proxy = await opened(port);
  for (let n = 0; n < 3; n++) expect(await get(proxy.port)).toBe('here');
  expect(seen.connections).toBe(1);
});

test('passes a body that arrives in several chunks', async () => {
  const { port, seen } = await noting();
  const proxy = await opened(port);
  const outgoing = request({ host: '127.0.0.1', port: proxy.port, method: 'POST' });
  for (const part of ['one, ', 'two, ', 'three']) {
    outgoing.write(part);
    await setTimeout(20);
  }
  const [answer] = await once(outgoing.end(), 'response');
  await text(answer);
  expect(seen.bodies).toEqual(['one, two, three']);
});

test('passes a request without a Host header', async () => {
  const { port } = await noting();
  const proxy = await opened(port);
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('GET /v2/version HTTP/1.1\r\nconnection: close\r\n\r\n');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*here/);
});

test('ends its connection to a server that answers before it has read the request', async () => {
  let isClosed: Promise<unknown> | undefined;
  const server = createTcpServer((socket) => {
    isClosed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const proxy = await opened(portOf(server));
  const outgoing = request({ host: '127.0.0.1', port: proxy.port, method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.write('the first part');
  const [answer] = await once(outgoing, 'response');
  expect(answer.statusCode).toBe(413);
  await isClosed;
  outgoing.destroy();
});
