/**
 * The DSO's part of the world: its party, and what the nodes that speak for it know beside the ledger. All of its state
 * lives in the network's journal, so snapshots hold it too.
 */
import type { PackageLookup } from '../daml/model/package.js';
import type { Party, Timestamp } from '../daml/model/values.js';
import { uniqueId } from '../network/ids.js';
import { JournaledCell } from '../network/journal/journal.js';
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import { DEFAULT_INSTANCE_NAMES, type InstanceNames } from './instance-names.js';
import { Automation } from './automation/automation.js';
import type { Dso } from './dso/dso.js';
import { AcsSnapshots } from './scan/acs-snapshots.js';
import { Backfilling } from './scan/backfilling.js';
import { RewardRounds } from './rewards/reward-rounds.js';
import { RoundConfigs } from './scan/round-configs.js';
import { ScanEvents } from './scan/scan-events.js';
import { ScanHistory } from './scan/scan-history.js';
import { ScanViewpoint, type ScanView } from './scan/scan-view.js';
import { meterTraffic } from './dso/traffic.js';
import { reserveOf, type TrafficOptions } from './validators/traffic.js';
import { openValidators, type Validator, type ValidatorOptions } from './validators/validator.js';
import { TransferCommands } from './scan/transfer-commands.js';
import { Votes } from './scan/votes.js';
import type { RewardSharing } from './reward-sharing.js';
import type { WalletConfiguration } from './wallet-configuration.js';
import { WalletLogs } from './wallet-log/wallet-logs.js';

export interface SpliceOptions {
  /** A hosted party; `DSO` is allocated by default, at whoever founded the first synchronizer and in its namespace, or at the first participant. */
  readonly dsoParty?: Party;
  /** `everything` by default. */
  readonly scanSees?: ScanView;
  /** Admin of the instruments that the registry speaks for; the DSO party by default. */
  readonly registryAdmin?: Party;
  /** The validators that wallets ask, one for each participant at most; by default the participant's own party is its validator. */
  readonly validators?: readonly ValidatorOptions[];
  /** From which record time on Scan tells external transaction hashes; 2030 by default (S-UPD-038). */
  readonly externalHashesSince?: Timestamp;
  readonly instanceNames?: Partial<InstanceNames>;
  /** Has traffic metered, and bought; by default what is sequenced costs nothing, and validators buy as a LocalNet's do. */
  readonly traffic?: TrafficOptions | undefined;
  /** Whether a client may have a snapshot of the active contracts taken; true by default, as on Splice's own test networks. */
  readonly forcedAcsSnapshots?: boolean;
  /** Has nothing of the DSO's be there until it is first needed: what is done then, around the hosting of its party. */
  readonly late?: LateBeginning | undefined;
  /** Of a network that was saved: what its nodes were, in place of `dsoParty`, `registryAdmin` and `validators`. */
  readonly saved?: SavedSplice;
}

export interface LateBeginning {
  readonly before: () => void;
  readonly after: () => void;
}

/** What a file says of the nodes beside the state of the network. */
export interface SavedSplice {
  readonly dsoParty: Party;
  readonly registryAdmin: Party;
  readonly startedAt: Timestamp;
  /** One at each participant, in their order. */
  readonly validators: readonly Omit<Validator, 'participant'>[];
  /** Whether what is the DSO's is there only once it is needed. */
  readonly isLate?: true;
}

/** With whole governance, with the rules alone, or by the small model. */
export type Founding = 'governed' | 'rules' | 'model';

const DEFAULT_EXTERNAL_HASHES_SINCE: Timestamp = 1_893_456_000_000_000n; // 2030-01-01T00:00:00Z

const NOBODY: ReadonlyMap<Party, RewardSharing> = new Map();

export class Splice implements Dso {
  readonly dsoParty: Party;
  readonly scanSees: ScanView;
  readonly registryAdmin: Party;
  /** One at each participant, in their order. */
  readonly validators: readonly Validator[];
  readonly externalHashesSince: Timestamp;
  readonly instanceNames: InstanceNames;
  readonly forcedAcsSnapshots: boolean;
  readonly trafficOptions: TrafficOptions | undefined;
  readonly rewards: RewardRounds;
  readonly viewpoint: ScanViewpoint;
  readonly history: ScanHistory;
  readonly events: ScanEvents;
  readonly acsSnapshots: AcsSnapshots;
  readonly backfilling: Backfilling;
  readonly votes: Votes;
  readonly transferCommands: TransferCommands;
  readonly roundConfigs: RoundConfigs;
  /** What the DSO and the validators do by themselves. */
  readonly automation: Automation;
  readonly walletLogs: WalletLogs;
  /** How its Amulet was founded, where it was. */
  readonly founding: JournaledCell<Founding | undefined>;
  readonly packages: PackageLookup;
  /** What its validators are configured to do for wallets; said once, when the network is set up. */
  readonly walletConfiguration: JournaledCell<WalletConfiguration | undefined>;
  /** When its nodes were started. */
  readonly startedAt: Timestamp;
  private readonly late: LateBeginning | undefined;

  constructor(
    readonly network: Network,
    options: SpliceOptions = {},
  ) {
    const { participants, journal } = network;
    const { saved } = options;
    this.startedAt = saved?.startedAt ?? network.clock.now();
    this.late = options.late;
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
    this.founding = new JournaledCell<Founding | undefined>(journal, 'founding', undefined);
    this.walletConfiguration = new JournaledCell<WalletConfiguration | undefined>(
      journal,
      'wallet-configuration',
      undefined,
    );
    this.externalHashesSince = options.externalHashesSince ?? DEFAULT_EXTERNAL_HASHES_SINCE;
    this.instanceNames = { ...DEFAULT_INSTANCE_NAMES, ...options.instanceNames };
    this.forcedAcsSnapshots = options.forcedAcsSnapshots ?? true;
    this.rewards = new RewardRounds(network.journal);
    this.viewpoint = new ScanViewpoint(network, this.dsoParty, this.scanSees);
    this.history = new ScanHistory(this.viewpoint);
    this.events = new ScanEvents(this.viewpoint, this.history);
    this.acsSnapshots = new AcsSnapshots(this.viewpoint, this.history.imports);
    this.backfilling = new Backfilling(this.viewpoint, this.history);
    this.votes = new Votes(this.viewpoint);
    this.transferCommands = new TransferCommands(this.viewpoint);
    this.roundConfigs = new RoundConfigs(this.viewpoint);
    this.automation = new Automation(network);
    this.walletLogs = new WalletLogs(network);
    this.packages = network.packages;
    if (options.traffic !== undefined) meterTraffic(this);
  }

  /** Has what is the DSO's be there. Where that is not late, it is. */
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

  /** Of a Scan that is behind: the last offset of the DSO's participant that it knows. */
  get knownUpTo(): number | undefined {
    return this.viewpoint.offset;
  }

  /** Of parties whose wallets share what traffic earns them. */
  get rewardSharing(): ReadonlyMap<Party, RewardSharing> {
    return this.walletConfiguration.value?.sharing ?? NOBODY;
  }

  /** For files. */
  get saved(): SavedSplice {
    const { dsoParty, registryAdmin, startedAt } = this;
    const validators = this.validators.map(({ participant: _, ...rest }) => rest);
    const late = this.late && ({ isLate: true } as const);
    return { dsoParty, registryAdmin, startedAt, validators, ...late };
  }

  /** Of the first participant. */
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
