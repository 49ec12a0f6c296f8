/**
 * Reads protobuf strictly: one expected field after the other, valid UTF-8, no bytes after the message. Other input
 * throws a {@link ProtobufError}. NOTE: a participant reads values without their types, and refuses a value of another
 * type when it uses the value. This reader has the type, and refuses a field of another type at once. The error
 * texts of `expect`, `atEnd` and of reader.ts about fields and constructors are therefore from Canticle.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { ProtoReader } from './proto-reader.js';
import { jvmWords } from './jvm-words.js';
import { InvariantError, LedgerError } from '../../errors/ledger-error.js';

/** The bytes are not a message of the expected type, or have content that the type does not allow. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

export function protoReader(bytes: Uint8Array): ProtoReader {
  return new ProtoReader(bytes);
}

/** Converts all errors of the reader about malformed bytes to a {@link ProtobufError}. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof ProtobufError ||
      error instanceof LedgerError ||
      error instanceof InvariantError
    )
      throw error;
    throw new ProtobufError(`cannot parse proto Value: ${jvmWords((error as Error).message)}`);
  }
}

/** Enters a nested message. Returns its end. */
export function open(reader: ProtoReader, end: number, field: number): number {
  expect(reader, end, field, WireType.LengthDelimited);
  const inner = reader.uint32() + reader.pos;
  if (inner > end)
    throw new ProtobufError(`cannot parse proto Value: ${jvmWords('premature EOF')}`);
  return inner;
}

export function expect(reader: ProtoReader, end: number, field: number, wire: WireType): void {
  if (reader.pos >= end) throw new ProtobufError('Value not set');
  const [found, foundWire] = reader.tag();
  if (found !== field || foundWire !== wire)
    throw new ProtobufError(`unexpected field ${found}, expected ${field}`);
}

export function atEnd<T>(reader: ProtoReader, end: number, value: T): T {
  if (reader.pos !== end)
    throw new ProtobufError('cannot parse proto Value: a message holds more than it should');
  return value;
}
