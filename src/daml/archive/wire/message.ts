/**
 * A protobuf message inside an archive: its position, and a cursor over its fields. The bytes are valid, because the archive was walked
 * before. If a field is sent twice, the last one counts. An absent field is empty or 0.
 */
import { protobufError } from '../dar-refusals.js';
import { keyOf, truncated } from './wire-reader.js';

export class Message {
  /** The number of the field at the cursor. */
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

  /** Moves the cursor to the first field. */
  rewind(): void {
    this.at = this.start;
  }

  /** Its bytes as a key for maps. */
  get key(): string {
    return keyOf(this.bytes, this.start, this.end);
  }

  /** The number in this field if the message has nothing else; -1 otherwise. */
  soleNumber(field: number): number {
    this.rewind();
    if (!this.next() || this.field !== field || this.wire !== 0) return -1;
    const number = this.int();
    return this.at === this.end ? number : -1;
  }

  /** Moves to the next field, whose value must be read or skipped next. */
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

  /** The message in the field. */
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

  /** The bytes of a message field, for example as the key of a reference. */
  viewAt(field: number): Uint8Array {
    return this.messageAt(field).view;
  }

  /** All messages of a repeated field. */
  messagesAt(field: number): Message[] {
    const values: Message[] = [];
    this.rewind();
    while (this.next())
      if (this.field === field) values.push(this.message());
      else this.skip();
    return values;
  }
}
