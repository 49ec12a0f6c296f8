/**
 * Encodes the hashed data of a prepared transaction as Canton does: parts in order, lists and texts after their
 * length, values after a tag of their kind. A {@link HashTrace}, if present, receives the meaning of each part.
 */
import { sha256 } from '../../../daml/model/hash.js';
import { HASH_PURPOSE } from '../../model/keys.js';
import { ProtobufError } from '../../../daml/codec/protobuf/reading.js';
import type { HashTrace } from './hash-trace.js';
import type { ProtoIdentifier, ProtoValue } from '../../values/messages.js';

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

const TYPE_TAGS = VALUE_KINDS.map(
  (kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)} Type Tag`,
);

/** Enough bytes for most nodes. */
const USUAL_SIZE = 1024;
/** The most bytes of a UTF-16 code unit. */
const UTF8_BYTES = 3;

export class HashEncoder {
  private bytes = Buffer.allocUnsafe(USUAL_SIZE);
  private length = 0;

  constructor(private readonly trace?: HashTrace) {}

  /** Describes the next parts in the trace; it is not hashed. */
  heading(text: string): this {
    this.trace?.heading(text);
    return this;
  }

  purpose(): this {
    return this.int32Of(HASH_PURPOSE.preparedSubmission, 'Hash Purpose');
  }

  byte(value: number, meaning: string | undefined): this {
    this.reserve(1);
    this.bytes[this.length] = value;
    return this.written(1, meaning);
  }

  /** A version, which the trace shows in hexadecimal. */
  version(value: number, of: string): this {
    return this.byte(value, this.trace && `${value.toString(16).padStart(2, '0')} (${of})`);
  }

  bool(value: boolean): this {
    return this.byte(value ? 1 : 0, value ? 'true (bool)' : 'false (bool)');
  }

  int32(value: number): this {
    return this.int32Of(value, this.trace && `${value | 0} (int)`);
  }

  private int32Of(value: number, meaning: string | undefined): this {
    this.reserve(4);
    this.bytes.writeInt32BE(value | 0, this.length);
    return this.written(4, meaning);
  }

  int64(value: bigint): this {
    const signed = BigInt.asIntN(64, value);
    this.reserve(8);
    this.bytes.writeBigInt64BE(signed, this.length);
    return this.written(8, this.trace && `${signed} (long)`);
  }

  /** Bytes of a fixed length. */
  raw(value: Uint8Array, meaning: string): this {
    this.reserve(value.length);
    this.bytes.set(value, this.length);
    return this.written(value.length, meaning);
  }

  /** Bytes after their number. */
  bytesOf(value: Uint8Array, meaning: string): this {
    return this.int32(value.length).raw(value, meaning);
  }

  text(value: string, kind = 'string'): this {
    return this.sized(value, 'utf8', value.length * UTF8_BYTES, kind);
  }

  contractId(value: string): this {
    return this.sized(value, 'hex', value.length, 'contractId');
  }

  /** Writes the length before the content. */
  private sized(value: string, encoding: 'utf8' | 'hex', most: number, kind: string): this {
    this.reserve(4 + most);
    const size = this.bytes.write(value, this.length + 4, encoding);
    return this.int32(size).written(size, this.trace && `${value} (${kind})`);
  }

  private reserve(size: number): void {
    const wanted = this.length + size;
    if (wanted <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * wanted);
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** @param meaning of the last part; needed only with a trace */
  private written(size: number, meaning: string | undefined): this {
    const end = this.length + size;
    this.trace?.part(this.bytes.subarray(this.length, end), meaning ?? '');
    this.length = end;
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

  /** Sorted, regardless of the order in the message. */
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
    if (id === undefined) throw new ProtobufError('Field `template_id` is not set');
    return this.text(id.packageId).texts(id.moduleName.split('.')).texts(id.entityName.split('.'));
  }

  value(value: ProtoValue | undefined): this {
    const tag = VALUE_KINDS.findIndex((each) => value?.[each] !== undefined);
    const kind = VALUE_KINDS[tag];
    if (kind === undefined) throw new ProtobufError('Field `sum` is not set');
    this.byte(tag, TYPE_TAGS[tag]!);
    VALUES[kind](this, value![kind] as never);
    return this;
  }

  sha256(): Uint8Array {
    return sha256(this.bytes.subarray(0, this.length));
  }
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
