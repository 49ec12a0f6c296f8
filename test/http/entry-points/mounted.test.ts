/** `canticle/express`: the ledger in an application that people have, in either release of Express that they use. */
import { connect, type AddressInfo } from 'node:net';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import express5 from 'express';
// @ts-expect-error -- an older release, whose types would stand in the way of those of the other
import express4 from 'express-4';
import { createCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { canticleRouter, canticleUpgrade } from '../../../src/express.js';
import { TestClient } from '../../support/client.js';
import { refusedUpgrade, StreamClient } from '../../support/stream-client.js';
import { overPort, type SentRequest } from './ways.js';

const releases: readonly [string, typeof express5][] = [
  ['Express 5', express5],
  ['Express 4', express4 as typeof express5],
];

const EVENTS = {
  includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } },
};
const UPDATES = { beginExclusive: 0, updateFormat: EVENTS };

interface Host {
  readonly server: Server;
  readonly url: string;
}

const hosts: Host[] = [];
const canticles: Canticle[] = [];
const clients: TestClient[] = [];
afterEach(async () => {
  await Promise.all([...clients.splice(0), ...canticles.splice(0)].map((each) => each.close()));
  for (const { server } of hosts.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

function instance(options: CanticleOptions = { seed: 1 }): Canticle {
  const canticle = createCanticle(options);
  canticles.push(canticle);
  return canticle;
}

async function serve(app: express5.Express): Promise<Host> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const host = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  hosts.push(host);
  return host;
}

function clientAt(canticle: Canticle, url: string): TestClient {
  const client = new TestClient(Object.create(canticle, { url: { value: url } }) as Canticle, {});
  clients.push(client);
  return client;
}

describe.each(releases)('%s', (_, express) => {
  const postJson = (url: string, body: string, headers: SentRequest['headers'] = {}) =>
    overPort(url, {
      method: 'POST',
      path: '/v2/parties',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('serves each API below its path, with answers that match their schemas, next to other routes', async () => {
    const canticle = instance();
    const app = express();
    app.get('/', (_request, response) => void response.send('home'));
    app.use('/ledger', canticleRouter(canticle));
    app.use((_request, response) => void response.status(404).send('not here'));
    const { url } = await serve(app);
    const client = clientAt(canticle, `${url}/ledger`);
    const party = { partyIdHint: 'alice' };
    expect((await client.ledger('POST', '/v2/parties', party)).status).toBe(200);
    expect((await client.ledger('POST', '/v2/parties', party)).status).toBe(400);
    expect((await client.ledger('GET', '/v2/parties?pageSize=1')).status).toBe(200);
    expect((await client.scan('GET', '/v0/dso-party-id')).status).toBe(200);
    expect((await client.registry('GET', '/registry/metadata/v1/info')).status).toBe(200);
    expect((await client.control('GET', '/v1/time')).status).toBe(200);
    // Unknown paths below the mount get a participant's answer.
    expect(await client.ledger('GET', '/v2/nothing')).toMatchObject({
      status: 404,
      body: { ledgerApiError: null },
    });
    expect((await overPort(url, { path: '/' })).text).toBe('home');
    expect((await overPort(url, { path: '/ledgers' })).text).toBe('not here');
  });

  it('serves one participant below another path', async () => {
    const canticle = instance({ participants: ['one', 'two'] });
    const app = express();
    app.use('/one', canticleRouter(canticle));
    app.use('/two', canticleRouter(canticle, { participant: 'two' }));
    const { server, url } = await serve(app);
    server.on('upgrade', canticleUpgrade(canticle, '/two', { participant: 'two' }));
    const id = async (path: string) =>
      JSON.parse((await overPort(url + path, { path: '/v2/parties/participant-id' })).text);
    const [one, two] = canticle.participants.map((each) => ({ participantId: each.id }));
    expect(await id('/one')).toEqual(one);
    expect(await id('/two')).toEqual(two);
    expect(await id('/one/participants/two')).toEqual(two);
    await new StreamClient(`${url}/two/v2/updates`).opened();
    expect(canticle.streams.map(({ participant }) => participant)).toEqual(['two']);
    expect(() => canticleRouter(canticle, { participant: 'three' })).toThrow(
      'Failed to find participant three: there is only one, two.',
    );
  });

  it('uses the mounted address of the issuer in a login flow', async () => {
    const canticle = instance({
      auth: { services: [{ type: 'built-in-issuer', targetAudience: 'a b&c=d' }] },
    });
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.use('/ledger', canticleRouter(canticle));
    const { url } = await serve(app);
    const base = `${url}/ledger/canticle/v1/issuer`;
    const found = await fetch(`${base}/.well-known/openid-configuration`);
    const { token_endpoint } = (await found.json()) as { token_endpoint: string };
    expect(token_endpoint).toBe(`${base}/token`);
    // Its form is parsed by the application, and written again.
    const granted = await fetch(token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'participant_admin',
        audience: 'a b&c=d',
      }),
    });
    const token = (await granted.json()) as { access_token: string };
    const payload = Buffer.from(token.access_token.split('.')[1]!, 'base64url').toString();
    expect(JSON.parse(payload)).toMatchObject({ aud: 'a b&c=d', iss: base });
    const headers = { authorization: `Bearer ${token.access_token}` };
    expect((await overPort(`${url}/ledger`, { path: '/v2/users', headers })).status).toBe(200);
  });

  it('runs the routes of canticle.app, and passes their errors to the application', async () => {
    const canticle = instance();
    canticle.app.get('/v2/version', () => {
      throw new Error('broken');
    });
    canticle.app.get('/orders', (_request, response) => void response.json([]));
    const app = express();
    app.locals['name'] = 'host';
    app.use('/ledger', canticleRouter(canticle));
    app.use(((error: Error, request, response, _next) => {
      response.status(503).send(`${request.app.locals['name']}: ${error.message}`);
    }) as express5.ErrorRequestHandler);
    const { url } = await serve(app);
    expect((await overPort(`${url}/ledger`, { path: '/orders' })).text).toBe('[]');
    expect(await overPort(`${url}/ledger`, { path: '/v2/version' })).toMatchObject({
      status: 503,
      text: 'host: broken',
    });
    expect((await overPort(`${url}/ledger`, { path: '/livez' })).status).toBe(200);
  });

  describe('a body that middleware has read', () => {
    type JsonOptions = Parameters<typeof express.json>[0];
    const withRawBody: JsonOptions = {
      verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
    };

    async function behind(...parsers: express5.RequestHandler[]): Promise<string> {
      const app = express();
      app.use(...parsers, canticleRouter(instance()));
      app.use(((error: Error, _request, response, _next) => {
        response.status(500).send(error.message);
      }) as express5.ErrorRequestHandler);
      return (await serve(app)).url;
    }

    it.each<[string, () => express5.RequestHandler]>([
      ['express.json()', () => express.json()],
      ['express.json() of any type', () => express.json({ type: () => true })],
      ['express.json() that keeps the bytes', () => express.json(withRawBody)],
      ['express.raw()', () => express.raw({ type: () => true })],
      ['express.text()', () => express.text({ type: () => true })],
    ])('with %s equals the sent body', async (_name, parser) => {
      const url = await behind(parser());
      const body = '{"partyIdHint":"zoe","localMetadata":{"annotations":{"name":"Zoë ☂"}}}';
      const { status, text } = await postJson(url, body);
      expect([status, text]).toEqual([200, expect.stringMatching(/"zoe::1220.*"Zoë ☂"/)]);
      expect((await postJson(url, '')).text).toContain('Invalid value for: body');
      const plain = { 'content-type': 'text/plain' };
      expect((await postJson(url, '{"partyIdHint":"plain"}', plain)).status).toBe(200);
      expect((await overPort(url, { path: '/v2/version' })).status).toBe(200);
    });

    it('is decoded once if it has another charset', async () => {
      const url = await behind(express.json());
      const body = Buffer.from('{"partyIdHint":"utf16"}', 'utf16le');
      const headers = { 'content-type': 'application/json; charset=utf-16le' };
      const answer = await overPort(url, { method: 'POST', path: '/v2/parties', body, headers });
      expect(answer.text).toContain('"utf16::1220');
    });

    it('is passed on if it is an archive, up to the limit on bodies', async () => {
      const url = await behind(express.raw({ type: () => true, limit: '20mb' }));
      const headers = { 'content-type': 'application/octet-stream' };
      const upload = (body: Uint8Array) =>
        overPort(url, { method: 'POST', path: '/v2/dars', body, headers });
      expect((await upload(Buffer.from([80, 75, 0, 255]))).text).toContain('InvalidZipEntry');
      expect((await upload(Buffer.alloc(8 * 1024 * 1024 + 1))).text).toContain(
        'exceeded size limit (8388608 bytes)',
      );
    });

    it.each(['9007199254740993', '1e999', '-9007199254740993'])(
      'fails with an instruction if parsing has changed a number: %s',
      async (number) => {
        const body = `{"partyIdHint":"zoe","unknown":[${number}]}`;
        const lossy = await postJson(await behind(express.json()), body);
        expect(lossy).toMatchObject({
          status: 500,
          text: expect.stringMatching(
            /^Failed to read the body of POST \/v2\/parties: .* left a number .* request\.rawBody/,
          ) as unknown,
        });
        expect((await postJson(await behind(express.json(withRawBody)), body)).status).toBe(200);
      },
    );

    it('fails with an instruction if it is lost, unless it was empty', async () => {
      const swallow: express5.RequestHandler = (request, _response, next) => {
        request.resume().once('end', next);
      };
      const url = await behind(swallow);
      expect(await postJson(url, '{"partyIdHint":"zoe"}')).toMatchObject({
        status: 500,
        text: expect.stringContaining('and left none. Let the ledger stand before it') as unknown,
      });
      expect((await overPort(url, { method: 'POST', path: '/canticle/v1/snapshots' })).status).toBe(
        200,
      );
      // Of a form in parts, parsers leave its fields alone.
      const parts: express5.RequestHandler = (request, response, next) =>
        swallow(request, response, () => {
          request.body = { partyIdHint: 'zoe' };
          next();
        });
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      expect((await postJson(await behind(parts), '--x--', headers)).status).toBe(500);
    });
  });
});

describe("WebSockets through the server's upgrade event", () => {
  async function mounted(path: string, canticle = instance()) {
    const app = express5();
    app.use(path, canticleRouter(canticle));
    app.post('/echo', (request, response) => void request.pipe(response));
    const host = await serve(app);
    return { ...host, canticle };
  }

  it.each(['/', '/ledger', '/deep/er/'])('work below the path %s', async (path) => {
    const { server, url, canticle } = await mounted(path);
    server.on('upgrade', canticleUpgrade(canticle, path));
    const base = url + path.replace(/\/$/, '');
    const stream = await new StreamClient(`${base.replace('ledger', 'LEDGER')}/v2/updates`).send(
      UPDATES,
    );
    canticle.participant.allocateParty('alice');
    await stream.take(1);
    expect(canticle.requests.list().at(-1)).toMatchObject({ path: '/v2/updates', status: 101 });
    expect((await refusedUpgrade(`${base}/v2/nothing`)).status).toBe(404);
    await canticle.close();
    expect(await stream.closed).toBe(1001);
  });

  it('receive the errors of the ledger, and pass the middleware of canticle.app', async () => {
    const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] as const;
    const { server, url, canticle } = await mounted('/ledger', instance({ auth: { services } }));
    server.on('upgrade', canticleUpgrade(canticle, '/ledger'));
    const headers = {
      authorization: `Bearer ${await canticle.accessToken({ sub: 'nobody-knows' })}`,
    };
    const updates = `${url}/ledger/v2/updates`;
    const refused = await refusedUpgrade(updates, { headers });
    expect(refused).toMatchObject({ status: 403, body: { grpcCodeValue: 7 } });
    const seen: string[] = [];
    canticle.app.use(({ originalUrl, baseUrl, url: own }, response, next) => {
      seen.push([originalUrl, baseUrl, own].join(' '));
      if (own === '/v2/completions') response.sendStatus(429);
      else next();
    });
    // Each request has a separate trace.
    const again = await refusedUpgrade(updates, { headers });
    const trace = { correlationId: expect.any(String), traceId: expect.any(String) };
    expect(again).toEqual({ ...refused, body: { ...(refused.body as object), ...trace } });
    await new StreamClient(updates).opened();
    expect((await refusedUpgrade(updates.replace('updates', 'completions'))).status).toBe(429);
    expect(seen).toHaveLength(3);
    expect(seen[0]).toBe('/ledger/v2/updates /ledger /v2/updates');
  });

  it('leave requests for other paths to other listeners', async () => {
    const { server, url, canticle } = await mounted('/ledger');
    server.on('upgrade', canticleUpgrade(canticle, '/ledger'));
    server.on('upgrade', ({ url: target }: IncomingMessage, socket: Duplex) => {
      if (target === '/ledgers') socket.end('HTTP/1.1 418 Mine\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await refusedUpgrade(`${url}/ledgers`)).status).toBe(418);
    await new StreamClient(`${url}/ledger/v2/updates`).opened();
  });

  it.each(['/echo', '/ledger/v2/parties'])(
    "treat another upgrade, as Java's client requests it, as a plain request: %s",
    async (path) => {
      const { server, canticle } = await mounted('/ledger');
      server.on('upgrade', canticleUpgrade(canticle, '/ledger'));
      const body = '{"partyIdHint":"alice"}';
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const lines = [
        `POST ${path} HTTP/1.1`,
        'host: x',
        'connection: Upgrade, HTTP2-Settings',
        'upgrade: h2c',
        'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA',
        `content-length: ${body.length}`,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
      const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
    },
  );
});
