/**
 * A protobuf message as it was sent, before any check: its fields by number, and its unknown fields. It reads all
 * messages that the JVM's library reads, and throws the library's error texts for others.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { protoReader } from './reading.js';

export interface MessageShape {
  /** With its package. */
  readonly name: string;
  readonly fields: { readonly [number: number]: 'string' | 'bytes' | 'sfixed64' | MessageShape };
}

export interface SentFields {
  /** In the order in which they were sent. The parts of a message field are merged. */
  readonly values: ReadonlyMap<number, readonly (string | Uint8Array | bigint | SentFields)[]>;
  /** The lowest number that the shape does not have, or has with another wire type. */
  readonly unknown: number | undefined;
}

export const NOTHING_SENT: SentFields = { values: new Map(), unknown: undefined };

/** @param fail receives the first error of the bytes */
export function sentFields(
  shape: MessageShape,
  bytes: Uint8Array,
  fail: (error: string) => never,
): SentFields {
  try {
    return read(shape, bytes);
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** The first unknown field: of the message, then of its nested messages by field number. */
export function unknownField(
  { name, fields }: MessageShape,
  { values, unknown }: SentFields,
): string | undefined {
  if (unknown !== undefined)
    return `Message of type ${name} contains unknown field numbered ${unknown}`;
  for (const [number, [part]] of values) {
    const kind = fields[number];
    const error = typeof kind === 'object' && part && unknownField(kind, part as SentFields);
    if (error) return error;
  }
  return undefined;
}

function read({ fields }: MessageShape, bytes: Uint8Array): SentFields {
  const reader = protoReader(bytes);
  const values = new Map<number, (string | Uint8Array | bigint | SentFields)[]>();
  const messages = new Map<number, Uint8Array[]>();
  let unknown: number | undefined;
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === WireType.EndGroup) throw new Error('invalid end group tag');
    const kind = fields[number];
    if (
      kind === undefined ||
      wire !== (kind === 'sfixed64' ? WireType.Bit64 : WireType.LengthDelimited)
    ) {
      reader.skip(wire, number);
      unknown = Math.min(unknown ?? number, number);
    } else if (typeof kind === 'object') {
      const part = reader.bytes();
      const before = messages.get(number);
      const sent = read(kind, part);
      if (before === undefined) values.set(number, [sent]);
      if (before === undefined) messages.set(number, [part]);
      else before.push(part);
    } else {
      const value =
        kind === 'sfixed64'
          ? BigInt(reader.sfixed64())
          : kind === 'bytes'
            ? reader.bytes()
            : reader.string();
      const before = values.get(number);
      if (before === undefined) values.set(number, [value]);
      else before.push(value);
    }
  }
  for (const [number, parts] of messages)
    if (parts.length > 1)
      values.set(number, [read(fields[number] as MessageShape, Buffer.concat(parts))]);
  return { values, unknown };
}

/** The last value of a field, which is the valid one if the field occurs more than once. */
function last(sent: SentFields, number: number) {
  return sent.values.get(number)?.at(-1);
}

export const textIn = (sent: SentFields, number: number): string =>
  (last(sent, number) ?? '') as string;
export const bytesIn = (sent: SentFields, number: number): Uint8Array =>
  (last(sent, number) ?? new Uint8Array()) as Uint8Array;
export const longIn = (sent: SentFields, number: number): bigint =>
  (last(sent, number) ?? 0n) as bigint;
export const textsIn = (sent: SentFields, number: number): readonly string[] =>
  (sent.values.get(number) ?? []) as readonly string[];
export const messageIn = (sent: SentFields, number: number): SentFields | undefined =>
  last(sent, number) as SentFields | undefined;
