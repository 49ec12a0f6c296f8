/** The shared state of the network, with one clock and one journal. Only {@link Ledger.commit} writes updates. */
import type { Deadline } from '../../daml/interpreter/input.js';
import { invariant, type LedgerError } from '../../daml/errors/ledger-error.js';
import { PartySets } from '../../daml/model/parties.js';
import type { ParticipantId, Party, SynchronizerId, Timestamp } from '../model/ids.js';
import { Clock, DEFAULT_START } from '../journal/clock.js';
import { Journal, type GrowingList, type Undoable } from '../journal/journal.js';
import { RequestNumbers } from '../journal/request-numbers.js';
import { SeededRandom } from '../journal/random.js';
import { Snapshots } from '../journal/snapshots.js';
import type { Protocol } from '../model/protocol.js';
import { Synchronizer } from '../synchronizer.js';
import { ExternalParties } from '../topology/external-parties.js';
import { MappingLog } from '../topology/mapping-log.js';
import { Topology } from '../topology/topology.js';
import { ExternalCalls } from '../extensions/external-calls.js';
import type { LedgerUpdate, Update, UpdateContent } from '../model/updates.js';
import { ContractStore } from './contract-store.js';
import { InFlight, sequencingPaused } from './in-flight.js';
import type { LedgerOptions } from '../ledger-options.js';
import { NOT_DEDUPLICATED, UpdateEntry, updateEntry } from './log-entry.js';
import type { Judged, Member } from './member.js';
import { OffsetGaps } from './offset-gaps.js';
import { Migrations } from './migrations.js';
import { NetworkLog } from './network-log.js';
import { seenNodes } from './seen-nodes.js';
import {
  restoredUpdate,
  sequencedUpdate,
  type SavedUpdate,
  type StoredUpdate,
  type UpdateOrigin,
} from './sequenced-update.js';
import { TrafficControl } from './traffic.js';
import { witnessesIn } from './witnesses.js';

/** The submission's data for the log entry of the participant that submitted it. */
export interface CompletionContent {
  readonly participantId: ParticipantId;
  /** The start of the deduplication period; absent if the change is not deduplicated. */
  readonly deduplicationOffset?: number;
  /** Whether it is a part of a submission that then continues. */
  readonly goesOn?: boolean;
}

export class Ledger implements Undoable {
  readonly journal = new Journal();
  readonly random: SeededRandom;
  readonly clock: Clock;
  /** The start time of the clock. */
  readonly startTime: Timestamp;
  /** Shared by all stores of party sets; not part of the state. */
  readonly partySets = new PartySets();
  readonly topology: Topology;
  readonly externalParties: ExternalParties;
  /** Delegations and keys in the topology stores of synchronizers, and in those of participants. */
  readonly mappings: MappingLog;
  readonly contracts: ContractStore;
  readonly migrations: Migrations;
  readonly inFlight: InFlight;
  readonly traffic: TrafficControl;
  readonly externalCalls: ExternalCalls;
  /** The protocol of all synchronizers; undefined if they have different ones. */
  readonly onlyProtocol: Protocol | undefined;
  readonly synchronizers: readonly Synchronizer[];
  private readonly byId: ReadonlyMap<SynchronizerId, Synchronizer>;
  private readonly origins = new Map<SynchronizerId, UpdateOrigin>();
  private readonly joined: Member[] = [];
  private readonly log: NetworkLog;
  /** Not in the journal, but in snapshots. */
  readonly requestNumbers = new RequestNumbers(this.journal);
  private readonly snapshots = new Snapshots(this.journal, this.requestNumbers);
  /** The following lists are not part of the state. */
  private readonly rules: ((update: Update) => void)[] = [];
  private readonly commitListeners: ((update: Update) => void)[] = [];
  private readonly dueTasks: (() => void)[] = [];
  private readonly revertListeners = new Set<(isTestOver: boolean) => void>();

  readonly deadline: Deadline | undefined;
  readonly gaps?: OffsetGaps;
  /** Returns the error for any submission that is sequenced now. The caller that sets it removes it at once. */
  imposed?: (judged: Judged) => LedgerError | undefined;

  constructor(options: LedgerOptions = {}) {
    this.deadline = options.deadline;
    this.random = new SeededRandom(this.journal, options.seed ?? 0);
    if (options.offsetGaps === true) this.gaps = new OffsetGaps(this.random);
    this.startTime = options.start ?? DEFAULT_START;
    this.clock = new Clock(this.journal, this.startTime, options.wallClock);
    this.externalCalls = new ExternalCalls(this.journal, this.random, this.requestNumbers);
    this.onRevert(() => this.externalCalls.forget());
    this.inFlight = new InFlight(this);
    this.traffic = new TrafficControl(this.journal, this.clock, options.trafficControl);
    this.topology = new Topology(this.journal);
    this.mappings = new MappingLog(this.journal, 'synchronizer-mappings');
    this.externalParties = new ExternalParties(this.journal, this.topology, this.mappings);
    this.contracts = new ContractStore(this.journal);
    this.log = new NetworkLog();
    this.synchronizers = (
      options.synchronizers ?? [{ alias: 'global', identifier: 'global-domain' }]
    ).map((each) => new Synchronizer(this.journal, this.random, each, options.protocolVersion));
    const protocols = new Set(this.synchronizers.map(({ protocol }) => protocol));
    this.onlyProtocol = protocols.size === 1 ? [...protocols][0] : undefined;
    this.byId = new Map(this.synchronizers.map((each) => [each.id, each]));
    this.migrations = new Migrations(this);
  }

  /** The participants, in the order of creation. */
  get members(): readonly Member[] {
    return this.joined;
  }

  /** Whether any participant's connection to the synchronizer is cut. */
  hasCutOff(synchronizerId: SynchronizerId): boolean {
    const members = this.joined;
    for (let i = 0; i < members.length; i++)
      if (members[i]!.isCutOffFrom(synchronizerId)) return true;
    return false;
  }

  /** Adds a participant, which receives its updates from now on. */
  join(member: Member): void {
    this.joined.push(member);
  }

  /** By id, physical id or alias. */
  synchronizer(idOrAlias: string): Synchronizer | undefined {
    return this.synchronizers.find(
      ({ id, physicalId, alias }) =>
        id === idOrAlias || physicalId === idOrAlias || alias === idOrAlias,
    );
  }

  protocolOf(synchronizerId: SynchronizerId): Protocol {
    return this.byId.get(synchronizerId)!.protocol;
  }

  /** The number of the next submission. It is unique, except after a revert. */
  get nextNumber(): number {
    return this.clock.ticks + this.inFlight.size;
  }

  /** Stops sequencing there: submissions stay in flight, as with an unavailable synchronizer. */
  pause(synchronizer: Synchronizer): void {
    synchronizer.isPaused = true;
  }

  isPaused(synchronizerId: SynchronizerId): boolean {
    return this.byId.get(synchronizerId)!.isPaused;
  }

  /** Sequences the submissions in flight, in order, and resumes. */
  resume(synchronizer: Synchronizer): void {
    synchronizer.isPaused = false;
    this.inFlight.sequence(synchronizer.id);
    this.carryOutWhatIsDue();
  }

  /** Runs the due tasks. Call it after you assigned a record time and finished the work for it. */
  carryOutWhatIsDue(): void {
    if (this.journal.isRehearsing) return;
    for (const task of this.dueTasks) task();
  }

  /** Calls `task` whenever time has moved on and due tasks may run. */
  whenDue(task: () => void): void {
    this.dueTasks.push(task);
  }

  /** Runs `rule` with each update, as a part of it. */
  afterEach(rule: (update: Update) => void): void {
    this.rules.push(rule);
  }

  /** Calls `listener` after each permanent update, before anything else happens. */
  onCommit(listener: (update: Update) => void): void {
    this.commitListeners.push(listener);
  }

  /** The sequence number of the next update. */
  get nextSequence(): number {
    return this.log.nextSequence;
  }

  /** All updates in the order of sequencing, except forgotten ones. Record times ascend. */
  get updates(): GrowingList<Update> {
    return this.log.all;
  }

  /** Transactions and reassignments in the order of sequencing. */
  get ledgerHistory(): GrowingList<LedgerUpdate> {
    return this.log.ledger;
  }

  updateById(updateId: string): Update | undefined {
    return this.log.get(updateId);
  }

  /** @param hash the hash that an external party signed, in hexadecimal */
  updateByExternalHash(hash: string): Update | undefined {
    return this.log.withExternalHash(hash);
  }

  /** Updates that a party witnesses, in the order of sequencing. */
  updatesOf(party: Party): GrowingList<Update> | undefined {
    return this.log.of(party);
  }

  /**
   * Sequences an update and delivers it to every participant that hosts a witness. The caller has validated it: an
   * error here is a bug.
   * @param only the only participant that receives it, at once, for contracts that it imports
   */
  commit(content: UpdateContent, completion?: CompletionContent, only?: Member): Update {
    const synchronizer = this.byId.get(content.synchronizerId);
    invariant(synchronizer !== undefined, 'an update belongs to a known synchronizer');
    // Submissions wait before this point; other updates cannot wait.
    if (synchronizer.isPaused) throw sequencingPaused(synchronizer.alias);
    if (content.kind === 'transaction' && !only) this.contracts.check(content.transaction);
    const before = this.clock.latest;
    const recordTime = this.clock.tick();
    synchronizer.sequenced(recordTime, before);
    const origin = this.originOf(content.synchronizerId);
    const update = sequencedUpdate(origin, this.nextSequence, recordTime, content);
    const witnesses = witnessesIn(update);
    update.isAt(this.entriesOf(update, witnesses, completion, only));
    this.journal.record(this, update, before);
    this.log.append(update);
    this.apply(update);
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.receive(entry);
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.log.notify(witnesses);
    if (only !== undefined) return update;
    for (const rule of this.rules) rule(update);
    if (!this.journal.isRehearsing) for (const listener of this.commitListeners) listener(update);
    // The update moved the time on.
    if (completion?.goesOn !== true) this.carryOutWhatIsDue();
    return update;
  }

  /** Undoes the last update. */
  undo(slot: unknown, before: unknown): void {
    const update = slot as StoredUpdate;
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.takeBack(entry);
    if (update.kind === 'transaction') this.contracts.takeBack(update);
    this.log.takeBack(update);
    this.byId.get(update.synchronizerId)!.unsequenced(before as Timestamp);
    this.clock.untick(before as Timestamp);
  }

  private originOf(synchronizerId: string, migrationId = this.migrations.current): UpdateOrigin {
    let origin = this.origins.get(synchronizerId);
    if (origin?.migrationId !== migrationId) {
      origin = { random: this.random, synchronizerId, migrationId };
      this.origins.set(synchronizerId, origin);
    }
    return origin;
  }

  /** The entries at all informed participants, in their order. */
  private entriesOf(
    update: StoredUpdate,
    witnesses: readonly Party[],
    completion: CompletionContent | undefined,
    only: Member | undefined,
  ): UpdateEntry | undefined {
    if (only) return new UpdateEntry(only, only.log.end + 1, update, undefined, undefined);
    const empty = this.gaps?.before(update) ?? 0;
    let entries: UpdateEntry | undefined;
    for (let i = this.joined.length - 1; i >= 0; i--) {
      const member = this.joined[i]!;
      const isConnected = member.isConnectedTo(update.synchronizerId);
      if (!isConnected && !member.isCutOffFrom(update.synchronizerId)) continue;
      if (update.kind !== 'topology' && !member.hostsAny(witnesses)) continue;
      const deduplicationOffset =
        completion?.participantId === member.id
          ? (completion.deduplicationOffset ?? NOT_DEDUPLICATED)
          : undefined;
      const seen = update.kind === 'transaction' ? seenNodes(member, update) : undefined;
      const offset = member.log.end + empty + 1;
      if (isConnected)
        entries = updateEntry(member, offset, update, deduplicationOffset, entries, seen);
      else member.miss({ update, witnesses, deduplicationOffset, seen });
    }
    return entries;
  }

  /** Starts restoring a file: the log is empty. @param sequenced the number of updates */
  restoreLog(sequenced: number): void {
    this.log.restore(sequenced);
    this.origins.clear();
  }

  /** @returns an update that is not in a log yet */
  restoredUpdate(saved: SavedUpdate): StoredUpdate {
    return restoredUpdate(saved, (where, migrationId) => this.originOf(where, migrationId));
  }

  /**
   * Restores the next update of the log.
   * @param entries at participants, last receiver first
   */
  restoreUpdate(update: StoredUpdate, entries: UpdateEntry | undefined): void {
    update.isAt(entries);
    this.log.restoreUpdate(update);
  }

  private apply(update: Update): void {
    switch (update.kind) {
      case 'transaction':
        this.contracts.apply(update);
        break;
      case 'reassignment':
        if (update.events[0]!.kind === 'unassigned') this.contracts.unassign(update);
        else this.contracts.assign(update);
        break;
      case 'topology':
        this.topology.applyAll(update);
        break;
    }
  }

  /** Records this moment at no cost, and returns its id for {@link revert}. */
  snapshot(): string {
    return this.snapshots.take();
  }

  /**
   * Reverts to a snapshot. It stays valid; later ones do not.
   * @throws LedgerError INVALID_ARGUMENT for an unknown snapshot
   */
  revert(snapshotId: string): void {
    this.snapshots.revert(snapshotId);
    this.notifyReverted();
  }

  /** Whether the ledger was ever reverted; only explanations need it. */
  get hasReverted(): boolean {
    return this.snapshots.hasReverted;
  }

  /** Makes this moment, or an earlier known one, the target of {@link reset}. @returns its snapshot */
  startHere(earlier?: string): string {
    return this.snapshots.startHere(earlier);
  }

  /** Reverts to the start, or to the first snapshot if {@link startHere} was not called. */
  reset(isTestOver = false): void {
    this.snapshots.reset();
    this.notifyReverted(isTestOver);
  }

  /**
   * Frees the memory of updates that all of their participants and Scan have pruned, and all earlier snapshots: you
   * cannot revert to them any more. Updates with active contracts stay.
   */
  forgetHistory(): void {
    const isPruned = (update: Update): boolean => {
      for (let entry = (update as StoredUpdate).entries; entry !== undefined; entry = entry.next)
        if (entry.offset > entry.participant.log.prunedUpTo) return false;
      return true;
    };
    this.contracts.forget(isPruned);
    this.log.retain(
      (update) =>
        !isPruned(update) || (update.kind !== 'topology' && this.contracts.rememberAnyOf(update)),
    );
    for (const member of this.joined) member.forgetPruned();
    this.partySets.forget();
    this.journal.forget();
    this.snapshots.forget();
  }

  private notifyReverted(isTestOver = false): void {
    this.partySets.forgetMany();
    for (const listener of [...this.revertListeners]) listener(isTestOver);
  }

  /** Calls `listener` after each revert or reset, until the returned function is called. */
  onRevert(listener: (isTestOver: boolean) => void): () => void {
    this.revertListeners.add(listener);
    return () => this.revertListeners.delete(listener);
  }
}
