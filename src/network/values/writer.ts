/**
 * Writes Daml values as the bytes of the Ledger API's messages: one writer for each type. The names of types and fields
 * can be written or omitted. As everywhere on the Ledger API, trailing None fields of a record are omitted.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { ByteWriter } from '../protobuf/byte-writer.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../../daml/codec/type-fold.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { splitTypeId, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../../daml/model/values.js';

type Write = (value: DamlValue, writer: ByteWriter) => void;

/** The names to write: of types and fields, of fields only, or none. */
type Names = 'all' | 'fields' | 'none';

/** The members of `Value`. */
const FIELD = {
  unit: 1,
  bool: 2,
  int64: 3,
  date: 4,
  timestamp: 5,
  numeric: 6,
  party: 7,
  text: 8,
  contractId: 9,
  optional: 10,
  list: 11,
  textMap: 12,
  genMap: 13,
  record: 14,
  variant: 15,
  enum: 16,
} as const;

function open(writer: ByteWriter, field: number): ByteWriter {
  return writer.tag(field, WireType.LengthDelimited).fork();
}

function text(writer: ByteWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value);
}

function message(field: number, body: Write): Write {
  return (value, writer) => {
    open(writer, field);
    body(value, writer);
    writer.join();
  };
}

function embed(writer: ByteWriter, field: number, write: Write, value: DamlValue): void {
  open(writer, field);
  write(value, writer);
  writer.join();
}

/** The bytes of an Identifier; undefined if names are not written. */
function nameOf(id: TypeId, names: Names): Uint8Array | undefined {
  if (names !== 'all') return undefined;
  const { packageId, module, entity } = splitTypeId(id);
  return ByteWriter.written((writer) => {
    text(writer, 1, packageId);
    text(writer, 2, module);
    text(writer, 3, entity);
  });
}

function name(writer: ByteWriter, bytes: Uint8Array | undefined): void {
  if (bytes !== undefined) writer.tag(1, WireType.LengthDelimited).bytes(bytes);
}

function recordBody(fields: readonly FoldedField<Write>[], id: TypeId, names: Names): Write {
  const recordId = nameOf(id, names);
  return (value, writer) => {
    const record = value as DamlRecord;
    const length = presentFields(fields, record);
    name(writer, recordId);
    for (let index = 0; index < length; index += 1) {
      const field = fields[index]!;
      open(writer, 2);
      if (names !== 'none') text(writer, 1, field.name);
      embed(writer, 2, field.run, record[field.name]!);
      writer.join();
    }
  };
}

/** The number of fields without the trailing ones that are None. */
export function presentFields(fields: readonly FoldedField<unknown>[], record: DamlRecord): number {
  let length = fields.length;
  for (; length > 0; length -= 1) {
    const { name: last, type } = fields[length - 1]!;
    if (type.kind !== 'optional' || record[last] !== null) break;
  }
  return length;
}

const valueWriter = (names: Names) =>
  typeCompiler<Write>(() => ({
    scalar: scalarWriter,
    optional: (of, compile) => {
      const write = compile(of);
      return message(FIELD.optional, (value, writer) => {
        if (value !== null) embed(writer, 1, write, (value as Some).value);
      });
    },
    list: (of) =>
      message(FIELD.list, (value, writer) => {
        for (const item of value as readonly DamlValue[]) embed(writer, 1, of, item);
      }),
    textMap: (of) =>
      message(FIELD.textMap, (value, writer) => {
        for (const [key, member] of value as ReadonlyMap<string, DamlValue>) {
          open(writer, 1);
          text(writer, 1, key);
          embed(writer, 2, of, member);
          writer.join();
        }
      }),
    genMap: (key, of) =>
      message(FIELD.genMap, (value, writer) => {
        for (const entry of value as readonly (readonly [DamlValue, DamlValue])[]) {
          open(writer, 1);
          embed(writer, 1, key, entry[0]);
          embed(writer, 2, of, entry[1]);
          writer.join();
        }
      }),
    record: (fields, id) => message(FIELD.record, recordBody(fields, id, names)),
    variant: (constructors, id) => {
      const variantId = nameOf(id, names);
      const cases = new Map(constructors.map((each) => [each.name, each.run]));
      return message(FIELD.variant, (value, writer) => {
        const { tag, value: inner } = value as DamlVariant;
        name(writer, variantId);
        text(writer, 2, tag);
        embed(writer, 3, cases.get(tag)!, inner);
      });
    },
    enumeration: (_, id) => {
      const enumId = nameOf(id, names);
      return message(FIELD.enum, (value, writer) => {
        name(writer, enumId);
        text(writer, 2, value as string);
      });
    },
    opaque: (opaque) => () => {
      throw new TypeError(`Values of ${opaque} have no message.`);
    },
  }));

function scalarWriter(type: ScalarType): Write {
  const { Varint, Bit64, LengthDelimited } = WireType;
  switch (type.kind) {
    case 'unit':
      return message(FIELD.unit, () => undefined);
    case 'bool':
      return (value, writer) => void writer.tag(FIELD.bool, Varint).bool(value as boolean);
    case 'int64':
      return (value, writer) => void writer.tag(FIELD.int64, Varint).sint64(value as bigint);
    case 'date':
      return (value, writer) => void writer.tag(FIELD.date, Varint).int32(value as number);
    case 'timestamp':
      return (value, writer) => void writer.tag(FIELD.timestamp, Bit64).sfixed64(value as bigint);
    case 'numeric':
      return (value, writer) =>
        void writer.tag(FIELD.numeric, LengthDelimited).string((value as Numeric).toString());
    default: {
      const field = FIELD[type.kind];
      return (value, writer) => void writer.tag(field, LengthDelimited).string(value as string);
    }
  }
}

/** @returns writers of the bytes of a `Value` and of a `Record` */
function writerOf(names: Names) {
  const compiler = valueWriter(names);
  const write = (packages: PackageLookup, type: DamlType, value: DamlValue): Uint8Array =>
    ByteWriter.written((writer) => compiler(packages, type)(value, writer));
  // A record is written without the tag and length of the member of `Value`.
  const record = (packages: PackageLookup, type: DamlType, value: DamlValue): Uint8Array => {
    const bytes = write(packages, type, value);
    let at = 1;
    while (bytes[at]! >= 0x80) at += 1;
    return bytes.subarray(at + 1);
  };
  return { value: write, record };
}

export const TERSE = writerOf('none');
export const LABELLED = writerOf('fields');
export const VERBOSE = writerOf('all');
