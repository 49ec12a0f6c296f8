/** What `TopologyManagerReadService` tells of synchronizers themselves: their mediators and sequencers, and what there is none of here. */
import type { Synchronizer } from '../../network/synchronizer.js';
import { passes } from './topology-items.js';
import {
  contextOf,
  storeOf,
  storesOf,
  type AdminContext,
  type Query,
  type Results,
} from './topology-reads.js';
import { namespaceOf } from '../../network/ids.js';

export interface OfSynchronizer extends Query {
  readonly filterSynchronizerId: string;
}

/** Of each store of a synchronizer, which has one such mapping: the word of who owns the synchronizer. */
function states(
  context: AdminContext,
  query: OfSynchronizer,
  told: (synchronizer: Synchronizer) => object,
): Results {
  const results = storesOf(context, query)
    .synchronizers.filter(({ id }) => passes(id, query.filterSynchronizerId))
    .map((each) => ({
      context: contextOf(context, storeOf(each), [namespaceOf(each.id)]),
      item: told(each),
    }));
  return { results };
}

function listMediatorSynchronizerState(context: AdminContext, query: OfSynchronizer): Results {
  return states(context, query, ({ id: synchronizerId, mediatorId }) => {
    return { synchronizerId, group: 0, threshold: 1, active: [mediatorId], observers: [] };
  });
}

function listSequencerSynchronizerState(context: AdminContext, query: OfSynchronizer): Results {
  return states(context, query, ({ id: synchronizerId, sequencerId }) => {
    return { synchronizerId, threshold: 1, active: [sequencerId], observers: [] };
  });
}

/** Limits, permissions by operators and upgrades of synchronizers: nobody can make any here. */
function none(context: AdminContext, query: Query): Results {
  storesOf(context, query);
  return { results: [] };
}

export const synchronizerStates = {
  listMediatorSynchronizerState,
  listSequencerSynchronizerState,
  listParticipantSynchronizerPermission: none,
  listPartyHostingLimits: none,
  listLsuAnnouncement: none,
  listLsuSequencerConnectionSuccessor: none,
};
