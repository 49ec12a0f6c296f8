/**
 * Writes the wire form of protobuf into one growing buffer. Messages inside of messages are written in place: a byte is kept for their
 * length, and they move on where that takes more.
 */
import type { WireType } from '@bufbuild/protobuf/wire';

/** Of the buffer that all writers share; it grows with the largest message. */
const FIRST_BYTES = 64 * 1024;
/** A larger buffer is dropped after its message. */
const MAX_REUSED_BYTES = 4 * 1024 * 1024;
const TWO_32 = 2 ** 32;
/** Finished messages share buffers of this size: one buffer for each message costs more than writing it. */
const SLAB_BYTES = 16 * 1024;
/** Longer messages have their own buffers. */
const LARGEST_IN_SLAB = 2 * 1024;
/** Up to which texts are written by their letters. */
const SHORT_TEXT = 24;

let slab = new ArrayBuffer(SLAB_BYTES);
let slabAt = 0;

function allocate(bytes: number): Uint8Array {
  if (bytes > LARGEST_IN_SLAB) return new Uint8Array(bytes);
  if (slabAt + bytes > SLAB_BYTES) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabAt = 0;
  }
  const view = new Uint8Array(slab, slabAt, bytes);
  slabAt += bytes;
  return view;
}

let shared: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
let isTaken = false;

export class ByteWriter {
  private buffer: Buffer;
  private at = 0;
  private readonly starts: number[] = [];
  private readonly isSharing: boolean;

  private constructor() {
    this.isSharing = !isTaken;
    isTaken = true;
    this.buffer = this.isSharing ? shared : Buffer.allocUnsafe(1024);
  }

  /** The bytes that an action writes. */
  static written(write: (writer: ByteWriter) => void): Uint8Array {
    const writer = new ByteWriter();
    try {
      write(writer);
      const bytes = allocate(writer.at);
      writer.buffer.copy(bytes, 0, 0, writer.at);
      return bytes;
    } finally {
      writer.release();
    }
  }

  private release(): void {
    if (!this.isSharing) return;
    isTaken = false;
    if (this.buffer.length <= MAX_REUSED_BYTES) shared = this.buffer;
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  tag(field: number, wire: WireType): this {
    return this.uint32(field * 8 + wire);
  }

  /** Begins a message, which {@link join} ends. */
  fork(): this {
    this.reserve(1);
    this.at += 1;
    this.starts.push(this.at);
    return this;
  }

  join(): this {
    const start = this.starts.pop()!;
    const length = this.at - start;
    if (length < 0x80) {
      this.buffer[start - 1] = length;
      return this;
    }
    const size = length < 0x4000 ? 2 : length < 0x200000 ? 3 : length < 0x10000000 ? 4 : 5;
    this.reserve(size);
    this.buffer.copyWithin(start - 1 + size, start, this.at);
    const end = this.at - 1 + size;
    this.at = start - 1;
    this.uint32(length);
    this.at = end;
    return this;
  }

  uint32(value: number): this {
    this.reserve(5);
    let left = value;
    while (left >= 0x80) {
      this.buffer[this.at++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.buffer[this.at++] = left;
    return this;
  }

  int32(value: number): this {
    return value >= 0 ? this.uint32(value) : this.varint(BigInt(value));
  }

  sint32(value: number): this {
    return this.uint32(((value << 1) ^ (value >> 31)) >>> 0);
  }

  bool(value: boolean): this {
    return this.uint32(value ? 1 : 0);
  }

  int64(value: number | bigint): this {
    if (typeof value === 'number' && value >= 0 && value < TWO_32) return this.uint32(value);
    return this.varint(BigInt(value));
  }

  uint64(value: number | bigint): this {
    return this.int64(value);
  }

  sint64(value: number | bigint): this {
    const wide = BigInt(value);
    return this.varint((wide << 1n) ^ (wide >> 63n));
  }

  private varint(value: bigint): this {
    this.reserve(10);
    let left = BigInt.asUintN(64, value);
    while (left >= 0x80n) {
      this.buffer[this.at++] = Number(left & 0x7fn) | 0x80;
      left >>= 7n;
    }
    this.buffer[this.at++] = Number(left);
    return this;
  }

  fixed32(value: number): this {
    this.reserve(4);
    this.at = this.buffer.writeUInt32LE(value >>> 0, this.at);
    return this;
  }

  sfixed32(value: number): this {
    return this.fixed32(value);
  }

  fixed64(value: number | bigint): this {
    this.reserve(8);
    this.at = this.buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), this.at);
    return this;
  }

  sfixed64(value: number | bigint): this {
    return this.fixed64(value);
  }

  double(value: number): this {
    this.reserve(8);
    this.at = this.buffer.writeDoubleLE(value, this.at);
    return this;
  }

  float(value: number): this {
    this.reserve(4);
    this.at = this.buffer.writeFloatLE(value, this.at);
    return this;
  }

  string(value: string): this {
    if (value.length <= SHORT_TEXT && this.letters(value)) return this;
    // Most texts have as many bytes as letters, so that the length before them has the guessed size.
    const guessed = value.length < 0x80 ? 1 : value.length < 0x4000 ? 2 : 5;
    this.reserve(guessed + value.length * 3);
    const start = this.at + guessed;
    const length = this.buffer.write(value, start);
    const size = length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x200000 ? 3 : 4;
    if (size !== guessed) {
      this.reserve(size + length);
      this.buffer.copyWithin(this.at + size, start, start + length);
    }
    const end = this.at + size + length;
    this.uint32(length);
    this.at = end;
    return this;
  }

  /** @returns whether all of them are ASCII; else nothing is written */
  private letters(value: string): boolean {
    const { length } = value;
    this.reserve(length + 1);
    const { buffer } = this;
    const start = this.at + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      buffer[start + index] = code;
    }
    buffer[this.at] = length;
    this.at = start + length;
    return true;
  }

  bytes(value: Uint8Array): this {
    this.uint32(value.length);
    return this.raw(value);
  }

  raw(value: Uint8Array): this {
    this.reserve(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
    return this;
  }
}
