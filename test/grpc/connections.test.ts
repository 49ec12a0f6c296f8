/** Limits of one connection, and of many connections that never read. */
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { once } from 'node:events';
import { GrpcClient } from '../support/grpc/client.js';
import { create } from '../support/ledger-api.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';
import { startCanticle, type Canticle } from 'canticle';

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

it('reports how many concurrent calls it accepts, as a participant does', async () => {
  const [settings] = (await once(session(), 'remoteSettings')) as [object];
  expect(settings).toMatchObject({ maxConcurrentStreams: 100_000 });
});

it('closes a connection with too many pings', async () => {
  const eager = session();
  const goaway = once(eager, 'goaway');
  await once(eager, 'remoteSettings');
  let pings = 0;
  while (!eager.destroyed && pings < 10) {
    pings += 1;
    await ping(eager);
  }
  expect(pings).toBeGreaterThan(3);
  const [code, , data] = (await goaway) as [number, number, Buffer];
  expect([code, data.toString()]).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
});

it('allows pings between answers', async () => {
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

it('rejects headers that are too long', async () => {
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

it('uses little memory for each client that never reads, and continues to serve others', async () => {
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

describe('messages of an admin API client before an answer', () => {
  const IMPORT =
    '/com.digitalasset.canton.admin.participant.v30.ParticipantRepairService/ImportAcs';
  const RESOURCE_EXHAUSTED = '8';
  /** Each costs 1 KiB in addition to its own bytes; a call may hold 256 MiB, and so may a connection. */
  const MOST = 256 * 1024;
  let canticle: Canticle;
  beforeAll(async () => (canticle = await startCanticle({ grpc: { adminApiPort: 0 } })));
  afterAll(() => canticle.close());

  const adminSession = (): ClientHttp2Session => {
    const opened = connect(`http://${canticle.urls.grpcAdmin!}`);
    opened.on('error', () => undefined);
    sessions.push(opened);
    return opened;
  };
  const begin = (of: ClientHttp2Session) => {
    const stream = of.request({
      ':method': 'POST',
      ':path': IMPORT,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => undefined);
    return stream;
  };
  type Stream = ReturnType<typeof begin>;
  const answerOf = async (stream: Stream): Promise<IncomingHttpHeaders> => {
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    return headers;
  };
  /** Messages without a byte. */
  const sendEmpty = (stream: Stream, count: number) =>
    new Promise<void>((resolve) => stream.write(Buffer.alloc(5 * count), () => resolve()));

  it('are limited per call, including their overhead', async () => {
    const whole = begin(adminSession());
    const answer = answerOf(whole);
    await sendEmpty(whole, MOST);
    whole.end();
    // It is read, and found wanting.
    expect(await answer).toMatchObject({ 'grpc-status': '3' });
    const more = begin(adminSession());
    const refused = answerOf(more);
    await sendEmpty(more, MOST + 1);
    expect(await refused).toMatchObject({ 'grpc-status': RESOURCE_EXHAUSTED });
  });

  it('are limited per connection, over all of its calls', async () => {
    const shared = adminSession();
    const [first, second, third] = [begin(shared), begin(shared), begin(shared)];
    const answers = [first, second, third].map((each) => answerOf(each!));
    const half = MOST / 2;
    await sendEmpty(first!, half);
    await sendEmpty(second!, half);
    await sendEmpty(third!, 1);
    expect(await answers[2]).toMatchObject({
      'grpc-status': RESOURCE_EXHAUSTED,
      'grpc-message': `The calls of a connection may hold ${256 * 1024 * 1024} bytes in all.`,
    });
    // Answered requests no longer count.
    first!.end();
    expect(await answers[0]).toMatchObject({ 'grpc-status': '3' });
    const fourth = begin(shared);
    const answer = answerOf(fourth);
    await sendEmpty(fourth, half);
    fourth.end();
    expect(await answer).toMatchObject({ 'grpc-status': '3' });
    second!.close();
  });

  it('use little memory, even if millions are empty', async () => {
    global.gc?.();
    const before = process.memoryUsage();
    const stream = begin(adminSession());
    const refused = answerOf(stream);
    for (let sent = 0; sent < 9_000_000; sent += 1_000_000) {
      if (stream.destroyed || stream.writableEnded) break;
      await Promise.race([sendEmpty(stream, 1_000_000), refused]);
    }
    expect(await refused).toMatchObject({ 'grpc-status': RESOURCE_EXHAUSTED });
    const after = process.memoryUsage();
    expect((after.rss - before.rss) / 1024 / 1024).toBeLessThan(900);
  });
});

it('streams reflection at the speed of the client, and completely', async () => {
  const stream = session({ initialWindowSize: 64 * 1024 }).request({
    ':method': 'POST',
    ':path': '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => undefined);
  await once(stream.session!, 'remoteSettings');
  // `file_containing_symbol`, of a service with many imports.
  const symbol = Buffer.from('com.daml.ledger.api.v2.CommandService');
  const question = Buffer.concat([Buffer.from([0x22, symbol.length]), symbol]);
  const frame = Buffer.concat([Buffer.alloc(5), question]);
  frame.writeUInt32BE(question.length, 1);
  const count = 20_000;
  global.gc?.();
  const before = process.memoryUsage();
  stream.pause();
  stream.end(Buffer.concat(Array<Buffer>(count).fill(frame)));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const after = process.memoryUsage();
  const held = after.external + after.heapUsed - before.external - before.heapUsed;
  // All of the answers would be more than 400 MiB.
  expect(held / 1024 / 1024).toBeLessThan(60);
  let answers = 0;
  let [pending, size] = [Buffer.alloc(0), 0];
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5 && pending.length >= 5 + (size = pending.readUInt32BE(1))) {
      pending = pending.subarray(5 + size);
      answers += 1;
    }
    if (answers >= 200) stream.close();
  });
  stream.resume();
  await once(stream, 'close');
  expect(answers).toBeGreaterThanOrEqual(200);
});
