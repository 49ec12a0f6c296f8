/** The messages of a prepared transaction (`com.daml.ledger.api.v2.interactive`), as participant and signer exchange them. */
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
  submessage,
  text,
  uint32,
} from '../../protobuf/messages.js';
import {
  Identifier,
  Value,
  type ProtoIdentifier,
  type ProtoValue,
} from '../../protobuf/value-messages.js';

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

/** Exactly one member is there. */
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

const identifier = nested(() => Identifier);
const value = nested(() => Value);

const GlobalKey = message<ProtoGlobalKey>({
  templateId: optional(1, identifier),
  packageName: plain(2, text),
  key: optional(3, value),
  hash: plain(4, bytes),
});
const KeyWithMaintainers = message<ProtoKeyWithMaintainers>({
  key: submessage(1, () => GlobalKey),
  maintainers: repeated(2, text),
});
const keyWithMaintainers = nested(() => KeyWithMaintainers);
const QueryByKey = message<ProtoQueryByKey>({
  lfVersion: plain(1, text),
  packageName: plain(2, text),
  templateId: optional(3, identifier),
  exhaustive: plain(4, bool),
  key: optional(5, keyWithMaintainers),
  result: repeated(6, text),
});

export const Create = message<ProtoCreate>({
  lfVersion: plain(1, text),
  contractId: plain(2, text),
  packageName: plain(3, text),
  templateId: optional(4, identifier),
  argument: optional(5, value),
  signatories: repeated(6, text),
  stakeholders: repeated(7, text),
  key: optional(8, keyWithMaintainers),
});
const Fetch = message<ProtoFetch>({
  lfVersion: plain(1, text),
  contractId: plain(2, text),
  packageName: plain(3, text),
  templateId: optional(4, identifier),
  signatories: repeated(5, text),
  stakeholders: repeated(6, text),
  actingParties: repeated(7, text),
  interfaceId: optional(8, identifier),
  key: optional(9, keyWithMaintainers),
  byKey: plain(10, bool),
});
const Exercise = message<ProtoExercise>({
  lfVersion: plain(1, text),
  contractId: plain(2, text),
  packageName: plain(3, text),
  templateId: optional(4, identifier),
  signatories: repeated(5, text),
  stakeholders: repeated(6, text),
  actingParties: repeated(7, text),
  interfaceId: optional(8, identifier),
  choiceId: plain(9, text),
  chosenValue: optional(10, value),
  consuming: plain(11, bool),
  children: repeated(12, text),
  exerciseResult: optional(13, value),
  choiceObservers: repeated(14, text),
  key: optional(15, keyWithMaintainers),
  byKey: plain(16, bool),
});
const Rollback = message<{ readonly children: readonly string[] }>({ children: repeated(1, text) });
const NodeType = message<ProtoNodeType>(
  {
    create: submessage(1, () => Create),
    fetch: submessage(2, () => Fetch),
    exercise: submessage(3, () => Exercise),
    rollback: submessage(4, () => Rollback),
    queryByKey: submessage(5, () => QueryByKey),
  },
  true,
);
const Node = message<ProtoNode>({
  nodeId: plain(1, text),
  v1: submessage(1000, () => NodeType),
});
const NodeSeed = message<ProtoTransaction['nodeSeeds'][number]>({
  nodeId: plain(1, int32),
  seed: plain(2, bytes),
});
export const PreparedTransactionMessage = message<ProtoTransaction>({
  version: plain(1, text),
  roots: repeated(2, text),
  nodes: repeated(
    3,
    nested(() => Node),
  ),
  nodeSeeds: repeated(
    4,
    nested(() => NodeSeed),
  ),
});
const SubmitterInfo = message<NonNullable<ProtoMetadata['submitterInfo']>>({
  actAs: repeated(1, text),
  commandId: plain(2, text),
});
const InputContract = message<ProtoInputContract>({
  v1: submessage(1, () => Create),
  createdAt: plain(1000, int64),
  eventBlob: plain(1002, bytes),
});
/** Times are unsigned there, and signed numbers of Java here: before 1970 they are large. */
const Metadata = message<ProtoMetadata>({
  submitterInfo: submessage(2, () => SubmitterInfo),
  synchronizerId: plain(3, text),
  mediatorGroup: plain(4, uint32),
  transactionUuid: plain(5, text),
  preparationTime: plain(6, int64),
  inputContracts: repeated(
    7,
    nested(() => InputContract),
  ),
  minLedgerEffectiveTime: optional(9, int64),
  maxLedgerEffectiveTime: optional(10, int64),
  maxRecordTime: optional(11, int64),
});
export const Prepared = message<ProtoPrepared>({
  transaction: submessage(1, () => PreparedTransactionMessage),
  metadata: submessage(2, () => Metadata),
});
