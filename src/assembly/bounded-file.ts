/** Reads files that users name. It rejects files that are too large, and devices, which may never end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK = 1024 * 1024;

/** @param limit in bytes @throws the system's error, or an Error with the reason */
export function readBoundedFile(path: string, limit: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    // Shells pass pipes instead of files.
    if (!stats.isFile() && !stats.isFIFO()) throw unread('it is not a file');
    if (stats.size > limit) throw unread(`it has ${stats.size} bytes, and the limit is ${limit}`);
    return stats.isFile() && stats.size > 0 ? readSized(file, stats.size) : readAll(file, limit);
  } finally {
    closeSync(file);
  }
}

/** Reads the file into one buffer of its size. If it shrinks meanwhile, returns the bytes that are left. */
function readSized(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let length = 0; length < size;) {
    const read = readSync(file, bytes, length, size - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
  return bytes;
}

function readAll(file: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; length <= limit;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  throw unread(`it has more than ${limit} bytes`);
}

const unread = (why: string): Error => Object.assign(new Error(why), { code: 'EINVAL' });
