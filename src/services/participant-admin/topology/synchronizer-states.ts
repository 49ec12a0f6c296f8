/** What `TopologyManagerReadService` tells of synchronizers themselves: their mediators and sequencers, and what there is none of here. */
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { QueryMessage } from '../parsing/topology.js';
import { passes } from './items.js';
import { foundingEntry, listing, ofSynchronizers } from './reads.js';

export interface OfSynchronizer extends QueryMessage {
  readonly filterSynchronizerId: string;
}

type Founding = 'MediatorSynchronizerState' | 'SequencerSynchronizerState';

/**
 * One mapping of each synchronizer, which it was founded with.
 * NOTE: the model does not have its bytes: its hash is one of what it says.
 */
const states = (
  kind: Founding,
  told: (synchronizer: Synchronizer) => { readonly synchronizerId: string },
) =>
  listing({
    known: ofSynchronizers((_, synchronizer) => {
      const mapping = told(synchronizer);
      const encoded = Buffer.from(JSON.stringify(mapping));
      return [{ mapping, entry: foundingEntry(synchronizer, { [kind]: encoded }) }];
    }),
    told: (mapping: { readonly synchronizerId: string }, query: OfSynchronizer) =>
      passes(mapping.synchronizerId, query.filterSynchronizerId) && mapping,
  });

const listMediatorSynchronizerState = states(
  'MediatorSynchronizerState',
  ({ id: synchronizerId, mediatorId }) => {
    return { synchronizerId, group: 0, threshold: 1, active: [mediatorId], observers: [] };
  },
);

const listSequencerSynchronizerState = states(
  'SequencerSynchronizerState',
  ({ id: synchronizerId, sequencerId }) => {
    return { synchronizerId, threshold: 1, active: [sequencerId], observers: [] };
  },
);

/** Limits, permissions by operators and upgrades of synchronizers: nobody can make any here. */
const none = listing({ known: () => [], told: (_: never, _query: QueryMessage) => false });

export const synchronizerStates = {
  listMediatorSynchronizerState,
  listSequencerSynchronizerState,
  listParticipantSynchronizerPermission: none,
  listPartyHostingLimits: none,
  listLsuAnnouncement: none,
  listLsuSequencerConnectionSuccessor: none,
};
