/**
 * The parts of `TopologyManagerReadService` about synchronizers: their mediators and sequencers, and mappings that
 * Canticle never has.
 */
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  encodeAddition,
  type ParametersMessage,
} from '../../../network/topology/topology-messages.js';
import type { QueryMessage } from '../parsing/topology.js';
import { passes } from './items.js';
import { listing, ofSynchronizers } from './listings.js';
import { foundingEntry } from './reads.js';

export interface OfSynchronizer extends QueryMessage {
  readonly filterSynchronizerId: string;
}

/** One mapping of each synchronizer, from its start. */
const states = <T extends { readonly synchronizerId: string }>(
  code: string,
  stateOf: (synchronizer: Synchronizer) => T,
  toMessage: (state: T) => Parameters<typeof encodeAddition>[0],
  itemOf: (state: T) => object = (state) => state,
) => ({
  code,
  known: ofSynchronizers(({ network }, synchronizer) => {
    const mapping = stateOf(synchronizer);
    const encoded = encodeAddition(toMessage(mapping));
    return [{ mapping, entry: foundingEntry(network, synchronizer, encoded) }];
  }),
  owner: ({ synchronizerId }: T) => synchronizerId,
  itemOf: (mapping: T, query: OfSynchronizer) =>
    passes(mapping.synchronizerId, query.filterSynchronizerId) && itemOf(mapping),
});

const mediatorState = states(
  'mds',
  ({ id: synchronizerId, mediatorId }) => {
    return { synchronizerId, group: 0, threshold: 1, active: [mediatorId], observers: [] };
  },
  (mapping) => ({ mediatorSynchronizerState: mapping }),
);

const sequencerState = states(
  'sds',
  ({ id: synchronizerId, sequencerId }) => {
    return { synchronizerId, threshold: 1, active: [sequencerId], observers: [] };
  },
  (mapping) => ({ sequencerSynchronizerState: mapping }),
);

const seconds = (count: number) => ({ seconds: count, nanos: 0 });

/** The parameters of a synchronizer that has not changed since its start. */
const TIMES = {
  confirmationResponseTimeout: seconds(30),
  mediatorReactionTimeout: seconds(30),
  assignmentExclusivityTimeout: seconds(60),
  ledgerTimeRecordTimeTolerance: seconds(60),
  reconciliationInterval: seconds(60),
  mediatorDeduplicationTimeout: seconds(48 * 3600),
  sequencerAggregateSubmissionTimeout: seconds(300),
  preparationTimeRecordTimeTolerance: seconds(24 * 3600),
};
const OTHERS = {
  maxRequestSize: 10 * 1024 * 1024,
  participantSynchronizerLimits: { confirmationRequestsMaxRate: 1_000_000 },
  acsCommitmentsCatchup: { catchupIntervalSkip: 5, nrIntervalsToTriggerCatchup: 2 },
};
const UNRESTRICTED_OPEN = ['ONBOARDING_RESTRICTION_UNRESTRICTED_OPEN', 1] as const;
const PARAMETERS = { ...TIMES, ...OTHERS, onboardingRestriction: UNRESTRICTED_OPEN[0] };

/** The same parameters in the form of the mapping. */
const MAPPED_PARAMETERS: ParametersMessage = {
  ...Object.fromEntries(
    Object.entries(TIMES).map(([name, time]) => [name, { seconds: BigInt(time.seconds) }]),
  ),
  ...OTHERS,
  onboardingRestriction: UNRESTRICTED_OPEN[1],
};

const parametersState = states(
  'dop',
  ({ id: synchronizerId }) => ({ synchronizerId }),
  ({ synchronizerId }) => ({
    synchronizerParametersState: { synchronizerId, synchronizerParameters: MAPPED_PARAMETERS },
  }),
  () => PARAMETERS,
);

/** In the order of Canton's codes. */
export const STATE_LISTINGS = { parametersState, mediatorState, sequencerState };

/** Mappings that cannot exist in Canticle: limits, permissions by operators, and synchronizer upgrades. */
const none = listing({
  code: '',
  known: (): never[] => [],
  owner: () => '',
  itemOf: () => false,
});

export const synchronizerStates = {
  listMediatorSynchronizerState: listing(mediatorState),
  listSequencerSynchronizerState: listing(sequencerState),
  listSynchronizerParametersState: listing(parametersState),
  listSequencingParametersState: none,
  listParticipantSynchronizerPermission: none,
  listPartyHostingLimits: none,
  listLsuAnnouncement: none,
  listLsuSequencerConnectionSuccessor: none,
  // The names of these two in release 3.4.
  listSynchronizerUpgradeAnnouncement: none,
  listSequencerConnectionSuccessor: none,
};
