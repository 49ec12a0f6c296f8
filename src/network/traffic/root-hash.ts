/** The envelope of a confirmation request that sends the root hash to all recipients. */
import type { Timestamp } from '../../daml/model/values.js';
import { integer, message, string, versioned, type Part } from './message-bytes.js';
import type { Noise } from './noise.js';

/** The field number in an envelope's content. */
const ROOT_HASH_MESSAGE = 5;

export interface RootHash {
  /** The version of the message. */
  readonly version: number;
  readonly physicalSynchronizerId: string;
  /** The number of transactions, unassignments or assignments. */
  readonly viewType: number;
  readonly recordTime: Timestamp;
}

export function rootHash(noise: Noise, fields: RootHash): Part {
  const { version, physicalSynchronizerId, viewType, recordTime } = fields;
  return versioned(
    version,
    message(
      ROOT_HASH_MESSAGE,
      message(1, noise.hash()),
      string(2, physicalSynchronizerId),
      integer(3, viewType),
      integer(4, recordTime),
    ),
  );
}
