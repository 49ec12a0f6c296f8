/** TLS ports of JSON and of gRPC, with and without client certificates. */
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { Client, credentials } from '@grpc/grpc-js';
import { startCanticle, type Canticle } from 'canticle';
import {
  AUTHORITY,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../support/certificates.js';
import { GrpcClient } from '../support/grpc/client.js';

const tls = { cert: SERVER_CERT, key: SERVER_KEY };
let open: Canticle;
let mutual: Canticle;
beforeAll(async () => {
  open = await startCanticle({ grpc: { adminApiPort: 0 }, tls });
  mutual = await startCanticle({ grpc: true, tls: { ...tls, clientCa: AUTHORITY } });
});
afterAll(() => Promise.all([open.close(), mutual.close()]));

const trusting = credentials.createSsl(Buffer.from(AUTHORITY));
const known = credentials.createSsl(
  Buffer.from(AUTHORITY),
  Buffer.from(CLIENT_KEY),
  Buffer.from(CLIENT_CERT),
);

/** The status of an answer over HTTPS. */
const status = (url: string, own: object = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${url}/livez`, { ca: AUTHORITY, ...own }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

it('serves the Ledger API over JSON and gRPC, and the admin API, over TLS', async () => {
  expect(open.urls.ledgerApi).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await status(open.url)).toBe(200);
  const info = 'com.digitalasset.canton.connection.v30.ApiInfoService/GetApiInfo';
  for (const [address, name] of [
    [open.urls.grpc!, 'ledger-api'],
    [open.urls.grpcAdmin!, 'admin-api'],
  ] as const) {
    const client = await GrpcClient.connect(address, 'v1', { security: trusting });
    expect(await client.call(info)).toEqual({ name });
    client.close();
  }
});

it('rejects connections without TLS', async () => {
  const client = new Client(open.urls.grpc!, credentials.createInsecure());
  await expect(ready(client)).rejects.toThrow();
  client.close();
  await expect(fetch(open.url.replace('https', 'http'))).rejects.toThrow();
});

const ready = (client: Client): Promise<void> =>
  new Promise((resolve, reject) => {
    const same = (bytes: Buffer) => bytes;
    const path = '/grpc.health.v1.Health/Check';
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), (error) =>
      error ? reject(error) : resolve(),
    );
  });

it('requires client certificates if it has a client authority', async () => {
  const client = await GrpcClient.connect(mutual.urls.grpc!, 'v1', { security: known });
  expect(await client.call('grpc.health.v1.Health/Check')).toEqual({ status: 'SERVING' });
  client.close();
  expect(await status(mutual.url, { key: CLIENT_KEY, cert: CLIENT_CERT })).toBe(200);
  const stranger = new Client(mutual.urls.grpc!, trusting);
  await expect(ready(stranger)).rejects.toMatchObject({ code: 14 });
  stranger.close();
  await expect(status(mutual.url)).rejects.toThrow();
});

it('rejects TLS versions before 1.2', async () => {
  const [host, port] = open.urls.grpc!.split(':') as [string, string];
  const attempt = (version: 'TLSv1.1' | 'TLSv1.2') =>
    new Promise<string>((resolve) => {
      const options = { host, port: Number(port), ca: AUTHORITY, ALPNProtocols: ['h2'] };
      const versions = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
      const socket: TLSSocket = connect({ ...options, ...versions }, () => {
        resolve(String(socket.alpnProtocol));
        socket.destroy();
      });
      socket.on('error', () => resolve('refused'));
    });
  expect([await attempt('TLSv1.1'), await attempt('TLSv1.2')]).toEqual(['refused', 'h2']);
});

it('rejects an invalid key or certificate', async () => {
  await expect(startCanticle({ tls: { ...tls, key: 'none' } })).rejects.toMatchObject({
    code: expect.stringContaining('ERR_OSSL'),
  });
});
