/**
 * The trust certificates of participants in a synchronizer's store. A certificate that is removed ends the membership of its
 * participant (B-EXT-043).
 * NOTE: feature flags are stored, but have no effect.
 */
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { AdminContext } from '../admin-context.js';
import type { StorePart } from './synchronizer-store.js';

/** @param log stores the transactions */
export function certificatePart(
  { network }: AdminContext,
  { id: synchronizerId }: Synchronizer,
  log: StorePart,
): StorePart {
  return {
    ...log,
    apply: (accepted, force) => {
      log.apply(accepted, force);
      const { mapping, replaces } = accepted.transaction;
      if (accepted.isProposal || replaces || mapping.kind !== 'SynchronizerTrustCertificate')
        return;
      const participant = network.participants.find(({ id }) => id === mapping.participantId);
      if (participant === undefined) return;
      const { id: participantId } = participant;
      participant.connections.leave(synchronizerId);
      const event = { kind: 'revoked', party: participantId, participantId } as const;
      network.commit({ kind: 'topology', synchronizerId, workflowId: '', events: [event] });
    },
  };
}
