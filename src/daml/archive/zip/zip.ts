/**
 * The entries of a zip, by its directory at the end, and their bytes. Encrypted entries and those of 64-bit sizes do not
 * occur in DARs: the latter would be past every limit.
 * NOTE: refused in the JVM's words, as far as they are known; ours where they are not.
 */
import { inflateRawSync } from 'node:zlib';
import { crc32 } from './crc32.js';

export interface ZipEntry {
  readonly name: string;
  /** 0 for stored, 8 for deflated. */
  readonly method: number;
  /** Of the bytes once inflated. */
  readonly crc: number;
  /** Bytes as stored, and as the directory says that they are once inflated. */
  readonly size: number;
  readonly originalSize: number;
  /** Where the entry's own header is. */
  readonly offset: number;
}

/** What is wrong with a zip, in the words of Java's reader. `endsEarly`: bytes are missing. */
export class ZipFault extends Error {
  override readonly name = 'ZipFault';

  constructor(
    message: string,
    readonly endsEarly = false,
  ) {
    super(message);
  }
}

/** Bytes that one byte can turn into, by the format of deflate. */
const MAX_DEFLATE_RATIO = 1032;

const END = { signature: 0x06054b50, size: 22, maxComment: 0xffff };
const DIRECTORY = { signature: 0x02014b50, size: 46 };
const LOCAL = { signature: 0x04034b50, size: 30 };
const UTF8_NAMES = 0x800;

/** In the order of the directory; of several with one name, the last. @throws ZipFault */
export function zipEntries(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const entries = new Map<string, ZipEntry>();
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 8, true); count > 0; count -= 1) {
    require(view, at, DIRECTORY);
    const nameEnd = at + DIRECTORY.size + view.getUint16(at + 28, true);
    if (nameEnd > bytes.length) throw cutOff();
    const encoding = view.getUint16(at + 8, true) & UTF8_NAMES ? 'utf8' : 'latin1';
    const entry: ZipEntry = {
      name: Buffer.from(bytes.subarray(at + DIRECTORY.size, nameEnd)).toString(encoding),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size: view.getUint32(at + 20, true),
      originalSize: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    entries.set(entry.name, entry);
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The bytes of an entry, which share nothing with the zip's. @throws ZipFault */
export function zipBytes(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const read = uncheckedBytes(bytes, entry);
  const crc = crc32(read);
  const hex = (sum: number) => `0x${sum.toString(16)}`;
  if (crc !== entry.crc)
    throw new ZipFault(`invalid entry CRC (expected ${hex(entry.crc)} but got ${hex(crc)})`);
  return read;
}

function uncheckedBytes(
  bytes: Uint8Array,
  { method, size, originalSize, offset }: ZipEntry,
): Uint8Array {
  const view = viewOf(bytes);
  require(view, offset, LOCAL);
  const names = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const start = offset + LOCAL.size + names;
  if (start + size > bytes.length) throw cutOff();
  const stored = bytes.subarray(start, start + size);
  if (method === 0) return new Uint8Array(stored);
  if (method !== 8) throw new ZipFault('invalid compression method');
  // Room is made for what an entry claims to be: no more than its bytes can turn into.
  if (originalSize > size * MAX_DEFLATE_RATIO + 1024) throw wrongSize(originalSize, 'fewer');
  return inflated(stored, originalSize);
}

function inflated(bytes: Uint8Array, size: number): Uint8Array {
  try {
    // One byte more than is expected, so that what is too long shows.
    const limits = { chunkSize: Math.max(64, size + 1), maxOutputLength: size + 1 };
    const result = inflateRawSync(bytes, limits);
    if (result.length !== size) throw wrongSize(size, `${result.length}`);
    return new Uint8Array(result.buffer, result.byteOffset, size);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw wrongSize(size, 'more');
    if (code === 'Z_BUF_ERROR') throw cutOff();
    throw error instanceof ZipFault ? error : new ZipFault(message);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The record at the end, behind which there may be a comment. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END.size;
  for (let at = last; at >= 0 && at >= last - END.maxComment; at -= 1)
    if (view.getUint32(at, true) === END.signature) return at;
  throw cutOff();
}

function require(view: DataView, at: number, header: { signature: number; size: number }): void {
  if (at + header.size > view.byteLength) throw cutOff();
  if (view.getUint32(at, true) !== header.signature) throw new ZipFault('invalid header');
}

function wrongSize(expected: number, got: string): ZipFault {
  return new ZipFault(`invalid entry size (expected ${expected} but got ${got} bytes)`);
}

function cutOff(): ZipFault {
  return new ZipFault('Unexpected end of ZLIB input stream', true);
}
