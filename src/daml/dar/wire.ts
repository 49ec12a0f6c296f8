/**
 * Protobuf from tables. `decode` is shallow: a message inside a message stays bytes, so nothing recurses and what
 * nobody asks for costs nothing. `walk` visits a whole message with a stack of its own, to any depth.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { parseError, protobufError } from './dar-refusals.js';
import type { Schema } from './lf-schema.js';

type Scalar<K> = K extends 'int32'
  ? number
  : K extends 'bool'
    ? boolean
    : K extends 'string'
      ? string
      : K extends 'sint64' | 'sfixed64'
        ? bigint
        : Uint8Array;

type Value<K> = K extends `${infer Item}*`
  ? readonly Scalar<Item>[]
  : K extends `${infer Item}?`
    ? Scalar<Item> | undefined
    : K extends 'int32' | 'bool' | 'string' | 'sint64' | 'sfixed64' | 'bytes'
      ? Scalar<K>
      : Uint8Array | undefined;

export type Message<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends readonly [number, infer Kind]
    ? Value<Kind>
    : never;
};

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly repeated: boolean;
  readonly wireType: WireType;
  /** Index of the message that the field holds; -1 for a scalar. */
  readonly message: number;
}

interface MessagePlan {
  readonly name: string;
  readonly fields: ReadonlyMap<number, Field>;
  /** A message without fields; copies of it share its shape. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** Every list that nothing was put into. */
const NOTHING: readonly unknown[] = Object.freeze([]);

const SCALARS = new Map<string, { wireType: WireType; zero: unknown }>([
  ['int32', { wireType: WireType.Varint, zero: 0 }],
  ['bool', { wireType: WireType.Varint, zero: false }],
  ['sint64', { wireType: WireType.Varint, zero: 0n }],
  ['sfixed64', { wireType: WireType.Bit64, zero: 0n }],
  ['string', { wireType: WireType.LengthDelimited, zero: '' }],
  ['bytes', { wireType: WireType.LengthDelimited, zero: new Uint8Array() }],
]);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw protobufError('Protocol message had invalid UTF-8.');
  }
}

const TRUNCATED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
  'that the input has been truncated or that an embedded message misreported its own length.';

/** What the reader found wrong, in the words of the Java one. */
function malformed(error: unknown): Error {
  if (!(error instanceof Error) || error.name === 'LedgerError') return error as Error;
  if (error instanceof RangeError) return protobufError(TRUNCATED);
  if (error.message.startsWith('invalid varint')) {
    return protobufError('CodedInputStream encountered a malformed varint.');
  }
  return protobufError('Protocol message contained an invalid tag (zero).');
}

export class Messages<S extends Schema> {
  private readonly plans: MessagePlan[];
  private readonly indexes: ReadonlyMap<string, number>;

  /** `namespace` is the protobuf package, for error texts. */
  constructor(
    private readonly namespace: string,
    schema: S,
  ) {
    const names = Object.keys(schema);
    this.indexes = new Map(names.map((name, index) => [name, index]));
    this.plans = names.map((name) => this.plan(name, schema[name]!));
  }

  private plan(name: string, spec: Schema[string]): MessagePlan {
    const fields = new Map<number, Field>();
    const empty: Record<string, unknown> = {};
    for (const [field, [number, kindSpec]] of Object.entries(spec)) {
      const repeated = kindSpec.endsWith('*');
      const optional = kindSpec.endsWith('?');
      const kind = repeated || optional ? kindSpec.slice(0, -1) : kindSpec;
      const scalar = SCALARS.get(kind);
      fields.set(number, {
        name: field,
        kind,
        repeated,
        wireType: scalar?.wireType ?? WireType.LengthDelimited,
        message: scalar === undefined ? this.indexes.get(kind)! : -1,
      });
      empty[field] = repeated ? NOTHING : optional ? undefined : scalar?.zero;
    }
    return { name, fields, empty };
  }

  private unknownField(plan: MessagePlan, number: number): Error {
    const type = `${this.namespace}.${plan.name}`;
    return parseError(`Message of type ${type} contains unknown field numbered ${number}`);
  }

  /** One message; a field that the table does not know is refused. Of a oneof, every member that was sent is set. */
  decode<M extends keyof S & string>(name: M, bytes: Uint8Array): Message<S[M]> {
    const plan = this.plans[this.indexes.get(name)!]!;
    const result = { ...plan.empty };
    const reader = new BinaryReader(bytes, decodeText);
    try {
      while (reader.pos < reader.len) {
        const [number, wireType] = reader.tag();
        const field = plan.fields.get(number);
        if (field === undefined) throw this.unknownField(plan, number);
        if (!this.read(reader, field, wireType, result)) throw this.unknownField(plan, number);
      }
    } catch (error) {
      throw malformed(error);
    }
    return result as Message<S[M]>;
  }

  private read(
    reader: BinaryReader,
    field: Field,
    wireType: WireType,
    into: Record<string, unknown>,
  ): boolean {
    const packed = field.repeated && field.wireType === WireType.Varint;
    if (packed && wireType === WireType.LengthDelimited) {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) put(into, field.name, readScalar(reader, field.kind));
      return true;
    }
    if (wireType !== field.wireType) return false;
    const value = field.message < 0 ? readScalar(reader, field.kind) : reader.bytes();
    if (field.repeated) put(into, field.name, value);
    else into[field.name] = field.message < 0 ? value : joined(into[field.name], value);
    return true;
  }

  /**
   * Visits every field of `bytes`, messages inside messages too; refuses unknown fields and messages that nest deeper
   * than `maxNesting`. `visit` sees each varint of the messages named `watched`.
   */
  walk<M extends keyof S & string>(
    name: M,
    bytes: Uint8Array,
    maxNesting: number,
    watched: keyof S & string,
    visit: (field: number, value: number) => void,
  ): void {
    const watchedPlan = this.plans[this.indexes.get(watched)!];
    const reader = new BinaryReader(bytes);
    const stack: { plan: MessagePlan; end: number }[] = [];
    let current = { plan: this.plans[this.indexes.get(name)!]!, end: bytes.length };
    try {
      for (;;) {
        if (reader.pos >= current.end) {
          if (reader.pos > current.end) throw protobufError(TRUNCATED);
          const outer = stack.pop();
          if (outer === undefined) return;
          current = outer;
          continue;
        }
        const tag = reader.uint32();
        const field = current.plan.fields.get(tag >>> 3);
        const wireType = tag & 7;
        if (field === undefined) throw this.unknownField(current.plan, tag >>> 3);
        if (wireType === WireType.LengthDelimited && field.message >= 0) {
          const end = reader.uint32() + reader.pos;
          if (end > current.end) throw protobufError(TRUNCATED);
          stack.push(current);
          if (stack.length > maxNesting) throw protobufError(TOO_DEEP);
          current = { plan: this.plans[field.message]!, end };
        } else if (wireType === WireType.Varint && current.plan === watchedPlan) {
          visit(tag >>> 3, reader.int32());
        } else {
          const fits =
            wireType === field.wireType ||
            (field.repeated && wireType === WireType.LengthDelimited);
          if (!fits) throw this.unknownField(current.plan, tag >>> 3);
          reader.skip(wireType);
        }
      }
    } catch (error) {
      throw malformed(error);
    }
  }
}

function put(into: Record<string, unknown>, name: string, item: unknown): void {
  const list = into[name];
  if (list === NOTHING) into[name] = [item];
  else (list as unknown[]).push(item);
}

const TOO_DEEP =
  'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the ' +
  'recursion depth limit.';

/** A message that is sent twice is merged: for bytes on the wire, one after the other. */
function joined(before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  const [first, second] = [before as Uint8Array, value as Uint8Array];
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function readScalar(reader: BinaryReader, kind: string): unknown {
  switch (kind) {
    case 'int32':
      return reader.int32();
    case 'bool':
      return reader.bool();
    case 'sint64':
      return BigInt(reader.sint64());
    case 'sfixed64':
      return BigInt(reader.sfixed64());
    case 'string':
      return reader.string();
    default:
      return reader.bytes();
  }
}
