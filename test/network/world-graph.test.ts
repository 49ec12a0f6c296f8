/** The bytes of a world file, below its values: each number at the place where its form changes, and files that are damaged. */
import { GraphReader } from '../../src/network/worlds/graph-reader.js';
import { GraphWriter } from '../../src/network/worlds/graph-writer.js';

const written = (value: unknown): Buffer => {
  const writer = new GraphWriter({
    packages: new Set(),
    dars: new Map(),
    participants: new Map(),
  });
  writer.write(value);
  return Buffer.from(writer.finish());
};
const read = (bytes: Buffer): unknown => {
  const reader = new GraphReader(bytes, {} as never);
  const value = reader.read();
  expect(reader.isAtEnd).toBe(true);
  return value;
};

it.each([
  0,
  -0,
  1,
  -1,
  63,
  64,
  -64,
  -65,
  8191,
  8192,
  -8193,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  1.5,
  NaN,
  Infinity,
  -Infinity,
])('restores the number %d', (number) => {
  expect(read(written(number))).toBe(number);
});

it.each([0n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 100n])(
  'restores the number %d of any size',
  (number) => {
    expect(read(written(number))).toBe(number);
  },
);

it.each([
  '',
  'ä',
  'ab'.repeat(15),
  'ab'.repeat(16),
  `${'ab'.repeat(16)}c`,
  'AB'.repeat(16),
  `${'ab'.repeat(16)}\n`,
  'x'.repeat(200),
])('restores the text %j, also if it is repeated', (text) => {
  expect(read(written([text, text, [text]]))).toEqual([text, text, [text]]);
});

it('stores hexadecimal texts in half of the space', () => {
  const sizeOf = (text: string) => written(text).length;
  expect(sizeOf('ab'.repeat(16))).toBe(2 + 16);
  expect(sizeOf('ab'.repeat(15))).toBe(2 + 30);
});

it('restores lists, maps, sets, bytes and objects', () => {
  const value = {
    list: [1, [2, []], {}],
    map: new Map([['k', new Set([1n, 'x'])]]),
    bytes: new Uint8Array([1, 2, 3]),
    nothing: [null, undefined, true, false],
    ['__proto__x']: 1,
  };
  expect(read(written(value))).toEqual(value);
  const many = Array.from({ length: 300 }, (_, index) => index);
  expect(read(written(many))).toEqual(many);
  expect(read(written(new Uint8Array(70_000)))).toEqual(new Uint8Array(70_000));
});

it('rejects a truncated file', () => {
  const whole = written([1, 'text', { member: [2n ** 70n, new Uint8Array(3)] }, 'text']);
  for (let length = 0; length < whole.length; length += 1)
    expect(() => read(whole.subarray(0, length))).toThrow();
});

it('rejects a count above the remaining bytes, before it allocates memory', () => {
  const three = written(new Uint8Array(3));
  const [tag, count] = three;
  expect(count).toBe(3);
  const bytes = (said: number) => Buffer.from([tag!, said, 7, 7, 7]);
  expect(read(bytes(3))).toEqual(new Uint8Array([7, 7, 7]));
  for (const said of [4, 127]) expect(() => read(bytes(said))).toThrow(/damaged/i);
  const huge = Buffer.from([tag!, 0xff, 0xff, 0xff, 0xff, 0x7f, 7]);
  expect(() => read(huge)).toThrow(/damaged/i);
});

it('rejects a reference to an undefined text, shape or object', () => {
  const [, , second] = [...written(['a', 'a']).entries()].slice(-2).map(([, byte]) => byte);
  expect(second).toBeUndefined();
  const twice = written(['a', 'a']);
  expect(twice.at(-1)).toBe(0);
  for (const index of [1, 5]) {
    const other = Buffer.from(twice);
    other[other.length - 1] = index;
    expect(() => read(other)).toThrow(/damaged/i);
  }
});
