/**
 * Encodes data for Canton's hashes: numbers are big-endian, texts and bytes follow their length. One buffer holds all data for a single
 * hash call. Most data is short, and an incremental hash takes several times as long.
 */
import { sha256Hex } from '../model/hash.js';
import type { QualifiedName } from '../model/types.js';

const USUAL_BYTES = 4096;
/** A larger buffer is not kept. */
const MAX_REUSED_BYTES = 16 * USUAL_BYTES;
/** The maximum number of bytes for one UTF-16 unit of a text. */
const MOST_BYTES_A_UNIT = 3;
/** The bytes of most hashed contracts and ids. */
const LONGEST_KNOWN = 512;

export class HashWriter {
  private buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);
  /** A view of the buffer, which writes 64-bit numbers much faster. */
  private view = viewOf(this.buffer);
  /** The first bytes of the buffer, by their number: to make such an array takes longer than to find it here. */
  private readonly known: (Uint8Array | undefined)[] = [];
  private length = 0;

  /** Starts over. */
  begin(): this {
    if (this.buffer.length > MAX_REUSED_BYTES) this.use(Buffer.allocUnsafeSlow(USUAL_BYTES));
    this.length = 0;
    return this;
  }

  byte(value: number): this {
    this.reserve(1);
    this.buffer[this.length++] = value;
    return this;
  }

  int32(value: number): this {
    this.reserve(4);
    this.putInt32(value, this.length);
    this.length += 4;
    return this;
  }

  int64(value: bigint): this {
    this.reserve(8);
    this.view.setBigInt64(this.length, value);
    this.length += 8;
    return this;
  }

  /** An integer of any size: the fewest bytes that include its sign, after their number. */
  integer(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) return this.hex(twosComplement(value));
    this.reserve(4 + 8);
    const { buffer } = this;
    const start = this.length + 4;
    this.view.setBigInt64(start, value);
    const sign = value < 0n ? 0xff : 0;
    let bytes = 8;
    // Drops a leading byte if the next byte has the same sign without it.
    while (
      bytes > 1 &&
      buffer[start + 8 - bytes] === sign &&
      ((buffer[start + 9 - bytes]! ^ sign) & 0x80) === 0
    )
      bytes -= 1;
    buffer.copyWithin(start, start + 8 - bytes, start + 8);
    this.putInt32(bytes, this.length);
    this.length = start + bytes;
    return this;
  }

  /** Bytes of a fixed length, without the length. */
  raw(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  /** The same, from hexadecimal digits. */
  rawHex(digits: string): this {
    this.reserve(digits.length / 2);
    this.length += this.buffer.write(digits, this.length, 'hex');
    return this;
  }

  bytes(bytes: Uint8Array): this {
    return this.int32(bytes.length).raw(bytes);
  }

  hex(digits: string): this {
    return this.int32(digits.length / 2).rawHex(digits);
  }

  text(text: string): this {
    const { length } = text;
    this.reserve(4 + (length < USUAL_BYTES ? MOST_BYTES_A_UNIT * length : Buffer.byteLength(text)));
    const start = this.length + 4;
    const bytes = this.buffer.write(text, start);
    this.putInt32(bytes, this.length);
    this.length = start + bytes;
    return this;
  }

  texts(texts: readonly string[]): this {
    this.int32(texts.length);
    for (let i = 0; i < texts.length; i++) this.text(texts[i]!);
    return this;
  }

  /** Module and entity, each as a list of segments. */
  qualifiedName(name: QualifiedName): this {
    const [module, entity] = name.split(':') as [string, string];
    return this.texts(module.split('.')).texts(entity.split('.'));
  }

  /** The data of `write`, after its length. */
  sized(write: (writer: this) => void): this {
    this.int32(0);
    const start = this.length;
    write(this);
    this.putInt32(this.length - start, start - 4);
    return this;
  }

  /** A copy of the data. */
  written(): Uint8Array {
    return Uint8Array.from(this.buffer.subarray(0, this.length));
  }

  /** SHA-256 of the data, hexadecimal. */
  sha256(): string {
    // A Uint8Array is faster here than a Buffer.
    return sha256Hex(this.bytesOf(this.length));
  }

  private bytesOf(length: number): Uint8Array {
    if (length > LONGEST_KNOWN) return new Uint8Array(this.buffer.buffer, 0, length);
    return (this.known[length] ??= new Uint8Array(this.buffer.buffer, 0, length));
  }

  private putInt32(value: number, at: number): void {
    this.buffer[at] = value >>> 24;
    this.buffer[at + 1] = value >>> 16;
    this.buffer[at + 2] = value >>> 8;
    this.buffer[at + 3] = value;
  }

  private reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer.subarray(0, this.length));
    this.use(larger);
  }

  private use(buffer: Buffer<ArrayBuffer>): void {
    this.buffer = buffer;
    this.view = viewOf(buffer);
    this.known.length = 0;
  }
}

/** @param buffer with a separate memory */
function viewOf(buffer: Buffer<ArrayBuffer>): DataView {
  return new DataView(buffer.buffer);
}

/** Hexadecimal, in the fewest bytes that include the sign. */
function twosComplement(value: bigint): string {
  let length = 9;
  while (BigInt.asIntN(8 * length, value) !== value) length += 1;
  return BigInt.asUintN(8 * length, value)
    .toString(16)
    .padStart(2 * length, '0');
}

const CONSTANT = new HashWriter();

/** The bytes of constant data, for {@link HashWriter.raw}. */
export function encoded(write: (writer: HashWriter) => void): Uint8Array {
  write(CONSTANT.begin());
  return CONSTANT.written();
}
