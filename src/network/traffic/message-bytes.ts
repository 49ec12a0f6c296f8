/**
 * Protobuf messages as a tree of parts with known lengths. Their bytes are joined only for compression. As in
 * protobuf, fields with default values are absent.
 */
import { TextEncoder } from 'node:util';

/** Bytes that are not joined yet. */
export interface Part {
  readonly length: number;
  /**
   * Writes the part.
   * @returns the position after it
   */
  write(into: Buffer, at: number): number;
}

/** The wire types of protobuf. */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** The bit of a byte that marks a continuation; lower bits belong to the number. */
const DIGIT = 128;

const text = new TextEncoder();

class Leaf implements Part {
  constructor(private readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  write(into: Buffer, at: number): number {
    into.set(this.bytes, at);
    return at + this.bytes.length;
  }
}

class Joined implements Part {
  readonly length: number;

  constructor(private readonly parts: readonly Part[]) {
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  write(into: Buffer, at: number): number {
    return this.parts.reduce((next, part) => part.write(into, next), at);
  }
}

export const NOTHING: Part = new Leaf(new Uint8Array(0));

export const raw = (bytes: Uint8Array): Part => new Leaf(bytes);

/** Joins parts in order, without those that are undefined. */
export const join = (...parts: readonly (Part | undefined)[]): Part =>
  new Joined(parts.filter((part) => part !== undefined));

export function bytesOf(part: Part): Buffer {
  const bytes = Buffer.alloc(part.length);
  part.write(bytes, 0);
  return bytes;
}

function varint(value: number | bigint): number[] {
  const digits: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left >= DIGIT) {
    digits.push(Number(left % BigInt(DIGIT)) + DIGIT);
    left /= BigInt(DIGIT);
  }
  digits.push(Number(left));
  return digits;
}

const header = (field: number, wire: number): number[] => varint(field * 8 + wire);

/** A message or bytes; written even if empty. */
export function message(field: number, ...parts: readonly (Part | undefined)[]): Part {
  const body = join(...parts);
  const head = [...header(field, LENGTH_DELIMITED), ...varint(body.length)];
  return new Joined([new Leaf(Uint8Array.from(head)), body]);
}

export const bytes = (field: number, value: Uint8Array): Part => message(field, raw(value));

/** Absent if the text is empty. */
export const string = (field: number, value: string): Part =>
  value === '' ? NOTHING : bytes(field, text.encode(value));

export const strings = (field: number, values: Iterable<string>): Part =>
  join(...Array.from(values, (value) => string(field, value)));

/** Absent if the number is 0. */
export const integer = (field: number, value: number | bigint): Part =>
  Number(value) === 0 ? NOTHING : presentInteger(field, value);

/** A member of a oneof, which is written even if it is 0. */
export const presentInteger = (field: number, value: number | bigint): Part =>
  raw(Uint8Array.from([...header(field, VARINT), ...varint(value)]));

/** The wrapper of each message that Canton hashes or sends: its bytes and the version of their format. */
export const versioned = (version: number, ...parts: readonly (Part | undefined)[]): Part =>
  join(message(1, ...parts), integer(2, version));
