/**
 * The onboarding state of a sequencer in the DSO's synchronizer: parameters, a snapshot, and the topology at the time of its onboarding. It
 * is `OnboardingStateForSequencerV2` as length-delimited messages.
 */
import { INITIAL_RATE } from '../dso/amulet-config.js';
import type { Network } from '../../network/network.js';
import { abbreviatedId, memberError } from '../../network/model/ids.js';
import { delimited } from '../../network/protobuf/messages.js';
import { defined } from '../../network/protobuf/defined.js';
import { encodeVersioned } from '../../network/protobuf/versioned.js';
import { foundingTransactions } from '../../network/topology/founding-transactions.js';
import type { ParametersMessage } from '../../network/topology/topology-messages.js';
import { AppRefusal } from '../app-refusal.js';

const CANTON = 'com.digitalasset.canton';
const OnboardingState = defined(`${CANTON}.sequencer.admin.v30.OnboardingStateForSequencerV2`);
const StaticParameters = defined(`${CANTON}.protocol.v30.StaticSynchronizerParameters`);
const StoredTransaction = defined(`${CANTON}.topology.admin.v30.TopologyTransactions.Item`);

const MICROS = 1_000_000n;
const seconds = (count: number) => ({ seconds: BigInt(count), nanos: 0 });
const minutes = (count: number) => seconds(60 * count);
const hours = (count: number) => minutes(60 * count);

/** One microsecond after Canton's earliest timestamp, from which the initial topology of a synchronizer is valid. */
const BEGINNING = { seconds: -62_135_596_800n, nanos: 1000 };
const BEGINNING_MICROS = BEGINNING.seconds * MICROS + 1n;

/**
 * The onboarding state of the founder's sequencer, which is the only one: the initial state of the synchronizer.
 * NOTE: it has no state of the sequencer's driver.
 * @param sequencerId `SEQ::…`
 * @returns undefined for a sequencer that is not in the synchronizer's state, or if the synchronizer is elsewhere
 * @throws AppRefusal 400 for an invalid id
 */
export function sequencerOnboardingState(
  network: Network,
  sequencerId: string,
): Uint8Array | undefined {
  const error = memberError(sequencerId);
  if (error !== undefined)
    throw new AppRefusal(400, `Unable to convert field \`sequencer\`: ${error}`);
  if (!sequencerId.startsWith('SEQ::'))
    throw new AppRefusal(400, `Value ${abbreviatedId(sequencerId)} is not of type \`SequencerId\``);
  const synchronizer = network.synchronizers[0]!;
  const { foundedBy, protocol } = synchronizer;
  if (sequencerId !== `SEQ::${synchronizer.sequencerId}` || foundedBy === undefined)
    return undefined;
  const staticParameters = encodeVersioned(
    StaticParameters.encode({ ...STATIC_PARAMETERS, protocolVersion: protocol.version }),
  );
  const members = [sequencerId, `MED::${synchronizer.mediatorId}`].sort();
  const latestTimestamp = network.startTime;
  const sequencerSnapshot = {
    latestTimestamp,
    status: {
      now: latestTimestamp,
      earliestEventTimestamp: BEGINNING_MICROS,
      members: members.map((member) => ({
        member,
        registeredAt: BEGINNING_MICROS,
        enabled: true,
      })),
    },
    memberPreviousTimestamps: members.map((member) => ({ member })),
  };
  const founder = network.participant(foundedBy);
  const topology = foundingTransactions(
    network.random,
    synchronizer,
    founder,
    DYNAMIC_PARAMETERS,
  ).map((transaction) =>
    encodeVersioned(
      StoredTransaction.encode({ validFrom: BEGINNING, sequenced: BEGINNING, transaction }),
    ),
  );
  return Buffer.concat(
    [
      { staticSynchronizerParameters: staticParameters, sequencerSnapshot },
      ...topology.map((topologyTransaction) => ({ topologyTransaction })),
    ].map((part) => delimited(encodeVersioned(OnboardingState.encode(part)))),
  );
}

/** All that Canton's crypto provider supports, by the enum numbers of its messages. */
const STATIC_PARAMETERS = {
  requiredSigningSpecs: { algorithms: [1, 2, 3], keys: [1, 2, 3, 4] },
  requiredEncryptionSpecs: { algorithms: [1, 2], keys: [1, 2] },
  requiredSymmetricKeySchemes: [1],
  requiredHashAlgorithms: [1],
  requiredCryptoKeyFormats: [3, 4, 5],
  requiredSignatureFormats: [2, 3],
  topologyChangeDelay: { nanos: 250_000_000 },
};

/** Canton's defaults, except for the values that a founding SV sets. */
const DYNAMIC_PARAMETERS: ParametersMessage = {
  confirmationResponseTimeout: seconds(30),
  mediatorReactionTimeout: seconds(30),
  assignmentExclusivityTimeout: minutes(1),
  ledgerTimeRecordTimeTolerance: minutes(1),
  reconciliationInterval: minutes(30),
  mediatorDeduplicationTimeout: hours(48),
  maxRequestSize: 10 * 1024 * 1024,
  // Unrestricted.
  onboardingRestriction: 1,
  participantSynchronizerLimits: { confirmationRequestsMaxRate: 1_000_000 },
  sequencerAggregateSubmissionTimeout: minutes(6),
  trafficControl: {
    maxBaseTrafficAmount: BigInt(INITIAL_RATE.burstAmount),
    maxBaseTrafficAccumulationDuration: minutes(INITIAL_RATE.burstMinutes),
    readVsWriteScalingFactor: INITIAL_RATE.readVsWrite,
    setBalanceRequestSubmissionWindowSize: minutes(2),
    enforceRateLimiting: true,
    freeConfirmationResponses: true,
  },
  acsCommitmentsCatchup: { catchupIntervalSkip: 24, nrIntervalsToTriggerCatchup: 2 },
  preparationTimeRecordTimeTolerance: hours(24),
};
