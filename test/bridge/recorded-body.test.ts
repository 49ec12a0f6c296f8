/** Bodies that pass a proxy: kept up to a limit, before and after they are expanded. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { RecordedBody } from '../../src/bridge/recorded-body.js';

const LIMIT = 64 * 1024 * 1024;
const bodyOf = (bytes: Buffer, encoding?: string, limit?: number) => {
  const body = new RecordedBody(limit);
  const middle = Math.trunc(bytes.length / 2);
  body.push(bytes.subarray(0, middle));
  body.push(bytes.subarray(middle));
  return body.read(encoding);
};

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  [' GZIP ', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['', Buffer.from],
  ['identity', Buffer.from],
] as const)('decodes a body that was compressed with %j', (encoding, packed) => {
  expect(bodyOf(packed(Buffer.from('{"a":1}')) as Buffer, encoding)).toEqual({
    text: '{"a":1}',
    size: 7,
  });
});

it.each(['zstd', 'gzip'])('leaves out a body in the unsupported encoding %s', (encoding) => {
  expect(bodyOf(Buffer.from('{}'), encoding)).toEqual({
    size: 2,
    cut: `2 bytes as ${encoding}, which cannot be read: left out.`,
  });
});

it('reads a body without bytes as empty, for any declared encoding', () => {
  expect(bodyOf(Buffer.alloc(0), 'gzip')).toEqual({ text: '', size: 0 });
});

describe('a body above the limit', () => {
  it('is not stored', () => {
    const tooLong = Buffer.alloc(LIMIT + 1, 'a');
    const { size, cut } = bodyOf(tooLong.subarray(1));
    expect([size, cut]).toEqual([LIMIT, undefined]);
    expect(bodyOf(tooLong)).toEqual({
      size: LIMIT + 1,
      cut: `${LIMIT + 1} bytes, more than are kept: left out.`,
    });
  });

  it('is not expanded', () => {
    const limit = 1024 * 1024;
    const tooLong = Buffer.alloc(limit + 1, 'a');
    const ways = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [encoding, packed] of Object.entries(ways)) {
      const whole = bodyOf(packed(tooLong.subarray(1)), encoding, limit);
      expect([whole.size, whole.cut]).toEqual([limit, undefined]);
      const bomb = packed(tooLong);
      const { size, cut } = bodyOf(bomb, encoding, limit);
      expect([size, cut]).toEqual([
        bomb.length,
        `${bomb.length} bytes as ${encoding}, which cannot be read: left out.`,
      ]);
    }
  });
});
