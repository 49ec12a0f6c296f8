/** Bytes of protobuf, written by a writer that is used again: a new one clears a kilobyte first, more than most messages have. */
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** Those that nobody writes with now: as many as messages were ever written inside of each other. */
const free: BinaryWriter[] = [];
/** Bytes: a writer that has written more is not kept, with all its room. */
const MOST = 65_536;

export function written(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = free.pop() ?? new BinaryWriter();
  // One that throws is lost, as nobody knows what it has in it.
  write(writer);
  const bytes = writer.finish();
  if (bytes.length <= MOST) free.push(writer);
  return bytes;
}
