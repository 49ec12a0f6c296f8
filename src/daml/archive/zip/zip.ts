/**
 * The entries of a zip, front to back, like Java's ZipInputStream: it reads the header before each entry until there is none. It ignores
 * the directory at the end. An entry that cannot be inflated is an error, even if no code needs it (B-PKG-016).
 */
import { TextDecoder } from 'node:util';
import { inflateRawSync, type ZlibOptions } from 'node:zlib';
import { crc32 } from './crc32.js';

export interface ZipEntry {
  readonly name: string;
  /** Inflated. */
  readonly bytes: Uint8Array;
}

/** Java's exceptions. `Bomb`: more bytes than the limit. */
type Exception = 'ZipException' | 'EOFException' | 'IllegalArgumentException' | 'Bomb';

/** An error in a zip, with the text of Java's reader. */
export class ZipError extends Error {
  override readonly name = 'ZipError';

  constructor(
    readonly exception: Exception,
    message = '',
  ) {
    super(message);
  }
}

const HEADER = { signature: 0x04034b50, size: 30 };
/** The descriptor that follows an entry without sizes in its header. */
const DESCRIPTOR = { signature: 0x08074b50, size: 16 };
const ENCRYPTED = 1;
const DESCRIBED = 8;
const STORED = 0;
const DEFLATED = 8;
/** The maximum number of bytes that one byte of deflate data expands to. */
const MAX_DEFLATE_RATIO = 1032;

/** The maximum output of one inflate call, in bytes. */
const MAX_OUTPUT = 2 ** 31 - 1;

interface Sums {
  readonly crc: number;
  /** Bytes as stored, and inflated. */
  readonly size: number;
  readonly originalSize: number;
}

interface Header {
  readonly name: string;
  readonly method: number;
  /** Undefined if they follow the entry. */
  readonly sums: Sums | undefined;
}

/**
 * @param budget the maximum of inflated bytes, in total
 * @throws ZipError
 */
export function* zipEntries(bytes: Uint8Array, budget: number): Generator<ZipEntry> {
  const zip = new ZipReader(bytes, budget);
  for (let header = zip.header(); header !== undefined; header = zip.header())
    yield { name: header.name, bytes: zip.content(header) };
}

/**
 * The names only. It inflates only entries without a size in the header.
 * @throws ZipError
 */
export function* zipNames(bytes: Uint8Array): Generator<string> {
  const zip = new ZipReader(bytes, Infinity);
  for (let header = zip.header(); header !== undefined; header = zip.header()) {
    yield header.name;
    zip.pass(header);
  }
}

class ZipReader {
  private readonly view: DataView;
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private budget: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  header(): Header | undefined {
    const { view, at } = this;
    if (at + HEADER.size > view.byteLength || view.getUint32(at, true) !== HEADER.signature)
      return undefined;
    const flags = view.getUint16(at + 6, true);
    const method = view.getUint16(at + 8, true);
    this.at += HEADER.size;
    const name = nameOf(this.take(view.getUint16(at + 26, true)));
    if (flags & ENCRYPTED) throw new ZipError('ZipException', 'encrypted ZIP entry not supported');
    const isDescribed = (flags & DESCRIBED) !== 0;
    if (isDescribed && method !== DEFLATED)
      throw new ZipError('ZipException', 'only DEFLATED entries can have EXT descriptor');
    const sums = isDescribed ? undefined : this.sums(at + 14);
    this.take(view.getUint16(at + 28, true));
    return { name, method, sums };
  }

  content({ method, sums }: Header): Uint8Array {
    if (method === STORED) return this.stored(sums!);
    if (method !== DEFLATED) throw new ZipError('ZipException', 'invalid compression method');
    return this.inflated(sums);
  }

  pass(header: Header): void {
    if (header.sums === undefined) this.content(header);
    else this.take(header.sums.size);
  }

  private sums(at: number): Sums {
    const [crc, size, originalSize] = [0, 4, 8].map((by) => this.view.getUint32(at + by, true));
    return { crc: crc!, size: size!, originalSize: originalSize! };
  }

  private take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new ZipError('EOFException');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  private stored({ crc, originalSize }: Sums): Uint8Array {
    if (this.at + originalSize > this.bytes.length)
      throw new ZipError('ZipException', 'unexpected EOF');
    const stored = new Uint8Array(this.take(originalSize));
    this.fill(originalSize);
    if (originalSize > 0) checkSum(crc, stored);
    return stored;
  }

  /** @param known from the header; by default, from the descriptor behind the entry */
  private inflated(known: Sums | undefined): Uint8Array {
    const { buffer, taken } = inflate(this.bytes.subarray(this.at), this.budget, known);
    this.fill(buffer.length);
    this.at += taken;
    const { crc, size, originalSize } = known ?? this.descriptor();
    if (originalSize !== buffer.length)
      throw wrong('size', `${originalSize}`, `${buffer.length} bytes`);
    if (size !== taken) throw wrong('compressed size', `${size}`, `${taken} bytes`);
    checkSum(crc, buffer);
    return buffer;
  }

  /** The signature is optional. */
  private descriptor(): Sums {
    const { at } = this;
    this.take(DESCRIPTOR.size);
    if (this.view.getUint32(at, true) === DESCRIPTOR.signature) return this.sums(at + 4);
    this.at -= 4;
    return this.sums(at);
  }

  private fill(count: number): void {
    if (count > this.budget) throw new ZipError('Bomb');
    this.budget -= count;
  }
}

function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ZipError('IllegalArgumentException');
  }
}

function checkSum(expected: number, bytes: Uint8Array): void {
  const crc = crc32(bytes);
  if (crc !== expected) throw wrong('CRC', hex(expected), hex(crc));
}

const hex = (sum: number): string => `0x${sum.toString(16)}`;

function wrong(what: string, expected: string, got: string): ZipError {
  return new ZipError(
    'ZipException',
    `invalid entry ${what} (expected ${expected} but got ${got})`,
  );
}

interface Inflated {
  readonly buffer: Uint8Array;
  /** The number of bytes that it used. */
  readonly taken: number;
}

function inflate(bytes: Uint8Array, budget: number, known: Sums | undefined): Inflated {
  // Inflates in one chunk if the header's size is plausible.
  const isLikely = known !== undefined && known.originalSize <= known.size * MAX_DEFLATE_RATIO;
  const chunk = isLikely ? { chunkSize: Math.max(64, known.originalSize + 1) } : {};
  const options: ZlibOptions = {
    ...chunk,
    maxOutputLength: Math.max(1, Math.min(budget, MAX_OUTPUT)),
    info: true,
  };
  try {
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    // A copy, which frees the buffer's larger memory.
    return { buffer: new Uint8Array(buffer), taken: engine.bytesWritten };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ZipError('Bomb');
    if (code === 'Z_BUF_ERROR')
      throw new ZipError('EOFException', 'Unexpected end of ZLIB input stream');
    throw new ZipError('ZipException', message);
  }
}
