/**
 * Protobuf messages as data: a message is its fields, and a field has a number and a kind. Fields are written in the
 * order of their numbers, without defaults, as on the JVM. Unknown fields are dropped when read.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { type ProtoReader } from '../../daml/codec/protobuf/proto-reader.js';
import { jvmWords } from '../../daml/codec/protobuf/jvm-words.js';
import { ProtobufError, protoReader } from '../../daml/codec/protobuf/reading.js';
import { recordMaker } from '../../daml/codec/record-maker.js';
import { isBytes, isError } from '../../daml/errors/realms.js';
import { ByteWriter } from './byte-writer.js';

/** Messages inside of messages; values nest a hundred deep at most, with three messages each. */
const MAX_DEPTH = 1000;

/** How values of one protobuf type are written and read, tag aside. */
export interface Kind<T> {
  readonly wire: WireType;
  readonly initial: T;
  readonly isInitial: (value: T) => boolean;
  readonly write: (writer: ByteWriter, value: T) => unknown;
  readonly read: (reader: ProtoReader) => T;
  /** Whether repeated values are packed in one length-delimited field. */
  readonly packed?: boolean;
}

export interface Field<T> {
  readonly number: number;
  readonly initial: () => T;
  readonly write: (writer: ByteWriter, value: T) => void;
  /** A field with another wire type counts as unknown. */
  readonly takes: (wire: WireType) => boolean;
  readonly read: (reader: ProtoReader, wire: WireType, before: T) => T;
  /** The name of the `oneof`, of which only the last member counts. */
  readonly oneof?: string | undefined;
}

/** @typeParam W a message that is written: it can lack members */
export interface Message<T, W = T> {
  readonly encode: (value: W) => Uint8Array;
  /** Whether both are written alike. */
  readonly isSame: (one: W, other: W) => boolean;
  /** Writes the message into an outer message. */
  readonly write: (writer: ByteWriter, value: W) => void;
  /** @throws ProtobufError */
  readonly decode: (bytes: Uint8Array) => T;
  /** Reads the message from this number of bytes; errors of the reader pass through. */
  readonly read: (reader: ProtoReader, length: number) => T;
}

function scalar<T>(
  wire: WireType,
  initial: T,
  write: Kind<T>['write'],
  read: Kind<T>['read'],
): Kind<T> {
  return {
    wire,
    initial,
    isInitial: (value) => value === initial,
    write,
    read,
    packed: wire !== WireType.LengthDelimited,
  };
}

export const text = scalar<string>(
  WireType.LengthDelimited,
  '',
  (w, v) => w.string(v),
  (r) => r.string(),
);
export const bool = scalar<boolean>(
  WireType.Varint,
  false,
  (w, v) => w.bool(v),
  (r) => r.bool(),
);
export const int32 = scalar<number>(
  WireType.Varint,
  0,
  (w, v) => w.int32(v),
  (r) => r.int32(),
);
export const uint32 = scalar<number>(
  WireType.Varint,
  0,
  (w, v) => w.uint32(v),
  (r) => r.uint32(),
);
export const uint64 = scalar<bigint>(
  WireType.Varint,
  0n,
  (w, v) => w.uint64(v),
  (r) => BigInt(r.uint64()),
);
/** Negative numbers take ten bytes. */
export const int64 = scalar<bigint>(
  WireType.Varint,
  0n,
  (w, v) => w.int64(v),
  (r) => BigInt(r.int64()),
);
export const sint64 = scalar<bigint>(
  WireType.Varint,
  0n,
  (w, v) => w.sint64(v),
  (r) => BigInt(r.sint64()),
);
export const sfixed64 = scalar<bigint>(
  WireType.Bit64,
  0n,
  (w, v) => w.sfixed64(v),
  (r) => BigInt(r.sfixed64()),
);
export const bytes: Kind<Uint8Array> = {
  wire: WireType.LengthDelimited,
  initial: new Uint8Array(),
  isInitial: ({ length }) => length === 0,
  write: (writer, value) => writer.bytes(value),
  read: (reader) => Uint8Array.from(reader.bytes()),
};

/** For messages, or their bytes; `of` is called on first use, so that messages can contain themselves. */
export function nested<T>(of: () => Message<T>): Kind<T> {
  let known: Message<T> | undefined;
  const message = (): Message<T> => (known ??= of());
  return {
    wire: WireType.LengthDelimited,
    initial: undefined as T,
    isInitial: (value) => value === undefined,
    write: (writer, value) => {
      if (isBytes(value)) return writer.bytes(value);
      message().write(writer.fork(), value);
      return writer.join();
    },
    read: (reader) => {
      const length = reader.uint32();
      return message().read(reader, length);
    },
  };
}

/** Absent if it has its default value. */
export function plain<T>(number: number, kind: Kind<T>): Field<T> {
  return {
    number,
    initial: () => kind.initial,
    write: (writer, value) => {
      if (value !== undefined && !kind.isInitial(value))
        kind.write(writer.tag(number, kind.wire), value);
    },
    takes: (wire) => wire === kind.wire,
    read: (reader) => kind.read(reader),
  };
}

/** Written whenever it is present, even with its default value. */
export function optional<T>(number: number, kind: Kind<T>): Field<T | undefined> {
  return {
    number,
    initial: () => undefined,
    write: (writer, value) => {
      if (value !== undefined) kind.write(writer.tag(number, kind.wire), value);
    },
    takes: (wire) => wire === kind.wire,
    read: (reader) => kind.read(reader),
  };
}

/** A message, or none. */
export function submessage<T>(number: number, of: () => Message<T>): Field<T | undefined> {
  return optional(number, nested(of));
}

/** The shared value of all empty lists. */
const NOTHING: readonly never[] = [];

export function repeated<T>(number: number, kind: Kind<T>): Field<readonly T[]> {
  return {
    number,
    initial: () => NOTHING,
    write: (writer, values = NOTHING) => {
      if (!kind.packed)
        for (const value of values) kind.write(writer.tag(number, kind.wire), value);
      else if (values.length > 0) {
        writer.tag(number, WireType.LengthDelimited).fork();
        for (const value of values) kind.write(writer, value);
        writer.join();
      }
    },
    takes: (wire) =>
      wire === kind.wire || (kind.packed === true && wire === WireType.LengthDelimited),
    read: (reader, wire, before) => {
      // A new list belongs to the message that is being read.
      const values: T[] = before === NOTHING ? [] : (before as T[]);
      if (!kind.packed || wire !== WireType.LengthDelimited) {
        values.push(kind.read(reader));
        return values;
      }
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) values.push(kind.read(reader));
      return values;
    },
  };
}

/**
 * Whether two messages have the same members, so that they have the same bytes. The reverse is not true, because some
 * members are not written.
 */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (isBytes(one)) return isBytes(other) && Buffer.compare(one, other) === 0;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((each, index) => isAlike(each, other[index]))
    );
  let more = 0;
  for (const name in one) {
    if (!isAlike(one[name as never], other[name as never])) return false;
    more += 1;
  }
  for (const _ in other) more -= 1;
  return more === 0;
}

/** The nesting depth of the message that is being read. */
let depth = 0;

/** The fields of a message by the names of their members. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

interface Member {
  readonly name: string;
  readonly field: Field<unknown>;
  /** Its place in the order. */
  readonly place: number;
  /** The places of the other members of its `oneof`. */
  readonly rivals: readonly number[];
  /** Makes a message with this member alone. */
  readonly alone: (members: readonly unknown[]) => unknown;
}

/** The data that a message computes from its fields. */
interface Plan {
  readonly ordered: readonly Member[];
  readonly byNumber: ReadonlyMap<number, Member>;
  /** Members in their order. */
  readonly initial: readonly unknown[];
  /** Makes a message; undefined if it is one `oneof`. */
  readonly make: ((members: readonly unknown[]) => unknown) | undefined;
}

const maker = recordMaker as unknown as (
  names: readonly string[],
) => (members: readonly unknown[]) => unknown;

function planOf(fields: Readonly<Record<string, Field<unknown>>>): Plan {
  const named = Object.entries(fields).sort(([, a], [, b]) => a.number - b.number);
  const ordered = named.map(([name, field], place) => ({
    name,
    field,
    place,
    rivals: named.flatMap(([, { oneof }], other) =>
      oneof !== undefined && oneof === field.oneof && other !== place ? other : [],
    ),
    alone: maker([name]),
  }));
  const isOneof = ordered.some(({ rivals }) => rivals.length === ordered.length - 1);
  return {
    ordered,
    byNumber: new Map(ordered.map((each) => [each.field.number, each])),
    initial: ordered.map(({ field }) => field.initial()),
    make: isOneof && ordered.length > 1 ? undefined : maker(named.map(([name]) => name)),
  };
}

/** @param fields or what gives them, once the message is first used */
export function message<T extends object>(fields: Fields<T> | (() => Fields<T>)): Message<T> {
  let known: Plan | undefined;
  const plan = (): Plan =>
    (known ??= planOf((typeof fields === 'function' ? fields() : fields) as never));
  const read = (reader: ProtoReader, length: number): T => {
    if (++depth > MAX_DEPTH) throw new ProtobufError(jvmWords('nesting'));
    const { byNumber, initial, make } = plan();
    const end = reader.pos + length;
    if (end > reader.len) throw new ProtobufError(jvmWords('premature EOF'));
    const members = initial.slice();
    /** The last member of a `oneof`. */
    let chosen: Member | undefined;
    while (reader.pos < end) {
      const tag = reader.next();
      const wire: WireType = tag & 7;
      const found = byNumber.get(tag >>> 3);
      if (found?.field.takes(wire) !== true) reader.skip(wire, tag >>> 3);
      else {
        const { place, field, rivals } = found;
        members[place] = field.read(reader, wire, members[place]);
        if (chosen !== undefined) for (const rival of rivals) members[rival] = undefined;
        if (rivals.length > 0) chosen = found;
      }
    }
    if (reader.pos !== end) throw new ProtobufError(jvmWords('premature EOF'));
    depth -= 1;
    if (make !== undefined) return make(members) as T;
    return (chosen === undefined ? {} : chosen.alone([members[chosen.place]])) as T;
  };
  const write = (writer: ByteWriter, value: T): void => {
    for (const { name, field } of plan().ordered) field.write(writer, value[name as keyof T]);
  };
  const encode = (value: T): Uint8Array => ByteWriter.written((writer) => write(writer, value));
  return {
    encode,
    isSame: (one, other) => isAlike(one, other) || Buffer.compare(encode(one), encode(other)) === 0,
    write,
    decode: (input) => {
      depth = 0;
      try {
        const reader = protoReader(input);
        return read(reader, reader.len);
      } catch (error) {
        throw error instanceof ProtobufError
          ? error
          : new ProtobufError(jvmWords(isError(error) ? error.message : String(error)));
      }
    },
    read,
  };
}

/** The message after its length, as in a stream of messages. */
export function delimited(message: Uint8Array): Uint8Array {
  return ByteWriter.written((writer) => writer.bytes(message));
}
