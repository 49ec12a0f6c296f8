/** Reads protobuf's numbers and byte ranges from one array at a time. Errors have the texts of Java's reader. */
import { TextDecoder } from 'node:util';
import { invalidWireType, protobufError } from '../dar-refusals.js';

export enum WireType {
  Varint = 0,
  Bit64 = 1,
  LengthDelimited = 2,
  StartGroup = 3,
  EndGroup = 4,
  Bit32 = 5,
}

/** The maximum number of bytes of a varint. */
const MAX_VARINT = 10;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class WireReader {
  at = 0;
  private bytes: Uint8Array = new Uint8Array();

  open(bytes: Uint8Array, at = 0): void {
    this.bytes = bytes;
    this.at = at;
  }

  /** The low 32 bits, unsigned. */
  varint(): number {
    const { bytes } = this;
    const first = bytes[this.at++];
    if (first === undefined) throw truncated();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let count = 1; count < MAX_VARINT; count += 1) {
      const byte = bytes[this.at++];
      if (byte === undefined) throw truncated();
      if (count < 5) value |= (byte & 0x7f) << (7 * count);
      if (byte < 0x80) return value >>> 0;
    }
    throw protobufError('CodedInputStream encountered a malformed varint.');
  }

  /** The number and the wire type of a field. */
  tag(): number {
    const tag = this.varint();
    if (tag < 8) throw protobufError('Protocol message contained an invalid tag (zero).');
    if ((tag & 7) > WireType.Bit32) throw invalidWireType();
    return tag;
  }

  private varint64(): bigint {
    const start = this.at;
    this.varint();
    let value = 0n;
    for (let at = this.at - 1; at >= start; at -= 1)
      value = (value << 7n) | BigInt(this.bytes[at]! & 0x7f);
    return BigInt.asUintN(64, value);
  }

  bool(): boolean {
    return this.varint64() !== 0n;
  }

  /** Zigzag. */
  sint64(): bigint {
    const value = this.varint64();
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  sfixed64(): bigint {
    const start = this.at;
    this.move(8);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + start, 8).getBigInt64(0, true);
  }

  bytesValue(): Uint8Array {
    const length = this.varint();
    const start = this.at;
    this.move(length);
    return this.bytes.subarray(start, this.at);
  }

  string(): string {
    const length = this.varint();
    const start = this.at;
    this.move(length);
    return textIn(this.bytes, start, this.at);
  }

  /** Skips a length and that number of bytes. */
  passRange(): void {
    const length = this.bytes[this.at]!;
    if (length < 0x80) this.move(length + 1);
    else this.move(this.varint());
  }

  /** @param field its number, if it may be a group */
  skip(wireType: WireType, field?: number): void {
    if (wireType === WireType.Varint) this.varint();
    else if (wireType === WireType.LengthDelimited) this.passRange();
    else if (wireType === WireType.StartGroup) this.skipGroup(field);
    else if (wireType === WireType.EndGroup) throw protobufError(END_GROUP);
    else this.move(wireType === WireType.Bit64 ? 8 : 4);
  }

  private skipGroup(field: number | undefined): void {
    for (;;) {
      const tag = this.tag();
      if (tag === (((field ?? 0) << 3) | WireType.EndGroup)) return;
      this.skip(tag & 7, tag >>> 3);
    }
  }

  private move(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw truncated();
  }
}

/** The positions of the messages of a repeated field, so that unused ones cost almost nothing. */
export class Parts {
  /** The position of each message's length, which the message follows. */
  private places: number[] = [];

  constructor(private readonly bytes: Uint8Array) {}

  /** Adds the message at the reader, and those that follow it with the same tag. */
  addRun(reader: WireReader, tag: number): void {
    const { bytes } = this;
    // The caller handles tags of more than one byte.
    const next = tag < 0x80 ? tag : -1;
    let found = 0;
    for (;;) {
      if (found === run.length) run = twiceAsLong(run);
      run[found] = reader.at;
      found += 1;
      reader.passRange();
      if (bytes[reader.at] !== next) break;
      reader.at += 1;
    }
    this.copyPlaces(found);
  }

  /** Usually, the first run has all messages. A long run gets an array of its exact length, which need not grow. */
  private copyPlaces(found: number): void {
    if (this.places.length > 0 || found < MANY)
      for (let index = 0; index < found; index += 1) this.places.push(run[index]!);
    else {
      this.places = new Array<number>(found);
      for (let index = 0; index < found; index += 1) this.places[index] = run[index]!;
    }
  }

  get length(): number {
    return this.places.length;
  }

  has(index: number): boolean {
    return index >= 0 && index < this.places.length;
  }

  at(index: number): Uint8Array | undefined {
    if (!this.has(index)) return undefined;
    const end = this.open(index, reader);
    return this.bytes.subarray(reader.at, end);
  }

  /**
   * Moves a reader to an existing message.
   * @returns the end of the message
   */
  open(index: number, by: WireReader): number {
    by.open(this.bytes, this.places[index]!);
    const length = by.varint();
    return by.at + length;
  }

  /** A message that is text; undefined if there is none. */
  text(index: number): string | undefined {
    if (!this.has(index)) return undefined;
    const end = this.open(index, reader);
    return textIn(this.bytes, reader.at, end);
  }

  *[Symbol.iterator](): Generator<Uint8Array, undefined> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index)!;
  }

  map<T>(use: (part: Uint8Array) => T): T[] {
    return Array.from({ length: this.length }, (_, index) => use(this.at(index)!));
  }
}

const reader = new WireReader();
const MANY = 16;
/** The positions of the current run. */
let run = new Int32Array(1024);

function twiceAsLong(places: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * places.length);
  larger.set(places);
  return larger;
}

function textIn(bytes: Uint8Array, start: number, end: number): string {
  return decoded(bytes.subarray(start, end));
}

/** Bytes as a key for maps: one character per byte. */
export function keyOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw protobufError('Protocol message had invalid UTF-8.');
  }
}

/** The number from `at` to the end; -1 if there is more, or no number below 2^31. */
export function soleVarint(bytes: Uint8Array, at: number): number {
  const count = bytes.length - at;
  if (count < 1 || count > 4) return -1;
  let value = 0;
  for (let index = count; index > 0; index -= 1) {
    const byte = bytes[at + index - 1]!;
    if (byte >= 0x80 === (index === count)) return -1;
    value = (value << 7) | (byte & 0x7f);
  }
  return value;
}

const END_GROUP = 'Protocol message end-group tag did not match expected tag.';

export function truncated(): Error {
  return protobufError(
    'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
      'that the input has been truncated or that an embedded message misreported its own length.',
  );
}
