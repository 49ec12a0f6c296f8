/** Writes messages from the objects of the services, with one function for each message, which is created on first use. */
import { WireType } from '@bufbuild/protobuf/wire';
import { ByteWriter } from '../../network/protobuf/byte-writer.js';
import { valuesOf, type FieldDefinition } from '../../network/protobuf/definitions/definitions.js';
import { messageFields } from '../../network/protobuf/definitions/known.js';
import { enumScalar, HEXADECIMAL, RAW_BYTES, SCALARS, type Scalar } from './scalars.js';
import { bytesForm, memberOf, oneofShape } from './shapes.js';
import { SPECIAL } from './special.js';

type Holder = Readonly<Record<string, unknown>>;
/** Writes the content of the message, after its length. */
type WriteBody = (writer: ByteWriter, value: never) => void;
/** Writes a field with its tag, even if it has the default value. */
type WriteField = (writer: ByteWriter, value: unknown) => void;
type WriteMember = (writer: ByteWriter, object: Holder) => void;

const BODIES = new Map<string, WriteBody>();

export function encodeMessage(type: string, value: unknown): Uint8Array {
  return ByteWriter.written((writer) => bodyOf(type)(writer, value as never));
}

function bodyOf(type: string): WriteBody {
  let body = BODIES.get(type);
  if (body === undefined) {
    const special = SPECIAL[type];
    let members: readonly WriteMember[] | undefined;
    body =
      special?.write ??
      ((writer, object: Holder) => {
        members ??= membersOf(type);
        for (const write of members) write(writer, object);
      });
    BODIES.set(type, body);
  }
  return body;
}

function membersOf(type: string): WriteMember[] {
  const fields = messageFields(type)!;
  const oneofs = new Set<string>();
  return fields.flatMap((field): WriteMember[] => {
    const { oneof } = field;
    if (oneof === undefined) return [member(type, field)];
    if (oneofs.has(oneof)) return [];
    oneofs.add(oneof);
    const group = fields.filter((each) => each.oneof === oneof);
    const names = group.map(({ name }) => name);
    const shape = oneofShape(type, oneof, names);
    if (shape === undefined)
      return group.map((each) => member(type, { ...each, label: 'optional' }));
    const cases = group.map((each) => ({
      ...shape.cases.get(each.name)!,
      write: fieldWriter(each, scalarOfField(type, each)),
    }));
    const { at } = shape;
    return [
      (writer, object) => {
        const holder = at === undefined ? object : (object[at] as Holder | undefined);
        if (holder === undefined) return;
        for (const { key, isWrapped, write } of cases) {
          const given = holder[key];
          if (given === undefined) continue;
          write(writer, isWrapped ? (given as { value: unknown }).value : given);
          return;
        }
      },
    ];
  });
}

function member(type: string, field: FieldDefinition): WriteMember {
  const at = memberOf(type, field.name);
  if (field.mapKey !== undefined) return mapMember(at, field, field.mapKey);
  const kind = scalarOfField(type, field);
  const write = fieldWriter(field, kind);
  if (field.label === 'repeated')
    return kind === undefined || kind.wire === WireType.LengthDelimited
      ? (writer, object) => {
          for (const each of (object[at] as readonly unknown[] | undefined) ?? [])
            write(writer, each);
        }
      : packed(at, field.number, kind);
  if (kind === undefined || field.label === 'optional')
    return (writer, object) => {
      const value = object[at];
      if (value !== undefined && value !== null) write(writer, value);
    };
  const { isInitial } = kind;
  return (writer, object) => {
    const value = object[at];
    if (value !== undefined && value !== null && !isInitial(value)) write(writer, value);
  };
}

function packed(at: string, number: number, { write }: Scalar): WriteMember {
  return (writer, object) => {
    const values = (object[at] as readonly never[] | undefined) ?? [];
    if (values.length === 0) return;
    writer.tag(number, WireType.LengthDelimited).fork();
    for (const value of values) write(writer, value);
    writer.join();
  };
}

function mapMember(at: string, field: FieldDefinition, keyType: string): WriteMember {
  const key = fieldWriter({ name: 'key', number: 1, label: '', type: keyType });
  const value = fieldWriter({ name: 'value', number: 2, label: '', type: field.type });
  const isNumeric = keyType !== 'string';
  return (writer, object) => {
    for (const [name, each] of Object.entries((object[at] as Holder | undefined) ?? {})) {
      writer.tag(field.number, WireType.LengthDelimited).fork();
      key(writer, isNumeric ? Number(name) : name);
      value(writer, each);
      writer.join();
    }
  };
}

/** Undefined for messages. */
export function scalarOf(type: string): Scalar | undefined {
  const scalar = SCALARS[type];
  if (scalar !== undefined) return scalar;
  if (type in SPECIAL || messageFields(type) !== undefined) return undefined;
  return enumScalar(valuesOf(type));
}

/** The scalar of a field of a message, which may have a special form. */
export function scalarOfField(
  message: string,
  { name, type }: FieldDefinition,
): Scalar | undefined {
  const form = bytesForm(message, name);
  if (form === undefined) return scalarOf(type);
  return form === 'raw' ? RAW_BYTES : HEXADECIMAL;
}

function fieldWriter(
  { number, type }: FieldDefinition,
  scalar: Scalar | undefined = scalarOf(type),
): WriteField {
  if (scalar !== undefined) {
    const { wire, write } = scalar;
    return (writer, value) => void write(writer.tag(number, wire), value as never);
  }
  const body = bodyOf(type);
  return (writer, value) => {
    writer.tag(number, WireType.LengthDelimited).fork();
    body(writer, value as never);
    writer.join();
  };
}
