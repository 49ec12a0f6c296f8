/**
 * A participant: hosts parties, knows packages and users, and sees the network as a log of its own. What changes the ledger
 * goes through its submitters; what reads it goes through {@link ParticipantLog} and the projections.
 */
import { readDar, type Dar } from '../daml/dar/dar-file.js';
import { ledgerError, type LedgerError } from '../daml/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../daml/package.js';
import type { ContractInstance } from '../daml/transaction.js';
import type { PackageId } from '../daml/types.js';
import type { ContractId, Timestamp } from '../daml/values.js';
import { ActiveContracts } from './acs.js';
import { Deduplication } from './deduplication.js';
import { offsetText, type DeduplicationPeriod } from './deduplication-period.js';
import {
  namespaceFor,
  uniqueId,
  type ParticipantId,
  type Party,
  type SynchronizerId,
} from './ids.js';
import { IdentityProviderStore } from './identity-provider-store.js';
import { IncompleteReassignments } from './incomplete-reassignments.js';
import { JournaledMap, type Undoable } from './journal.js';
import { RejectionEntry, type UpdateEntry } from './log-entry.js';
import type { Network } from './network.js';
import { PackageStore } from './package-store.js';
import { ParticipantLog } from './participant-log.js';
import { PartyRecords } from './party-records.js';
import { invalidArgument, nonPositiveOffset } from './request-errors.js';
import { isUsable } from './required-packages.js';
import type {
  Activation,
  Completion,
  ReassignmentUpdate,
  SubmissionInfo,
  TraceContext,
  TransactionUpdate,
} from './updates.js';
import type { Synchronizer } from './synchronizer.js';
import { UserStore } from './users.js';
import { synchronizerForVetting } from './vetting.js';
import { vetPackages } from './vetting-update.js';

export interface ParticipantOptions {
  /** First part of its id. */
  readonly name: string;
  /** Aliases of the synchronizers that it is connected to; all of them by default. */
  readonly synchronizers?: readonly string[];
}

/** What a completion says of a request that was refused. */
export interface RejectedRequest {
  readonly info: SubmissionInfo;
  readonly synchronizerId: SynchronizerId;
  readonly traceContext: TraceContext | undefined;
  readonly externalTransactionHash?: string | undefined;
}

export class Participant implements Undoable {
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
  private readonly rejectedByHash: JournaledMap<string, readonly number[]>;
  /** Synchronizers that it is connected to, in the order of connection. */
  readonly connected: readonly SynchronizerId[];
  /** Packages as a submission sees them that prefers nothing. */
  private readonly unpreferred: PackageLookup;

  constructor(
    readonly network: Network,
    options: ParticipantOptions,
  ) {
    const { journal, random, synchronizers } = network;
    this.name = options.name;
    this.namespace = namespaceFor(random, `participant/${options.name}`);
    this.id = uniqueId(options.name, this.namespace);
    this.connected = synchronizers
      .filter(({ alias }) => options.synchronizers?.includes(alias) ?? true)
      .map(({ id }) => id);
    this.log = new ParticipantLog(journal);
    this.activeContracts = new ActiveContracts(network.contracts);
    this.incompleteReassignments = new IncompleteReassignments(journal, this.id);
    this.deduplication = new Deduplication(network, this.log);
    this.packages = new PackageStore(journal, network.packages);
    this.identityProviders = new IdentityProviderStore(journal);
    this.parties = new PartyRecords(journal, this);
    this.rejectedByHash = new JournaledMap(journal);
    this.users = new UserStore(journal, this);
    this.unpreferred = this.lookup(new Map(), undefined);
  }

  isConnectedTo(synchronizerId: SynchronizerId): boolean {
    return this.connected.includes(synchronizerId);
  }

  hosts(party: Party): boolean {
    return this.network.topology.isHosted(party, this.id);
  }

  /** Whether it stores the contract: it hosts one of the stakeholders. */
  knowsContract(contractId: ContractId): boolean {
    const stored = this.network.contracts.get(contractId);
    return stored !== undefined && this.hostsStakeholder(stored.instance);
  }

  /** Adds packages and vets them, on every connected synchronizer unless told otherwise. Nothing is checked. */
  addPackages(
    packages: readonly DamlPackage[],
    synchronizerIds: readonly SynchronizerId[] = this.connected,
  ): void {
    for (const added of packages) this.packages.add(added);
    const ids = packages.map(({ id }) => id);
    for (const synchronizerId of synchronizerIds) vetPackages(this, synchronizerId, ids, UNCHECKED);
  }

  /** The packages of a DAR, those that are known here as they are; keeps nothing. @throws LedgerError for a broken one */
  readDar(bytes: Uint8Array): Dar {
    const { checkedPackages: checked, languages } = this.network.options;
    return readDar(bytes, this.packages, { checked, languages });
  }

  /**
   * Keeps the packages even where they are then not vetted, as they are no upgrades of what is.
   * @param vetAll whether the packages are vetted at once, on `synchronizerId` or on the only one connected
   * @throws LedgerError for a synchronizer that cannot be told, a broken DAR, a missing dependency, or a package that cannot be
   *   vetted beside others of its name (B-PKG-001 to B-PKG-005)
   */
  uploadDar(
    bytes: Uint8Array,
    options: { vetAll?: boolean; synchronizerId?: SynchronizerId } = {},
  ): DamlPackage {
    const { vetAll = true } = options;
    const where = vetAll ? synchronizerForVetting(this, options.synchronizerId) : undefined;
    const { main, packages } = this.readDar(bytes);
    this.addPackages(packages, []);
    const ids = packages.map(({ id }) => id);
    if (where !== undefined) vetPackages(this, where, ids);
    return main;
  }

  /** Refuses what `uploadDar` would refuse; keeps nothing (B-PKG-012). */
  validateDar(bytes: Uint8Array, synchronizerId?: SynchronizerId): DamlPackage {
    const where = synchronizerForVetting(this, synchronizerId);
    const { main, packages } = this.readDar(bytes);
    const added = new Map(packages.map((each) => [each.id, each]));
    const lookup: PackageLookup = {
      package: (id) => added.get(id) ?? this.packages.package(id),
      packageIdForName: (name) => this.packages.packageIdForName(name),
    };
    vetPackages(this, where, [...added.keys()], { dryRun: true, packages: lookup });
    return main;
  }

  /**
   * Packages as a submission sees them: `#name` stands for the preferred version, else for the highest that this
   * participant has vetted (B-PSL-003 to B-PSL-006).
   */
  packagesFor(
    preference: readonly PackageId[] = [],
    synchronizerId?: SynchronizerId,
  ): PackageLookup {
    if (preference.length === 0 && synchronizerId === undefined) return this.unpreferred;
    return this.lookup(this.preferredByName(preference), synchronizerId);
  }

  private lookup(
    preferred: ReadonlyMap<string, PackageId>,
    synchronizerId: SynchronizerId | undefined,
  ): PackageLookup {
    const synchronizerIds = synchronizerId === undefined ? this.connected : [synchronizerId];
    const { topology, clock } = this.network;
    const isVetted = (id: PackageId): boolean => {
      for (const where of synchronizerIds)
        if (topology.isVetted(this.id, where, id, clock.now())) return true;
      return false;
    };
    return {
      root: this.packages,
      definitions: this.packages.definitions,
      package: (id) => this.packages.package(id),
      packageIdForName: (name) =>
        preferred.get(name) ??
        this.packages
          .versionsOf(name)
          .find((id) => isUsable(this.network.protocol, this.packages, id, isVetted)),
      packageNames: () => this.packages.packageNames(),
      everywhere: this.packages.everywhere,
    };
  }

  private preferredByName(preference: readonly PackageId[]): ReadonlyMap<string, PackageId> {
    const preferred = new Map<string, PackageId>();
    for (const id of preference) {
      const found = this.packages.package(id);
      if (found === undefined)
        throw invalidArgument(`package-id selection preference contains unknown package ${id}`);
      if (preferred.has(found.name))
        throw invalidArgument(
          `duplicate preference for package-name ${found.name}: ${preferred.get(found.name)} vs ${id}`,
        );
      preferred.set(found.name, id);
    }
    return preferred;
  }

  /**
   * Hosts a new party; `parties.allocate` is what the API offers, with its several-synchronizers rule.
   * @param hint first part of its id; made up where absent
   * @param synchronizerIds where; on every connected synchronizer by default
   * @throws LedgerError INVALID_ARGUMENT for a bad or taken hint (B-PTY-003, B-PTY-004)
   */
  allocateParty(hint?: string, synchronizerIds: readonly SynchronizerId[] = this.connected): Party {
    return this.network.journal.atomically(() => {
      const party = this.parties.newPartyId(hint);
      this.parties.host(party, synchronizerIds);
      return party;
    });
  }

  /** Takes its part of an update that is being committed. The network journals it. */
  receive(entry: UpdateEntry, witnesses: readonly Party[]): void {
    const { update } = entry;
    if (update.kind === 'transaction') this.receiveTransaction(entry, update);
    else if (update.kind === 'reassignment') this.receiveReassignment(entry, update);
    if (entry.deduplicated !== undefined) this.deduplication.accept(entry);
    this.log.append(entry, witnesses);
  }

  private receiveTransaction(entry: UpdateEntry, { transaction }: TransactionUpdate): void {
    const { nodes } = transaction;
    let ended: Activation | Activation[] | undefined;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (node.kind === 'create') {
        const stored = this.network.contracts.get(node.contract.contractId)!;
        // What was archived in the same update was never active for anyone.
        if (!stored.isArchived && this.hostsStakeholder(node.contract))
          this.activeContracts.activate(entry, node.nodeId, stored);
      } else if (node.kind === 'exercise' && node.consuming) {
        const stay = this.activeContracts.deactivate(node.contract.contractId);
        if (stay === undefined) continue;
        if (ended === undefined) ended = stay;
        else if (Array.isArray(ended)) ended.push(stay);
        else ended = [ended, stay];
      }
    }
    // What is kept for ever should have no room to grow.
    if (ended !== undefined) entry.hasEnded(Array.isArray(ended) ? ended.slice() : ended);
  }

  private receiveReassignment(entry: UpdateEntry, update: ReassignmentUpdate): void {
    const { contracts } = this.network;
    const ended: Activation[] = [];
    for (const { kind, nodeId, contract } of update.events) {
      if (kind === 'unassigned') {
        const stay = this.activeContracts.deactivate(contract.contractId);
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

  /** Takes back the last entry. Reassignments that it left incomplete are in the journal by themselves. */
  takeBack(entry: UpdateEntry, witnesses: readonly Party[]): void {
    this.log.takeBack(witnesses);
    if (entry.deduplicated !== undefined) this.deduplication.takeBack(entry);
    this.activeContracts.takeBack(entry);
  }

  /** Records a refusal that came after the submission was accepted for processing: a completion without an update. */
  reject(
    error: LedgerError,
    { info, synchronizerId, traceContext, externalTransactionHash }: RejectedRequest,
    deduplicationPeriod?: DeduplicationPeriod,
  ): number {
    const { network, log } = this;
    const before = network.clock.latest;
    const recordTime = network.clock.tick();
    const synchronizer = network.synchronizer(synchronizerId)!;
    synchronizer.sequenced(recordTime, before);
    network.journal.record(this, synchronizer, before);
    const offset = log.end + 1;
    const { commandId, userId, submissionId, actAs } = info;
    const completion: Completion = {
      offset,
      commandId,
      userId,
      submissionId,
      actAs,
      error,
      updateId: '',
      deduplicationPeriod,
      synchronizerId,
      recordTime,
      traceContext,
      externalTransactionHash,
    };
    if (externalTransactionHash !== undefined) {
      const earlier = this.rejectedByHash.get(externalTransactionHash) ?? [];
      this.rejectedByHash.set(externalTransactionHash, [...earlier, offset]);
    }
    log.append(new RejectionEntry(completion), NONE);
    log.tell(NONE);
    network.assignWhatIsDue();
    return offset;
  }

  /** Takes back a refusal. */
  undo(synchronizer: unknown, before: unknown): void {
    this.log.takeBack(NONE);
    (synchronizer as Synchronizer).unsequenced(before as Timestamp);
    this.network.clock.untick(before as Timestamp);
  }

  /** Completions of what an external party signed, newest first, as far as they are not pruned. @param hash hexadecimal */
  completionsByHash(hash: string): { accepted: Completion | undefined; rejected: Completion[] } {
    const { log, network } = this;
    const completionAt = (offset = 0): Completion[] => {
      const { completion } = (offset > log.prunedUpTo && log.entry(offset)) || {};
      return completion === undefined ? [] : [completion];
    };
    const offset = network.updateByExternalHash(hash)?.offsets.get(this.id);
    const rejected = this.rejectedByHash.get(hash) ?? [];
    return {
      accepted: completionAt(offset)[0],
      rejected: [...rejected].reverse().flatMap((each) => completionAt(each)),
    };
  }

  /**
   * Forgets updates up to an offset; active contracts stay. Nothing is left to do up to what is pruned already.
   * @throws LedgerError INVALID_ARGUMENT, NON_POSITIVE_OFFSET, OFFSET_OUT_OF_RANGE for one that is not before the ledger end
   */
  prune(offset: number): void {
    const { end, prunedUpTo } = this.log;
    if (offset === 0) throw invalidArgument('prune_up_to not specified or zero');
    if (offset < 0) throw nonPositiveOffset('prune_up_to', offset);
    if (offset >= end)
      throw ledgerError(
        'OFFSET_OUT_OF_RANGE',
        `prune_up_to needs to be before ledger end ${offsetText(end)}`,
      );
    if (offset > prunedUpTo) this.log.prune(offset);
  }
}

const NONE: readonly never[] = [];
const UNCHECKED = { allowIncompatible: true, allowUnvettedDependencies: true };
