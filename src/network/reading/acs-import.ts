/** Active contracts as a participant's repair service exports them, read: the other half of acs-export.ts. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import { readBlobBytes, type DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { MICROS_PER_SECOND } from '../../daml/model/time.js';
import type { ContractId, SynchronizerId, Timestamp } from '../ids.js';
import { Versioned } from '../protobuf/messages.js';
import { ActiveContract, ExportedContract } from './acs-export.js';

/** One of a file. */
export interface ExportedActiveContract {
  /** Of the message around it. NOTE: a participant reads what is of a later one as if it were of its own. */
  readonly version: number;
  readonly contractId: ContractId;
  readonly synchronizerId: SynchronizerId;
  readonly reassignmentCounter: number;
  /** Where it became active at the participant that exported it, and the node there. */
  readonly offset: number;
  readonly nodeId: number;
  readonly createdAt: Timestamp;
  /** Of its template, with its name. */
  readonly creationPackage: { readonly id: string; readonly name: string };
  /** By which it is typed. */
  readonly packageId: string;
  /** @throws LedgerError PACKAGE_NOT_FOUND; ProtoFault for what is none */
  readonly read: (packages: PackageLookup) => DisclosedBlob;
}

/** Whether it may be such a file, no longer compressed: by the length of its first message, and the field that this begins with. */
export function looksExported(file: Uint8Array): boolean {
  let at = 0;
  while (at < 5 && file[at]! >= 0x80) at += 1;
  return file[at + 1] === DATA_TAG;
}

/** Of the field `data`, which every versioned message begins with. */
const DATA_TAG = 0x0a;

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
  const { data, version } = Versioned.decode(bytes);
  const { activeContract } = ExportedContract.decode(data);
  const { createdEvent, synchronizerId, reassignmentCounter } =
    ActiveContract.decode(activeContract);
  if (createdEvent === undefined)
    throw new ProtoFault('Create node in ActiveContract should not be empty');
  const { contractId, createdEventBlob, representativePackageId, packageName } = createdEvent;
  const { packageId: created = '' } = createdEvent.templateId ?? {};
  const { seconds = 0n, nanos = 0 } = createdEvent.createdAt ?? {};
  return {
    version,
    contractId,
    synchronizerId,
    reassignmentCounter: Number(reassignmentCounter),
    offset: Number(createdEvent.offset),
    nodeId: createdEvent.nodeId,
    createdAt: seconds * MICROS_PER_SECOND + BigInt(Math.trunc(nanos / 1000)),
    creationPackage: { id: created, name: packageName },
    packageId: representativePackageId || created,
    read: (packages) => readBlobBytes(packages, createdEventBlob),
  };
}
