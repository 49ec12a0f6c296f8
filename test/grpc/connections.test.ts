/** What one connection may ask of the server, and what many that never read may cost it. */
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { once } from 'node:events';
import { GrpcClient } from '../support/grpc/client.js';
import { create } from '../support/ledger-api.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

/** Those that never read. */
const SILENT = process.env['CANTICLE_ALL_FAULTS'] === '1' ? 1_000 : 200;
const api = useLedgerApi({ grpc: true });
const sessions: ClientHttp2Session[] = [];
const session = (settings: object = {}): ClientHttp2Session => {
  const opened = connect(`http://${api.canticle.urls.grpc!}`, { settings });
  opened.on('error', () => undefined);
  sessions.push(opened);
  return opened;
};
afterEach(() => sessions.splice(0).forEach((each) => each.destroy()));

const ping = (of: ClientHttp2Session): Promise<void> =>
  new Promise((resolve) => of.ping(() => resolve()));

it('tells how many calls it takes at once, as a participant does', async () => {
  const [settings] = (await once(session(), 'remoteSettings')) as [object];
  expect(settings).toMatchObject({ maxConcurrentStreams: 100_000 });
});

it('lets nobody ask all the time whether it is there', async () => {
  const eager = session();
  const told = once(eager, 'goaway');
  await once(eager, 'remoteSettings');
  let asked = 0;
  while (!eager.destroyed && asked < 10) {
    asked += 1;
    await ping(eager);
  }
  expect(asked).toBeGreaterThan(3);
  const [code, , data] = (await told) as [number, number, Buffer];
  expect([code, data.toString()]).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
});

it('lets a client ask that is told something in between', async () => {
  const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const patient = session();
  await once(patient, 'remoteSettings');
  const bytes = Buffer.alloc(5);
  for (let n = 0; n < 6; n++) {
    await ping(patient);
    const stream = patient.request({
      ':method': 'POST',
      ':path': '/com.daml.ledger.api.v2.StateService/GetLedgerEnd',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.end(bytes).resume();
    await once(stream, 'close');
  }
  expect(patient.destroyed).toBe(false);
  grpc.close();
});

it('refuses headers that are too long', async () => {
  const stream = session().request({
    ':method': 'POST',
    ':path': '/com.daml.ledger.api.v2.StateService/GetLedgerEnd',
    'content-type': 'application/grpc',
    'x-long': 'x'.repeat(9000),
  });
  stream.end();
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect(headers[':status']).toBe(431);
});

it('holds little for each of many that never read, and goes on serving others', async () => {
  const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const [alice] = await api.parties('alice');
  const label = 'x'.repeat(16_384);
  for (let n = 0; n < 24; n++)
    await api.submit(create('#model-tests:Test:Coin', { owner: alice, label }), {
      actAs: alice!,
    });
  const method = grpc.method('StateService/GetActiveContracts');
  const written = grpc.written(method, {
    activeAtOffset: String(await api.ledgerEnd()),
    eventFormat: { filtersByParty: { [alice!]: {} } },
  });
  const message = Buffer.concat([Buffer.alloc(5), written]);
  message.writeUInt32BE(written.length, 1);
  global.gc?.();
  const before = process.memoryUsage();
  // With a window of nothing they can be sent nothing.
  const silent = Array.from({ length: 10 }, () => session({ initialWindowSize: 0 }));
  const streams = silent.flatMap((each) =>
    Array.from({ length: SILENT / 10 }, () => {
      const stream = each.request({
        ':method': 'POST',
        ':path': '/com.daml.ledger.api.v2.StateService/GetActiveContracts',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      stream.on('error', () => undefined);
      stream.end(message);
      return stream;
    }),
  );
  await Promise.all(streams.map((stream) => once(stream, 'response')));
  expect(
    await grpc.stream('StateService/GetActiveContracts', {
      activeAtOffset: String(await api.ledgerEnd()),
      eventFormat: { filtersByParty: { [alice!]: {} } },
    }),
  ).toHaveLength(24);
  const after = process.memoryUsage();
  const held = after.external + after.heapUsed - before.external - before.heapUsed;
  // All of it would be 24 times 16 KiB for each.
  expect(held / 1024 / SILENT).toBeLessThan(240);
  grpc.close();
});
