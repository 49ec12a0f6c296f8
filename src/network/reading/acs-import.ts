/** Reads active contracts in the format of a participant's repair service; see acs-export.ts for the export. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { readBlobBytes, type DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { MICROS_PER_SECOND } from '../../daml/model/time.js';
import type { ContractId, SynchronizerId, Timestamp } from '../model/ids.js';
import { Versioned } from '../protobuf/versioned.js';
import { ActiveContract, ExportedContract } from './acs-export.js';

/** A contract of a file. */
export interface ExportedActiveContract {
  /**
   * The version of the surrounding message.
   * NOTE: a participant reads later versions as its own.
   */
  readonly version: number;
  readonly contractId: ContractId;
  readonly synchronizerId: SynchronizerId;
  readonly reassignmentCounter: number;
  /** The offset of its activation on the exporting participant, and the node there. */
  readonly offset: number;
  readonly nodeId: number;
  readonly createdAt: Timestamp;
  /** The package of its template, with its name. */
  readonly creationPackage: { readonly id: string; readonly name: string };
  /** The package of its types. */
  readonly packageId: string;
  /** @throws LedgerError PACKAGE_NOT_FOUND; ProtobufError for invalid bytes */
  readonly read: (packages: PackageLookup) => DisclosedBlob;
}

/**
 * Whether the decompressed file can be such an export, by the length of its first message and the first field in it. An export of no
 * contracts is empty.
 */
export function looksExported(file: Uint8Array): boolean {
  if (file.length === 0) return true;
  let at = 0;
  while (at < 5 && file[at]! >= 0x80) at += 1;
  return file[at + 1] === DATA_TAG;
}

/** The tag of the field `data`, the first of every versioned message. */
const DATA_TAG = 0x0a;

/**
 * @param file decompressed
 * @throws ProtobufError for a file of another format
 */
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
    throw new ProtobufError((error as Error).message);
  }
}

const NOTHING = new Uint8Array();

function exportedContract(bytes: Uint8Array): ExportedActiveContract {
  const { data = NOTHING, version } = Versioned.decode(bytes);
  const { activeContract } = ExportedContract.decode(data);
  const { createdEvent, synchronizerId, reassignmentCounter } =
    ActiveContract.decode(activeContract);
  if (createdEvent === undefined)
    throw new ProtobufError('Create node in ActiveContract should not be empty');
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
