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
import type { ProtoValue } from '../protobuf/value-messages.js';
import { encoderOf, toIdentifier } from '../protobuf/values.js';
import { defined, type Defined, type Draft } from '../protobuf/defined.js';
import { encodeVersioned, V30 } from '../protobuf/versioned.js';
import type { Activation } from '../model/updates.js';

/** The version of Canton's message. */
export const EXPORT_VERSION = V30;

export const ActiveContract = defined('com.daml.ledger.api.v2.ActiveContract');
export const ExportedContract = defined(
  'com.digitalasset.canton.admin.participant.v30.ActiveContract',
);
type CreatedEvent = Draft<Defined<'com.daml.ledger.api.v2.CreatedEvent'>>;

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
    writer.bytes(encodeVersioned(data));
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
