/** Daml values from the transaction value protobuf: one reader per type, as strict as the ledger's own. */
import { WireType } from '@bufbuild/protobuf/wire';
import { type ProtoReader } from './proto-reader.js';
import { contractIdBytesError } from '../../model/contract-id-text.js';
import { toHex } from '../../model/hash.js';
import { partyError } from '../../model/identifiers.js';
import { MAX_NESTING } from '../../errors/limits.js';
import { parseNumeric } from '../../model/numeric.js';
import { setMember } from '../../model/own-members.js';
import { atEnd, expect, open, ProtobufError } from './reading.js';
import { isDate, isTimestamp, timestampError } from '../../model/time.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../type-fold.js';
import { VALUE_FIELD } from './fields.js';
import { DamlVariant, Some, UNIT, type DamlRecord, type DamlValue } from '../../model/values.js';

interface Reading {
  readonly reader: ProtoReader;
  depth: number;
}
type Reader = (input: Reading, end: number) => DamlValue;

export const readerOf = typeCompiler<Reader>(() => ({
  scalar: scalarReader,
  optional: (of, compile) => {
    const read = compile(of);
    return within(VALUE_FIELD.optional, (input, end) =>
      input.reader.pos >= end ? null : new Some(embedded(input, end, 1, read)),
    );
  },
  list: (of) =>
    within(VALUE_FIELD.list, (input, end) =>
      repeated(input, end, () => embedded(input, end, 1, of)),
    ),
  textMap: (of) =>
    within(VALUE_FIELD.textMap, (input, end) => {
      const entries = repeated(input, end, (): readonly [string, DamlValue] => {
        const entryEnd = open(input.reader, end, 1);
        const key = readKey(input.reader, entryEnd);
        return [key, atEnd(input.reader, entryEnd, embedded(input, entryEnd, 2, of))];
      });
      return new Map(entries);
    }),
  genMap: (key, value) =>
    within(VALUE_FIELD.genMap, (input, end) =>
      repeated(input, end, (): readonly [DamlValue, DamlValue] => {
        const entryEnd = open(input.reader, end, 1);
        const first = embedded(input, entryEnd, 1, key);
        return [first, atEnd(input.reader, entryEnd, embedded(input, entryEnd, 2, value))];
      }),
    ),
  record: recordReader,
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return within(VALUE_FIELD.variant, (input, end) => {
      expect(input.reader, end, 1, WireType.LengthDelimited);
      const tag = input.reader.string();
      const read = cases.get(tag);
      if (read === undefined) throw new ProtobufError(`unknown variant constructor '${tag}'`);
      return new DamlVariant(tag, embedded(input, end, 2, read));
    });
  },
  enumeration: (constructors) =>
    within(VALUE_FIELD.enum, ({ reader }, end) => {
      expect(reader, end, 1, WireType.LengthDelimited);
      const name = reader.string();
      if (!constructors.includes(name))
        throw new ProtobufError(`unknown enum constructor '${name}'`);
      return name;
    }),
  opaque: (name) => () => {
    throw new ProtobufError(`${name} has no values`);
  },
}));

function recordReader(fields: readonly FoldedField<Reader>[]): Reader {
  return within(VALUE_FIELD.record, (input, end) => {
    const record: Record<string, DamlValue> = {};
    for (const { name, run, type } of fields) {
      if (input.reader.pos < end) {
        const fieldEnd = open(input.reader, end, 1);
        setMember(record, name, atEnd(input.reader, fieldEnd, embedded(input, fieldEnd, 1, run)));
      } else if (type.kind === 'optional') {
        setMember(record, name, null);
      } else {
        throw new ProtobufError(`missing record field '${name}'`);
      }
    }
    return record as DamlRecord;
  });
}

function scalarReader(type: ScalarType): Reader {
  const of = (wire: WireType, read: (reader: ProtoReader) => DamlValue): Reader => {
    const field = VALUE_FIELD[type.kind];
    return ({ reader }, end) => {
      expect(reader, end, field, wire);
      return read(reader);
    };
  };
  switch (type.kind) {
    case 'unit':
      return within(VALUE_FIELD.unit, () => UNIT);
    case 'bool':
      return of(WireType.Varint, (reader) => reader.bool());
    case 'int64':
      return of(WireType.Varint, (reader) => BigInt(reader.sint64()));
    case 'date':
      return of(WireType.Varint, (reader) =>
        checked(reader.int32(), (days) =>
          isDate(days) ? undefined : `error decoding date: out of bound Date ${days}`,
        ),
      );
    case 'timestamp':
      return of(WireType.Bit64, (reader) =>
        checked(BigInt(reader.sfixed64()), (micros) =>
          isTimestamp(micros) ? undefined : `error decoding timestamp: ${timestampError(micros)}`,
        ),
      );
    case 'numeric':
      return of(WireType.LengthDelimited, (reader) => {
        const text = reader.string();
        const value = parseNumeric(text)?.rescale(type.scale);
        if (value === undefined)
          throw new ProtobufError(
            `error decoding numeric: Could not read Numeric string "${text}"`,
          );
        return value;
      });
    case 'contractId':
      return of(WireType.LengthDelimited, (reader) =>
        checked(toHex(reader.bytes()), (id) => {
          const error = contractIdBytesError(id);
          return error && `error decoding contractId: ${error}`;
        }),
      );
    case 'party':
      return of(WireType.LengthDelimited, (reader) =>
        checked(reader.string(), (party) => {
          const error = partyError(party);
          return error && `error decoding party: ${error}`;
        }),
      );
    case 'text':
      return of(WireType.LengthDelimited, (reader) => checked(reader.string(), nullError));
  }
}

function within(field: number, body: Reader): Reader {
  return (input, end) => {
    const inner = open(input.reader, end, field);
    input.depth += 1;
    if (input.depth > MAX_NESTING + 1) {
      throw new ProtobufError(
        `Provided proto value to decode exceeds maximum nesting level of ${MAX_NESTING}`,
      );
    }
    const value = body(input, inner);
    input.depth -= 1;
    return atEnd(input.reader, inner, value);
  };
}

function embedded(input: Reading, end: number, field: number, read: Reader): DamlValue {
  const inner = open(input.reader, end, field);
  return atEnd(input.reader, inner, read(input, inner));
}

function repeated<T>({ reader }: Reading, end: number, read: () => T): T[] {
  const items: T[] = [];
  while (reader.pos < end) items.push(read());
  return items;
}

function checked<T extends DamlValue>(value: T, error: (value: T) => string | undefined): T {
  const reason = error(value);
  if (reason !== undefined) throw new ProtobufError(reason);
  return value;
}

/** The error of a text with a NUL. Lone surrogates need no check, because they are not valid UTF-8. */
function nullError(text: string): string | undefined {
  return text.includes('\u0000') ? 'text contains null character' : undefined;
}

/** The empty key is not written. */
function readKey(reader: ProtoReader, end: number): string {
  const start = reader.pos;
  if (start < end && reader.tag()[0] !== 1) {
    reader.pos = start;
    return '';
  }
  reader.pos = start;
  expect(reader, end, 1, WireType.LengthDelimited);
  return checked(reader.string(), nullError);
}
