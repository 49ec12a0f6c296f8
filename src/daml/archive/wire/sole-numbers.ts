/** Reads messages that consist of one number, as almost all types and names do, without decoding. */
import { soleVarint, WireReader, WireType, type Parts } from './wire-reader.js';

/** The tag of `Type.interned`. */
const INTERNED_TYPE = (8 << 3) | WireType.Varint;

/** The tag of `InternedDottedName.segments`, a list of numbers. */
const SEGMENTS = (1 << 3) | WireType.LengthDelimited;

const reader = new WireReader();

/** The index if a `Type` is a mere reference into the table, as almost all are; -1 otherwise. */
export function referenceTo(bytes: Uint8Array): number {
  return bytes[0] === INTERNED_TYPE ? soleVarint(bytes, 1) : -1;
}

/** The index for one of several types. */
export function soleReference(types: Parts, index: number): number {
  const end = types.open(index, reader);
  if (reader.at >= end || reader.varint() !== INTERNED_TYPE || reader.at >= end) return -1;
  const entry = reader.varint() | 0;
  return reader.at === end ? entry : -1;
}

/** The number of a name's only segment; -1 if it has more. */
export function soleSegment(names: Parts, index: number): number {
  const end = names.open(index, reader);
  const isList = reader.at < end && reader.varint() === SEGMENTS;
  if (!isList || reader.varint() !== end - reader.at || reader.at >= end) return -1;
  const segment = reader.varint() | 0;
  return reader.at === end ? segment : -1;
}
