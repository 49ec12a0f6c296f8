/**
 * Exports active contracts in the format of a participant's repair service, for import by another participant. Each is
 * an `ActiveContract` of the Ledger API, in Canton's versioned message, with its length before it.
 */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import { MICROS_PER_SECOND } from '../../daml/model/time.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import { toIdentifier } from '../values/messages.js';
import { TERSE } from '../values/writer.js';
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
  return {
    offset: BigInt(offset),
    nodeId,
    contractId: contract.contractId,
    templateId: toIdentifier(contract.templateId),
    ...(key && { contractKey: TERSE.value(packages, template.key!.type, key.value) }),
    createArguments: TERSE.record(packages, template.payloadType, contract.payload),
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
