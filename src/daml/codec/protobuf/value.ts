/**
 * The binary form of Daml values: Daml-LF's transaction value protobuf. As in the ledger's own encoding, record fields
 * carry no labels and trailing Nones are left out, so reading needs the type. Unreadable bytes throw a ProtobufError.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import type { PackageLookup } from '../../model/package.js';
import { atEnd, expect, ProtobufError, protoReader, reading } from './reading.js';
import type { DamlType } from '../../model/types.js';
import { SERIALIZATION_VERSION } from './fields.js';
import { readerOf } from './reader.js';
import { writerOf } from './writer.js';
import { written } from './written.js';
import type { DamlValue } from '../../model/values.js';

export function encodeValueProto(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
): Uint8Array {
  return written((writer) => writerOf(packages, type)(value, writer));
}

export function decodeValueProto(
  packages: PackageLookup,
  type: DamlType,
  bytes: Uint8Array,
): DamlValue {
  return reading(() => {
    const reader = protoReader(bytes);
    const value = readerOf(packages, type)({ reader, depth: 0 }, reader.len);
    return atEnd(reader, reader.len, value);
  });
}

/** `VersionedValue`: the value with the version of its encoding. */
export function encodeVersionedValue(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
): Uint8Array {
  const payload = encodeValueProto(packages, type, value);
  return written((writer) => {
    writer.tag(1, WireType.LengthDelimited).string(SERIALIZATION_VERSION);
    writer.tag(2, WireType.LengthDelimited).bytes(payload);
  });
}

export function decodeVersionedValue(
  packages: PackageLookup,
  type: DamlType,
  bytes: Uint8Array,
): DamlValue {
  const payload = reading(() => {
    const reader = protoReader(bytes);
    expect(reader, reader.len, 1, WireType.LengthDelimited);
    const version = reader.string();
    if (version !== SERIALIZATION_VERSION)
      throw new ProtobufError(`Unsupported serialization version '${version}'`);
    expect(reader, reader.len, 2, WireType.LengthDelimited);
    return atEnd(reader, reader.len, reader.bytes());
  });
  return decodeValueProto(packages, type, payload);
}
