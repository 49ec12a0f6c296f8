/** The bytes of numbers, texts and messages, compared with those of protobuf-es. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ByteWriter } from '../../../src/network/protobuf/byte-writer.js';

type Write = (writer: any) => void;

const expected = (write: Write): Buffer => {
  const writer = new BinaryWriter();
  write(writer);
  return Buffer.from(writer.finish());
};
/** While another writer is open, a writer begins with the smallest buffer. */
const written = (write: Write): Buffer => {
  let bytes: Uint8Array | undefined;
  ByteWriter.written(() => (bytes = ByteWriter.written(write)));
  return Buffer.from(bytes!);
};
/** Without `expect` for each of many cases: one call takes longer than one case. */
const differing = (writes: readonly Write[]): number[] =>
  writes.flatMap((write, index) => (written(write).equals(expected(write)) ? [] : [index]));

const METHODS: Readonly<Record<string, readonly unknown[]>> = {
  uint32: [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 2 ** 31, 2 ** 32 - 1],
  int32: [0, 1, -1, 0x7f, 0x80, 2 ** 31 - 1, -(2 ** 31)],
  sint32: [0, 1, -1, 63, 64, -64, -65, 2 ** 31 - 1, -(2 ** 31)],
  bool: [true, false],
  int64: [
    0,
    1,
    -1,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 53 - 1,
    0n,
    0x7fn,
    0x80n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ],
  uint64: [0, 2 ** 32, 2n ** 64n - 1n],
  sint64: [0, 1, -1, 2n ** 63n - 1n, -(2n ** 63n)],
  fixed32: [0, 1, 2 ** 32 - 1],
  sfixed32: [0, -1, 2 ** 31 - 1, -(2 ** 31)],
  fixed64: [0, 1, 2n ** 64n - 1n],
  sfixed64: [0, -1, 2n ** 63n - 1n, -(2n ** 63n)],
  double: [0, -0, 1.5, NaN, Infinity],
  float: [0, 1.5, -Infinity],
  string: [
    '',
    'a',
    'é',
    '\u007f',
    '\u0080',
    'a'.repeat(24),
    'a'.repeat(25),
    `${'a'.repeat(23)}é`,
    '€'.repeat(24),
  ],
  bytes: [new Uint8Array(0), new Uint8Array(3).fill(7), new Uint8Array(200).fill(8)],
};
const calls = Object.entries(METHODS).flatMap(([method, values]) =>
  values.map(
    (value): Write =>
      (writer) =>
        void writer[method](value),
  ),
);

it('writes numbers, texts and bytes, wherever its buffer ends', () => {
  expect(differing(calls)).toEqual([]);
  const atEnd = Array.from({ length: 30 }, (_, index) => new Uint8Array(1000 + index).fill(1));
  for (const before of atEnd)
    expect(
      differing(
        calls.map((write): Write => (writer) => {
          writer.raw(before);
          write(writer);
          writer.tag(3, WireType.Varint);
        }),
      ),
    ).toEqual([]);
});

const LENGTHS = [
  ...[0, 1, 23, 24, 25, 0x2a, 0x2b, 0x7e, 0x7f, 0x80, 0x81, 0x100],
  ...[0x1555, 0x1556, 0x3fff, 0x4000, 0x4001, 0xaaaaa, 0xaaaab, 0x1fffff, 0x200000],
];

it.each(['a', 'é', '€'])('writes texts of “%s” of any length', (letter) => {
  const texts = LENGTHS.map(
    (length): Write =>
      (writer) =>
        writer.string(letter.repeat(length)),
  );
  expect(differing(texts)).toEqual([]);
});

it('writes messages inside of messages, of any length', () => {
  const messages = LENGTHS.map((length): Write => (writer: ByteWriter) => {
    const content = new Uint8Array(length).fill(5);
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(2, WireType.LengthDelimited).fork().raw(content).join();
    writer.tag(100, WireType.Varint).uint32(300);
    writer.join().tag(4, WireType.Bit32).fixed32(9);
  });
  expect(differing(messages)).toEqual([]);
  // The length of the inner message needs a second byte, for which the buffer has no room.
  const atEnd = Array.from({ length: 30 }, (_, index): Write => (writer: ByteWriter) => {
    writer
      .raw(new Uint8Array(800 + index))
      .fork()
      .raw(new Uint8Array(200).fill(5))
      .join();
  });
  expect(differing(atEnd)).toEqual([]);
});

it('writes several messages at the same time, and changes none of the earlier ones', () => {
  const text =
    (letter: string): Write =>
    (writer) =>
      writer.string(letter.repeat(30));
  const inner: Uint8Array[] = [];
  const outer = ByteWriter.written((first) => {
    first.string('first');
    inner.push(
      ByteWriter.written((second) => {
        second.string('second');
        inner.push(ByteWriter.written((third) => third.string('third')));
        inner.push(ByteWriter.written(text('x')));
        second.string('end');
      }),
    );
    expect(() =>
      ByteWriter.written(() => {
        throw new Error('no message');
      }),
    ).toThrow('no message');
    first.string('last');
  });
  const after = ByteWriter.written(text('y'));
  const texts = [outer, ...inner, after].map((bytes) =>
    Buffer.from(bytes)
      .toString()
      .replace(/[^a-z]/g, ' '),
  );
  const [x, y] = ['x', 'y'].map((letter) => ` ${letter.repeat(30)}`);
  expect(texts).toEqual([' first last', ' third', x, ' second end', y]);
});

it('puts messages of up to 2 KiB into buffers of 16 KiB, and longer ones into their own', () => {
  const message = (length: number) =>
    ByteWriter.written((writer) => writer.raw(new Uint8Array(length)));
  const { buffer } = message(2048);
  let next = message(2048);
  while (next.buffer === buffer) next = message(2048);
  const others = Array.from({ length: 8 }, () => message(2048).buffer);
  expect(others.map((each) => each === next.buffer)).toEqual([
    ...Array<boolean>(7).fill(true),
    false,
  ]);
  expect(next.buffer.byteLength).toBe(16 * 1024);
  expect(message(2049).buffer.byteLength).toBe(2049);
});
