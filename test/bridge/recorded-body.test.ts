/** Bodies that pass a proxy: kept up to a limit, before and after they are expanded. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { RecordedBody } from '../../src/bridge/recorded-body.js';

const LIMIT = 64 * 1024 * 1024;
const bodyOf = (bytes: Buffer, encoding?: string) => {
  const body = new RecordedBody();
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
  const tooLong = Buffer.alloc(LIMIT + 1, 'a');
  const longest = tooLong.subarray(1);
  const quickly = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

  it('is not stored', () => {
    expect(bodyOf(longest)).toMatchObject({ size: LIMIT });
    expect(bodyOf(tooLong)).toEqual({
      size: LIMIT + 1,
      cut: `${LIMIT + 1} bytes, more than are kept: left out.`,
    });
  });

  it('is not expanded', () => {
    const whole = bodyOf(gzipSync(longest, quickly), 'gzip');
    expect([whole.size, whole.cut]).toEqual([LIMIT, undefined]);
    for (const [encoding, bomb] of [
      ['gzip', gzipSync(tooLong, quickly)],
      ['deflate', deflateSync(tooLong, quickly)],
      ['br', brotliCompressSync(tooLong, quickly)],
    ] as const) {
      const { size, cut } = bodyOf(bomb, encoding);
      expect([size, cut]).toEqual([
        bomb.length,
        `${bomb.length} bytes as ${encoding}, which cannot be read: left out.`,
      ]);
    }
  });
});
