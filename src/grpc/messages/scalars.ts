/**
 * Writes and reads the scalars of protobuf without their tags. Numbers of 64 bits are JavaScript numbers, as in the
 * services.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { type ProtoReader } from '../../daml/codec/protobuf/proto-reader.js';
import type { ByteWriter } from '../../network/protobuf/byte-writer.js';

export interface Scalar {
  readonly wire: WireType;
  readonly initial: unknown;
  readonly isInitial: (value: unknown) => boolean;
  readonly write: (writer: ByteWriter, value: never) => unknown;
  readonly read: (reader: ProtoReader) => unknown;
}

function scalar<T>(
  wire: WireType,
  initial: T,
  write: (writer: ByteWriter, value: T) => unknown,
  read: (reader: ProtoReader) => unknown,
): Scalar {
  return { wire, initial, isInitial: (value) => value === initial, write, read };
}

const { Varint, Bit32, Bit64, LengthDelimited } = WireType;

/** NOTE: numbers of 64 bits beyond 2^53 are rounded. No counter becomes so large. */
const long = (read: (reader: ProtoReader) => number | bigint) => (reader: ProtoReader) =>
  Number(read(reader));

const bytes: Scalar = {
  wire: LengthDelimited,
  initial: '',
  isInitial: (value) => (value as string | Uint8Array).length === 0,
  write: (writer, value: string | Uint8Array) =>
    writer.bytes(typeof value === 'string' ? Buffer.from(value, 'base64') : value),
  read: (reader) => Buffer.from(reader.bytes()).toString('base64'),
};

/** For bytes that are hexadecimal in JSON. */
export const HEXADECIMAL: Scalar = {
  ...bytes,
  write: (writer, value: string) => writer.bytes(Buffer.from(value, 'hex')),
  read: (reader) => Buffer.from(reader.bytes()).toString('hex'),
};

/** For large bytes fields, which stay bytes instead of base64 text. */
export const RAW_BYTES: Scalar = {
  ...bytes,
  initial: new Uint8Array(),
  read: (reader) => Uint8Array.from(reader.bytes()),
};

export const SCALARS: Readonly<Record<string, Scalar>> = {
  bool: scalar(
    Varint,
    false,
    (w, v: boolean) => w.bool(v),
    (r) => r.bool(),
  ),
  string: scalar(
    LengthDelimited,
    '',
    (w, v: string) => w.string(v),
    (r) => r.string(),
  ),
  bytes,
  int32: scalar(
    Varint,
    0,
    (w, v: number) => w.int32(v),
    (r) => r.int32(),
  ),
  uint32: scalar(
    Varint,
    0,
    (w, v: number) => w.uint32(v),
    (r) => r.uint32(),
  ),
  sint32: scalar(
    Varint,
    0,
    (w, v: number) => w.sint32(v),
    (r) => r.sint32(),
  ),
  fixed32: scalar(
    Bit32,
    0,
    (w, v: number) => w.fixed32(v),
    (r) => r.fixed32(),
  ),
  sfixed32: scalar(
    Bit32,
    0,
    (w, v: number) => w.sfixed32(v),
    (r) => r.sfixed32(),
  ),
  int64: scalar(
    Varint,
    0,
    (w, v: number | bigint) => w.int64(v),
    long((r) => r.int64()),
  ),
  uint64: scalar(
    Varint,
    0,
    (w, v: number | bigint) => w.uint64(v),
    long((r) => r.uint64()),
  ),
  sint64: scalar(
    Varint,
    0,
    (w, v: number | bigint) => w.sint64(v),
    long((r) => r.sint64()),
  ),
  fixed64: scalar(
    Bit64,
    0,
    (w, v: number | bigint) => w.fixed64(v),
    long((r) => r.fixed64()),
  ),
  sfixed64: scalar(
    Bit64,
    0,
    (w, v: number | bigint) => w.sfixed64(v),
    long((r) => r.sfixed64()),
  ),
  double: scalar(
    Bit64,
    0,
    (w, v: number) => w.double(v),
    (r) => r.double(),
  ),
  float: scalar(
    Bit32,
    0,
    (w, v: number) => w.float(v),
    (r) => r.float(),
  ),
};

/** An enumeration. Its values are names; a value without a name is its number in digits. */
export function enumScalar(values: Readonly<Record<string, number>>): Scalar {
  const names = new Map(Object.entries(values).map(([name, number]) => [number, name]));
  const initial = names.get(0) ?? '0';
  return {
    wire: Varint,
    initial,
    isInitial: (value) => value === initial,
    write: (writer, value: string) => writer.int32(values[value] ?? Number(value)),
    read: (reader) => {
      const number = reader.int32();
      return names.get(number) ?? String(number);
    },
  };
}
