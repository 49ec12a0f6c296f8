/**
 * The DSO's part of the world: its party, and what the nodes that speak for it know beside the ledger. All of its state
 * lives in the network's journal, so snapshots hold it too.
 */
import type { PackageLookup } from '../daml/package.js';
import type { Party, Timestamp } from '../daml/values.js';
import type { Network } from '../network/network.js';
import { AcsSnapshots } from './acs-snapshots.js';
import { Backfilling } from './backfilling.js';
import { RewardRounds } from './reward-rounds.js';
import { RoundConfigs } from './round-configs.js';
import { ScanEvents } from './scan-events.js';
import { ScanHistory } from './scan-history.js';
import { ScanViewpoint, type ScanView } from './scan-view.js';
import { TransferCommands } from './transfer-commands.js';
import { Votes } from './votes.js';

/** What people call the network and its coin (S-DSO-012). */
export interface InstanceNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  readonly nameServiceNameAcronym: string;
}

const DEFAULT_NAMES: InstanceNames = {
  networkName: 'Splice',
  networkFaviconUrl: '',
  amuletName: 'Amulet',
  amuletNameAcronym: 'AMT',
  nameServiceName: 'Amulet Name Service',
  nameServiceNameAcronym: 'ANS',
};

export interface SpliceOptions {
  /** A hosted party; `DSO` is allocated at the first participant by default. */
  readonly dsoParty?: Party;
  /** `everything` by default. */
  readonly scanSees?: ScanView;
  /** Admin of the instruments that the registry speaks for; the DSO party by default. */
  readonly registryAdmin?: Party;
  /** The operator of the validator; the DSO party by default. */
  readonly validatorParty?: Party;
  /** From which record time on Scan tells external transaction hashes; 2030 by default (S-UPD-038). */
  readonly externalHashesSince?: Timestamp;
  readonly instanceNames?: Partial<InstanceNames>;
  /** Whether a client may have a snapshot of the active contracts taken; true by default, as on Splice's own test networks. */
  readonly forcedAcsSnapshots?: boolean;
}

const DEFAULT_EXTERNAL_HASHES_SINCE: Timestamp = 1_893_456_000_000_000n; // 2030-01-01T00:00:00Z

export class Splice {
  readonly dsoParty: Party;
  readonly scanSees: ScanView;
  readonly registryAdmin: Party;
  readonly validatorParty: Party;
  readonly externalHashesSince: Timestamp;
  readonly instanceNames: InstanceNames;
  readonly forcedAcsSnapshots: boolean;
  readonly rewards: RewardRounds;
  readonly viewpoint: ScanViewpoint;
  readonly history: ScanHistory;
  readonly events: ScanEvents;
  readonly acsSnapshots: AcsSnapshots;
  readonly backfilling: Backfilling;
  readonly votes: Votes;
  readonly transferCommands: TransferCommands;
  readonly roundConfigs: RoundConfigs;
  readonly packages: PackageLookup;
  /** When its nodes were started. */
  readonly startedAt: Timestamp;

  constructor(
    readonly network: Network,
    options: SpliceOptions = {},
  ) {
    this.startedAt = network.clock.now();
    this.dsoParty = options.dsoParty ?? network.participants[0]!.allocateParty('DSO');
    this.scanSees = options.scanSees ?? 'everything';
    this.registryAdmin = options.registryAdmin ?? this.dsoParty;
    this.validatorParty = options.validatorParty ?? this.dsoParty;
    this.externalHashesSince = options.externalHashesSince ?? DEFAULT_EXTERNAL_HASHES_SINCE;
    this.instanceNames = { ...DEFAULT_NAMES, ...options.instanceNames };
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
    this.packages = network.packages;
  }
}
