/** Daml values in the messages of the Ledger API (`com.daml.ledger.api.v2.Value`). */
import {
  bool,
  bytes,
  int32,
  message,
  nested,
  optional,
  plain,
  repeated,
  sfixed64,
  sint64,
  submessage,
  text,
  type Message,
} from './messages.js';

export interface ProtoIdentifier {
  readonly packageId: string;
  readonly moduleName: string;
  readonly entityName: string;
}

interface ProtoField {
  readonly label: string;
  readonly value?: ProtoValue;
}

interface ProtoTextEntry {
  readonly key: string;
  readonly value?: ProtoValue;
}

interface ProtoEntry {
  readonly key?: ProtoValue;
  readonly value?: ProtoValue;
}

/** Exactly one member is there. */
export interface ProtoValue {
  readonly unit?: Uint8Array;
  readonly bool?: boolean;
  readonly int64?: bigint;
  readonly date?: number;
  readonly timestamp?: bigint;
  readonly numeric?: string;
  readonly party?: string;
  readonly text?: string;
  readonly contractId?: string;
  readonly optional?: { readonly value?: ProtoValue };
  readonly list?: { readonly elements: readonly ProtoValue[] };
  readonly textMap?: { readonly entries: readonly ProtoTextEntry[] };
  readonly genMap?: { readonly entries: readonly ProtoEntry[] };
  readonly record?: { readonly recordId?: ProtoIdentifier; readonly fields: readonly ProtoField[] };
  readonly variant?: {
    readonly variantId?: ProtoIdentifier;
    readonly constructor: string;
    readonly value?: ProtoValue;
  };
  readonly enum?: { readonly enumId?: ProtoIdentifier; readonly constructor: string };
}

export const Identifier = message<ProtoIdentifier>({
  packageId: plain(1, text),
  moduleName: plain(2, text),
  entityName: plain(3, text),
});

const value = nested<ProtoValue>(() => Value);
const identifier = nested(() => Identifier);

const OptionalMessage = message<NonNullable<ProtoValue['optional']>>({ value: optional(1, value) });
const List = message<NonNullable<ProtoValue['list']>>({ elements: repeated(1, value) });
const TextEntry = message<ProtoTextEntry>({ key: plain(1, text), value: optional(2, value) });
const Entry = message<ProtoEntry>({ key: optional(1, value), value: optional(2, value) });
const TextMap = message<NonNullable<ProtoValue['textMap']>>({
  entries: repeated(
    1,
    nested(() => TextEntry),
  ),
});
const GenMap = message<NonNullable<ProtoValue['genMap']>>({
  entries: repeated(
    1,
    nested(() => Entry),
  ),
});
const RecordField = message<ProtoField>({ label: plain(1, text), value: optional(2, value) });
const Record = message<NonNullable<ProtoValue['record']>>({
  recordId: optional(1, identifier),
  fields: repeated(
    2,
    nested(() => RecordField),
  ),
});
const Variant = message<NonNullable<ProtoValue['variant']>>({
  variantId: optional(1, identifier),
  constructor: plain(2, text),
  value: optional(3, value),
});
const Enum = message<NonNullable<ProtoValue['enum']>>({
  enumId: optional(1, identifier),
  constructor: plain(2, text),
});

export const Value: Message<ProtoValue> = message<ProtoValue>(
  {
    unit: optional(1, bytes),
    bool: optional(2, bool),
    int64: optional(3, sint64),
    date: optional(4, int32),
    timestamp: optional(5, sfixed64),
    numeric: optional(6, text),
    party: optional(7, text),
    text: optional(8, text),
    contractId: optional(9, text),
    optional: submessage(10, () => OptionalMessage),
    list: submessage(11, () => List),
    textMap: submessage(12, () => TextMap),
    genMap: submessage(13, () => GenMap),
    record: submessage(14, () => Record),
    variant: submessage(15, () => Variant),
    enum: submessage(16, () => Enum),
  },
  true,
);

export { Record as RecordMessage };
