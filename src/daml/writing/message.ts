/** Protobuf messages put together from parts, in the order that the compiler of Daml writes them in. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Writes a field of a message. */
export type Part = (writer: BinaryWriter) => void;

export function message(...parts: readonly Part[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const part of parts) part(writer);
  return writer.finish();
}

/** A number, which is omitted if it is 0. */
export function number(field: number, value: number): Part {
  return (writer) => value !== 0 && member(field, value)(writer);
}

/** The same in a `oneof`, where 0 is written. */
export function member(field: number, value: number): Part {
  return (writer) => writer.tag(field, WireType.Varint).int32(value);
}

export function natural(field: number, value: number): Part {
  return (writer) => writer.tag(field, WireType.Varint).sint64(value);
}

export function flag(field: number, value: boolean): Part {
  return number(field, value ? 1 : 0);
}

export function texts(field: number, values: readonly string[]): Part {
  return (writer) => {
    for (const value of values) writer.tag(field, WireType.LengthDelimited).string(value);
  };
}

export function part(field: number, value: Uint8Array): Part {
  return (writer) => writer.tag(field, WireType.LengthDelimited).bytes(value);
}

export function parts(field: number, values: readonly Uint8Array[]): Part {
  return (writer) => values.forEach((value) => part(field, value)(writer));
}

export function packed(field: number, values: readonly number[]): Part {
  const inner = new BinaryWriter();
  for (const value of values) inner.int32(value);
  return part(field, inner.finish());
}
