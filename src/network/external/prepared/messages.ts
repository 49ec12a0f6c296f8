/** The messages of a prepared transaction (`com.daml.ledger.api.v2.interactive`), as participant and signer exchange them. */
import { defined } from '../../protobuf/defined.js';
import type { ProtoIdentifier, ProtoValue } from '../../protobuf/value-messages.js';

interface NodeHeader {
  /** Version of the serialization, not of the language: `2.1` for nodes without keys, `2` for others. */
  readonly lfVersion: string;
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId?: ProtoIdentifier;
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
  readonly key?: ProtoKeyWithMaintainers;
}

export interface ProtoKeyWithMaintainers {
  readonly key?: ProtoGlobalKey;
  readonly maintainers: readonly string[];
}

export interface ProtoGlobalKey {
  readonly templateId?: ProtoIdentifier;
  readonly packageName: string;
  readonly key?: ProtoValue;
  readonly hash: Uint8Array;
}

export interface ProtoQueryByKey {
  readonly lfVersion: string;
  readonly packageName: string;
  readonly templateId?: ProtoIdentifier;
  readonly exhaustive: boolean;
  readonly key?: ProtoKeyWithMaintainers;
  readonly result: readonly string[];
}

export interface ProtoCreate extends NodeHeader {
  readonly argument?: ProtoValue;
}

export interface ProtoFetch extends NodeHeader {
  readonly actingParties: readonly string[];
  readonly interfaceId?: ProtoIdentifier;
  readonly byKey: boolean;
}

export interface ProtoExercise extends NodeHeader {
  readonly actingParties: readonly string[];
  readonly interfaceId?: ProtoIdentifier;
  readonly choiceId: string;
  readonly chosenValue?: ProtoValue;
  readonly consuming: boolean;
  readonly children: readonly string[];
  readonly exerciseResult?: ProtoValue;
  readonly choiceObservers: readonly string[];
  readonly byKey: boolean;
}

/** Exactly one member is present. */
export interface ProtoNodeType {
  readonly create?: ProtoCreate;
  readonly fetch?: ProtoFetch;
  readonly exercise?: ProtoExercise;
  readonly rollback?: { readonly children: readonly string[] };
  readonly queryByKey?: ProtoQueryByKey;
}

export interface ProtoNode {
  readonly nodeId: string;
  readonly v1?: ProtoNodeType;
}

export interface ProtoTransaction {
  readonly version: string;
  readonly roots: readonly string[];
  readonly nodes: readonly ProtoNode[];
  readonly nodeSeeds: readonly { readonly nodeId: number; readonly seed: Uint8Array }[];
}

export interface ProtoInputContract {
  readonly v1?: ProtoCreate;
  readonly createdAt: bigint;
  readonly eventBlob: Uint8Array;
}

export interface ProtoMetadata {
  readonly submitterInfo?: { readonly actAs: readonly string[]; readonly commandId: string };
  readonly synchronizerId: string;
  readonly mediatorGroup: number;
  readonly transactionUuid: string;
  readonly preparationTime: bigint;
  readonly inputContracts: readonly ProtoInputContract[];
  readonly minLedgerEffectiveTime?: bigint;
  readonly maxLedgerEffectiveTime?: bigint;
  readonly maxRecordTime?: bigint;
}

export interface ProtoPrepared {
  readonly transaction?: ProtoTransaction;
  readonly metadata?: ProtoMetadata;
}

const INTERACTIVE = 'com.daml.ledger.api.v2.interactive';

export const Create = defined<ProtoCreate>(`${INTERACTIVE}.transaction.v1.Create`);
export const PreparedTransactionMessage = defined<ProtoTransaction>(
  `${INTERACTIVE}.DamlTransaction`,
);
export const Prepared = defined<ProtoPrepared>(`${INTERACTIVE}.PreparedTransaction`);
