/**
 * Reads the wire form of protobuf, one element after the other. UTF-8 is strict and keeps byte order marks. The
 * error texts are those of @bufbuild/protobuf's reader (jvm-words.ts has the texts of the JVM). NOTE: it replaces
 * that reader, which creates a view, two closures and a pair for each tag. They take longer than the reading.
 */
import { TextDecoder } from 'node:util';
import { WireType } from '@bufbuild/protobuf/wire';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Nearly all texts are ASCII and at most this short. They are read without a decoder, because the call costs more
 * than the decoding.
 */
const SHORT_BYTES = 128;
/** The nesting limit of groups that the reader skips. */
const MAX_GROUPS = 100;
/** The limit of a varint that is read as a number: seven bytes. */
const NUMBERS = 2 ** 49;

export class ProtoReader {
  pos = 0;
  readonly len: number;

  constructor(private readonly buf: Uint8Array) {
    this.len = buf.length;
  }

  /** The raw tag: eight times the field's number plus the wire type. */
  next(): number {
    const first = this.buf[this.pos]!;
    if (first < 0x80 && first >= 8 && (first & 7) <= 5) {
      this.pos += 1;
      return first;
    }
    const start = this.pos;
    const tag = this.uint32();
    const read = this.pos - start;
    if (read > 5 || (read === 5 && this.buf[this.pos - 1]! > 0x0f))
      throw new Error('illegal tag: varint overflows uint32');
    const field = tag >>> 3;
    const wire = tag & 7;
    if (field <= 0 || wire > 5) throw new Error(`illegal tag: field no ${field} wire type ${wire}`);
    return tag;
  }

  tag(): [field: number, wire: WireType] {
    const tag = this.next();
    return [tag >>> 3, tag & 7];
  }

  /** @returns the skipped bytes */
  skip(wire: WireType, field?: number, groups = MAX_GROUPS): Uint8Array {
    const start = this.pos;
    switch (wire) {
      case WireType.Varint:
        while (this.buf[this.pos++]! & 0x80);
        break;
      case WireType.Bit64:
        this.pos += 8;
        break;
      case WireType.Bit32:
        this.pos += 4;
        break;
      case WireType.LengthDelimited: {
        const length = this.uint32();
        this.pos += length;
        break;
      }
      case WireType.StartGroup:
        this.skipGroup(field, groups);
        break;
      default:
        throw new Error(`cant skip wire type ${wire as number}`);
    }
    this.assertBounds();
    return this.buf.subarray(start, this.pos);
  }

  private skipGroup(field: number | undefined, groups: number): void {
    if (groups <= 0) throw new Error('maximum recursion depth reached');
    for (;;) {
      const [inner, wire] = this.tag();
      if (wire === WireType.EndGroup) {
        if (field !== undefined && inner !== field) throw new Error('invalid end group tag');
        return;
      }
      this.skip(wire, inner, groups - 1);
    }
  }

  private assertBounds(): void {
    if (this.pos > this.len) throw new RangeError('premature EOF');
  }

  uint32(): number {
    const { buf } = this;
    let byte = buf[this.pos++]!;
    let result = byte & 0x7f;
    for (let shift = 7; byte & 0x80 && shift < 28; shift += 7) {
      byte = buf[this.pos++]!;
      result |= (byte & 0x7f) << shift;
    }
    if (byte & 0x80) {
      byte = buf[this.pos++]!;
      result |= (byte & 0x0f) << 28;
      for (let read = 5; byte & 0x80 && read < 10; read += 1) byte = buf[this.pos++]!;
      if (byte & 0x80) throw new Error('invalid varint');
    }
    this.assertBounds();
    return result >>> 0;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const zigzag = this.uint32();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  bool(): boolean {
    const first = this.buf[this.pos]!;
    if (first >= 0x80) return this.varint() !== 0n;
    this.pos += 1;
    this.assertBounds();
    return first !== 0;
  }

  /** All 64 bits, unsigned. */
  private varint(): bigint {
    const { buf } = this;
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = buf[this.pos++]!;
      result |= BigInt((byte ?? 0) & 0x7f) << shift;
      if ((byte & 0x80) === 0) {
        this.assertBounds();
        return BigInt.asUintN(64, result);
      }
    }
    throw new Error('invalid varint');
  }

  /** A varint: a number if it has at most 49 bits, else a bigint. */
  private long(): number | bigint {
    const { buf, pos } = this;
    let result = 0;
    let scale = 1;
    for (let at = pos; scale < NUMBERS; at += 1, scale *= 0x80) {
      const byte = buf[at]!;
      result += (byte & 0x7f) * scale;
      if (byte & 0x80) continue;
      this.pos = at + 1;
      this.assertBounds();
      return result;
    }
    return this.varint();
  }

  int64(): number | bigint {
    const value = this.long();
    return typeof value === 'number' ? value : BigInt.asIntN(64, value);
  }

  uint64(): number | bigint {
    return this.long();
  }

  sint64(): number | bigint {
    const zigzag = this.long();
    if (typeof zigzag === 'number' && zigzag < 2 ** 31) return (zigzag >>> 1) ^ -(zigzag & 1);
    const wide = BigInt(zigzag);
    return BigInt.asIntN(64, (wide >> 1n) ^ -(wide & 1n));
  }

  private view(bytes: number): DataView {
    const { buffer, byteOffset } = this.buf;
    const start = this.pos;
    this.pos += bytes;
    this.assertBounds();
    return new DataView(buffer, byteOffset + start, bytes);
  }

  fixed32(): number {
    return this.view(4).getUint32(0, true);
  }

  sfixed32(): number {
    return this.view(4).getInt32(0, true);
  }

  fixed64(): bigint {
    return this.view(8).getBigUint64(0, true);
  }

  sfixed64(): bigint {
    return this.view(8).getBigInt64(0, true);
  }

  float(): number {
    return this.view(4).getFloat32(0, true);
  }

  double(): number {
    return this.view(8).getFloat64(0, true);
  }

  /** The bytes of a field: a view of the input, not a copy. */
  bytes(): Uint8Array {
    const length = this.uint32();
    const start = this.pos;
    this.pos += length;
    this.assertBounds();
    return this.buf.subarray(start, this.pos);
  }

  string(): string {
    const { buf } = this;
    const length = this.uint32();
    const start = this.pos;
    this.pos += length;
    this.assertBounds();
    if (length > SHORT_BYTES) return UTF8.decode(buf.subarray(start, this.pos));
    for (let at = start; at < this.pos; at += 1)
      if (buf[at]! > 0x7f) return UTF8.decode(buf.subarray(start, this.pos));
    return Buffer.prototype.latin1Slice.call(buf, start, this.pos);
  }

  /** Skips a byte if it is the next byte before `end`. @returns whether it is */
  takes(byte: number, end: number): boolean {
    if (this.pos >= end || this.buf[this.pos] !== byte) return false;
    this.pos += 1;
    return true;
  }

  /** Skips these bytes if they are next before `end`. @returns whether they are */
  takesAll(bytes: Uint8Array, end: number): boolean {
    const { buf, pos } = this;
    const { length } = bytes;
    if (pos + length > end) return false;
    for (let at = 0; at < length; at += 1) if (buf[pos + at] !== bytes[at]) return false;
    this.pos = pos + length;
    return true;
  }
}
