/**
 * Messages with the fields of the carried definitions: a member has the name of its field in camel case. An enumeration is a
 * number. Integers of 64 bits are signed, as on the JVM. The members of a `oneof` are members of the message itself.
 */
import { lazy } from '../../daml/errors/lazy.js';
import { camelCase } from './camel-case.js';
import type { FieldDefinition } from './definitions/definitions.js';
import {
  bool,
  bytes,
  int32,
  int64,
  message,
  nested,
  optional,
  plain,
  repeated,
  sfixed64,
  sint64,
  text,
  uint32,
  type Field,
  type Fields,
  type Kind,
  type Message,
} from './messages.js';
import type * as Releases from './definitions/releases.js';
import type * as Later from './definitions/later.js';
import type { Messages } from './generated/messages.js';

/** Those of the default release: hashes and stored messages do not follow the release of a participant. */
const definitions = lazy(() =>
  (require('./definitions/releases.js') as typeof Releases).definitionsOf(),
);
const later = lazy(() => require('./definitions/later.js') as typeof Later);

const KINDS = {
  string: text,
  bytes,
  bool,
  int32,
  uint32,
  int64,
  uint64: int64,
  sint64,
  sfixed64,
} as unknown as Readonly<Record<string, Kind<unknown>>>;

/** A message that is read, by its full name. */
export type Defined<N extends keyof Messages> = Messages[N];

/** A message that is written: absent members have their default values. Messages in it can be bytes. */
export type Draft<T> = { readonly [K in keyof T]?: DraftMember<T[K]> };
type DraftMember<T> = T extends Uint8Array | string | number | bigint | boolean | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly DraftMember<E>[]
    : Draft<T> | Uint8Array;

const MESSAGES = new Map<string, Message<object>>();

/** @param fullName such as `com.daml.ledger.api.v2.Value` */
export function defined<N extends keyof Messages>(
  fullName: N,
): Message<Messages[N], Draft<Messages[N]>> {
  return messageOf(fullName) as unknown as Message<Messages[N], Draft<Messages[N]>>;
}

function messageOf(fullName: string): Message<object> {
  const known = MESSAGES.get(fullName) ?? message(() => fieldsOf(fullName));
  MESSAGES.set(fullName, known);
  return known;
}

function fieldsOf(fullName: string): Fields<object> {
  return Object.fromEntries(
    allFields(fullName).map((field) => [camelCase(field.name), fieldOf(field)]),
  ) as Fields<object>;
}

const allFields = (fullName: string): readonly FieldDefinition[] => [
  ...(definitions().messageFields(fullName) ?? []),
  ...later().laterFields(fullName),
];

function fieldOf({ number, label, oneof, type }: FieldDefinition): Field<unknown> {
  const kind = kindOf(type);
  if (label === 'repeated') return repeated(number, kind) as Field<unknown>;
  const isPlain = label === '' && oneof === undefined && kind.initial !== undefined;
  return isPlain ? plain(number, kind) : { ...optional(number, kind), oneof };
}

function kindOf(type: string): Kind<unknown> {
  const known = KINDS[type];
  if (known !== undefined) return known;
  const isEnum =
    definitions().messageFields(type) === undefined && !later().LATER_MESSAGES.includes(type);
  return (isEnum ? int32 : nested(() => messageOf(type))) as Kind<unknown>;
}
