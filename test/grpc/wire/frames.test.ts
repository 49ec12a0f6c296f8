/** The bytes of calls: frames, deadlines, and texts in headers. Each limit is met and passed. */
import { gzipSync } from 'node:zlib';
import { framed, FrameReader, GrpcError } from '../../../src/grpc/wire/frames.js';
import { percentEncoded, timeoutOf } from '../../../src/grpc/wire/metadata.js';

const LIMIT = 100;
const bytes = (count: number) => new Uint8Array(count).fill(7);
const compressed = (message: Uint8Array) => {
  const packed = gzipSync(message);
  const frame = framed([packed]);
  frame[0] = 1;
  return frame;
};
const read = (encoding: string | undefined, ...chunks: readonly Buffer[]) => {
  const reader = new FrameReader(LIMIT, encoding);
  const messages = chunks.flatMap((chunk) => [...reader.add(chunk)].map(({ length }) => length));
  reader.end();
  return messages;
};
const fault = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof GrpcError) return [error.code, error.message];
    throw error;
  }
  return 'none';
};

describe('frames', () => {
  it('are decoded from chunks of any size', () => {
    const frames = framed([bytes(0), bytes(3), bytes(50)]);
    const single = Array.from(frames, (byte) => Buffer.from([byte]));
    expect(read(undefined, frames)).toEqual([0, 3, 50]);
    expect(read(undefined, ...single)).toEqual([0, 3, 50]);
    expect(read(undefined, frames.subarray(0, 12), frames.subarray(12))).toEqual([0, 3, 50]);
  });

  it('may be as large as the limit', () => {
    expect(read(undefined, framed([bytes(LIMIT)]))).toEqual([LIMIT]);
    expect(fault(() => read(undefined, framed([bytes(LIMIT + 1)])))).toEqual([
      8,
      `gRPC message exceeds maximum size ${LIMIT}: ${LIMIT + 1}`,
    ]);
  });

  it('may be as large as the limit after decompression', () => {
    expect(read('gzip', compressed(bytes(LIMIT)))).toEqual([LIMIT]);
    expect(fault(() => read('gzip', compressed(bytes(LIMIT + 1))))).toEqual([
      8,
      `Decompressed gRPC message exceeds maximum size ${LIMIT}`,
    ]);
  });

  it('may be compressed only with the declared encoding, gzip', () => {
    expect(fault(() => read('identity', compressed(bytes(1))))[0]).toBe(13);
    const noGzip = framed([bytes(8)]);
    noGzip[0] = 1;
    expect(fault(() => read('gzip', noGzip))).toEqual([2, '']);
    noGzip[0] = 2;
    expect(fault(() => read('gzip', noGzip))).toEqual([
      13,
      'gRPC frame header malformed: reserved bits not zero',
    ]);
  });

  it('must be complete', () => {
    expect(fault(() => read(undefined, framed([bytes(3)]).subarray(0, 7)))).toEqual([
      13,
      'Encountered end-of-stream mid-frame',
    ]);
  });

  it('are read without a copy if a chunk contains exactly one frame', () => {
    const whole = (chunk: Buffer, before?: Buffer) => {
      const reader = new FrameReader(LIMIT, 'gzip');
      if (before !== undefined) for (const _ of reader.add(before));
      return reader.whole(chunk)?.length;
    };
    const one = framed([bytes(3)]);
    expect(whole(one)).toBe(3);
    expect(whole(framed([bytes(0)]))).toBe(0);
    expect(whole(framed([bytes(LIMIT - 5)]))).toBe(LIMIT - 5);
    expect(whole(framed([bytes(LIMIT - 4)]))).toBeUndefined();
    expect(whole(compressed(bytes(3)))).toBeUndefined();
    expect(whole(framed([bytes(3), bytes(0)]))).toBeUndefined();
    expect(whole(one.subarray(0, 7))).toBeUndefined();
    expect(whole(one.subarray(0, 4))).toBeUndefined();
    expect(whole(one, one.subarray(0, 2))).toBeUndefined();
  });

  it.each([
    ['gzip', undefined],
    ['identity', undefined],
    ['br', 'br'],
    [undefined, undefined],
  ])('with the encoding %s have the unknown encoding %s', (encoding, expected) => {
    expect(new FrameReader(LIMIT, encoding).unknownEncoding).toBe(expected);
  });
});

test.each([
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['3S', 3_000],
  ['4m', 4],
  ['5000u', 5],
  ['6000000n', 6],
  ['+7m', 7],
  ['-8m', -8],
  ['12345678m', 12_345_678],
  ['123456789m', NaN],
  ['1x', NaN],
  ['m', NaN],
  ['', NaN],
])('parses the timeout %j as %d ms', (text, milliseconds) => {
  expect(timeoutOf(text)).toBe(milliseconds);
});

test.each([
  [' ~', ' ~'],
  ['\u001f\u007f', '%1F%7F'],
  ['100%', '100%25'],
  ['ä\n', '%C3%A4%0A'],
])('encodes the text %j as %j in a header', (text, encoded) => {
  expect(percentEncoded(text)).toBe(encoded);
});
