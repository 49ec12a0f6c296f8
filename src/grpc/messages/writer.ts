/**
 * Writes messages of a release from the objects of the services, with one function for each message, which is created on first use. Members
 * that the release lacks are left out.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { ByteWriter } from '../../network/protobuf/byte-writer.js';
import type { Fields, NamedField } from './fields.js';
import type { Scalar } from './scalars.js';
import { oneofShape } from './shapes.js';
import { SPECIAL } from './special.js';

type Holder = Readonly<Record<string, unknown>>;
/** Writes the content of the message, after its length. */
type WriteBody = (writer: ByteWriter, value: never) => void;
/** Writes a field with its tag, even if it has the default value. */
type WriteField = (writer: ByteWriter, value: unknown) => void;
type WriteMember = (writer: ByteWriter, object: Holder) => void;

export class MessageWriter {
  private readonly bodies = new Map<string, WriteBody>();

  constructor(private readonly fields: Fields) {}

  encode(type: string, value: unknown): Uint8Array {
    return ByteWriter.written((writer) => this.bodyOf(type)(writer, value as never));
  }

  private bodyOf(type: string): WriteBody {
    let body = this.bodies.get(type);
    if (body === undefined) {
      const special = SPECIAL[type];
      let members: readonly WriteMember[] | undefined;
      body =
        special?.write ??
        ((writer, object: Holder) => {
          members ??= this.membersOf(type);
          for (const write of members) write(writer, object);
        });
      this.bodies.set(type, body);
    }
    return body;
  }

  private membersOf(type: string): WriteMember[] {
    const fields = this.fields.of(type)!;
    const oneofs = new Set<string>();
    return fields.flatMap((field): WriteMember[] => {
      const { oneof } = field;
      if (oneof === undefined) return [this.member(type, field)];
      if (oneofs.has(oneof)) return [];
      oneofs.add(oneof);
      const group = fields.filter((each) => each.oneof === oneof);
      const names = group.map(({ name }) => name);
      const shape = oneofShape(type, oneof, names);
      if (shape === undefined)
        return group.map((each) => this.member(type, { ...each, label: 'optional' }));
      const cases = group.map((each) => ({
        ...shape.cases.get(each.name)!,
        write: this.fieldWriter(each, this.fields.scalarOfField(type, each)),
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

  private member(type: string, field: NamedField): WriteMember {
    const { member: at } = field;
    if (field.mapKey !== undefined) return this.mapMember(at, field, field.mapKey);
    const kind = this.fields.scalarOfField(type, field);
    const write = this.fieldWriter(field, kind);
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

  private mapMember(at: string, field: NamedField, keyType: string): WriteMember {
    const key = this.fieldWriter({ number: 1, type: keyType });
    const value = this.fieldWriter({ number: 2, type: field.type });
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

  private fieldWriter(
    { number, type }: Pick<NamedField, 'number' | 'type'>,
    scalar: Scalar | undefined = this.fields.scalarOf(type),
  ): WriteField {
    if (scalar !== undefined) {
      const { wire, write } = scalar;
      return (writer, value) => void write(writer.tag(number, wire), value as never);
    }
    const body = this.bodyOf(type);
    return (writer, value) => {
      writer.tag(number, WireType.LengthDelimited).fork();
      body(writer, value as never);
      writer.join();
    };
  }
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
