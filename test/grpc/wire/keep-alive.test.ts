/** Keep-alive pings of both sides, their permitted rate, and the limits of unread data. The tests meet and pass each limit. */
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../../src/grpc/wire/call.js';
import { openPort, type GrpcPort } from '../../../src/grpc/wire/server.js';

const PERMIT = 10_000;
const PERMIT_WITHOUT_CALLS = 2 * 60 * 60 * 1000;
const HIGH_WATER = 64 * 1024;
/** Never, as far as a test is concerned. */
const NEVER = 100_000_000;
const TOO_MANY = 'too_many_pings';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** Of a message: whether it is compressed, and its length. */
const FRAME_HEAD = 5;

let port: GrpcPort;
let session: ClientHttp2Session;
let calls: Call[];
let received: number;

async function open(
  keepAlive: { time: number; timeout: number } = { time: NEVER, timeout: NEVER },
  settings: object = {},
): Promise<void> {
  calls = [];
  received = 0;
  port = await openPort((_, call) => void calls.push(call), {
    host: '127.0.0.1',
    port: 0,
    maxMessageBytes: 100,
    keepAlive: { ...keepAlive, permit: PERMIT },
  });
  session = connect(`http://127.0.0.1:${port.port}`, { settings });
  session.on('error', () => undefined);
  session.on('ping', () => (received += 1));
  await once(session, 'remoteSettings');
}

afterEach(async () => {
  jest.useRealTimers();
  session.destroy();
  await port.close();
});

const ping = () => new Promise((resolve) => session.ping(resolve));
const pings = async (count: number) => {
  for (let n = 0; n < count; n += 1) await ping();
};
/** Whether the server still answers, which counts as no question. */
const isThere = () => new Promise((resolve) => session.settings({}, (error) => resolve(!error)));
const goawayReason = async () => {
  const [code, last, data] = (await once(session, 'goaway')) as [number, number, Buffer];
  return [code, last, data.toString()];
};

/** The clock moves only with `advance`. */
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask'] as const;
const OTHERS = ['clearTimeout', 'clearInterval', 'clearImmediate', 'Date', 'hrtime'] as const;
const holdClock = () => void jest.useFakeTimers({ doNotFake: [...TIMERS, ...OTHERS] });
const advance = (by: number) => void jest.advanceTimersByTime(by);

/** Three of `count` pings come too early: the connection closes at the last of them, not before. */
async function breaksAt(count: number): Promise<void> {
  await pings(count - 1);
  expect(await isThere()).toBe(true);
  const reason = goawayReason();
  // Streams of clients have odd numbers.
  const last = Math.max(0, 2 * calls.length - 1);
  await Promise.all([
    reason.then((why) =>
      expect(why).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, last, TOO_MANY]),
    ),
    ping(),
  ]);
}

async function beginCall(): Promise<Call> {
  const before = calls.length;
  const stream = session.request({
    ':method': 'POST',
    ':path': '/service/method',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream
    .on('error', () => undefined)
    .resume()
    .end();
  while (calls.length === before) await sleep(1);
  return calls.at(-1)!;
}

/** Sends bytes, and takes no notice of what it is sent. */
function deafClient(bytes: readonly number[] = []): Socket {
  const socket = connectSocket(port.port, '127.0.0.1');
  const settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
  socket.write(Buffer.concat([Buffer.from(PREFACE), Buffer.from([...settings, ...bytes])]));
  return socket.resume().on('error', () => undefined);
}

const closedOf = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('a client that pings the server', () => {
  beforeEach(async () => {
    await open();
    holdClock();
  });

  it('loses the connection at its fourth early ping', async () => {
    await breaksAt(4);
  });

  it('loses the connection even if it ignores the reason', async () => {
    const client = deafClient();
    const question = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, ...Array(8).fill(1)]);
    await once(client, 'data');
    const closed = closedOf(client);
    for (let n = 0; n < 4; n += 1) client.write(question);
    await closed;
  });

  const begun = async () => void (await beginCall());
  const ended = async () => {
    for (let n = 0; n < 2; n += 1) {
      (await beginCall()).end({ code: 0, message: '' });
      // The server learns of the end after the client.
      expect(await isThere()).toBe(true);
    }
  };
  it.each([
    ['two hours', 'no call is open', PERMIT_WITHOUT_CALLS, undefined],
    ['the permitted time', 'a call is open', PERMIT, begun],
    ['two hours', 'calls have ended', PERMIT_WITHOUT_CALLS, ended],
  ])('may ping again after %s, when %s', async (_, __, permit, prepare) => {
    for (const [waits, most] of [
      [permit, 4],
      [permit - 1, 3],
    ] as const) {
      await prepare?.();
      await ping();
      advance(waits);
      await breaksAt(most);
      await port.close();
      await open();
    }
  });

  it.each([
    ['a message', (call: Call) => call.send([new Uint8Array(1)])],
    ['a status', (call: Call) => call.end({ code: 5, message: '' })],
    [
      'a message and a status',
      (call: Call) => call.end({ code: 0, message: '' }, new Uint8Array(1)),
    ],
  ])('may ping again after the server has sent %s', async (_, send) => {
    const call = await beginCall();
    await pings(3);
    send(call);
    await breaksAt(4);
  });
});

describe('a server that pings a client', () => {
  it('pings after a silent period, and keeps a client that answers', async () => {
    await open({ time: 100, timeout: 1_000 });
    await sleep(1_500);
    expect(session.destroyed).toBe(false);
    expect(received).toBeGreaterThan(3);
    session.destroy();
    await sleep(250);
  });

  it('does not ping a client that sends data', async () => {
    await open({ time: 500, timeout: NEVER });
    for (let n = 0; n < 30; n += 1) {
      expect(await isThere()).toBe(true);
      await sleep(50);
    }
    expect(received).toBe(0);
  });

  it('closes the connection of a client that does not answer in time', async () => {
    // It breaks it at the moment at which it would ask again.
    await open({ time: 500, timeout: 500 });
    expect(await closedOf(deafClient())).toBeUndefined();
  });
});

it('a call is full when the client has not read more than 64 KiB', async () => {
  // With a window of nothing they can be sent nothing.
  await open(undefined, { initialWindowSize: 0 });
  const call = await beginCall();
  expect([call.isFull(), call.isFull(HIGH_WATER), call.isFull(HIGH_WATER + 1)]).toEqual([
    false,
    false,
    true,
  ]);
  const message = new Uint8Array(HIGH_WATER - FRAME_HEAD - 1);
  call.send([message]);
  expect([call.isFull(), call.isFull(1), call.isFull(2)]).toEqual([false, false, true]);
});
