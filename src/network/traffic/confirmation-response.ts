/** The estimated traffic cost of confirming a transaction (B-TRF-005). */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId } from '../model/ids.js';
import { integer, join, message, string, strings, versioned } from './message-bytes.js';
import { Noise } from './noise.js';

const VERSION = 30;

/**
 * The cost for one view, whose position is still unknown. The signature is outside the counted bytes.
 * @param parties those that confirm
 * @returns bytes
 */
export function responseCost(
  physicalSynchronizerId: string,
  participantId: ParticipantId,
  recordTime: Timestamp,
  parties: readonly Party[],
): number {
  const approval = join(integer(1, 1), message(2));
  const responses = versioned(
    VERSION,
    integer(1, recordTime),
    message(2, new Noise().hash()),
    string(3, physicalSynchronizerId),
    string(4, `PAR::${participantId}`),
    message(5, message(1, approval), strings(2, parties), message(3)),
  );
  return versioned(VERSION, message(2, responses)).length;
}
