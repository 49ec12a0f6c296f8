/**
 * Reads Daml values from messages by their types, in one pass. If a value is wrong, or if its fields are not in the
 * usual order, it throws {@link NOT_QUICK}, and reader.ts reads the message again. Both readers give the same
 * values.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import type { ProtoReader } from '../../daml/codec/protobuf/proto-reader.js';
import { protoReader } from '../../daml/codec/protobuf/reading.js';
import { comparisonOf } from '../../daml/codec/compare.js';
import { genMapOf, textMapOf } from '../../daml/codec/map-order.js';
import { recordMaker } from '../../daml/codec/record-maker.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../../daml/codec/type-fold.js';
import { contractIdError, unsuffixedError } from '../../daml/model/contract-id-text.js';
import { packageIdError, partyError } from '../../daml/model/identifiers.js';
import { parseNumeric } from '../../daml/model/numeric.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { malformedText } from '../../daml/model/text-order.js';
import { isDate, timestampError } from '../../daml/model/time.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../daml/model/values.js';
import { GivenValue } from './messages.js';
import { NUMERIC } from './validation.js';

/** Thrown for messages that only the thorough reader can read. It is not an error. */
const NOT_QUICK = new Error('This value is not read quickly.');

/** Reads a `Value` up to `end`; a record's may be without the member of `Value` around it. */
type Read = (reader: ProtoReader, end: number, depth: number, isBare?: boolean) => DamlValue;

/** Nesting depth, far below each limit of the thorough reader. */
const MAX_DEPTH = 20;

const { Varint, Bit64, LengthDelimited } = WireType;
const tagOf = (field: number, wire: WireType): number => field * 8 + wire;
const FIRST = tagOf(1, LengthDelimited);
const SECOND = tagOf(2, LengthDelimited);
const THIRD = tagOf(3, LengthDelimited);

/** The tags of the members of `Value`. */
const TAG = {
  unit: tagOf(1, LengthDelimited),
  bool: tagOf(2, Varint),
  int64: tagOf(3, Varint),
  date: tagOf(4, Varint),
  timestamp: tagOf(5, Bit64),
  numeric: tagOf(6, LengthDelimited),
  party: tagOf(7, LengthDelimited),
  text: tagOf(8, LengthDelimited),
  contractId: tagOf(9, LengthDelimited),
  optional: tagOf(10, LengthDelimited),
  list: tagOf(11, LengthDelimited),
  textMap: tagOf(12, LengthDelimited),
  genMap: tagOf(13, LengthDelimited),
  record: tagOf(14, LengthDelimited),
  variant: tagOf(15, LengthDelimited),
} as const;
/** Field 16: two bytes. */
const ENUM_TAG = Uint8Array.of(0x82, 0x01);

/** @throws NOT_QUICK, LedgerError or ProtobufError if the thorough reader must read it again */
export function quicklyRead(packages: PackageLookup, type: DamlType, given: unknown): DamlValue {
  if (!(given instanceof GivenValue)) throw NOT_QUICK;
  const reader = protoReader(given.bytes);
  const value = compiler(packages, type)(reader, reader.len, 0, given.kind === 'record');
  if (reader.pos !== reader.len) throw NOT_QUICK;
  return value;
}

function require(isRight: boolean): void {
  if (!isRight) throw NOT_QUICK;
}

/** Enters a length-delimited field. @returns where it ends */
function enter(reader: ProtoReader, tag: number, end: number): number {
  require(reader.takes(tag, end));
  return innerEnd(reader, end);
}

function innerEnd(reader: ProtoReader, end: number): number {
  const length = reader.uint32();
  const inner = reader.pos + length;
  require(inner <= end);
  return inner;
}

/** The same for the last field. */
function enterLast(reader: ProtoReader, tag: number, end: number): number {
  const inner = enter(reader, tag, end);
  require(inner === end);
  return inner;
}

/** A `string` field, which is absent if the text is empty. */
function optionalText(reader: ProtoReader, tag: number, end: number): string {
  return reader.takes(tag, end) ? reader.string() : '';
}

/** A nested value, up to its own end. */
function within(
  read: Read,
  reader: ProtoReader,
  tag: number,
  end: number,
  depth: number,
): DamlValue {
  require(depth < MAX_DEPTH);
  const inner = enter(reader, tag, end);
  const value = read(reader, inner, depth + 1);
  require(reader.pos === inner);
  return value;
}

const compiler = typeCompiler<Read>((packages) => ({
  scalar: (type) => scalar(type),
  optional: (of, compile) => {
    const read = compile(of);
    return (reader, end, depth) => {
      enterLast(reader, TAG.optional, end);
      return reader.pos === end ? null : new Some(within(read, reader, FIRST, end, depth));
    };
  },
  list: (of) => (reader, end, depth) => {
    enterLast(reader, TAG.list, end);
    const items: DamlValue[] = [];
    while (reader.pos < end) items.push(within(of, reader, FIRST, end, depth));
    return items;
  },
  textMap: (of) => (reader, end, depth) => {
    enterLast(reader, TAG.textMap, end);
    const entries: [string, DamlValue][] = [];
    while (reader.pos < end) {
      const last = enter(reader, FIRST, end);
      const key = optionalText(reader, FIRST, last);
      require(malformedText(key) === undefined);
      entries.push([key, within(of, reader, SECOND, last, depth)]);
      require(reader.pos === last);
    }
    const map = textMapOf(entries);
    // A duplicate key is rejected.
    require(map.size === entries.length);
    return map;
  },
  genMap: (key, of, type) => {
    const compare = comparisonOf(packages, type.key);
    return (reader, end, depth) => {
      enterLast(reader, TAG.genMap, end);
      const entries: (readonly [DamlValue, DamlValue])[] = [];
      while (reader.pos < end) {
        const last = enter(reader, FIRST, end);
        const name = within(key, reader, FIRST, last, depth);
        entries.push([name, within(of, reader, SECOND, last, depth)]);
        require(reader.pos === last);
      }
      return genMapOf(entries, compare);
    };
  },
  record: recordReader,
  variant: (constructors, id) => {
    const name = nameReader(id);
    const cases = new Map(constructors.map((each) => [each.name, each.run]));
    return (reader, end, depth) => {
      enterLast(reader, TAG.variant, end);
      name(reader, end);
      const tag = optionalText(reader, SECOND, end);
      const read = cases.get(tag);
      if (read === undefined) throw NOT_QUICK;
      return new DamlVariant(tag, within(read, reader, THIRD, end, depth));
    };
  },
  enumeration: (constructors, id) => {
    const name = nameReader(id);
    const known = new Set(constructors);
    return (reader, end) => {
      require(reader.takesAll(ENUM_TAG, end) && innerEnd(reader, end) === end);
      name(reader, end);
      const constructor = optionalText(reader, SECOND, end);
      require(known.has(constructor));
      return constructor;
    };
  },
  opaque: () => () => {
    throw NOT_QUICK;
  },
}));

/** Fields in their order, each with or without its name. Missing fields at the end are None. */
function recordReader(fields: readonly FoldedField<Read>[], id: TypeId): Read {
  const name = nameReader(id);
  const make = recordMaker(fields.map((each) => each.name));
  const labels = fields.map((each) => labelOf(each.name));
  const optionals = fields.map(({ type }) => type.kind === 'optional');
  return (reader, end, depth, isBare = false) => {
    if (!isBare) enterLast(reader, TAG.record, end);
    name(reader, end);
    const values: DamlValue[] = [];
    for (let index = 0; index < fields.length; index += 1) {
      if (reader.pos === end) {
        require(optionals[index]!);
        values.push(null);
        continue;
      }
      const last = enter(reader, SECOND, end);
      reader.takesAll(labels[index]!, last);
      values.push(within(fields[index]!.run, reader, SECOND, last, depth));
      require(reader.pos === last);
    }
    return make(values);
  };
}

/** The whole field that gives a label: its tag, its length, its letters. */
function labelOf(name: string): Uint8Array {
  const letters = Buffer.from(name);
  // Names with a length of more than one byte are never found.
  return letters.length < 0x80
    ? Buffer.concat([Uint8Array.of(FIRST, letters.length), letters])
    : letters;
}

/** Passes over an optional type name, which may be of another version. */
function nameReader(id: TypeId): (reader: ProtoReader, end: number) => void {
  const wanted = id.slice(id.indexOf(':') + 1);
  /** The last that was right. */
  let known: Uint8Array | undefined;
  return (reader, end) => {
    const start = reader.pos;
    if (!reader.takes(FIRST, end)) return;
    const last = innerEnd(reader, end);
    if (known !== undefined && reader.takesAll(known, last) && reader.pos === last) return;
    reader.pos = start + 1;
    const bytes = reader.bytes();
    const inner = protoReader(bytes);
    const packageId = optionalText(inner, FIRST, inner.len);
    const module = optionalText(inner, SECOND, inner.len);
    const entity = optionalText(inner, THIRD, inner.len);
    require(
      inner.pos === inner.len &&
        `${module}:${entity}` === wanted &&
        packageIdError(packageId) === undefined,
    );
    known = Uint8Array.from(bytes);
  };
}

/** A scalar, which is never absent in a value. */
function scalar(type: ScalarType): Read {
  const { kind } = type;
  if (kind === 'unit')
    return (reader, end) => {
      enterLast(reader, TAG.unit, end);
      require(reader.pos === end);
      return UNIT;
    };
  const tag = TAG[kind];
  const read = scalarReader(type);
  return (reader, end) => {
    require(reader.takes(tag, end));
    return read(reader);
  };
}

function text(error: (text: string) => string | undefined): (reader: ProtoReader) => DamlValue {
  return (reader) => {
    const value = reader.string();
    require(error(value) === undefined);
    return value;
  };
}

function scalarReader(type: ScalarType): (reader: ProtoReader) => DamlValue {
  switch (type.kind) {
    case 'bool':
      return (reader) => reader.bool();
    case 'int64':
      return (reader) => BigInt(reader.sint64());
    case 'date':
      return (reader) => {
        const date = reader.int32();
        require(isDate(date));
        return date;
      };
    case 'timestamp':
      return (reader) => {
        const micros = reader.sfixed64();
        require(timestampError(micros) === undefined);
        return micros;
      };
    case 'numeric':
      return (reader) => {
        const given = reader.string();
        const numeric = NUMERIC.test(given) ? parseNumeric(given)?.rescale(type.scale) : undefined;
        if (numeric === undefined) throw NOT_QUICK;
        return numeric;
      };
    case 'party':
      return text(partyError);
    case 'text':
      return text(malformedText);
    default:
      return text((id) => contractIdError(id) ?? unsuffixedError(id));
  }
}
