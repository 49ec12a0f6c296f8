/**
 * Reads the contracts of a live participant from their blobs: active contracts, and contracts in flight between two
 * synchronizers.
 */
import { readBlob } from '../../daml/contract/created-event-blob.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { parseTimestamp } from '../../daml/model/time.js';
import type { PlantedContract } from '../../network/worlds/plant.js';
import type { PlantedHalf } from '../../network/worlds/plant-halves.js';
import type {
  JsActiveContract,
  JsAssignedEvent,
  JsIncompleteUnassigned,
} from '../../spec/generated/ledger.js';
import { plantedContract } from '../worlds/planted.js';
import { ForkFailed } from './fork-failed.js';

/** @throws ForkFailed for a blob that is missing, cannot be read, or is another contract's */
export function contractOf(
  packages: PackageLookup,
  { createdEvent, synchronizerId, reassignmentCounter }: JsActiveContract,
): PlantedContract {
  const { contractId, offset, nodeId, createdEventBlob } = createdEvent;
  if (!createdEventBlob) throw new ForkFailed(`contract ${contractId} came without its blob.`);
  return plantedContract(
    { contractId, offset, nodeId, synchronizerId, reassignmentCounter },
    () => readBlob(packages, createdEventBlob),
    (why) => new ForkFailed(`${why}.`),
  );
}

/** @throws ForkFailed as {@link contractOf} */
export function unassignedOf(
  packages: PackageLookup,
  { createdEvent, unassignedEvent: unassigned }: JsIncompleteUnassigned,
): PlantedHalf {
  const { source, target, reassignmentId, submitter = '', reassignmentCounter } = unassigned;
  const { offset, nodeId, assignmentExclusivity = '' } = unassigned;
  const created = contractOf(packages, {
    createdEvent,
    synchronizerId: source,
    reassignmentCounter,
  });
  return {
    kind: 'unassigned',
    contract: created.contract,
    activated: { offset: created.offset, nodeId: created.nodeId },
    ...{ offset, nodeId, source, target, reassignmentId, submitter, reassignmentCounter },
    assignmentExclusivity: parseTimestamp(assignmentExclusivity) ?? 0n,
  };
}

/** @throws ForkFailed as {@link contractOf} */
export function assignedOf(packages: PackageLookup, event: JsAssignedEvent): PlantedHalf {
  const { createdEvent, source, target, reassignmentId, submitter = '' } = event;
  const { reassignmentCounter } = event;
  const at = contractOf(packages, { createdEvent, synchronizerId: target, reassignmentCounter });
  const { contract, offset, nodeId } = at;
  return {
    kind: 'assigned',
    contract,
    activated: { offset, nodeId },
    ...{ offset, nodeId, source, target, reassignmentId, submitter, reassignmentCounter },
    assignmentExclusivity: 0n,
  };
}
