/**
 * The parts of `TopologyManagerReadService` about synchronizers: their mediators and sequencers, and mappings that
 * Canticle never has.
 */
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  FoundingMappingMessage,
  type DynamicParametersMessage,
} from '../../../network/topology/founding-messages.js';
import { ADD_REPLACE, encodeGiven } from '../../../network/topology/topology-messages.js';
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
  encode: (state: T) => Parameters<typeof FoundingMappingMessage.encode>[0],
  itemOf: (state: T) => object = (state) => state,
) => ({
  code,
  known: ofSynchronizers(({ network }, synchronizer) => {
    const mapping = stateOf(synchronizer);
    const encoded = encodeGiven(ADD_REPLACE, 1, FoundingMappingMessage.encode(encode(mapping)));
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
  (mapping) => ({ mediatorState: mapping }),
);

const sequencerState = states(
  'sds',
  ({ id: synchronizerId, sequencerId }) => {
    return { synchronizerId, threshold: 1, active: [sequencerId], observers: [] };
  },
  (mapping) => ({ sequencerState: mapping }),
);

const seconds = (count: number) => ({ seconds: count, nanos: 0 });

/** The parameters of a synchronizer that has not changed since its start. */
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

const moment = ({ seconds: count }: { readonly seconds: number }) => ({
  seconds: BigInt(count),
  nanos: 0,
});

const UNRESTRICTED_OPEN = 1;
const { participantSynchronizerLimits, acsCommitmentsCatchup: catchUp } = PARAMETERS;

/** The same, as the mapping has them. */
const MAPPED_PARAMETERS: DynamicParametersMessage = {
  confirmationResponseTimeout: moment(PARAMETERS.confirmationResponseTimeout),
  mediatorReactionTimeout: moment(PARAMETERS.mediatorReactionTimeout),
  assignmentExclusivityTimeout: moment(PARAMETERS.assignmentExclusivityTimeout),
  ledgerTimeRecordTimeTolerance: moment(PARAMETERS.ledgerTimeRecordTimeTolerance),
  reconciliationInterval: moment(PARAMETERS.reconciliationInterval),
  mediatorDeduplicationTimeout: moment(PARAMETERS.mediatorDeduplicationTimeout),
  maxRequestSize: PARAMETERS.maxRequestSize,
  onboardingRestriction: UNRESTRICTED_OPEN,
  participantLimits: participantSynchronizerLimits,
  sequencerAggregateSubmissionTimeout: moment(PARAMETERS.sequencerAggregateSubmissionTimeout),
  acsCommitmentsCatchUp: {
    catchUpIntervalSkip: catchUp.catchupIntervalSkip,
    nrIntervalsToTriggerCatchUp: catchUp.nrIntervalsToTriggerCatchup,
  },
  preparationTimeRecordTimeTolerance: moment(PARAMETERS.preparationTimeRecordTimeTolerance),
};

const parametersState = states(
  'dop',
  ({ id: synchronizerId }) => ({ synchronizerId }),
  ({ synchronizerId }) => ({
    parametersState: { synchronizerId, parameters: MAPPED_PARAMETERS },
  }),
  () => PARAMETERS,
);

/** In the order of Canton's codes. */
export const STATE_LISTINGS = { parametersState, mediatorState, sequencerState };

/** Limits, operators' permissions and synchronizer upgrades: Canticle has no way to create any. */
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
};
