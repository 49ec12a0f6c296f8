/**
 * The configuration with which the first super-validator founds a DSO, except Amulet's: DsoRules, the name service and the SV's nodes. All
 * are Ledger API JSON, with the values of SvUtil and SvOnboardingConfig of Splice 0.7.4 and the addresses of a LocalNet.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { Synchronizer } from '../../network/synchronizer.js';

type Json = Readonly<Record<string, unknown>>;

const seconds = (count: number): Json => ({ microseconds: String(count * 1_000_000) });
const hours = (count: number): Json => seconds(count * 3600);
const days = (count: number): Json => hours(count * 24);

/** The address in the container network of a LocalNet. It cannot be reached from outside. */
const SEQUENCER_URL = 'http://canton:5008';
const SCAN_URL = 'http://localhost:5012';

/** Seconds between the ACS commitments of participants. */
const COMMITMENT_INTERVAL = 1800;

export function dsoRulesConfig(synchronizerId: SynchronizerId): Json {
  // NOTE: a LocalNet has no CometBFT. Its real genesis text is a reminder to developers.
  const operational = {
    state: 'DS_Operational',
    cometBftGenesisJson: '',
    acsCommitmentReconciliationInterval: String(COMMITMENT_INTERVAL),
  };
  return {
    numUnclaimedRewardsThreshold: '10',
    numMemberTrafficContractsThreshold: '5',
    actionConfirmationTimeout: hours(1),
    svOnboardingRequestTimeout: hours(1),
    svOnboardingConfirmedTimeout: hours(1),
    voteRequestTimeout: days(7),
    dsoDelegateInactiveTimeout: seconds(70),
    synchronizerNodeConfigLimits: {
      cometBft: {
        maxNumCometBftNodes: '2',
        maxNumGovernanceKeys: '2',
        maxNumSequencingKeys: '2',
        maxNodeIdLength: '50',
        maxPubKeyLength: '256',
      },
    },
    maxTextLength: '1024',
    decentralizedSynchronizer: {
      synchronizers: [[synchronizerId, operational]],
      lastSynchronizerId: synchronizerId,
      activeSynchronizerId: synchronizerId,
    },
    nextScheduledSynchronizerUpgrade: null,
    voteCooldownTime: null,
    nextScheduledLogicalSynchronizerUpgrade: null,
  };
}

export const ANS_RULES_CONFIG: Json = {
  renewalDuration: days(30),
  entryLifetime: days(90),
  entryFee: '1.0',
  descriptionPrefix: 'ANS entry: ',
};

/**
 * The SV's nodes, by the id of the synchronizer.
 * @param now the moment from which its sequencer is available
 */
export function synchronizerNodes(
  { id, sequencerId, mediatorId }: Synchronizer,
  migrationId: number,
  now: Timestamp,
): readonly unknown[] {
  const node = {
    cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] },
    sequencer: {
      migrationId: String(migrationId),
      sequencerId: `SEQ::${sequencerId}`,
      url: SEQUENCER_URL,
      availableAfter: formatTimestampMicros(now),
    },
    mediator: { mediatorId: `MED::${mediatorId}` },
    scan: { publicUrl: SCAN_URL },
    legacySequencerConfig: null,
    sequencerIdentity: null,
    physicalSynchronizers: null,
  };
  return [[id, node]];
}

/** The entry that an SV adds after its start, which maps the synchronizer's serial to its sequencer. */
export function nodeBySerial({ sequencerId, serial }: Synchronizer, now: Timestamp): Json {
  const availableAfter = formatTimestampMicros(now);
  return {
    sequencerIdentity: { sequencerId: `SEQ::${sequencerId}`, availableAfter },
    physicalSynchronizers: [[String(serial), { sequencer: { url: SEQUENCER_URL } }]],
  };
}

/** The initial package versions for a network with these packages, as fields of AmuletConfig. */
export function packageConfig(packages: PackageLookup): Json {
  const named = {
    amulet: 'splice-amulet',
    amuletNameService: 'splice-amulet-name-service',
    dsoGovernance: 'splice-dso-governance',
    validatorLifecycle: 'splice-validator-lifecycle',
    wallet: 'splice-wallet',
    walletPayments: 'splice-wallet-payments',
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([field, name]) => {
      const id = packages.packageIdForName(name);
      return id === undefined ? [] : [[field, packages.package(id)!.version]];
    }),
  );
}
