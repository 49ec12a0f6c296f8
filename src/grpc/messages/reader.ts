/**
 * Reads messages of a release into objects for the services. Missing fields get their defaults, except messages. Unknown
 * fields are ignored, such as those of a later release. Invalid messages throw a ProtobufError.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { type ProtoReader } from '../../daml/codec/protobuf/proto-reader.js';
import { jvmWords } from '../../daml/codec/protobuf/jvm-words.js';
import { ProtobufError, protoReader } from '../../daml/codec/protobuf/reading.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Fields, NamedField } from './fields.js';
import type { Scalar } from './scalars.js';
import { oneofShape } from './shapes.js';
import { SPECIAL } from './special.js';

type Holder = Record<string, unknown>;
type ReadBody = (reader: ProtoReader, length: number) => unknown;
/** Reads a field after its tag with this wire type. Returns false if the field needs another wire type. */
type ReadField = (reader: ProtoReader, wire: WireType, object: Holder) => boolean;

/** Maximum depth of nested messages, as in the library of the JVM. */
const MAX_DEPTH = 100;

const NO_ITEMS: unknown[] = [];
const NO_ENTRIES = {};
Object.freeze(NO_ITEMS);
Object.freeze(NO_ENTRIES);
let depth = 0;

interface Plan {
  /** By number. Numbers of fields are small in all known messages. */
  readonly fields: readonly (ReadField | undefined)[];
  /** The default of a field. Lists and maps are shared until they get an element. */
  readonly initial: Holder;
}

interface ValueReader {
  readonly wire: WireType;
  readonly read: (reader: ProtoReader) => unknown;
}

export class MessageReader {
  private readonly bodies = new Map<string, ReadBody>();

  constructor(private readonly fields: Fields) {}

  /** @throws ProtobufError; LedgerError for a message that no object can represent */
  decode(type: string, bytes: Uint8Array): Record<string, unknown> {
    depth = 0;
    try {
      const reader = protoReader(bytes);
      return this.bodyOf(type)(reader, reader.len) as Record<string, unknown>;
    } catch (error) {
      if (error instanceof ProtobufError || error instanceof LedgerError) throw error;
      throw new ProtobufError(jvmWords((error as Error).message));
    }
  }

  private bodyOf(type: string): ReadBody {
    let body = this.bodies.get(type);
    if (body === undefined) {
      let plan: Plan | undefined;
      body = (reader, length) => readBody((plan ??= this.planOf(type)), reader, length);
      this.bodies.set(type, body);
    }
    return body;
  }

  private planOf(type: string): Plan {
    const fields = this.fields.of(type)!;
    const initial: Holder = {};
    const read = new Map<number, ReadField>();
    for (const field of fields) {
      const { oneof, label, member: at } = field;
      if (oneof !== undefined) {
        const group = fields.filter((each) => each.oneof === oneof);
        read.set(field.number, this.oneofField(type, field, group));
        continue;
      }
      if (field.mapKey !== undefined) {
        initial[at] = NO_ENTRIES;
        read.set(field.number, this.mapField(at, field, field.mapKey));
        continue;
      }
      const scalar = this.fields.scalarOfField(type, field);
      if (label === 'repeated') initial[at] = NO_ITEMS;
      else if (scalar !== undefined && label === '') initial[at] = scalar.initial;
      const one = this.valueReader(field.type, scalar);
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

  private valueReader(type: string, scalar = this.fields.scalarOf(type)): ValueReader {
    if (scalar !== undefined) return scalar;
    const special = SPECIAL[type];
    if (special !== undefined)
      return { wire: WireType.LengthDelimited, read: (reader) => special.read(reader.bytes()) };
    const body = this.bodyOf(type);
    return {
      wire: WireType.LengthDelimited,
      read: (reader) => {
        const length = reader.uint32();
        if (reader.pos + length > reader.len) throw new ProtobufError(jvmWords('premature EOF'));
        return body(reader, length);
      },
    };
  }

  private mapField(at: string, field: NamedField, keyType: string): ReadField {
    const key = this.valueReader(keyType);
    const value = this.valueReader(field.type);
    const { initial: noKey } = this.fields.scalarOf(keyType)!;
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
      member ??= this.fields.scalarOf(field.type)?.initial ?? this.emptyOf(field.type);
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

  private emptyOf(type: string): unknown {
    return this.bodyOf(type)(protoReader(new Uint8Array()), 0);
  }

  /** The last member of a `oneof` wins. */
  private oneofField(type: string, field: NamedField, group: readonly NamedField[]): ReadField {
    const names = group.map(({ name }) => name);
    const shape = oneofShape(type, field.oneof!, names);
    const one = this.valueReader(field.type, this.fields.scalarOfField(type, field));
    if (shape === undefined) {
      const members = group.map(({ member }) => member);
      const own = field.member;
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
