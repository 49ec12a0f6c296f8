/**
 * Exports active contracts in the format of a participant's repair service, for import by another participant. Each is
 * an `ActiveContract` of the Ledger API, in Canton's versioned message, with its length before it.
 */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import { MICROS_PER_SECOND } from '../../daml/model/time.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { DamlValue, Party } from '../../daml/model/values.js';
import {
  Identifier,
  RecordMessage,
  Value,
  type ProtoIdentifier,
  type ProtoValue,
} from '../protobuf/value-messages.js';
import { encoderOf, toIdentifier } from '../protobuf/values.js';
import {
  Versioned,
  bool,
  bytes,
  int32,
  message,
  plain,
  repeated,
  submessage,
  text,
  uint64,
} from '../protobuf/messages.js';
import type { Activation } from '../updates.js';

/** The version of Canton's message. */
export const EXPORT_VERSION = 30;

interface CreatedEvent {
  readonly offset: bigint;
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId?: ProtoIdentifier;
  readonly contractKey?: ProtoValue;
  readonly createArguments?: NonNullable<ProtoValue['record']>;
  readonly createdEventBlob: Uint8Array;
  readonly witnessParties: readonly Party[];
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
  readonly createdAt?: { readonly seconds: bigint; readonly nanos: number };
  readonly packageName: string;
  readonly acsDelta: boolean;
  readonly representativePackageId: string;
  readonly contractKeyHash: Uint8Array;
}

const Timestamp = message<NonNullable<CreatedEvent['createdAt']>>({
  seconds: plain(1, uint64),
  nanos: plain(2, int32),
});

const CreatedEvent = message<CreatedEvent>({
  offset: plain(1, uint64),
  nodeId: plain(2, int32),
  contractId: plain(3, text),
  templateId: submessage(4, () => Identifier),
  contractKey: submessage(5, () => Value),
  createArguments: submessage(6, () => RecordMessage),
  createdEventBlob: plain(7, bytes),
  witnessParties: repeated(9, text),
  signatories: repeated(10, text),
  observers: repeated(11, text),
  createdAt: submessage(12, () => Timestamp),
  packageName: plain(13, text),
  acsDelta: plain(14, bool),
  representativePackageId: plain(15, text),
  contractKeyHash: plain(16, bytes),
});

/** `com.daml.ledger.api.v2.ActiveContract`. */
export const ActiveContract = message<{
  createdEvent?: CreatedEvent;
  synchronizerId: string;
  reassignmentCounter: bigint;
}>({
  createdEvent: submessage(1, () => CreatedEvent),
  synchronizerId: plain(2, text),
  reassignmentCounter: plain(3, uint64),
});

/** `com.digitalasset.canton.admin.participant.v30.ActiveContract`. */
export const ExportedContract = message<{ activeContract: Uint8Array }>({
  activeContract: plain(1, bytes),
});

/** The exported members of an activation. */
type Exported = Pick<
  Activation,
  'contract' | 'offset' | 'nodeId' | 'synchronizerId' | 'reassignmentCounter'
>;

/**
 * The export, before compression.
 * @param witnesses the parties of the request
 */
export function exportedContracts(
  packages: PackageLookup,
  activations: Iterable<Exported>,
  witnesses: readonly Party[],
): Uint8Array {
  const writer = new BinaryWriter();
  for (const activation of activations) {
    const activeContract = ActiveContract.encode({
      createdEvent: createdEvent(packages, activation, witnesses),
      synchronizerId: activation.synchronizerId,
      reassignmentCounter: BigInt(activation.reassignmentCounter),
    });
    const data = ExportedContract.encode({ activeContract });
    writer.bytes(Versioned.encode({ data, version: EXPORT_VERSION }));
  }
  return writer.finish();
}

function createdEvent(
  packages: PackageLookup,
  { contract, offset, nodeId }: Exported,
  witnesses: readonly Party[],
): CreatedEvent {
  const { signatories, observers, createdAt, key } = contract;
  const template = templateOf(packages, contract.templateId)!;
  const stakeholders = new Set([...signatories, ...observers]);
  const value = (type: typeof template.payloadType, of: DamlValue) =>
    withoutNames(encoderOf(packages, type)(of, (id) => id));
  return {
    offset: BigInt(offset),
    nodeId,
    contractId: contract.contractId,
    templateId: toIdentifier(contract.templateId),
    ...(key && { contractKey: value(template.key!.type, key.value) }),
    createArguments: value(template.payloadType, contract.payload).record!,
    createdEventBlob: createdEventBytes(packages, contract),
    witnessParties: witnesses.filter((party) => stakeholders.has(party)),
    signatories,
    observers,
    createdAt: {
      seconds: createdAt / MICROS_PER_SECOND,
      nanos: Number(createdAt % MICROS_PER_SECOND) * 1000,
    },
    packageName: contract.packageName,
    acsDelta: true,
    representativePackageId: packageIdOf(contract.templateId),
    contractKeyHash: key ? Buffer.from(key.hash, 'hex') : new Uint8Array(),
  };
}

/** The value without the names of types and fields, as a reader without `verbose` gets it. */
function withoutNames(value: ProtoValue): ProtoValue {
  const { record, variant, enum: enumeration, optional: some, list, textMap, genMap } = value;
  const inner = (of: ProtoValue | undefined) => of && withoutNames(of);
  if (record)
    return {
      record: { fields: record.fields.map((each) => ({ label: '', value: inner(each.value) })) },
    };
  if (variant)
    return { variant: { constructor: variant.constructor, value: inner(variant.value) } };
  if (enumeration) return { enum: { constructor: enumeration.constructor } };
  if (some) return { optional: { value: inner(some.value) } };
  if (list) return { list: { elements: list.elements.map(withoutNames) } };
  if (textMap)
    return {
      textMap: {
        entries: textMap.entries.map(({ key, value: of }) => ({ key, value: inner(of) })),
      },
    };
  if (genMap)
    return {
      genMap: {
        entries: genMap.entries.map(({ key, value: of }) => ({
          key: inner(key),
          value: inner(of),
        })),
      },
    };
  return value;
}
