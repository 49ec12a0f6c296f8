/**
 * What the first super-validator founds a DSO with beside Amulet's configuration: that of DsoRules, of the name service and of its own
 * nodes, as Ledger API JSON (SvUtil and SvOnboardingConfig of Splice 0.7.4, with the addresses that a LocalNet gives).
 */
import type { PackageLookup } from '../../daml/model/package.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/ids.js';
import type { Synchronizer } from '../../network/synchronizer.js';

type Json = Readonly<Record<string, unknown>>;

const seconds = (count: number): Json => ({ microseconds: String(count * 1_000_000) });
const hours = (count: number): Json => seconds(count * 3600);
const days = (count: number): Json => hours(count * 24);

/** How participants of a LocalNet's containers reach it; outside of them nobody does. */
const SEQUENCER_URL = 'http://canton:5008';
const SCAN_URL = 'http://localhost:5012';

/** Seconds between the commitments that participants exchange. */
const COMMITMENT_INTERVAL = 1800;

export function dsoRulesConfig(synchronizerId: SynchronizerId): Json {
  // NOTE: the genesis of CometBFT, which a LocalNet has none of, is a reminder to developers there.
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

/** The SV's nodes on the synchronizer, by its id. @param now from when on its sequencer is there */
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

/** What an SV adds there once it is up, for its sequencer to be found by the synchronizer's serial too. */
export function nodeBySerial({ sequencerId, serial }: Synchronizer, now: Timestamp): Json {
  const availableAfter = formatTimestampMicros(now);
  return {
    sequencerIdentity: { sequencerId: `SEQ::${sequencerId}`, availableAfter },
    physicalSynchronizers: [[String(serial), { sequencer: { url: SEQUENCER_URL } }]],
  };
}

/** The versions that a network of these packages begins with, by the fields of AmuletConfig. */
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
