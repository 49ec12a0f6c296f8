/**
 * Decodes protobuf with tables. `decode` is shallow: nested messages stay bytes. So it does not recurse, and unused messages cost nothing.
 * `walk` visits a whole message of any depth with an explicit stack. NOTE: the error texts for invalid bytes, here and in wire-reader.ts,
 * are those of the JVM's protobuf library.
 */
import { parseError, protobufError } from '../dar-refusals.js';
import type { Schema } from './lf-schema.js';
import { Parts, truncated, WireReader, WireType } from './wire-reader.js';

type ScalarKind = 'int32' | 'bool' | 'string' | 'sint64' | 'sfixed64' | 'bytes';

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
  ? Item extends Exclude<ScalarKind, 'bytes'>
    ? readonly Scalar<Item>[]
    : Parts
  : K extends `${infer Item}?`
    ? Scalar<Item> | undefined
    : K extends ScalarKind
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
  /** Index of the field's message; -1 for a scalar. */
  readonly message: number;
  /** Whether it has any number of byte ranges. */
  readonly parts: boolean;
}

interface MessagePlan {
  readonly name: string;
  /** By number. */
  readonly fields: readonly (Field | undefined)[];
  /** A message without fields; copies of it have the same shape. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** The shared empty list. */
const NOTHING: readonly unknown[] = Object.freeze([]);
const NO_PARTS = new Parts(new Uint8Array());

/** Numbers of 64 bits have no zero default: each is a member of a oneof. */
const SCALARS = new Map<string, { wireType: WireType; zero?: unknown }>([
  ['int32', { wireType: WireType.Varint, zero: 0 }],
  ['bool', { wireType: WireType.Varint, zero: false }],
  ['sint64', { wireType: WireType.Varint }],
  ['sfixed64', { wireType: WireType.Bit64 }],
  ['string', { wireType: WireType.LengthDelimited, zero: '' }],
  ['bytes', { wireType: WireType.LengthDelimited, zero: new Uint8Array() }],
]);

export class Messages<S extends Schema> {
  private readonly plans: MessagePlan[];
  private readonly reader = new WireReader();
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
    const fields: (Field | undefined)[] = [];
    const empty: Record<string, unknown> = {};
    for (const [field, [number, kindSpec]] of Object.entries(spec)) {
      const repeated = kindSpec.endsWith('*');
      const optional = kindSpec.endsWith('?');
      const kind = repeated || optional ? kindSpec.slice(0, -1) : kindSpec;
      const scalar = SCALARS.get(kind);
      const parts = repeated && (scalar === undefined || kind === 'bytes');
      fields[number] = {
        name: field,
        kind,
        repeated,
        wireType: scalar?.wireType ?? WireType.LengthDelimited,
        message: scalar === undefined ? this.indexes.get(kind)! : -1,
        parts,
      };
      const none = parts ? NO_PARTS : NOTHING;
      empty[field] = repeated ? none : optional ? undefined : scalar?.zero;
    }
    return { name, fields, empty };
  }

  /**
   * The error for an unknown field. Java reads the whole message before it checks for unknown fields.
   * @param whole the outermost message
   */
  private unknownField(plan: MessagePlan, number: number, whole: MessagePlan, bytes: Uint8Array) {
    const reader = new WireReader();
    reader.open(bytes);
    this.requireReadable(whole, reader, bytes.length);
    const type = `${this.namespace}.${plan.name}`;
    return parseError(`Message of type ${type} contains unknown field numbered ${number}`);
  }

  /** @throws LedgerError if Java cannot read it to its end */
  private requireReadable(plan: MessagePlan, reader: WireReader, end: number): void {
    while (reader.at < end) {
      const tag = reader.tag();
      const inner = plan.fields[tag >>> 3]?.message ?? -1;
      const wireType: WireType = tag & 7;
      if (inner < 0 || wireType !== WireType.LengthDelimited) reader.skip(wireType, tag >>> 3);
      else {
        const innerEnd = reader.varint() + reader.at;
        if (innerEnd > end) throw truncated();
        this.requireReadable(this.plans[inner]!, reader, innerEnd);
      }
    }
    if (reader.at > end) throw truncated();
  }

  /** Decodes one message. An unknown field is an error. Of a oneof, all sent members are set. */
  decode<M extends keyof S & string>(name: M, bytes: Uint8Array): Message<S[M]> {
    const plan = this.plans[this.indexes.get(name)!]!;
    const result = { ...plan.empty };
    const { reader } = this;
    reader.open(bytes);
    while (reader.at < bytes.length) {
      const tag = reader.tag();
      const field = plan.fields[tag >>> 3];
      if (field === undefined || !this.read(field, tag, result, bytes))
        throw this.unknownField(plan, tag >>> 3, plan, bytes);
    }
    return result as Message<S[M]>;
  }

  /**
   * Reads a field's value.
   * @returns whether it has the wire type of the field
   */
  private read(
    field: Field,
    tag: number,
    into: Record<string, unknown>,
    bytes: Uint8Array,
  ): boolean {
    const { reader } = this;
    const wireType: WireType = tag & 7;
    if (wireType !== field.wireType) {
      const packed = field.repeated && field.wireType === WireType.Varint;
      if (!packed || wireType !== WireType.LengthDelimited) return false;
      const end = reader.varint() + reader.at;
      while (reader.at < end) put(into, field.name, readScalar(reader, field.kind));
      return true;
    }
    const { name, kind, repeated } = field;
    if (field.parts) {
      let parts = into[name] as Parts;
      if (parts === NO_PARTS) {
        parts = new Parts(bytes);
        into[name] = parts;
      }
      parts.addRun(reader, tag);
    } else if (field.message >= 0) into[name] = joined(into[name], reader.bytesValue());
    else if (repeated) put(into, name, readScalar(reader, kind));
    else into[name] = readScalar(reader, kind);
    return true;
  }

  /**
   * Visits every field of `bytes`, including those of nested messages. `visit` gets each varint of the messages named `watched`.
   * @throws LedgerError for unknown fields, or messages that nest deeper than `maxNesting`
   */
  walk<M extends keyof S & string>(
    name: M,
    bytes: Uint8Array,
    maxNesting: number,
    watched: keyof S & string,
    visit: (field: number, value: number) => void,
  ): void {
    const watchedPlan = this.plans[this.indexes.get(watched)!];
    const reader = new WireReader();
    reader.open(bytes);
    const ends: number[] = [];
    const outer: MessagePlan[] = [];
    const whole = this.plans[this.indexes.get(name)!]!;
    let plan = whole;
    let end = bytes.length;
    for (;;) {
      if (reader.at >= end) {
        if (reader.at > end) throw truncated();
        if (ends.length === 0) return;
        end = ends.pop()!;
        plan = outer.pop()!;
        continue;
      }
      const tag = reader.varint();
      const wireType: WireType = tag & 7;
      const field = plan.fields[tag >>> 3];
      if (field === undefined) throw this.unknownField(plan, tag >>> 3, whole, bytes);
      if (wireType === WireType.LengthDelimited && field.message >= 0) {
        const inner = reader.varint() + reader.at;
        if (inner > end) throw truncated();
        ends.push(end);
        outer.push(plan);
        if (ends.length > maxNesting) throw protobufError(TOO_DEEP);
        plan = this.plans[field.message]!;
        end = inner;
      } else if (wireType === WireType.Varint && plan === watchedPlan) {
        visit(tag >>> 3, reader.varint());
      } else {
        const fits =
          wireType === field.wireType || (field.repeated && wireType === WireType.LengthDelimited);
        if (!fits) throw this.unknownField(plan, tag >>> 3, whole, bytes);
        reader.skip(wireType);
      }
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

/** Merges a message that was sent twice, by concatenating the bytes. */
function joined(before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  const [first, second] = [before as Uint8Array, value as Uint8Array];
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function readScalar(reader: WireReader, kind: string): unknown {
  switch (kind) {
    case 'int32':
      return reader.varint() | 0;
    case 'bool':
      return reader.bool();
    case 'sint64':
      return reader.sint64();
    case 'sfixed64':
      return reader.sfixed64();
    case 'string':
      return reader.string();
    default:
      return reader.bytesValue();
  }
}
