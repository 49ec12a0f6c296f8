/**
 * Reads messages into objects for the services. Missing fields get their defaults, except messages. Unknown fields are
 * ignored. Invalid messages throw a ProtobufError.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { type ProtoReader } from '../../daml/codec/protobuf/proto-reader.js';
import { jvmWords } from '../../daml/codec/protobuf/jvm-words.js';
import { ProtobufError, protoReader } from '../../daml/codec/protobuf/reading.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { FieldDefinition } from '../../network/protobuf/definitions/definitions.js';
import { messageFields } from '../../network/protobuf/definitions/known.js';
import type { Scalar } from './scalars.js';
import { memberOf, oneofShape } from './shapes.js';
import { SPECIAL } from './special.js';
import { scalarOf, scalarOfField } from './writer.js';

type Holder = Record<string, unknown>;
type ReadBody = (reader: ProtoReader, length: number) => unknown;
/** Reads a field after its tag with this wire type. Returns false if the field needs another wire type. */
type ReadField = (reader: ProtoReader, wire: WireType, object: Holder) => boolean;

/** Maximum depth of nested messages, as in the library of the JVM. */
const MAX_DEPTH = 100;

const BODIES = new Map<string, ReadBody>();
const NO_ITEMS: unknown[] = [];
const NO_ENTRIES = {};
Object.freeze(NO_ITEMS);
Object.freeze(NO_ENTRIES);
let depth = 0;

/** @throws ProtobufError; LedgerError for a message that no object can represent */
export function decodeMessage(type: string, bytes: Uint8Array): Record<string, unknown> {
  depth = 0;
  try {
    const reader = protoReader(bytes);
    return bodyOf(type)(reader, reader.len) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof LedgerError) throw error;
    throw new ProtobufError(jvmWords((error as Error).message));
  }
}

function bodyOf(type: string): ReadBody {
  let body = BODIES.get(type);
  if (body === undefined) {
    let plan: Plan | undefined;
    body = (reader, length) => readBody((plan ??= planOf(type)), reader, length);
    BODIES.set(type, body);
  }
  return body;
}

interface Plan {
  /** By number. Numbers of fields are small in all known messages. */
  readonly fields: readonly (ReadField | undefined)[];
  /** The default of a field. Lists and maps are shared until they get an element. */
  readonly initial: Holder;
}

function readBody({ fields, initial }: Plan, reader: ProtoReader, length: number): Holder {
  if (++depth > MAX_DEPTH) throw new ProtobufError(jvmWords('nesting'));
  const end = reader.pos + length;
  const object: Holder = { ...initial };
  while (reader.pos < end) {
    const tag = reader.next();
    const number = tag >>> 3;
    const wire: WireType = tag & 7;
    const read = number < fields.length ? fields[number] : undefined;
    if (read !== undefined && read(reader, wire, object)) continue;
    // A message that contains only the end of a group is empty.
    if (wire === WireType.EndGroup && depth === 1 && reader.pos === end) break;
    reader.skip(wire, number);
  }
  if (reader.pos !== end) throw new ProtobufError(jvmWords('premature EOF'));
  depth -= 1;
  return object;
}

function planOf(type: string): Plan {
  const fields = messageFields(type)!;
  const initial: Holder = {};
  const read = new Map<number, ReadField>();
  for (const field of fields) {
    const at = memberOf(type, field.name);
    const { oneof, label } = field;
    if (oneof !== undefined) {
      const group = fields.filter((each) => each.oneof === oneof).map(({ name }) => name);
      read.set(field.number, oneofField(type, field, group));
      continue;
    }
    if (field.mapKey !== undefined) {
      initial[at] = NO_ENTRIES;
      read.set(field.number, mapField(at, field, field.mapKey));
      continue;
    }
    const scalar = scalarOfField(type, field);
    if (label === 'repeated') initial[at] = NO_ITEMS;
    else if (scalar !== undefined && label === '') initial[at] = scalar.initial;
    const one = valueReader(field.type, scalar);
    read.set(
      field.number,
      label === 'repeated'
        ? repeatedField(at, one, scalar)
        : (reader, wire, object) => {
            if (wire !== one.wire) return false;
            object[at] = one.read(reader);
            return true;
          },
    );
  }
  const last = Math.max(0, ...read.keys());
  return { fields: Array.from({ length: last + 1 }, (_, number) => read.get(number)), initial };
}

interface ValueReader {
  readonly wire: WireType;
  readonly read: (reader: ProtoReader) => unknown;
}

function valueReader(type: string, scalar = scalarOf(type)): ValueReader {
  if (scalar !== undefined) return scalar;
  const special = SPECIAL[type];
  if (special !== undefined)
    return { wire: WireType.LengthDelimited, read: (reader) => special.read(reader.bytes()) };
  const body = bodyOf(type);
  return {
    wire: WireType.LengthDelimited,
    read: (reader) => {
      const length = reader.uint32();
      if (reader.pos + length > reader.len) throw new ProtobufError(jvmWords('premature EOF'));
      return body(reader, length);
    },
  };
}

function repeatedField(at: string, one: ValueReader, scalar: Scalar | undefined): ReadField {
  const isPackable = scalar !== undefined && scalar.wire !== WireType.LengthDelimited;
  return (reader, wire, object) => {
    let list = object[at] as unknown[];
    if (list === NO_ITEMS) object[at] = list = [];
    if (wire === one.wire) list.push(one.read(reader));
    else if (isPackable && wire === WireType.LengthDelimited) {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) list.push(one.read(reader));
    } else return false;
    return true;
  };
}

function mapField(at: string, field: FieldDefinition, keyType: string): ReadField {
  const key = valueReader(keyType);
  const value = valueReader(field.type);
  const { initial: noKey } = scalarOf(keyType)!;
  return (reader, wire, object) => {
    if (wire !== WireType.LengthDelimited) return false;
    if (object[at] === NO_ENTRIES) object[at] = {};
    const end = reader.uint32() + reader.pos;
    let name: unknown = noKey;
    let member: unknown;
    while (reader.pos < end) {
      const [number, inner] = reader.tag();
      if (number === 1 && inner === key.wire) name = key.read(reader);
      else if (number === 2 && inner === value.wire) member = value.read(reader);
      else reader.skip(inner, number);
    }
    member ??= scalarOf(field.type)?.initial ?? emptyOf(field.type);
    // A name such as `__proto__` is a usual key.
    Object.defineProperty(object[at], String(name), {
      value: member,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return true;
  };
}

function emptyOf(type: string): unknown {
  return bodyOf(type)(protoReader(new Uint8Array()), 0);
}

/** The last member of a `oneof` wins. */
function oneofField(type: string, field: FieldDefinition, group: readonly string[]): ReadField {
  const shape = oneofShape(type, field.oneof!, group);
  const one = valueReader(field.type, scalarOfField(type, field));
  if (shape === undefined) {
    const members = group.map((name) => memberOf(type, name));
    const own = memberOf(type, field.name);
    return (reader, wire, object) => {
      if (wire !== one.wire) return false;
      for (const each of members) if (each in object) delete object[each];
      object[own] = one.read(reader);
      return true;
    };
  }
  const { at } = shape;
  const { key, isWrapped } = shape.cases.get(field.name)!;
  const others = [...shape.cases.values()].map((each) => each.key).filter((each) => each !== key);
  return (reader, wire, object) => {
    if (wire !== one.wire) return false;
    const value = one.read(reader);
    const given = isWrapped ? { value } : value;
    if (at !== undefined) object[at] = { [key]: given };
    else {
      for (const each of others) if (each in object) delete object[each];
      object[key] = given;
    }
    return true;
  };
}
