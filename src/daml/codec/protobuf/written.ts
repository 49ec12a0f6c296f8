/** Writes protobuf with reused writers. A new writer clears a kilobyte first, and most messages are smaller. */
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** The writers that are free: as many as the deepest nesting of messages so far. */
const free: BinaryWriter[] = [];
/** In bytes. A writer that has written more is dropped, to free its memory. */
const MOST = 65_536;

export function written(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = free.pop() ?? new BinaryWriter();
  // A writer that throws is dropped, because its content is undefined.
  write(writer);
  const bytes = writer.finish();
  if (bytes.length <= MOST) free.push(writer);
  return bytes;
}
