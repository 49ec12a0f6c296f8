/** The traffic cost of a topology transaction. */
import { bytes, message, string, versioned } from './message-bytes.js';
import { envelopeCost } from './envelope.js';
import type { SignatureForm } from '../model/updates.js';
import { Noise } from './noise.js';

/** Versions of the signed transaction, and of the broadcast before and from protocol version 35. */
const SIGNED = 30;
const [OLD, NEW] = [30, 31];

export interface TopologyBroadcast {
  readonly groupsViews: boolean;
  readonly physicalSynchronizerId: string;
  /** The number of members that receive it: participants, sequencers and mediators of the synchronizer. */
  readonly members: number;
}

/**
 * @param transaction the signed transaction
 * @param signatures of all keys that must authorize it
 */
export function topologyCost(
  { groupsViews, physicalSynchronizerId, members }: TopologyBroadcast,
  transaction: Uint8Array,
  signatures: readonly SignatureForm[],
): number {
  const noise = new Noise();
  const signed = versioned(
    SIGNED,
    bytes(1, transaction),
    ...signatures.map((form) => message(2, noise.signature(form))),
  );
  const { length } = versioned(
    groupsViews ? NEW : OLD,
    message(6, string(1, physicalSynchronizerId), message(2, message(1, signed))),
  );
  return envelopeCost({ length, recipients: members });
}
