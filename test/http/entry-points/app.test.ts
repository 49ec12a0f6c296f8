/** `canticle.app`: routes of users run before the ledger, at any time and for every kind of request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { mountCanticle } from '../../../src/testing/nock.js';
import { startClient, type TestClient } from '../../support/client.js';
import { refusedUpgrade, StreamClient } from '../../support/stream-client.js';
import { byFetch, byHandle, byPort, overPort, type Way } from './ways.js';

const WAYS: readonly [string, Way][] = [
  ['over the port', byPort],
  ['by fetch', byFetch],
  ['by handle', byHandle],
];
const KEY = 'let-me-in';
/** A gateway's: who has no key does not come through. */
const needsKey: RequestHandler = (request, response, next) => {
  if (request.get('x-key') === KEY) next();
  else response.status(401).json({ error: 'no key' });
};

let client: TestClient;
let canticle: Canticle;
beforeEach(async () => {
  client = await startClient({ seed: 1 });
  canticle = client.canticle;
});
afterEach(() => client.close());

describe.each(WAYS)('%s', (_, way) => {
  it('uses a route that is added while the instance listens', async () => {
    const request = { path: '/orders/7?urgent=yes' };
    expect((await way(canticle, request)).status).toBe(404);
    canticle.app.get('/orders/:id', (request, response) => {
      response.json({ id: request.params['id'], urgent: request.query['urgent'] });
    });
    const { status, headers, text } = await way(canticle, request);
    expect([status, text]).toEqual([200, '{"id":"7","urgent":"yes"}']);
    expect(headers['x-powered-by']).toBeUndefined();
    expect((await way(canticle, { path: '/orders' })).status).toBe(404);
    expect((await way(canticle, { path: '/v2/version' })).status).toBe(200);
    // The journal has the requests that reached the ledger.
    expect(canticle.requests.list({ outcome: 'unmatched' }).map(({ path }) => path)).toEqual([
      request.path,
      '/orders',
    ]);
  });

  it('middleware may reject requests, and add headers to each answer', async () => {
    canticle.app.use(needsKey, (_request, response, next) => {
      response.set('x-gateway', 'one');
      response.append('set-cookie', ['a=1', 'b=2']);
      next();
    });
    expect(await way(canticle, { path: '/v2/version' })).toMatchObject({
      status: 401,
      text: '{"error":"no key"}',
    });
    const { status, headers } = await way(canticle, {
      path: '/v2/version',
      headers: { 'x-key': KEY },
    });
    expect([status, headers['x-gateway']]).toEqual([200, 'one']);
    expect(headers['set-cookie']).toMatch(/b=2$/);
  });

  it('an error handler or Express answers errors of middleware', async () => {
    canticle.app.get('/thrown', () => {
      throw Object.assign(new Error('thrown'), { status: 418 });
    });
    canticle.app.get('/rejected', () => Promise.reject(new Error('rejected')));
    expect((await way(canticle, { path: '/thrown' })).status).toBe(418);
    canticle.app.use(((error: Error, _request, response, _next) => {
      response.status(500).send(`caught ${error.message}`);
    }) as express.ErrorRequestHandler);
    expect((await way(canticle, { path: '/thrown' })).text).toBe('caught thrown');
    expect((await way(canticle, { path: '/rejected' })).text).toBe('caught rejected');
  });

  it('passes a body that middleware has parsed to the ledger and to routes', async () => {
    canticle.app.use(express.json());
    canticle.app.post('/echo', (request, response) => void response.json(request.body));
    const headers = { 'content-type': 'application/json' };
    const body = '{"partyIdHint":"zoë"}'.replace('ë', 'e');
    const echo = await way(canticle, { method: 'POST', path: '/echo', headers, body });
    expect(echo.text).toBe(body);
    const { status, text } = await way(canticle, {
      method: 'POST',
      path: '/v2/parties',
      headers,
      body,
    });
    expect([status, text]).toEqual([200, expect.stringContaining('"zoe::1220')]);
  });

  it('middleware may rewrite the path', async () => {
    canticle.app.use((request, _response, next) => {
      request.url = request.url.replace(/^\/gateway/, '');
      next();
    });
    expect((await way(canticle, { path: '/gateway/v2/version' })).status).toBe(200);
  });
});

it('each answer of the ledger matches its schema after middleware', async () => {
  canticle.app.use(express.json(), (_request, _response, next) => setImmediate(next));
  expect((await client.ledger('POST', '/v2/parties', { partyIdHint: 'alice' })).status).toBe(200);
  expect((await client.ledger('GET', '/v2/parties')).status).toBe(200);
  expect((await client.scan('GET', '/v0/dso-party-id')).status).toBe(200);
  expect((await client.registry('GET', '/registry/metadata/v1/info')).status).toBe(200);
  expect((await client.control('POST', '/v1/snapshots')).status).toBe(200);
});

describe('a WebSocket', () => {
  const updates = () => `${canticle.url}/v2/updates`;
  const request = {
    beginExclusive: 0,
    updateFormat: {
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } },
    },
  };
  const headers = { 'x-key': KEY };

  it('passes the middleware like any other request, which may reject it', async () => {
    const seen: string[] = [];
    canticle.app.use(({ method, url }, _response, next) => {
      seen.push(`${method} ${url}`);
      next();
    }, needsKey);
    expect(await refusedUpgrade(updates())).toEqual({ status: 401, body: { error: 'no key' } });
    const stream = await new StreamClient(updates(), { headers }).send(request);
    canticle.participant.allocateParty('alice');
    await stream.take(1);
    expect(canticle.streams).toHaveLength(1);
    await stream.close();
    expect(seen).toEqual(['GET /v2/updates', 'GET /v2/updates']);
  });

  it('passes the middleware once if the ledger rejects it', async () => {
    const locked = await startCanticle({
      auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] },
    });
    let count = 0;
    locked.app.use((_request, response, next) => {
      count += 1;
      response.set('x-count', String(count));
      next();
    });
    const token = await locked.accessToken({ sub: 'nobody-knows' });
    const unknown = { headers: { authorization: `Bearer ${token}` } };
    expect((await refusedUpgrade(`${locked.url}/v2/updates`, unknown)).status).toBe(403);
    expect((await refusedUpgrade(`${locked.url}/v2/nothing`)).status).toBe(404);
    expect(count).toBe(2);
    await locked.close();
  });

  it('may have its path rewritten, and may fail in middleware', async () => {
    canticle.app.use((request, _response, next) => {
      if (request.url === '/broken') throw new Error('broken');
      request.url = request.url.replace(/^\/gateway/, '');
      next();
    });
    const stream = new StreamClient(`${canticle.url}/gateway/v2/updates`);
    await stream.opened();
    await stream.close();
    expect((await refusedUpgrade(`${canticle.url}/broken`)).status).toBe(500);
  });

  it('keeps its idle timeout', async () => {
    const idle = await startCanticle({ idleTimeout: 20 });
    idle.app.use(needsKey);
    const stream = await new StreamClient(`${idle.url}/v2/updates`, { headers }).opened();
    expect(await stream.closed).toBe(1006);
    await idle.close();
  });
});

it('handles requests of each participant, and has the port of the participant', async () => {
  const both = await startCanticle({ seed: 2, participants: ['one', 'two'] });
  both.app.use((request, response, next) => {
    response.set('x-port', String(request.socket.localPort));
    next();
  });
  const ids: unknown[] = [];
  for (const [name, url] of Object.entries(both.ledgerApis)) {
    const { headers, text } = await overPort(url, { path: '/v2/parties/participant-id' });
    expect(headers['x-port']).toBe(String(both.ports[name]));
    ids.push((JSON.parse(text) as { participantId: string }).participantId);
  }
  expect(ids).toEqual(both.participants.map(({ id }) => id));
  await both.close();
});

it('a revert does not remove a route', async () => {
  const snapshot = canticle.snapshot();
  canticle.app.get('/orders', (_request, response) => void response.send('none'));
  canticle.revert(snapshot);
  canticle.reset();
  expect((await byPort(canticle, { path: '/orders' })).text).toBe('none');
});

it('also works for mounted addresses, where a route counts as a match', async () => {
  const closed = createCanticle({ seed: 4 });
  closed.app.get('/orders', ({ protocol, hostname, ip }, response) => {
    response.json({ protocol, hostname, ip });
  });
  const mount = mountCanticle(closed, 'https://ledger.example/json-api');
  const get = async (path: string) => fetch(`https://ledger.example/json-api${path}`);
  expect(await (await get('/orders')).json()).toEqual({
    protocol: 'https',
    hostname: 'ledger.example',
    ip: '127.0.0.1',
  });
  expect((await get('/v2/version')).status).toBe(200);
  await expect(get('/order')).rejects.toThrow('Canticle has no such operation');
  const issuer = '/canticle/v1/issuer';
  expect(await (await get(`${issuer}/.well-known/openid-configuration`)).json()).toMatchObject({
    token_endpoint: `https://ledger.example/json-api${issuer}/token`,
  });
  mount.remove();
});

it('serves requests directly, or mounted in another application', async () => {
  const closed = createCanticle({ seed: 5 });
  closed.app.get('/orders', (_request, response) => void response.send('none'));
  const host = express().use('/ledger', closed.app);
  for (const [listener, path] of [
    [closed.app, ''],
    [host, '/ledger'],
  ] as const) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    expect((await overPort(url, { path: '/orders' })).text).toBe('none');
    expect((await overPort(url, { path: '/v2/version' })).status).toBe(200);
    await new Promise((resolve) => server.close(resolve));
  }
});
