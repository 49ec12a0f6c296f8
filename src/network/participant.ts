/**
 * A participant: it hosts parties, has packages and users, and stores its view of the network in a log. Submitters
 * change the ledger; reads use {@link ParticipantLog} and the projections.
 */
import { TemporaryStores } from './topology/temporary-stores.js';
import type { LanguageSupport } from '../daml/dar/check-languages.js';
import type { ExtensionServices } from './extensions/services.js';
import { NO_RULES, supportedProtocols, type EngineRules } from '../daml/refusals/engine-rules.js';
import type { CheckedPackages } from '../daml/dar/checked-packages.js';
import { ledgerError, type LedgerError } from '../daml/errors/ledger-error.js';
import type { PackageLookup } from '../daml/model/package.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { PackageId } from '../daml/model/types.js';
import type { ContractId, Timestamp } from '../daml/model/values.js';
import { ActiveContracts } from './ledger/active-contracts.js';
import { Deduplication } from './ledger/deduplication.js';
import { offsetText, type DeduplicationPeriod } from './model/deduplication-period.js';
import { namespaceFor, namespaceOf, uniqueId } from './model/ids.js';
import type { ParticipantId, Party, SynchronizerId } from './model/ids.js';
import type { AdministeredParticipant } from './administration/administered-participant.js';
import { Connections } from './administration/connections.js';
import { RecentCommands } from './administration/recent-commands.js';
import { DEFAULT_RESOURCE_LIMITS, type ResourceLimits } from './administration/resource-limits.js';
import { IdentityProviderStore } from './administration/identity-provider-store.js';
import { IncompleteReassignments } from './ledger/incomplete-reassignments.js';
import { JournaledCell, JournaledMap, type Undoable } from './journal/journal.js';
import { RejectionEntry, type RejectedRequest, type UpdateEntry } from './ledger/log-entry.js';
import type { Ledger } from './ledger/ledger.js';
import type { Member, MissedUpdate } from './ledger/member.js';
import { isImport } from './ledger/witnesses.js';
import { PackageStore } from './packages/package-store.js';
import { preferredByName } from './packages/preferred-versions.js';
import { traceOf } from './ledger/submission-info.js';
import { ParticipantLog } from './ledger/participant-log.js';
import { PartyRecords } from './administration/party-records.js';
import { invalidArgument, nonPositiveOffset } from './model/request-errors.js';
import { isUsable } from './packages/required-packages.js';
import type {
  Activation,
  Completion,
  ReassignmentUpdate,
  TransactionUpdate,
} from './model/updates.js';
import type { Synchronizer } from './synchronizer.js';
import { TrafficAccounts, type TrafficAccountsMode } from './traffic/accounts.js';
import type { GeneratedKey } from './topology/party-keys.js';
import { PruningScheduler } from './administration/pruning-schedule.js';
import { UserStore } from './administration/users.js';

export interface ParticipantOptions {
  readonly name: string;
  /** First part of its id; the name by default. */
  readonly identifier?: string;
  /** The complete id of a remote participant, whose keys are unknown here; replaces `identifier`. */
  readonly id?: string;
  /** Aliases of the synchronizers that it is connected to; all of them by default. */
  readonly synchronizers?: readonly string[];
  /** Whether and how it counts the traffic of each party; not at all by default. */
  readonly trafficAccounts?: TrafficAccountsMode;
}

export interface SharedOptions {
  /** The packages of all participants. */
  readonly everywhere: PackageLookup;
  /** Another administrator besides `participant_admin`, as with Canton's `additional-admin-user-id`. */
  readonly additionalAdminUser?: string;
  /** For how long commands are surely deduplicated, in microseconds: Canton's `max-deduplication-duration`; seven days by default. */
  readonly maxDeduplicationDuration?: bigint;
  /** Packages of DARs that need not be checked again. */
  readonly checkedPackages?: CheckedPackages;
  /** The Daml-LF versions that packages of uploads may be of; the stable ones, by default. */
  readonly languages?: LanguageSupport;
  /** The rules of the release; those of 3.5 by default. */
  readonly rules?: EngineRules;
  /** The extension services for external calls; none are supported if absent. */
  readonly extensions?: ExtensionServices | undefined;
}

export class Participant implements Member, AdministeredParticipant, Undoable {
  readonly name: string;
  readonly namespace: string;
  readonly id: ParticipantId;
  readonly log: ParticipantLog;
  readonly activeContracts: ActiveContracts;
  readonly incompleteReassignments: IncompleteReassignments;
  readonly deduplication: Deduplication;
  readonly packages: PackageStore;
  readonly identityProviders: IdentityProviderStore;
  readonly parties: PartyRecords;
  readonly users: UserStore;
  readonly pruning: PruningScheduler;
  /** Public keys that its operator had made, in base64. */
  readonly generatedKeys: JournaledCell<readonly GeneratedKey[]>;
  /** The resource limits that its operator set. */
  readonly resourceLimits: JournaledCell<ResourceLimits>;
  /** By synchronizer, the participants whose commitments pruning does not wait for. */
  readonly noWaitCommitments: JournaledCell<
    readonly {
      readonly synchronizerId: SynchronizerId;
      readonly counterParticipant: ParticipantId;
    }[]
  >;
  readonly temporaryStores: TemporaryStores;
  readonly recentCommands = new RecentCommands();
  /** Undefined if it does not count the traffic of parties. */
  readonly trafficAccounts: TrafficAccounts | undefined;
  private readonly rejectedByHash: JournaledMap<string, readonly number[]>;
  /** Synchronizers that it may be connected to, in the order of connection. */
  readonly registered: readonly SynchronizerId[];
  readonly connections: Connections;
  /** Packages for a submission without a preference. */
  private readonly unpreferred: PackageLookup;

  constructor(
    readonly ledger: Ledger,
    options: ParticipantOptions,
    /** Options that all participants of a network share, with those of its release. */
    readonly shared: SharedOptions,
  ) {
    const { journal, random, synchronizers } = ledger;
    this.name = options.name;
    const own = namespaceFor(random, `participant/${options.name}`);
    this.id = options.id ?? uniqueId(options.identifier ?? options.name, own);
    this.namespace = namespaceOf(this.id);
    this.registered = synchronizers
      .filter(({ alias }) => options.synchronizers?.includes(alias) ?? true)
      .map(({ id }) => id);
    this.connections = new Connections(ledger, this, this.registered);
    this.log = new ParticipantLog(journal, this.name);
    this.activeContracts = new ActiveContracts(ledger.contracts);
    this.incompleteReassignments = new IncompleteReassignments(journal, this.id);
    this.deduplication = new Deduplication(ledger, this.log, shared.maxDeduplicationDuration);
    this.packages = new PackageStore(journal, this.name, shared.everywhere);
    this.identityProviders = new IdentityProviderStore(journal, this.name);
    this.parties = new PartyRecords(journal, this);
    this.rejectedByHash = new JournaledMap(journal, `rejected-by-hash/${this.name}`);
    this.users = new UserStore(journal, this, shared.additionalAdminUser);
    this.pruning = new PruningScheduler(this);
    this.generatedKeys = new JournaledCell(journal, `generated-keys/${this.name}`, []);
    const limits = DEFAULT_RESOURCE_LIMITS;
    this.resourceLimits = new JournaledCell(journal, `resource-limits/${this.name}`, limits);
    this.noWaitCommitments = new JournaledCell(journal, `no-wait-commitments/${this.name}`, []);
    this.temporaryStores = new TemporaryStores(journal);
    const { trafficAccounts: mode } = options;
    this.trafficAccounts = mode && new TrafficAccounts(journal, this, mode);
    this.unpreferred = this.lookup(new Map(), undefined);
  }

  /** The rules of its release. */
  get rules(): EngineRules {
    return this.shared.rules ?? NO_RULES;
  }

  /** Synchronizers that it is connected to, in the order of connection. */
  get connected(): readonly SynchronizerId[] {
    return this.connections.connected;
  }

  isConnectedTo(synchronizerId: SynchronizerId): boolean {
    return this.connections.includes(synchronizerId);
  }

  isCutOffFrom(synchronizerId: SynchronizerId): boolean {
    return this.connections.isCutOffFrom(synchronizerId);
  }

  /**
   * Disconnects: it receives, submits and confirms nothing there.
   * @throws LedgerError NOT_CONNECTED_TO_SYNCHRONIZER if it is not connected
   */
  disconnect(synchronizerId: SynchronizerId): void {
    this.connections.disconnect(synchronizerId);
  }

  /** @throws LedgerError as {@link Connections.reconnect} */
  reconnect(synchronizerId: SynchronizerId): void {
    this.connections.reconnect(synchronizerId);
  }

  miss(missed: MissedUpdate): void {
    this.connections.miss(missed);
  }

  hosts(party: Party): boolean {
    return this.ledger.topology.isHosted(party, this.id);
  }

  /** Whether it stores the contract: it hosts one of the stakeholders. */
  knowsContract(contractId: ContractId): boolean {
    const stored = this.ledger.contracts.get(contractId);
    return stored !== undefined && this.hostsStakeholder(stored.instance);
  }

  /**
   * Packages for a submission: `#name` means the preferred version, otherwise the highest that this participant has
   * vetted (B-PSL-005, B-PSL-006).
   */
  packagesFor(
    preference: readonly PackageId[] = [],
    synchronizerId?: SynchronizerId,
  ): PackageLookup {
    if (preference.length === 0 && synchronizerId === undefined) return this.unpreferred;
    return this.lookup(preferredByName(this.packages, preference), synchronizerId);
  }

  /** The protocol versions that it supports. */
  get protocolVersions(): readonly number[] {
    return supportedProtocols(this.rules);
  }

  private lookup(
    preferred: ReadonlyMap<string, PackageId>,
    synchronizerId: SynchronizerId | undefined,
  ): PackageLookup {
    const synchronizerIds = synchronizerId === undefined ? this.connected : [synchronizerId];
    const { topology, clock } = this.ledger;
    const isUsableOn = (where: SynchronizerId, id: PackageId): boolean => {
      const now = clock.now();
      const protocol = this.ledger.protocolOf(where);
      // Every command asks this. Most protocol versions need no function for the dependencies.
      if (!protocol.vetsDependencies) return topology.isVetted(this.id, where, id, now);
      return isUsable(protocol, this.packages, id, (each) =>
        topology.isVetted(this.id, where, each, now),
      );
    };
    const isAnywhereUsable = (id: PackageId): boolean =>
      synchronizerIds.some((where) => isUsableOn(where, id));
    return {
      root: this.packages,
      definitions: this.packages.definitions,
      package: (id) => this.packages.package(id),
      packageIdForName: (name) =>
        preferred.get(name) ?? this.packages.versionsOf(name).find(isAnywhereUsable),
      packageNames: () => this.packages.packageNames(),
      everywhere: this.packages.everywhere,
    };
  }

  /**
   * Hosts a new party. The API uses `parties.allocate`, with its rule for several synchronizers.
   * @param hint first part of its id; generated if absent
   * @param synchronizerIds by default every connected synchronizer
   * @throws LedgerError INVALID_ARGUMENT for an invalid or used hint (B-PTY-003, B-PTY-004)
   */
  allocateParty(hint?: string, synchronizerIds: readonly SynchronizerId[] = this.connected): Party {
    return this.ledger.journal.atomically(() => {
      const party = this.parties.newPartyId(hint);
      this.parties.host(party, synchronizerIds);
      return party;
    });
  }

  /** Takes its part of an update that is being committed. The network journals it. */
  receive(entry: UpdateEntry): void {
    const { update } = entry;
    // The log comes first: an undo only continues if the log has the entry.
    this.log.append(entry, this.ledger.gaps?.after(entry));
    if (update.kind === 'transaction') this.receiveTransaction(entry, update);
    else if (update.kind === 'reassignment') this.receiveReassignment(entry, update);
    if (entry.deduplicated !== undefined) this.deduplication.accept(entry);
  }

  private receiveTransaction(entry: UpdateEntry, { transaction }: TransactionUpdate): void {
    const { nodes } = transaction;
    let ended: Activation | Activation[] | undefined;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (node.kind === 'create') {
        const stored = this.ledger.contracts.get(node.contract.contractId);
        // A contract that the same update archived was never active. A missed update can concern a forgotten contract.
        if (stored === undefined || stored.archivedIn === entry.update) continue;
        if (isImport(entry.update) || this.hostsStakeholder(node.contract))
          this.activeContracts.activate(entry, node.nodeId, stored);
      } else if (node.kind === 'exercise' && node.consuming) {
        const { contractId } = node.contract;
        const stay = this.activeContracts.deactivate(contractId, entry.synchronizerId);
        if (stay === undefined) continue;
        if (ended === undefined) ended = stay;
        else if (Array.isArray(ended)) ended.push(stay);
        else ended = [ended, stay];
      }
    }
    // A copy without spare capacity, because it is stored permanently.
    if (ended !== undefined) entry.hasEnded(Array.isArray(ended) ? ended.slice() : ended);
  }

  private receiveReassignment(entry: UpdateEntry, update: ReassignmentUpdate): void {
    const { contracts } = this.ledger;
    const ended: Activation[] = [];
    for (const { kind, nodeId, contract } of update.events) {
      if (kind === 'unassigned') {
        const stay = this.activeContracts.deactivate(contract.contractId, entry.synchronizerId);
        if (stay !== undefined) ended.push(stay);
      } else if (this.hostsStakeholder(contract))
        this.activeContracts.activate(entry, nodeId, contracts.get(contract.contractId)!);
    }
    if (ended.length > 0) entry.hasEnded(ended.slice());
    this.incompleteReassignments.receive(update);
  }

  hostsStakeholder({ signatories, observers }: ContractInstance): boolean {
    return this.hostsAny(signatories) || this.hostsAny(observers);
  }

  hostsAny(parties: readonly Party[]): boolean {
    for (let i = 0; i < parties.length; i++) if (this.hosts(parties[i]!)) return true;
    return false;
  }

  /** The entry's incomplete reassignments are journaled separately. */
  takeBack(entry: UpdateEntry): void {
    // An update that failed earlier changed nothing.
    if (!this.log.endsWith(entry)) return;
    this.log.takeBack();
    if (entry.deduplicated !== undefined) this.deduplication.takeBack(entry);
    this.activeContracts.takeBack(entry);
  }

  forgetPruned(): void {
    this.deduplication.forgetPruned(this.ledger.clock.now());
    this.log.forget();
  }

  /** Records a rejection after the submission was accepted for processing: a completion without an update. */
  reject(
    error: LedgerError,
    { info, synchronizerId, traceContext, externalTransactionHash, paid }: RejectedRequest,
    deduplicationPeriod?: DeduplicationPeriod,
  ): number {
    const { ledger, log } = this;
    const before = ledger.clock.latest;
    const recordTime = ledger.clock.tick();
    const synchronizer = ledger.synchronizer(synchronizerId)!;
    synchronizer.sequenced(recordTime, before);
    ledger.journal.record(this, synchronizer, before);
    const offset = log.end + 1;
    const { commandId, userId, submissionId, actAs } = info;
    const completion: Completion = {
      ...{ offset, commandId, userId, submissionId, actAs, error, updateId: '' },
      deduplicationPeriod,
      synchronizerId,
      recordTime,
      traceContext: traceOf(ledger.random, traceContext),
      externalTransactionHash,
      paidTrafficCost: paid,
    };
    if (externalTransactionHash !== undefined) {
      const earlier = this.rejectedByHash.get(externalTransactionHash) ?? [];
      this.rejectedByHash.set(externalTransactionHash, [...earlier, offset]);
    }
    this.trafficAccounts?.debit(actAs, paid ?? 0, offset, recordTime);
    log.append(new RejectionEntry(completion), ledger.gaps?.afterRefusal(paid !== undefined));
    log.notify(NONE);
    ledger.carryOutWhatIsDue();
    return offset;
  }

  /** Takes back a refusal. */
  undo(synchronizer: unknown, before: unknown): void {
    this.log.takeBack();
    (synchronizer as Synchronizer).unsequenced(before as Timestamp);
    this.ledger.clock.untick(before as Timestamp);
  }

  /** Completions of submissions that an external party signed, newest first, unless they are pruned. @param hash hexadecimal */
  completionsByHash(hash: string): { accepted: Completion | undefined; rejected: Completion[] } {
    const { log, ledger } = this;
    const completionAt = (offset = 0): Completion[] => {
      const { completion } = (offset > log.prunedUpTo && log.entry(offset)) || {};
      return completion === undefined ? [] : [completion];
    };
    const offset = ledger.updateByExternalHash(hash)?.offsets.get(this.id);
    const rejected = this.rejectedByHash.get(hash) ?? [];
    return {
      accepted: completionAt(offset)[0],
      rejected: [...rejected].reverse().flatMap((each) => completionAt(each)),
    };
  }

  /**
   * Prunes updates up to an offset; active contracts stay. Has no effect up to an already pruned offset.
   * @param forgetsHistory as {@link Ledger.forgetHistory}
   * @throws LedgerError INVALID_ARGUMENT, NON_POSITIVE_OFFSET, OFFSET_OUT_OF_RANGE for an offset that is not before
   * the ledger end
   */
  prune(offset: number, forgetsHistory = false): void {
    const { end, prunedUpTo } = this.log;
    if (offset === 0) throw invalidArgument('prune_up_to not specified or zero');
    if (offset < 0) throw nonPositiveOffset('prune_up_to', offset);
    if (offset >= end)
      throw ledgerError(
        'OFFSET_OUT_OF_RANGE',
        `prune_up_to needs to be before ledger end ${offsetText(end)}`,
      );
    if (offset > prunedUpTo) this.log.prune(offset);
    if (forgetsHistory) this.ledger.forgetHistory();
  }
}

const NONE: readonly never[] = [];
