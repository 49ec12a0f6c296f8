/** Messages of a WebSocket out of the bytes that pass, whatever pieces they come in: each length and limit is met and passed. */
import { FrameReader, type FrameMessage } from '../../src/recording/frames.js';

const LIMIT = 70_000;
const [TEXT, BYTES, PING, CONTINUED, FINAL] = [1, 2, 9, 0, 0x80];
const MASK = Buffer.from([1, 2, 4, 8]);

function frame(first: number, payload: Buffer, isMasked = false): Buffer {
  const { length } = payload;
  const mark = isMasked ? 0x80 : 0;
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(BigInt(length));
  const size =
    length < 126
      ? Buffer.from([mark | length])
      : length < 65_536
        ? Buffer.from([mark | 126, ...long.subarray(6)])
        : Buffer.from([mark | 127, ...long]);
  const sent = isMasked ? payload.map((byte, i) => byte ^ MASK[i % 4]!) : payload;
  return Buffer.concat([Buffer.from([first]), size, ...(isMasked ? [MASK] : []), sent]);
}

/** @param size of the pieces that come at once */
function read(bytes: Buffer, size = bytes.length): FrameMessage[] {
  const messages: FrameMessage[] = [];
  const reader = new FrameReader((message) => messages.push(message), LIMIT);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return messages;
}
const payloadOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => i % 251));

it.each([0, 1, 125, 126, 127, 65_535, 65_536, LIMIT])('reads a message of %s bytes', (length) => {
  const data = payloadOf(length);
  for (const isMasked of [false, true])
    for (const size of [undefined, 3_001])
      expect(read(frame(FINAL | BYTES, data, isMasked), size)).toEqual([
        { isText: false, data, length },
      ]);
});

it('reads bytes that arrive one by one', () => {
  const bytes = Buffer.concat([
    frame(FINAL | TEXT, Buffer.from('hello'), true),
    frame(FINAL | BYTES, payloadOf(200), true),
  ]);
  const all = [
    { isText: true, data: Buffer.from('hello'), length: 5 },
    { isText: false, data: payloadOf(200), length: 200 },
  ];
  expect(read(bytes, 1)).toEqual(all);
  expect(read(bytes)).toEqual(all);
});

it('reads a message in several frames, with others between them', () => {
  const bytes = Buffer.concat([
    frame(TEXT, Buffer.from('he')),
    frame(FINAL | PING, Buffer.from('are you there')),
    frame(CONTINUED, Buffer.from('ll')),
    frame(FINAL | CONTINUED, Buffer.from('o')),
    frame(FINAL | BYTES, Buffer.from('!')),
  ]);
  for (const size of [1, 7, undefined])
    expect(read(bytes, size)).toEqual([
      { isText: true, data: Buffer.from('hello'), length: 5 },
      { isText: false, data: Buffer.from('!'), length: 1 },
    ]);
});

it('reports only the length of a message that is too long, and reads the next one', () => {
  const next = { isText: true, data: Buffer.from('a'), length: 1 };
  const after = frame(FINAL | TEXT, Buffer.from('a'));
  const whole = Buffer.concat([frame(FINAL | BYTES, payloadOf(LIMIT + 1)), after]);
  const long = { isText: false, data: undefined, length: LIMIT + 1 };
  for (const size of [undefined, 1_000]) expect(read(whole, size)).toEqual([long, next]);
  const parts = [frame(BYTES, payloadOf(LIMIT)), frame(FINAL | CONTINUED, payloadOf(1)), after];
  expect(read(Buffer.concat(parts))).toEqual([long, next]);
});
