/**
 * What a hash of a prepared transaction is made of, in Canton's encoding: parts one after the other, lists and texts behind their
 * length, values behind a tag of their kind. What each part means is told to a {@link HashTrace}, where there is one.
 */
import { createHash } from 'node:crypto';
import { HASH_PURPOSE } from '../../keys.js';
import { ProtoFault } from '../../../daml/codec/protobuf/reading.js';
import type { HashTrace } from './hash-trace.js';
import type { ProtoIdentifier, ProtoValue } from '../../protobuf/value-messages.js';

/** In the order of their tags. */
const VALUE_KINDS = [
  'unit',
  'bool',
  'int64',
  'numeric',
  'timestamp',
  'date',
  'party',
  'text',
  'contractId',
  'optional',
  'list',
  'textMap',
  'record',
  'variant',
  'enum',
  'genMap',
] as const satisfies readonly (keyof ProtoValue)[];

type ValueKind = (typeof VALUE_KINDS)[number];

export class HashEncoder {
  private readonly parts: Uint8Array[] = [];

  constructor(private readonly trace?: HashTrace) {}

  /** Says what the next parts are; nothing of it is hashed. */
  heading(text: string): this {
    this.trace?.heading(text);
    return this;
  }

  purpose(): this {
    return this.raw(int32Bytes(HASH_PURPOSE.preparedSubmission), 'Hash Purpose');
  }

  byte(value: number, meaning: string): this {
    return this.raw(Uint8Array.of(value), meaning);
  }

  /** A version, which is told in hexadecimal. */
  version(value: number, of: string): this {
    return this.byte(value, `${value.toString(16).padStart(2, '0')} (${of})`);
  }

  bool(value: boolean): this {
    return this.byte(value ? 1 : 0, value ? 'true (bool)' : 'false (bool)');
  }

  int32(value: number): this {
    const part = int32Bytes(value);
    this.parts.push(part);
    this.trace?.part(part, `${value | 0} (int)`);
    return this;
  }

  int64(value: bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigInt64BE(BigInt.asIntN(64, value));
    this.parts.push(part);
    this.trace?.part(part, `${BigInt.asIntN(64, value)} (long)`);
    return this;
  }

  /** Bytes of a length that is always the same. */
  raw(value: Uint8Array, meaning: string): this {
    this.parts.push(value);
    this.trace?.part(value, meaning);
    return this;
  }

  text(value: string, kind = 'string'): this {
    const part = Buffer.from(value, 'utf8');
    this.int32(part.length).parts.push(part);
    this.trace?.part(part, `${value} (${kind})`);
    return this;
  }

  contractId(value: string): this {
    const part = Buffer.from(value, 'hex');
    this.int32(part.length).parts.push(part);
    this.trace?.part(part, `${value} (contractId)`);
    return this;
  }

  repeated<T>(values: readonly T[], write: (value: T) => unknown): this {
    this.int32(values.length);
    for (const value of values) write(value);
    return this;
  }

  texts(values: readonly string[]): this {
    return this.repeated(values, (value) => this.text(value));
  }

  /** Whatever order a message has them in. */
  parties(values: readonly string[]): this {
    return this.texts([...new Set(values)].sort());
  }

  optional<T>(value: T | undefined, write: (value: T) => unknown): this {
    if (value === undefined) return this.byte(0, 'None');
    this.byte(1, 'Some');
    write(value);
    return this;
  }

  identifier(id: ProtoIdentifier | undefined): this {
    if (id === undefined) throw new ProtoFault('Field `template_id` is not set');
    return this.text(id.packageId).texts(id.moduleName.split('.')).texts(id.entityName.split('.'));
  }

  value(value: ProtoValue | undefined): this {
    const tag = VALUE_KINDS.findIndex((each) => value?.[each] !== undefined);
    const kind = VALUE_KINDS[tag];
    if (kind === undefined) throw new ProtoFault('Field `sum` is not set');
    this.byte(tag, `${kind.charAt(0).toUpperCase()}${kind.slice(1)} Type Tag`);
    VALUES[kind](this, value![kind] as never);
    return this;
  }

  sha256(): Uint8Array {
    const hash = createHash('sha256');
    for (const part of this.parts) hash.update(part);
    return hash.digest();
  }
}

function int32Bytes(value: number): Uint8Array {
  const part = Buffer.alloc(4);
  part.writeInt32BE(value | 0);
  return part;
}

const VALUES: {
  readonly [K in ValueKind]: (encoder: HashEncoder, value: NonNullable<ProtoValue[K]>) => unknown;
} = {
  unit: () => undefined,
  bool: (encoder, value) => encoder.bool(value),
  int64: (encoder, value) => encoder.int64(value),
  numeric: (encoder, value) => encoder.text(value, 'numeric'),
  timestamp: (encoder, value) => encoder.int64(value),
  date: (encoder, value) => encoder.int32(value),
  party: (encoder, value) => encoder.text(value),
  text: (encoder, value) => encoder.text(value),
  contractId: (encoder, value) => encoder.contractId(value),
  optional: (encoder, { value }) => encoder.optional(value, (each) => encoder.value(each)),
  list: (encoder, { elements }) => encoder.repeated(elements, (each) => encoder.value(each)),
  textMap: (encoder, { entries }) =>
    encoder.repeated(entries, ({ key, value }) => encoder.text(key).value(value)),
  record: (encoder, { recordId, fields }) =>
    encoder
      .optional(recordId, (id) => encoder.identifier(id))
      .repeated(fields, ({ label, value }) =>
        encoder.optional(label || undefined, (name) => encoder.text(name)).value(value),
      ),
  variant: (encoder, { variantId, constructor, value }) =>
    encoder
      .optional(variantId, (id) => encoder.identifier(id))
      .text(constructor)
      .value(value),
  enum: (encoder, { enumId, constructor }) =>
    encoder.optional(enumId, (id) => encoder.identifier(id)).text(constructor),
  genMap: (encoder, { entries }) =>
    encoder.repeated(entries, ({ key, value }) => encoder.value(key).value(value)),
};
