/** Active contracts as a participant's repair service exports them, read: the other half of acs-export.ts. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import { readBlobBytes, type DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { ContractId, SynchronizerId } from '../ids.js';
import { Versioned } from '../protobuf/messages.js';
import { ActiveContract, ExportedContract } from './acs-export.js';

/** One of a file. */
export interface ExportedActiveContract {
  readonly contractId: ContractId;
  readonly synchronizerId: SynchronizerId;
  readonly reassignmentCounter: number;
  /** By which it is typed. */
  readonly packageId: string;
  /** @throws LedgerError PACKAGE_NOT_FOUND; ProtoFault for what is none */
  readonly read: (packages: PackageLookup) => DisclosedBlob;
}

/** @param file no longer compressed. @throws ProtoFault for what is no such file */
export function exportedIn(file: Uint8Array): ExportedActiveContract[] {
  const found: ExportedActiveContract[] = [];
  const reader = new BinaryReader(file);
  while (reader.pos < reader.len) found.push(exportedContract(nextOf(reader)));
  return found;
}

function nextOf(reader: BinaryReader): Uint8Array {
  try {
    return reader.bytes();
  } catch (error) {
    throw new ProtoFault((error as Error).message);
  }
}

function exportedContract(bytes: Uint8Array): ExportedActiveContract {
  const { activeContract } = ExportedContract.decode(Versioned.decode(bytes).data);
  const { createdEvent, synchronizerId, reassignmentCounter } =
    ActiveContract.decode(activeContract);
  if (createdEvent === undefined)
    throw new ProtoFault('Create node in ActiveContract should not be empty');
  const { contractId, createdEventBlob, templateId, representativePackageId } = createdEvent;
  return {
    contractId,
    synchronizerId,
    reassignmentCounter: Number(reassignmentCounter),
    packageId: representativePackageId || (templateId?.packageId ?? ''),
    read: (packages) => readBlobBytes(packages, createdEventBlob),
  };
}
