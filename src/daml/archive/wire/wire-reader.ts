/** Reads the numbers and byte ranges of protobuf from one array at a time; what is wrong is said as Java's reader says it. */
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

/** Bytes that a varint may have. */
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

  /** Moves over a length and as many bytes. */
  passRange(): void {
    const length = this.bytes[this.at]!;
    if (length < 0x80) this.move(length + 1);
    else this.move(this.varint());
  }

  /** @param field its number, where it may be a group */
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

/** The messages of a repeated field: where they are, so that those that nobody asks for cost next to nothing. */
export class Parts {
  /** Where the length of each stands, and behind it the message. */
  private places: number[] = [];

  constructor(private readonly bytes: Uint8Array) {}

  /** The one that the reader stands before, and those that follow it under the same tag. */
  addRun(reader: WireReader, tag: number): void {
    const { bytes } = this;
    // Tags of more than one byte are left to who calls.
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
    this.keep(found);
  }

  /** The first run is all there is, as messages are written: many get an array of their number, which need not grow. */
  private keep(found: number): void {
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

  /** Puts a reader before one that is there. @returns where it ends */
  open(index: number, by: WireReader): number {
    by.open(this.bytes, this.places[index]!);
    const length = by.varint();
    return by.at + length;
  }

  /** One that is a text; undefined where there is none. */
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
/** Of the run that is being read. */
let run = new Int32Array(1024);

function twiceAsLong(places: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * places.length);
  larger.set(places);
  return larger;
}

function textIn(bytes: Uint8Array, start: number, end: number): string {
  return decoded(bytes.subarray(start, end));
}

/** Bytes as the key of a map: a character each. */
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

/** The number that is all there is from `at` on; -1 where there is more, or none that fits 31 bits. */
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
