/**
 * A protobuf message inside an archive: where it stands, and a cursor over its fields. Archives were walked when they were
 * read: their bytes are sound. Of a field that is sent twice the last counts; what is absent is empty, or 0.
 */
import { protobufError } from '../dar-refusals.js';
import { keyOf, truncated } from './wire-reader.js';

export class Message {
  /** Of the field that the cursor is at. */
  field = 0;
  private wire = 0;
  private at: number;

  private constructor(
    private readonly bytes: Uint8Array,
    private readonly start: number,
    private readonly end: number,
  ) {
    this.at = start;
  }

  static readonly NONE = Message.of(new Uint8Array());

  static of(bytes: Uint8Array): Message {
    return new Message(bytes, 0, bytes.length);
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  /** The message's own bytes. */
  get view(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }

  /** Puts the cursor before the first field. */
  rewind(): void {
    this.at = this.start;
  }

  /** Its bytes as the key of a map. */
  get key(): string {
    return keyOf(this.bytes, this.start, this.end);
  }

  /** The number that is all there is, under this field; -1 where there is more, or none. */
  soleNumber(field: number): number {
    this.rewind();
    if (!this.next() || this.field !== field || this.wire !== 0) return -1;
    const number = this.int();
    return this.at === this.end ? number : -1;
  }

  /** Moves to the next field; its value must then be read or skipped. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.int();
    this.field = tag >>> 3;
    this.wire = tag & 7;
    return true;
  }

  int(): number {
    const first = this.bytes[this.at]!;
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw truncated();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw protobufError('CodedInputStream encountered a malformed varint.');
  }

  /** A zigzag number of 64 bits. */
  sint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw truncated();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw protobufError('CodedInputStream encountered a malformed varint.');
  }

  fixed64(): bigint {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8);
    this.at += 8;
    return view.getBigInt64(0, true);
  }

  /** The message that the field holds. */
  message(): Message {
    const length = this.int();
    this.at += length;
    return new Message(this.bytes, this.at - length, this.at);
  }

  skip(): void {
    if (this.wire === 2) {
      const length = this.int();
      this.at += length;
    } else if (this.wire === 0) this.int();
    else this.at += this.wire === 1 ? 8 : 4;
  }

  has(field: number): boolean {
    this.rewind();
    while (this.next())
      if (this.field === field) return true;
      else this.skip();
    return false;
  }

  numberAt(field: number): number {
    let value = 0;
    this.rewind();
    while (this.next())
      if (this.field === field) value = this.int();
      else this.skip();
    return value;
  }

  messageAt(field: number): Message {
    let value = Message.NONE;
    this.rewind();
    while (this.next())
      if (this.field === field) value = this.message();
      else this.skip();
    return value;
  }

  /** The bytes of a message, such as a reference that is looked up by them. */
  viewAt(field: number): Uint8Array {
    return this.messageAt(field).view;
  }

  /** Every message of a repeated field. */
  messagesAt(field: number): Message[] {
    const values: Message[] = [];
    this.rewind();
    while (this.next())
      if (this.field === field) values.push(this.message());
      else this.skip();
    return values;
  }
}
