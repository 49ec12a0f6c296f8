/**
 * The salt of a contract in Canton's own wrapping, which travels with the contract: `UntypedVersionedMessage`, in it
 * `ContractAuthenticationData`, in it `Salt`.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import {
  expect,
  open,
  protoReader,
  reading,
  atEnd,
  ProtobufError,
} from '../codec/protobuf/reading.js';
import { written } from '../codec/protobuf/written.js';
import { fromHex, toHex } from '../model/hash.js';

const VERSION = 30;
const HMAC_SHA_256 = 1;
const SALT_BYTES = 32;

/** @param salt hexadecimal */
export function authenticationDataWith(salt: string): Uint8Array {
  return written((writer) => {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int32(HMAC_SHA_256);
    writer.tag(2, WireType.LengthDelimited).bytes(fromHex(salt));
    writer.join().join();
    writer.tag(2, WireType.Varint).int32(VERSION);
  });
}

/** Hexadecimal. @throws ProtobufError */
export function saltIn(authenticationData: Uint8Array): string {
  return reading(() => {
    const reader = protoReader(authenticationData);
    const end = open(reader, reader.len, 1);
    const messageEnd = open(reader, end, 1);
    expect(reader, messageEnd, 1, WireType.Varint);
    if (reader.int32() !== HMAC_SHA_256) throw new ProtobufError('Field `algorithm` is not set');
    expect(reader, messageEnd, 2, WireType.LengthDelimited);
    const salt = atEnd(reader, messageEnd, reader.bytes());
    if (salt.length !== SALT_BYTES)
      throw new ProtobufError(`Invalid contract salt size (${salt.length})`);
    atEnd(reader, end, undefined);
    expect(reader, reader.len, 2, WireType.Varint);
    const version = reader.int32();
    if (version !== VERSION)
      throw new ProtobufError(`unknown version ${version} of authentication data`);
    return atEnd(reader, reader.len, toHex(salt));
  });
}
