/** A cursor over the fields of one protobuf message. Archives were walked when they were read: their bytes are sound. */
import { crash } from './exceptions.js';

export class Cursor {
  field = 0;
  private wire = 0;
  private at: number;

  constructor(private readonly bytes: Uint8Array) {
    this.at = 0;
  }

  /** Moves to the next field; its value must then be read or skipped. */
  next(): boolean {
    if (this.at >= this.bytes.length) return false;
    const tag = this.varint();
    this.field = tag >>> 3;
    this.wire = tag & 7;
    return true;
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw crash('an archive ends within a field');
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw crash('an archive holds a malformed number');
  }

  int(): number {
    return this.varint();
  }

  /** A zigzag number of 64 bits. */
  sint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw crash('an archive holds a malformed number');
  }

  fixed64(): bigint {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8);
    this.at += 8;
    return view.getBigInt64(0, true);
  }

  bytesValue(): Uint8Array {
    const length = this.varint();
    const start = this.at;
    this.at += length;
    return this.bytes.subarray(start, this.at);
  }

  skip(): void {
    if (this.wire === 2) this.bytesValue();
    else if (this.wire === 0) this.varint();
    else this.at += this.wire === 1 ? 8 : 4;
  }
}

const EMPTY = new Uint8Array();

/** The values of a message whose fields are messages or numbers, each at most once; what is absent is empty or 0. */
export function readFields(
  bytes: Uint8Array,
  ...numbers: readonly number[]
): (Uint8Array | number)[] {
  const values: (Uint8Array | number)[] = numbers.map((number) => (number > 0 ? EMPTY : 0));
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    const asMessage = numbers.indexOf(cursor.field);
    const asNumber = numbers.indexOf(-cursor.field);
    if (asMessage >= 0) values[asMessage] = cursor.bytesValue();
    else if (asNumber >= 0) values[asNumber] = cursor.int();
    else cursor.skip();
  }
  return values;
}

/** Every value of a repeated field. */
export function repeated(bytes: Uint8Array, field: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    if (cursor.field === field) found.push(cursor.bytesValue());
    else cursor.skip();
  }
  return found;
}
