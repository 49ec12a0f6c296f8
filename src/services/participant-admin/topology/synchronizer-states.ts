/** What `TopologyManagerReadService` tells of synchronizers themselves: their mediators and sequencers, and what there is none of here. */
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { QueryMessage } from '../parsing/topology.js';
import { passes } from './items.js';
import { foundingEntry, listing, ofSynchronizers } from './reads.js';

export interface OfSynchronizer extends QueryMessage {
  readonly filterSynchronizerId: string;
}

type Founding =
  | 'MediatorSynchronizerState'
  | 'SequencerSynchronizerState'
  | 'SynchronizerParametersState';

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

const seconds = (count: number) => ({ seconds: count, nanos: 0 });

/** Of a synchronizer that nobody changed since it was founded. */
const PARAMETERS = {
  confirmationResponseTimeout: seconds(30),
  mediatorReactionTimeout: seconds(30),
  assignmentExclusivityTimeout: seconds(60),
  ledgerTimeRecordTimeTolerance: seconds(60),
  reconciliationInterval: seconds(60),
  mediatorDeduplicationTimeout: seconds(48 * 3600),
  maxRequestSize: 10 * 1024 * 1024,
  onboardingRestriction: 'ONBOARDING_RESTRICTION_UNRESTRICTED_OPEN',
  participantSynchronizerLimits: { confirmationRequestsMaxRate: 1_000_000 },
  sequencerAggregateSubmissionTimeout: seconds(300),
  acsCommitmentsCatchup: { catchupIntervalSkip: 5, nrIntervalsToTriggerCatchup: 2 },
  preparationTimeRecordTimeTolerance: seconds(24 * 3600),
};

const listSynchronizerParametersState = listing({
  known: ofSynchronizers((_, synchronizer) => {
    const encoded = Buffer.from(JSON.stringify(PARAMETERS));
    const entry = foundingEntry(synchronizer, { SynchronizerParametersState: encoded });
    return [{ mapping: synchronizer.id, entry }];
  }),
  told: (id: string, query: OfSynchronizer) => passes(id, query.filterSynchronizerId) && PARAMETERS,
});

/** Limits, permissions by operators and upgrades of synchronizers: nobody can make any here. */
const none = listing({ known: (): never[] => [], told: () => false });

export const synchronizerStates = {
  listMediatorSynchronizerState,
  listSequencerSynchronizerState,
  listSynchronizerParametersState,
  listSequencingParametersState: none,
  listParticipantSynchronizerPermission: none,
  listPartyHostingLimits: none,
  listLsuAnnouncement: none,
  listLsuSequencerConnectionSuccessor: none,
};
