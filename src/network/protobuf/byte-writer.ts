/**
 * Writes the wire form of protobuf into one growing buffer. Messages inside of messages are written in place: a byte is kept for their
 * length, and they move on where that takes more.
 */
import type { WireType } from '@bufbuild/protobuf/wire';

/** The first size of a buffer. It grows with the message, and serves the next messages. */
const FIRST_BYTES = 1024;
/** A larger buffer is dropped after its message. */
const MAX_REUSED_BYTES = 4 * 1024 * 1024;
/** The most bytes of a number. */
const LONGEST_NUMBER = 10;
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

/** The number of bytes of a number from 1 to 2 ** 32 - 1. */
const bytesOf = (value: number): number => Math.ceil((32 - Math.clz32(value)) / 7);

/** The buffer of the last message, while no writer uses it. */
let spare: Buffer | undefined;

export class ByteWriter {
  private buffer = spare ?? Buffer.allocUnsafe(FIRST_BYTES);
  private at = 0;
  private readonly starts: number[] = [];

  private constructor() {
    spare = undefined;
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
      if (writer.buffer.length <= MAX_REUSED_BYTES) spare = writer.buffer;
    }
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
    this.uint32(0);
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
    const size = bytesOf(length);
    this.reserve(size);
    this.buffer.copyWithin(start - 1 + size, start, this.at);
    this.at = start - 1;
    this.uint32(length);
    this.at += length;
    return this;
  }

  /** NOTE: it also writes larger numbers, which {@link int64} uses. */
  uint32(value: number): this {
    this.reserve(LONGEST_NUMBER);
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
    if (typeof value === 'number' && value >= 0) return this.uint32(value);
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
    this.reserve(LONGEST_NUMBER);
    let left = BigInt.asUintN(64, value);
    while (left >= 0x80n) {
      this.buffer[this.at++] = Number(left & 0x7fn) | 0x80;
      left >>= 7n;
    }
    this.buffer[this.at++] = Number(left);
    return this;
  }

  fixed32(value: number): this {
    this.reserve(LONGEST_NUMBER);
    this.at = this.buffer.writeUInt32LE(value >>> 0, this.at);
    return this;
  }

  sfixed32(value: number): this {
    return this.fixed32(value);
  }

  fixed64(value: number | bigint): this {
    this.reserve(LONGEST_NUMBER);
    this.at = this.buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), this.at);
    return this;
  }

  sfixed64(value: number | bigint): this {
    return this.fixed64(value);
  }

  double(value: number): this {
    this.reserve(LONGEST_NUMBER);
    this.at = this.buffer.writeDoubleLE(value, this.at);
    return this;
  }

  float(value: number): this {
    this.reserve(LONGEST_NUMBER);
    this.at = this.buffer.writeFloatLE(value, this.at);
    return this;
  }

  string(value: string): this {
    if (value.length <= SHORT_TEXT && this.letters(value)) return this;
    // Most texts have as many bytes as letters, so that the length before them has the guessed size.
    this.reserve(LONGEST_NUMBER + value.length * 3);
    const guessed = this.at + bytesOf(value.length);
    const length = this.buffer.write(value, guessed);
    const start = this.at + bytesOf(length);
    if (start !== guessed) this.buffer.copyWithin(start, guessed, guessed + length);
    this.uint32(length);
    this.at += length;
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
