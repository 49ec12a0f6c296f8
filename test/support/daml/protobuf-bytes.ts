/** Protobuf messages put together from parts: `message(int(1, 5), text(2, 'x'), part(3, message(…)))`. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type Part = (writer: BinaryWriter) => void;

export function message(...parts: readonly (Part | undefined)[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const part of parts) part?.(writer);
  return writer.finish();
}

export function int(field: number, value: number): Part {
  return (writer) => writer.tag(field, WireType.Varint).int32(value);
}

export function sint(field: number, value: number | bigint): Part {
  return (writer) => writer.tag(field, WireType.Varint).sint64(String(value));
}

export function fixed(field: number, value: bigint): Part {
  return (writer) => writer.tag(field, WireType.Bit64).sfixed64(String(value));
}

export function flag(field: number, value: boolean): Part {
  return (writer) => writer.tag(field, WireType.Varint).bool(value);
}

export function text(field: number, value: string): Part {
  return (writer) => writer.tag(field, WireType.LengthDelimited).string(value);
}

export function part(field: number, value: Uint8Array): Part {
  return (writer) => writer.tag(field, WireType.LengthDelimited).bytes(value);
}

export function parts(field: number, values: readonly Uint8Array[]): Part {
  return (writer) => values.forEach((value) => part(field, value)(writer));
}

export function texts(field: number, values: readonly string[]): Part {
  return (writer) => values.forEach((value) => text(field, value)(writer));
}

export function packed(field: number, values: readonly number[]): Part {
  const inner = new BinaryWriter();
  values.forEach((value) => inner.int32(value));
  return part(field, inner.finish());
}

/** `inner` inside `levels` messages, each in the fields of `path`, outermost first. */
export function nested(levels: number, path: readonly number[], inner: Uint8Array): Uint8Array {
  const chunks = [inner];
  let length = inner.length;
  for (let level = 0; level < levels; level++) {
    for (const field of path.toReversed()) {
      const head = new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
      chunks.push(head);
      length += head.length;
    }
  }
  return Buffer.concat(chunks.reverse());
}
