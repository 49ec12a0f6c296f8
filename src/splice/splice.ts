/**
 * The Splice part of a network: the DSO party, and the state of Splice's nodes outside the ledger. All of the state is in the network's
 * journal, so that snapshots include it.
 */
import type { ScanJson } from '../daml/codec/json/scan.js';
import type { PackageLookup } from '../daml/model/package.js';
import type { Party, Timestamp } from '../daml/model/values.js';
import { uniqueId } from '../network/model/ids.js';
import { JournaledCell } from '../network/journal/journal.js';
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import { DEFAULT_INSTANCE_NAMES, type InstanceNames } from './instance-names.js';
import { DEFAULT_APP_RELEASE, type AppRelease } from './app-release.js';
import { Automation } from './automation/automation.js';
import type { Dso } from './dso/dso.js';
import { AcsSnapshots } from './scan/acs-snapshots.js';
import { Backfilling } from './scan/backfilling.js';
import { AppActivity } from './scan/app-activity.js';
import { RewardRounds } from './rewards/reward-rounds.js';
import { RoundConfigs } from './scan/round-configs.js';
import { ScanEvents } from './scan/scan-events.js';
import { scanJsonWith, type LaterFields } from './scan/scan-json.js';
import { ScanHistory } from './scan/scan-history.js';
import { ScanViewpoint, type ScanView } from './scan/scan-view.js';
import { meterTraffic } from './dso/traffic.js';
import { reserveOf, type TrafficOptions } from './validators/traffic.js';
import { openValidators, type Validator, type ValidatorSetup } from './validators/validator.js';
import { TransferCommands } from './scan/transfer-commands.js';
import { Votes } from './scan/votes.js';
import type { RewardSharing } from './reward-sharing.js';
import type { WalletConfiguration } from './wallet-configuration.js';
import { WalletLogs } from './wallet-log/wallet-logs.js';

export interface SpliceOptions {
  /**
   * A hosted party. By default, `DSO` is allocated at the founder of the first synchronizer and in its namespace. If no participant founded
   * it, the first participant hosts the party.
   */
  readonly dsoParty?: Party;
  /** `everything` by default. */
  readonly scanSees?: ScanView;
  /** Admin of the registry's instruments; the DSO party by default. */
  readonly registryAdmin?: Party;
  /** The validators of wallets, at most one per participant. By default, the participant's admin party is its validator. */
  readonly validators?: readonly ValidatorSetup[];
  /** The record time from which Scan shows external transaction hashes; 2030 by default (S-UPD-038). */
  readonly externalHashesSince?: Timestamp;
  readonly instanceNames?: Partial<InstanceNames>;
  /** Enables metering and purchases of traffic. Without it, sequencing is free. By default, validators buy as on a LocalNet. */
  readonly traffic?: TrafficOptions | undefined;
  /** Whether clients may force an ACS snapshot; true by default, as on Splice's test networks. */
  readonly forcedAcsSnapshots?: boolean;
  /** Creates the DSO's party on first use, and calls these functions before and after hosting it. */
  readonly late?: LateBeginning | undefined;
  /** The first round of the network that this one continues; by default, the first one that was opened. */
  readonly initialRound?: string | undefined;
  /** The release of a participant's validator; for all the default one, by default. @param participant its name */
  readonly releaseAt?: (participant: string) => AppRelease;
  /** The fields of records that the release of Scan has in addition to those of the first one. */
  readonly laterFields?: LaterFields | undefined;
  /** The nodes of a saved network, instead of `dsoParty`, `registryAdmin` and `validators`. */
  readonly saved?: SavedSplice;
}

export interface LateBeginning {
  readonly before: () => void;
  readonly after: () => void;
}

/** Data of the nodes in a saved network, in addition to the network's state. */
export interface SavedSplice {
  readonly dsoParty: Party;
  readonly registryAdmin: Party;
  readonly startedAt: Timestamp;
  /** One per participant, in their order. */
  readonly validators: readonly Omit<Validator, 'participant'>[];
  /** Whether the DSO's party is created on first use. */
  readonly isLate?: true;
  /** The first round of the network that this one continues, as its Scan reported it. */
  readonly initialRound?: string | undefined;
}

/** With complete governance, with AmuletRules alone, or as the simplified Amulet. */
export type Founding = 'governed' | 'rules' | 'model';

const DEFAULT_EXTERNAL_HASHES_SINCE: Timestamp = 1_893_456_000_000_000n; // 2030-01-01T00:00:00Z

const NOBODY: ReadonlyMap<Party, RewardSharing> = new Map();

export class Splice implements Dso {
  readonly dsoParty: Party;
  readonly scanSees: ScanView;
  readonly registryAdmin: Party;
  /** One per participant, in their order. */
  readonly validators: readonly Validator[];
  readonly externalHashesSince: Timestamp;
  readonly instanceNames: InstanceNames;
  readonly forcedAcsSnapshots: boolean;
  readonly trafficOptions: TrafficOptions | undefined;
  readonly rewards: RewardRounds;
  readonly activity: AppActivity;
  readonly viewpoint: ScanViewpoint;
  readonly history: ScanHistory;
  readonly events: ScanEvents;
  readonly acsSnapshots: AcsSnapshots;
  readonly backfilling: Backfilling;
  readonly votes: Votes;
  readonly transferCommands: TransferCommands;
  readonly roundConfigs: RoundConfigs;
  /** The automation of the DSO and the validators. */
  readonly automation: Automation;
  readonly walletLogs: WalletLogs;
  /** How Amulet was founded; undefined before that. */
  readonly founding: JournaledCell<Founding | undefined>;
  readonly packages: PackageLookup;
  /** The validators' configuration for wallets, set once when the network is set up. */
  readonly walletConfiguration: JournaledCell<WalletConfiguration | undefined>;
  /** The start time of the nodes. */
  readonly startedAt: Timestamp;
  /** The release of a participant's validator. */
  readonly releaseAt: (participant: string) => AppRelease;
  /** Encodes values as the release of Scan does. */
  readonly scanJson: ScanJson;
  private readonly late: LateBeginning | undefined;
  private readonly initialRound: string | undefined;

  constructor(
    readonly network: Network,
    options: SpliceOptions = {},
  ) {
    const { participants, journal } = network;
    const { saved } = options;
    this.startedAt = saved?.startedAt ?? network.clock.now();
    this.late = options.late;
    this.scanJson = scanJsonWith(options.laterFields);
    this.releaseAt = options.releaseAt ?? (() => DEFAULT_APP_RELEASE);
    this.dsoParty =
      saved?.dsoParty ??
      options.dsoParty ??
      (options.late === undefined ? allocateDso(network) : dsoOf(network));
    this.scanSees = options.scanSees ?? 'everything';
    this.registryAdmin = saved?.registryAdmin ?? options.registryAdmin ?? this.dsoParty;
    this.trafficOptions = options.traffic;
    this.validators =
      saved?.validators.map((each, place) => ({ ...each, participant: participants[place]! })) ??
      openValidators(network, options.validators, reserveOf(options.traffic));
    const operators = [
      this.dsoParty,
      this.registryAdmin,
      ...this.validators.map(({ party }) => party),
    ];
    for (const { trafficAccounts } of participants) trafficAccounts?.exempt(operators);
    this.founding = new JournaledCell<Founding | undefined>(journal, 'founding', undefined);
    this.walletConfiguration = new JournaledCell<WalletConfiguration | undefined>(
      journal,
      'wallet-configuration',
      undefined,
    );
    this.externalHashesSince = options.externalHashesSince ?? DEFAULT_EXTERNAL_HASHES_SINCE;
    this.instanceNames = { ...DEFAULT_INSTANCE_NAMES, ...options.instanceNames };
    this.forcedAcsSnapshots = options.forcedAcsSnapshots ?? true;
    this.rewards = new RewardRounds(network.journal, () => {
      this.automation.undo();
      this.automation.carryOut();
    });
    this.viewpoint = new ScanViewpoint(network, this.dsoParty, this.scanSees);
    this.history = new ScanHistory(this.viewpoint);
    this.activity = new AppActivity(this.viewpoint);
    this.events = new ScanEvents(this.viewpoint, this.history);
    this.acsSnapshots = new AcsSnapshots(this.viewpoint, this.history.imports);
    this.backfilling = new Backfilling(this.viewpoint, this.history);
    this.votes = new Votes(this.viewpoint);
    this.transferCommands = new TransferCommands(this.viewpoint);
    this.initialRound = saved?.initialRound ?? options.initialRound;
    this.roundConfigs = new RoundConfigs(this.viewpoint, this.initialRound);
    this.automation = new Automation(network);
    this.walletLogs = new WalletLogs(network);
    this.packages = network.packages;
    if (options.traffic !== undefined) meterTraffic(this);
  }

  /** Creates the DSO's party, unless it exists. */
  begin(): void {
    const { network, late, dsoParty } = this;
    if (
      late === undefined ||
      network.topology.hosts(dsoParty, network.synchronizers[0]!.id).size > 0
    )
      return;
    late.before();
    allocateDso(network);
    late.after();
  }

  /** In a Scan that lags behind: the last offset of the DSO's participant that it has. */
  get knownUpTo(): number | undefined {
    return this.viewpoint.offset;
  }

  /** The sharing of traffic rewards, by party. */
  get rewardSharing(): ReadonlyMap<Party, RewardSharing> {
    return this.walletConfiguration.value?.sharing ?? NOBODY;
  }

  /** The data for a saved network. */
  get saved(): SavedSplice {
    const { dsoParty, registryAdmin, startedAt } = this;
    const validators = this.validators.map(({ participant: _, ...rest }) => rest);
    const late = this.late && ({ isLate: true } as const);
    const { initialRound } = this;
    return {
      dsoParty,
      registryAdmin,
      startedAt,
      validators,
      ...late,
      ...(initialRound && { initialRound }),
    };
  }

  /** The validator of the first participant. */
  get validator(): Validator {
    return this.validators[0]!;
  }

  validatorAt(participant: Participant): Validator {
    return this.validators.find((each) => each.participant === participant)!;
  }
}

function dsoOf({ participants, synchronizers }: Network): Party {
  const { foundedBy, namespace } = synchronizers[0]!;
  return uniqueId('DSO', foundedBy === undefined ? participants[0]!.namespace : namespace);
}

function allocateDso(network: Network): Party {
  const { foundedBy } = network.synchronizers[0]!;
  if (foundedBy === undefined) return network.participants[0]!.allocateParty('DSO');
  const { parties, connected } = network.participant(foundedBy);
  const party = dsoOf(network);
  parties.host(party, connected);
  return party;
}
