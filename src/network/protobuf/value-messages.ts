/** Daml values in the messages of the Ledger API (`com.daml.ledger.api.v2.Value`). */
import { defined } from './defined.js';

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

/** Exactly one member is present. */
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

const V2 = 'com.daml.ledger.api.v2';

export const Identifier = defined<ProtoIdentifier>(`${V2}.Identifier`);
export const Value = defined<ProtoValue>(`${V2}.Value`);
export const RecordMessage = defined<NonNullable<ProtoValue['record']>>(`${V2}.Record`);
