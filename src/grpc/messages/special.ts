/**
 * Messages that are not objects in the services. Times and identifiers are texts. Daml values remain encoded until
 * their type is known. Prepared transactions remain encoded.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import type { ByteWriter } from '../../network/protobuf/byte-writer.js';
import { GivenValue } from '../../network/values/messages.js';
import { protoReader } from '../../daml/codec/protobuf/reading.js';
import { parseInstant } from '../../daml/codec/java-time.js';
import {
  dottedNameError,
  invalidField,
  packageReferenceError,
} from '../../daml/model/identifiers.js';
import { formatInstant } from '../../daml/model/time.js';

export interface SpecialMessage {
  /** Writes the content of the message, after its length. */
  readonly write: (writer: ByteWriter, value: never) => void;
  readonly read: (bytes: Uint8Array) => unknown;
}

const MICROS = 1_000_000n;

/** The length of `2026-01-01T00:00:00`, which is cached because consecutive times often share it. */
const SECOND_LETTERS = 19;
let lastSecond = '';
let lastSeconds = 0;

interface ProtoTime {
  readonly seconds: number;
  readonly nanos: number;
}

function timeOf(text: string): ProtoTime {
  const digits = text.length - SECOND_LETTERS - 2;
  const isUsual = (digits === 3 || digits === 6) && text.charCodeAt(SECOND_LETTERS) === DOT;
  if (isUsual && text.endsWith('Z')) {
    const second = text.slice(0, SECOND_LETTERS);
    if (second !== lastSecond) {
      lastSeconds = Number(parseInstant(`${second}Z`) / MICROS);
      lastSecond = second;
    }
    const fraction = Number(text.slice(SECOND_LETTERS + 1, -1));
    return { seconds: lastSeconds, nanos: fraction * (digits === 3 ? 1_000_000 : 1_000) };
  }
  const micros = parseInstant(text);
  let seconds = micros / MICROS;
  if (seconds * MICROS > micros) seconds -= 1n;
  return { seconds: Number(seconds), nanos: Number(micros - seconds * MICROS) * 1000 };
}

const DOT = 0x2e;

const timestamp: SpecialMessage = {
  write: (writer, value: string) => {
    const { seconds, nanos } = timeOf(value);
    if (seconds !== 0) writer.tag(1, WireType.Varint).int64(seconds);
    if (nanos !== 0) writer.tag(2, WireType.Varint).int32(nanos);
  },
  read: (bytes) => {
    const reader = protoReader(bytes);
    let seconds = 0n;
    let nanos = 0;
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === 1 && wire === WireType.Varint) seconds = BigInt(reader.int64());
      else if (field === 2 && wire === WireType.Varint) nanos = reader.int32();
      else reader.skip(wire, field);
    }
    return formatInstant(seconds * MICROS + BigInt(Math.floor(nanos / 1000)));
  },
};

/** `package:Module:Entity`. */
const identifier: SpecialMessage = {
  write: (writer, value: string) => {
    const [packageId = '', module = '', entity = ''] = value.split(':');
    for (const [index, part] of [packageId, module, entity].entries())
      if (part !== '') writer.tag(index + 1, WireType.LengthDelimited).string(part);
  },
  read: (bytes) => {
    const reader = protoReader(bytes);
    let [packageId, module, entity] = ['', '', ''];
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (wire !== WireType.LengthDelimited) reader.skip(wire, field);
      else if (field === 1) packageId = reader.string();
      else if (field === 2) module = reader.string();
      else if (field === 3) entity = reader.string();
      else reader.skip(wire, field);
    }
    // The text form of such a name could not be parsed again.
    if (module.includes(':')) throw invalidField('module_name', dottedNameError(module)!);
    if (entity.includes(':')) throw invalidField('entity_name', dottedNameError(entity)!);
    if (packageId.includes(':'))
      throw invalidField('package reference', packageReferenceError(packageId)!);
    return `${packageId}:${module}:${entity}`;
  },
};

/** The value is already encoded. */
const damlValue = (kind: 'value' | 'record'): SpecialMessage => ({
  write: (writer, value: Uint8Array) => void writer.raw(value),
  read: (bytes) => new GivenValue(kind, bytes),
});

const asBase64: SpecialMessage = {
  write: (writer, value: string) => void writer.raw(Buffer.from(value, 'base64')),
  read: (bytes) => Buffer.from(bytes).toString('base64'),
};

export const SPECIAL: Readonly<Record<string, SpecialMessage>> = {
  'google.protobuf.Timestamp': timestamp,
  'com.daml.ledger.api.v2.Identifier': identifier,
  'com.daml.ledger.api.v2.Value': damlValue('value'),
  'com.daml.ledger.api.v2.Record': damlValue('record'),
  'com.daml.ledger.api.v2.interactive.PreparedTransaction': asBase64,
  // Stays as it was signed; no code encodes it again.
  'com.digitalasset.canton.protocol.v30.TopologyMapping': asBase64,
};
