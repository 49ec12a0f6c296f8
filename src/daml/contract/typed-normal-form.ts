/**
 * Canton's typed normal form of values, for hashes of keys and contracts. Each value follows a tag of its kind. Records have the names of
 * their type and fields, without trailing Nones. So a hash is the same in every version of a package.
 */
import { contractIdInKey } from '../refusals/key-refusals.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../codec/type-fold.js';
import type { Numeric } from '../model/numeric.js';
import { qualifiedNameOf, type TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, DamlVariant, Some } from '../model/values.js';
import { encoded, type HashWriter } from './hash-writer.js';

/** Canton's number of this form. */
const TYPED_NORMAL_FORM = 3;
const END_OF_RECORD = 0xff;

const TAG = {
  int64: 0,
  numeric: 1,
  text: 2,
  timestamp: 3,
  party: 4,
  bool: 5,
  unit: 6,
  date: 7,
  record: 8,
  variant: 9,
  enum: 10,
  list: 11,
  optional: 12,
  textMap: 13,
  genMap: 14,
  contractId: 15,
} as const;

/** The purposes in hashes. */
export const PURPOSE = { contract: 5, key: 9 } as const;

type Purpose = keyof typeof PURPOSE;
type Feeder = (value: DamlValue, writer: HashWriter) => void;

/** Starts a hash of this form. */
export function beginTyped(writer: HashWriter, purpose: Purpose): HashWriter {
  return writer.begin().byte(TYPED_NORMAL_FORM).byte(PURPOSE[purpose]);
}

/** Writes values of a type in contracts. */
export const contractValueFeeder = feederFor('contract');

/**
 * Writes values of a type in keys, which cannot have contract ids.
 * @throws LedgerError CONTRACT_ID_IN_CONTRACT_KEY
 */
export const keyFeeder = feederFor('key');

function feederFor(purpose: Purpose) {
  return typeCompiler<Feeder>(() => ({
    scalar: (type) => scalar(type, purpose),
    optional: (of, compile) => {
      const feed = compile(of);
      return (value, writer) => {
        writer.byte(TAG.optional).byte(value === null ? 0 : 1);
        if (value !== null) feed((value as Some).value, writer);
      };
    },
    list: (of) => (value, writer) => {
      const items = value as readonly DamlValue[];
      writer.byte(TAG.list).int32(items.length);
      for (const item of items) of(item, writer);
    },
    textMap: (of) => (value, writer) => {
      const map = value as ReadonlyMap<string, DamlValue>;
      writer.byte(TAG.textMap).int32(map.size);
      for (const [key, item] of map) of(item, writer.text(key));
    },
    genMap: (key, of) => (value, writer) => {
      const entries = value as readonly (readonly [DamlValue, DamlValue])[];
      writer.byte(TAG.genMap).int32(entries.length);
      for (const [at, item] of entries) {
        key(at, writer);
        of(item, writer);
      }
    },
    record: recordFeeder,
    variant: (constructors, id) => {
      const heads = constructors.map(
        ({ name, run }, rank) =>
          [name, { run, head: constructor(TAG.variant, id, name, rank) }] as const,
      );
      const cases = new Map(heads);
      return (value, writer) => {
        const { tag, value: inner } = value as DamlVariant;
        const { run, head } = cases.get(tag)!;
        run(inner, writer.raw(head));
      };
    },
    enumeration: (constructors, id) => {
      const heads = new Map(
        constructors.map((name, rank) => [name, constructor(TAG.enum, id, name, rank)]),
      );
      return (value, writer) => void writer.raw(heads.get(value as string)!);
    },
    opaque: (name) => () => {
      throw new TypeError(`Values of ${name} have no hash.`);
    },
  }));
}

function constructor(tag: number, id: TypeId, name: string, rank: number): Uint8Array {
  return encoded((writer) =>
    writer.byte(tag).qualifiedName(qualifiedNameOf(id)).text(name).int32(rank),
  );
}

function recordFeeder(fields: readonly FoldedField<Feeder>[], id: TypeId): Feeder {
  const head = encoded((writer) => writer.byte(TAG.record).qualifiedName(qualifiedNameOf(id)));
  const labels = fields.map(({ name }) => encoded((writer) => writer.text(name)));
  return (value, writer) => {
    const record = value as DamlRecord;
    writer.raw(head);
    let length = fields.length;
    while (length > 0 && isNone(fields[length - 1]!, record)) length -= 1;
    for (let i = 0; i < length; i++) {
      const { name, run } = fields[i]!;
      run(record[name]!, writer.raw(labels[i]!));
    }
    writer.byte(END_OF_RECORD);
  };
}

function isNone({ name, type }: FoldedField<Feeder>, record: DamlRecord): boolean {
  return type.kind === 'optional' && record[name] === null;
}

function scalar({ kind }: ScalarType, purpose: Purpose): Feeder {
  switch (kind) {
    case 'unit':
      return (_value, writer) => void writer.byte(TAG.unit);
    case 'bool':
      return (value, writer) => void writer.byte(TAG.bool).byte(value === true ? 1 : 0);
    case 'int64':
    case 'timestamp':
      return (value, writer) => void writer.byte(TAG[kind]).int64(value as bigint);
    case 'date':
      return (value, writer) => void writer.byte(TAG.date).int32(value as number);
    case 'numeric':
      return (value, writer) => void writer.byte(TAG.numeric).integer((value as Numeric).unscaled);
    case 'text':
    case 'party':
      return (value, writer) => void writer.byte(TAG[kind]).text(value as string);
    case 'contractId':
      return purpose === 'contract'
        ? (value, writer) => void writer.byte(TAG.contractId).hex(value as ContractId)
        : (value) => {
            throw contractIdInKey(value as ContractId);
          };
  }
}
