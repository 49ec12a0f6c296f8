/**
 * The hash of a contract key: equal for keys that are equal in every version of a package. Canton's typed normal form, in
 * which records carry the names of their type and fields, and trailing Nones are left out.
 */
import { createHash } from 'node:crypto';
import { contractIdInKey } from '../refusals/key-refusals.js';
import type { Numeric } from '../model/numeric.js';
import type { PackageLookup } from '../model/package.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../codec/type-fold.js';
import { qualifiedNameOf, type DamlType, type QualifiedName, type TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, DamlVariant, Some } from '../model/values.js';

const TYPED_NORMAL_FORM = 3;
const PURPOSE_CONTRACT_KEY = 9;
const KEY_VERSION = 1;
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
} as const;

/** Hexadecimal. @throws LedgerError CONTRACT_ID_IN_CONTRACT_KEY */
export function hashContractKey(
  packages: PackageLookup,
  packageName: string,
  templateName: QualifiedName,
  type: DamlType,
  key: DamlValue,
): string {
  const sink = new Sink();
  sink.byte(TYPED_NORMAL_FORM).byte(PURPOSE_CONTRACT_KEY).byte(KEY_VERSION);
  sink.text(packageName).qualifiedName(templateName);
  feederOf(packages, type)(key, sink);
  return sink.hex();
}

class Sink {
  private readonly hash = createHash('sha256');

  byte(value: number): this {
    this.hash.update(Uint8Array.of(value));
    return this;
  }

  int32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    this.hash.update(bytes);
    return this;
  }

  int64(value: bigint): this {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    this.hash.update(bytes);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.int32(value.length).hash.update(value);
    return this;
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'));
  }

  qualifiedName(name: QualifiedName): this {
    for (const dotted of name.split(':')) {
      const parts = dotted.split('.');
      this.int32(parts.length);
      for (const part of parts) this.text(part);
    }
    return this;
  }

  hex(): string {
    return this.hash.digest('hex');
  }
}

type Feeder = (value: DamlValue, sink: Sink) => void;

const feederOf = typeCompiler<Feeder>(() => ({
  scalar,
  optional: (of, compile) => {
    const feed = compile(of);
    return (value, sink) => {
      sink.byte(TAG.optional).byte(value === null ? 0 : 1);
      if (value !== null) feed((value as Some).value, sink);
    };
  },
  list: (of) => (value, sink) => {
    const items = value as readonly DamlValue[];
    sink.byte(TAG.list).int32(items.length);
    for (const item of items) of(item, sink);
  },
  textMap: (of) => (value, sink) => {
    const map = value as ReadonlyMap<string, DamlValue>;
    sink.byte(TAG.textMap).int32(map.size);
    for (const [key, item] of map) of(item, sink.text(key));
  },
  genMap: (key, of) => (value, sink) => {
    const entries = value as readonly (readonly [DamlValue, DamlValue])[];
    sink.byte(TAG.genMap).int32(entries.length);
    for (const [at, item] of entries) {
      key(at, sink);
      of(item, sink);
    }
  },
  record: recordFeeder,
  variant: (constructors, id) => {
    const ranks = new Map(constructors.map(({ name, run }, rank) => [name, { rank, run }]));
    const name = qualifiedNameOf(id);
    return (value, sink) => {
      const { tag, value: inner } = value as DamlVariant;
      const { rank, run } = ranks.get(tag)!;
      run(inner, sink.byte(TAG.variant).qualifiedName(name).text(tag).int32(rank));
    };
  },
  enumeration: (constructors, id) => {
    const name = qualifiedNameOf(id);
    return (value, sink) => {
      const rank = constructors.indexOf(value as string);
      sink
        .byte(TAG.enum)
        .qualifiedName(name)
        .text(value as string)
        .int32(rank);
    };
  },
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no hash.`);
  },
}));

function recordFeeder(fields: readonly FoldedField<Feeder>[], id: TypeId): Feeder {
  const typeName = qualifiedNameOf(id);
  return (value, sink) => {
    const record = value as DamlRecord;
    sink.byte(TAG.record).qualifiedName(typeName);
    let length = fields.length;
    while (length > 0 && isNone(fields[length - 1]!, record)) length -= 1;
    for (const { name, run } of fields.slice(0, length)) run(record[name]!, sink.text(name));
    sink.byte(END_OF_RECORD);
  };
}

function isNone({ name, type }: FoldedField<Feeder>, record: DamlRecord): boolean {
  return type.kind === 'optional' && record[name] === null;
}

function scalar({ kind }: ScalarType): Feeder {
  switch (kind) {
    case 'unit':
      return (_value, sink) => void sink.byte(TAG.unit);
    case 'bool':
      return (value, sink) => void sink.byte(TAG.bool).byte(value === true ? 1 : 0);
    case 'int64':
    case 'timestamp':
      return (value, sink) => void sink.byte(TAG[kind]).int64(value as bigint);
    case 'date':
      return (value, sink) => void sink.byte(TAG.date).int32(value as number);
    case 'numeric':
      return (value, sink) =>
        void sink.byte(TAG.numeric).bytes(twosComplement((value as Numeric).unscaled));
    case 'text':
    case 'party':
      return (value, sink) => void sink.byte(TAG[kind]).text(value as string);
    case 'contractId':
      return (value) => {
        throw contractIdInKey(value as ContractId);
      };
  }
}

/** Big-endian, in as few bytes as hold the sign. */
function twosComplement(value: bigint): Uint8Array {
  let length = 1;
  while (BigInt.asIntN(8 * length, value) !== value) length += 1;
  const digits = BigInt.asUintN(8 * length, value).toString(16);
  return Buffer.from(digits.padStart(2 * length, '0'), 'hex');
}
