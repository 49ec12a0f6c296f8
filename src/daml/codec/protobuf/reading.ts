/**
 * Strict reading of protobuf: one expected field after the other, valid UTF-8, nothing left over. What does not keep to
 * that throws a {@link ProtoFault}.
 * NOTE: a participant reads values without their types, and refuses a value of another type where it is used. Here the type is known
 * while it is read, so that a field of another type is refused at once, in words of ours: those of `expect`, `atEnd` and of reader.ts
 * about fields and constructors.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { jvmWords } from './jvm-words.js';
import { InvariantError, LedgerError } from '../../errors/ledger-error.js';

/** Bytes that are no message of the kind that was expected, or say what no such message may. */
export class ProtoFault extends Error {
  override readonly name = 'ProtoFault';
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Nearly all texts are this short and ASCII: they are read without a decoder, which takes longer to call than to work. */
const SHORT_BYTES = 128;

function decodeText(bytes: Uint8Array): string {
  if (bytes.length > SHORT_BYTES) return UTF8.decode(bytes);
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at]! > 0x7f) return UTF8.decode(bytes);
  return Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length);
}

/** A reader of strict UTF-8 that keeps byte order marks. */
export function protoReader(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, decodeText);
}

/** Turns whatever malformed bytes make the reader throw into a {@link ProtoFault}. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof ProtoFault ||
      error instanceof LedgerError ||
      error instanceof InvariantError
    )
      throw error;
    throw new ProtoFault(`cannot parse proto Value: ${jvmWords((error as Error).message)}`);
  }
}

/** Enters a nested message; answers where it ends. */
export function open(reader: BinaryReader, end: number, field: number): number {
  expect(reader, end, field, WireType.LengthDelimited);
  const inner = reader.uint32() + reader.pos;
  if (inner > end) throw new ProtoFault(`cannot parse proto Value: ${jvmWords('premature EOF')}`);
  return inner;
}

export function expect(reader: BinaryReader, end: number, field: number, wire: WireType): void {
  if (reader.pos >= end) throw new ProtoFault('Value not set');
  const [found, foundWire] = reader.tag();
  if (found !== field || foundWire !== wire)
    throw new ProtoFault(`unexpected field ${found}, expected ${field}`);
}

export function atEnd<T>(reader: BinaryReader, end: number, value: T): T {
  if (reader.pos !== end)
    throw new ProtoFault('cannot parse proto Value: a message holds more than it should');
  return value;
}
