/** What a participant pays to tell the synchronizer of a party or of packages. */
import { bytes, message, string, versioned } from './message-bytes.js';
import { envelopeCost } from './envelope.js';
import type { SignatureForm } from '../updates.js';
import { Noise } from './noise.js';

/** Versions of the signed transaction, and of the broadcast for protocol versions before 35 and from 35 on. */
const SIGNED = 30;
const [OLD, NEW] = [30, 31];

export interface TopologyBroadcast {
  readonly protocolVersion: number;
  readonly physicalSynchronizerId: string;
  /** All members of the synchronizer are told: participants, sequencers and mediators. */
  readonly members: number;
}

/** @param transaction as it is signed @param signatures of everybody who has to agree */
export function topologyCost(
  { protocolVersion, physicalSynchronizerId, members }: TopologyBroadcast,
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
    protocolVersion < 35 ? OLD : NEW,
    message(6, string(1, physicalSynchronizerId), message(2, message(1, signed))),
  );
  return envelopeCost({ length, recipients: members });
}
