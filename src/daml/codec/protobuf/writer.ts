/** Daml values to the transaction value protobuf: one writer per type. */
import { WireType, type BinaryWriter } from '@bufbuild/protobuf/wire';
import { fromHex } from '../../model/hash.js';
import type { Numeric } from '../../model/numeric.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../type-fold.js';
import { VALUE_FIELD } from './fields.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../../model/values.js';

type Writer = (value: DamlValue, writer: BinaryWriter) => void;

export const writerOf = typeCompiler<Writer>(() => ({
  scalar: scalarWriter,
  optional: (of, compile) => {
    const write = compile(of);
    return message(VALUE_FIELD.optional, (value, writer) => {
      if (value !== null) embed(writer, 1, write, (value as Some).value);
    });
  },
  list: (of) =>
    message(VALUE_FIELD.list, (value, writer) => {
      for (const item of value as readonly DamlValue[]) embed(writer, 1, of, item);
    }),
  textMap: (of) =>
    message(VALUE_FIELD.textMap, (value, writer) => {
      for (const [key, member] of value as ReadonlyMap<string, DamlValue>) {
        writer.tag(1, WireType.LengthDelimited).fork();
        if (key !== '') writer.tag(1, WireType.LengthDelimited).string(key);
        embed(writer, 2, of, member);
        writer.join();
      }
    }),
  genMap: (key, member) =>
    message(VALUE_FIELD.genMap, (value, writer) => {
      for (const entry of value as readonly (readonly [DamlValue, DamlValue])[]) {
        writer.tag(1, WireType.LengthDelimited).fork();
        embed(writer, 1, key, entry[0]);
        embed(writer, 2, member, entry[1]);
        writer.join();
      }
    }),
  record: recordWriter,
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return message(VALUE_FIELD.variant, (value, writer) => {
      const { tag, value: inner } = value as DamlVariant;
      writer.tag(1, WireType.LengthDelimited).string(tag);
      embed(writer, 2, cases.get(tag)!, inner);
    });
  },
  enumeration: () =>
    message(VALUE_FIELD.enum, (value, writer) => {
      writer.tag(1, WireType.LengthDelimited).string(value as string);
    }),
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no encoding.`);
  },
}));

function message(field: number, body: Writer): Writer {
  return (value, writer) => {
    writer.tag(field, WireType.LengthDelimited).fork();
    body(value, writer);
    writer.join();
  };
}

function embed(writer: BinaryWriter, field: number, write: Writer, value: DamlValue): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(value, writer);
  writer.join();
}

function recordWriter(fields: readonly FoldedField<Writer>[]): Writer {
  return message(VALUE_FIELD.record, (value, writer) => {
    const record = value as DamlRecord;
    let length = fields.length;
    while (
      length > 0 &&
      fields[length - 1]!.type.kind === 'optional' &&
      record[fields[length - 1]!.name] === null
    ) {
      length -= 1;
    }
    for (const { name, run } of fields.slice(0, length)) {
      writer.tag(1, WireType.LengthDelimited).fork();
      embed(writer, 1, run, record[name]!);
      writer.join();
    }
  });
}

function scalarWriter(type: ScalarType): Writer {
  switch (type.kind) {
    case 'unit':
      return message(VALUE_FIELD.unit, () => undefined);
    case 'bool':
      return (value, writer) =>
        void writer.tag(VALUE_FIELD.bool, WireType.Varint).bool(value as boolean);
    case 'int64':
      return (value, writer) =>
        void writer.tag(VALUE_FIELD.int64, WireType.Varint).sint64(value as bigint);
    case 'date':
      return (value, writer) =>
        void writer.tag(VALUE_FIELD.date, WireType.Varint).int32(value as number);
    case 'timestamp':
      return (value, writer) =>
        void writer.tag(VALUE_FIELD.timestamp, WireType.Bit64).sfixed64(value as bigint);
    case 'numeric':
      return (value, writer) =>
        void writer
          .tag(VALUE_FIELD.numeric, WireType.LengthDelimited)
          .string((value as Numeric).toString());
    case 'contractId':
      return (value, writer) =>
        void writer
          .tag(VALUE_FIELD.contractId, WireType.LengthDelimited)
          .bytes(fromHex(value as string));
    default: {
      const field = VALUE_FIELD[type.kind];
      return (value, writer) =>
        void writer.tag(field, WireType.LengthDelimited).string(value as string);
    }
  }
}
