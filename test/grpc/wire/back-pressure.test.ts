/** The bytes that may wait for a client that does not read. */
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { openPort } from '../../../src/grpc/wire/server.js';
import type { Call } from '../../../src/grpc/wire/call.js';

const NEVER = 100_000_000;
/** Of a message, before its bytes. */
const FRAME = 5;
const MOST = 64 * 1024;

const framed = (count: number): Buffer => Buffer.alloc(count * FRAME);

let port: Awaited<ReturnType<typeof openPort>>;
let session: ClientHttp2Session;
/** Handles each call. */
let take: (call: Call) => void;

beforeAll(async () => {
  port = await openPort((_, call) => take(call), {
    ...{ host: '127.0.0.1', port: 0, maxMessageBytes: 100 },
    keepAlive: { time: NEVER, timeout: NEVER, permit: NEVER },
  });
  // With a window of nothing the client receives nothing.
  session = connect(`http://127.0.0.1:${port.port}`, { settings: { initialWindowSize: 0 } });
});

afterAll(async () => {
  session.destroy();
  await port.close();
});

function request(): ClientHttp2Stream {
  const stream = session.request({
    ...{ ':method': 'POST', ':path': '/a', 'content-type': 'application/grpc', te: 'trailers' },
  });
  stream.on('error', () => undefined);
  return stream;
}

it.each([
  { answer: '64 KiB', bytes: MOST, delivered: 3 },
  { answer: 'one byte more', bytes: MOST + 1, delivered: 1 },
])('allow more requests after $answer: $delivered of 3', async ({ bytes, delivered }) => {
  let read = 0;
  take = (call) =>
    call.listen({
      message: () => {
        read += 1;
        if (read === 1) call.send([Buffer.alloc(bytes - FRAME)]);
      },
      halfClosed: () => call.end({ code: 0, message: '' }),
      failed: () => ({ code: 13, message: '' }),
    });
  const stream = request();
  stream.end(framed(3));
  await once(stream, 'response');
  expect(read).toBe(delivered);
  let received = 0;
  stream.on('data', (chunk: Buffer) => (received += chunk.length));
  session.settings({ initialWindowSize: 2 * MOST });
  await once(stream, 'close');
  expect({ read, received }).toEqual({ read: 3, received: bytes });
  session.settings({ initialWindowSize: 0 });
});

it('end a call once, after the last message', async () => {
  const events: string[] = [];
  take = (call) =>
    call.listen({
      message: () => {
        events.push('message');
        call.send([Buffer.alloc(MOST)]);
      },
      halfClosed: () => {
        events.push('end');
        if (events.length === 3) call.send([Buffer.alloc(MOST)]);
      },
      failed: () => ({ code: 13, message: '' }),
    });
  const stream = request();
  stream.end(framed(2));
  await once(stream, 'response');
  let received = 0;
  const all = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received === 3 * (MOST + FRAME)) resolve();
    });
  });
  session.settings({ initialWindowSize: 4 * MOST });
  await all;
  await new Promise<void>((resolve) => session.ping(() => resolve()));
  expect(events).toEqual(['message', 'message', 'end']);
  stream.close();
});
