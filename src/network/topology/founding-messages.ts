/** The messages (protocol v30) of what a synchronizer is founded with: its parameters, and the states that name its nodes. */
import {
  bool,
  bytes,
  int32,
  int64,
  message,
  nested,
  oneOf,
  optional,
  plain,
  repeated,
  submessage,
  text,
  uint32,
  uint64,
} from '../protobuf/messages.js';

interface DurationMessage {
  readonly seconds: bigint;
  readonly nanos: number;
}

export interface DynamicParametersMessage {
  readonly confirmationResponseTimeout: DurationMessage;
  readonly mediatorReactionTimeout: DurationMessage;
  readonly assignmentExclusivityTimeout: DurationMessage;
  readonly ledgerTimeRecordTimeTolerance: DurationMessage;
  readonly reconciliationInterval: DurationMessage;
  readonly mediatorDeduplicationTimeout: DurationMessage;
  readonly maxRequestSize: number;
  readonly onboardingRestriction: number;
  readonly participantLimits: { readonly confirmationRequestsMaxRate: number };
  readonly sequencerAggregateSubmissionTimeout: DurationMessage;
  /** Absent without traffic control. */
  readonly trafficControl?: {
    readonly maxBaseTrafficAmount: bigint;
    readonly maxBaseTrafficAccumulationDuration: DurationMessage;
    /** In units of 1/10000. */
    readonly readVsWriteScalingFactor: number;
    readonly setBalanceRequestSubmissionWindowSize: DurationMessage;
    readonly enforceRateLimiting: boolean;
    readonly freeConfirmationResponses: boolean;
  };
  readonly acsCommitmentsCatchUp: {
    readonly catchUpIntervalSkip: number;
    readonly nrIntervalsToTriggerCatchUp: number;
  };
  readonly preparationTimeRecordTimeTolerance: DurationMessage;
}

interface FoundingMapping {
  readonly parametersState?: {
    readonly synchronizerId: string;
    readonly parameters: DynamicParametersMessage;
  };
  readonly mediatorState?: {
    readonly synchronizerId: string;
    readonly group: number;
    readonly threshold: number;
    readonly active: readonly string[];
  };
  readonly sequencerState?: {
    readonly synchronizerId: string;
    readonly threshold: number;
    readonly active: readonly string[];
  };
}

const Duration = message<DurationMessage>({ seconds: plain(1, int64), nanos: plain(2, int32) });
const duration = (number: number) =>
  plain(
    number,
    nested(() => Duration),
  );

const Limits = message<DynamicParametersMessage['participantLimits']>({
  confirmationRequestsMaxRate: plain(1, uint32),
});
const TrafficControl = message<NonNullable<DynamicParametersMessage['trafficControl']>>({
  maxBaseTrafficAmount: plain(1, uint64),
  maxBaseTrafficAccumulationDuration: duration(3),
  readVsWriteScalingFactor: plain(4, uint32),
  setBalanceRequestSubmissionWindowSize: duration(5),
  enforceRateLimiting: plain(6, bool),
  freeConfirmationResponses: plain(8, bool),
});
const CatchUp = message<DynamicParametersMessage['acsCommitmentsCatchUp']>({
  catchUpIntervalSkip: plain(1, uint32),
  nrIntervalsToTriggerCatchUp: plain(2, uint32),
});
const DynamicParameters = message<DynamicParametersMessage>({
  confirmationResponseTimeout: duration(1),
  mediatorReactionTimeout: duration(2),
  assignmentExclusivityTimeout: duration(3),
  ledgerTimeRecordTimeTolerance: duration(5),
  reconciliationInterval: duration(6),
  mediatorDeduplicationTimeout: duration(7),
  maxRequestSize: plain(8, uint32),
  onboardingRestriction: plain(9, int32),
  participantLimits: plain(
    13,
    nested(() => Limits),
  ),
  sequencerAggregateSubmissionTimeout: duration(15),
  trafficControl: submessage(16, () => TrafficControl),
  acsCommitmentsCatchUp: plain(
    17,
    nested(() => CatchUp),
  ),
  preparationTimeRecordTimeTolerance: duration(18),
});

const ParametersState = message<NonNullable<FoundingMapping['parametersState']>>({
  synchronizerId: plain(1, text),
  parameters: plain(
    2,
    nested(() => DynamicParameters),
  ),
});
const MediatorState = message<NonNullable<FoundingMapping['mediatorState']>>({
  synchronizerId: plain(1, text),
  group: plain(2, uint32),
  threshold: plain(3, uint32),
  active: repeated(4, text),
});
const SequencerState = message<NonNullable<FoundingMapping['sequencerState']>>({
  synchronizerId: plain(1, text),
  threshold: plain(2, uint32),
  active: repeated(3, text),
});
/** The members of `TopologyMapping`. */
export const FoundingMappingMessage = message<FoundingMapping>(
  oneOf({
    parametersState: submessage(11, () => ParametersState),
    mediatorState: submessage(12, () => MediatorState),
    sequencerState: submessage(13, () => SequencerState),
  }),
);

interface Specs {
  readonly algorithms: readonly number[];
  readonly keys: readonly number[];
}
const SpecsMessage = message<Specs>({
  algorithms: repeated(1, int32),
  keys: repeated(2, int32),
});
export const StaticParametersMessage = message<{
  readonly signingSpecs: Specs;
  readonly encryptionSpecs: Specs;
  readonly symmetricKeySchemes: readonly number[];
  readonly hashAlgorithms: readonly number[];
  readonly cryptoKeyFormats: readonly number[];
  readonly signatureFormats: readonly number[];
  readonly protocolVersion: number;
  readonly serial: number;
  readonly enableTransparencyChecks: boolean;
  readonly topologyChangeDelay: DurationMessage;
}>({
  signingSpecs: plain(
    1,
    nested(() => SpecsMessage),
  ),
  encryptionSpecs: plain(
    2,
    nested(() => SpecsMessage),
  ),
  symmetricKeySchemes: repeated(3, int32),
  hashAlgorithms: repeated(4, int32),
  cryptoKeyFormats: repeated(5, int32),
  signatureFormats: repeated(6, int32),
  protocolVersion: plain(7, int32),
  serial: plain(8, int32),
  enableTransparencyChecks: plain(9, bool),
  topologyChangeDelay: duration(10),
});

interface MemberStatus {
  readonly member: string;
  /** Microseconds, as the other times of a snapshot. */
  readonly registeredAt: bigint;
  readonly enabled: boolean;
}
const MemberStatusMessage = message<MemberStatus>({
  member: plain(1, text),
  registeredAt: plain(2, int64),
  enabled: plain(4, bool),
});
const PruningStatus = message<{
  readonly now: bigint;
  readonly earliestEventTimestamp: bigint;
  readonly members: readonly MemberStatus[];
}>({
  now: plain(1, int64),
  earliestEventTimestamp: plain(2, int64),
  members: repeated(
    3,
    nested(() => MemberStatusMessage),
  ),
});
const PreviousTimestamp = message<{ readonly member: string }>({ member: plain(1, text) });
/** The snapshot of a sequencer before the first sequenced event. */
const SequencerSnapshot = message<{
  readonly latestTimestamp: bigint;
  readonly status: Parameters<typeof PruningStatus.encode>[0];
  readonly memberPreviousTimestamps: readonly { readonly member: string }[];
}>({
  latestTimestamp: plain(1, int64),
  status: plain(
    4,
    nested(() => PruningStatus),
  ),
  memberPreviousTimestamps: repeated(
    9,
    nested(() => PreviousTimestamp),
  ),
});

const Timestamp = Duration;
/** `TopologyTransactions.Item`: a transaction as a store keeps it. */
export const StoredTransactionMessage = message<{
  readonly validFrom: DurationMessage;
  readonly transaction: Uint8Array;
  readonly sequenced: DurationMessage;
}>({
  validFrom: plain(
    1,
    nested(() => Timestamp),
  ),
  transaction: plain(3, bytes),
  sequenced: plain(
    4,
    nested(() => Timestamp),
  ),
});
/** Either a stored transaction, or the rest. */
export const OnboardingStateMessage = message<{
  readonly topologyTransaction?: Uint8Array;
  readonly staticParameters?: Uint8Array;
  readonly sequencerSnapshot?: Parameters<typeof SequencerSnapshot.encode>[0];
}>({
  topologyTransaction: optional(1, bytes),
  staticParameters: optional(2, bytes),
  sequencerSnapshot: submessage(3, () => SequencerSnapshot),
});
