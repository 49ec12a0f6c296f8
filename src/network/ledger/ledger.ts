/**
 * The state that the whole network shares, one clock and one journal for all of it, and the only place that writes an update:
 * {@link Ledger.commit}. Of participants it knows what they are told.
 */
import type { Deadline } from '../../daml/interpreter/input.js';
import { invariant, type LedgerError } from '../../daml/errors/ledger-error.js';
import { PartySets } from '../../daml/model/parties.js';
import type { ParticipantId, Party, SynchronizerId, Timestamp } from '../ids.js';
import { Clock, DEFAULT_START, type WallClock } from '../journal/clock.js';
import { Journal, type GrowingList, type Undoable } from '../journal/journal.js';
import { RequestNumbers } from '../journal/request-numbers.js';
import { SeededRandom } from '../journal/random.js';
import { Snapshots } from '../journal/snapshots.js';
import { PROTOCOLS, type Protocol, type ProtocolVersion } from '../protocol.js';
import { Synchronizer, type SynchronizerOptions } from '../synchronizer.js';
import { ExternalParties } from '../topology/external-parties.js';
import { Topology } from '../topology/topology.js';
import type { LedgerUpdate, Update, UpdateContent } from '../updates.js';
import { ContractStore } from './contract-store.js';
import { InFlight, sequencingPaused } from './in-flight.js';
import { NOT_DEDUPLICATED, UpdateEntry, updateEntry } from './log-entry.js';
import type { Judged, Member } from './member.js';
import { OffsetGaps } from './offset-gaps.js';
import { Migrations } from './migrations.js';
import { NetworkLog } from './network-log.js';
import { seenNodes } from './seen-nodes.js';
import {
  restoredUpdate,
  sequencedUpdate,
  type KeptUpdate,
  type StoredUpdate,
  type UpdateOrigin,
} from './sequenced-update.js';
import { TrafficControl } from './traffic.js';
import { witnessesIn } from './witnesses.js';

export interface LedgerOptions {
  /** Same seed, same calls, same bytes. 0 by default. */
  readonly seed?: number;
  /** Where the virtual clock starts, in microseconds; 2026-01-01T00:00:00Z by default. */
  readonly start?: Timestamp;
  /** Makes the clock follow this one. */
  readonly wallClock?: WallClock;
  /** One `global` by default. The first one is where Splice's contracts are. */
  readonly synchronizers?: readonly SynchronizerOptions[];
  /** What every synchronizer speaks; 35 by default. */
  readonly protocolVersion?: ProtocolVersion;
  /** Whether what is sequenced has a cost; false by default: every cost is 0 then. */
  readonly trafficControl?: boolean;
  /** Whether participants have offsets without an update, as real ones do; false by default. */
  readonly offsetGaps?: boolean;
  /** How long the code of a transaction may run; without one, its steps alone are counted. */
  readonly deadline?: Deadline;
}

/** What a submission adds to the log entry of the participant that made it. */
export interface CompletionContent {
  readonly participantId: ParticipantId;
  /** Where the deduplication period began; absent where the change is not deduplicated. */
  readonly deduplicationOffset?: number;
  /** Whether it is a part of the submission, which goes on with something else. */
  readonly goesOn?: boolean;
}

export class Ledger implements Undoable {
  readonly journal = new Journal();
  readonly random: SeededRandom;
  readonly clock: Clock;
  /** When the clock began. */
  readonly startTime: Timestamp;
  /** Shared by all that keeps sets of parties; not part of the state. */
  readonly partySets = new PartySets();
  readonly topology: Topology;
  readonly externalParties: ExternalParties;
  readonly contracts: ContractStore;
  readonly migrations: Migrations;
  readonly inFlight: InFlight;
  readonly traffic: TrafficControl;
  /** What every synchronizer speaks. */
  readonly protocol: Protocol;
  readonly synchronizers: readonly Synchronizer[];
  private readonly byId: ReadonlyMap<SynchronizerId, Synchronizer>;
  private readonly origins = new Map<SynchronizerId, UpdateOrigin>();
  private readonly joined: Member[] = [];
  private readonly log: NetworkLog;
  /** Not in the journal, but in snapshots. */
  readonly requestNumbers = new RequestNumbers(this.journal);
  private readonly snapshots = new Snapshots(this.journal, this.requestNumbers);
  /** These are no part of the state. */
  private readonly rules: ((update: Update) => void)[] = [];
  private readonly commitListeners: ((update: Update) => void)[] = [];
  private readonly dueTasks: (() => void)[] = [];
  private readonly revertListeners = new Set<(isTestOver: boolean) => void>();

  readonly deadline: Deadline | undefined;
  readonly gaps?: OffsetGaps;
  /**
   * Why what is submitted at this moment is refused once it is sequenced, whatever it is. Whoever sets it takes it away at once.
   */
  imposed?: (judged: Judged) => LedgerError | undefined;

  constructor(options: LedgerOptions = {}) {
    this.deadline = options.deadline;
    this.protocol = PROTOCOLS[options.protocolVersion ?? 35];
    this.random = new SeededRandom(this.journal, options.seed ?? 0);
    if (options.offsetGaps === true) this.gaps = new OffsetGaps(this.random);
    this.startTime = options.start ?? DEFAULT_START;
    this.clock = new Clock(this.journal, this.startTime, options.wallClock);
    this.inFlight = new InFlight(this);
    this.traffic = new TrafficControl(this.journal, this.clock, options.trafficControl);
    this.topology = new Topology(this.journal);
    this.externalParties = new ExternalParties(this.journal);
    this.contracts = new ContractStore(this.journal);
    this.log = new NetworkLog();
    this.synchronizers = (
      options.synchronizers ?? [{ alias: 'global', identifier: 'global-domain' }]
    ).map((each) => new Synchronizer(this.journal, this.random, each, this.protocol));
    this.byId = new Map(this.synchronizers.map((each) => [each.id, each]));
    this.migrations = new Migrations(this);
  }

  /** The participants, in their order. */
  get members(): readonly Member[] {
    return this.joined;
  }

  /** Whether any participant is not connected to the synchronizer that would be. */
  hasCutOff(synchronizerId: SynchronizerId): boolean {
    const members = this.joined;
    for (let i = 0; i < members.length; i++)
      if (members[i]!.isCutOffFrom(synchronizerId)) return true;
    return false;
  }

  /** From now on it is told of the updates that concern it. */
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

  /** The number of the next submission: no other has it, but one that a revert took back. */
  get nextNumber(): number {
    return this.clock.ticks + this.inFlight.size;
  }

  /** From now on nothing is sequenced there: submissions stay in flight, as with a synchronizer that is down. */
  pause(synchronizer: Synchronizer): void {
    synchronizer.isPaused = true;
  }

  isPaused(synchronizerId: SynchronizerId): boolean {
    return this.byId.get(synchronizerId)!.isPaused;
  }

  /** Sequences what is in flight, in order, and goes on. */
  resume(synchronizer: Synchronizer): void {
    synchronizer.isPaused = false;
    this.inFlight.sequence(synchronizer.id);
    this.carryOutWhatIsDue();
  }

  /** For whoever has given a record time, and is through with what it is for. */
  carryOutWhatIsDue(): void {
    if (this.journal.isRehearsing) return;
    for (const task of this.dueTasks) task();
  }

  /** Has `task` called whenever time has moved on and what falls due may be carried out. */
  whenDue(task: () => void): void {
    this.dueTasks.push(task);
  }

  /** Has `rule` carried out with each update, as a part of it. */
  afterEach(rule: (update: Update) => void): void {
    this.rules.push(rule);
  }

  /** Calls `listener` after each update that stays, before anything else happens. */
  onCommit(listener: (update: Update) => void): void {
    this.commitListeners.push(listener);
  }

  /** The sequence number of the next update. */
  get nextSequence(): number {
    return this.log.nextSequence;
  }

  /** All updates in the order of sequencing, but those that are forgotten. Record times ascend. */
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

  /** @param hash what an external party signed, hexadecimal */
  updateByExternalHash(hash: string): Update | undefined {
    return this.log.withExternalHash(hash);
  }

  /** Updates that a party witnesses, in the order of sequencing. */
  updatesOf(party: Party): GrowingList<Update> | undefined {
    return this.log.of(party);
  }

  /**
   * Sequences an update and tells every participant that hosts someone who may see it.
   * The caller has validated it: what fails here is a bug.
   * @param only who is told, alone and at once, of contracts that it imports
   */
  commit(content: UpdateContent, completion?: CompletionContent, only?: Member): Update {
    const synchronizer = this.byId.get(content.synchronizerId);
    invariant(synchronizer !== undefined, 'an update belongs to a known synchronizer');
    // Submissions wait before they come here; whatever else does cannot.
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
      entry.participant.log.tell(witnesses);
    if (only !== undefined) return update;
    for (const rule of this.rules) rule(update);
    if (!this.journal.isRehearsing) for (const listener of this.commitListeners) listener(update);
    // Time has moved on a little.
    if (completion?.goesOn !== true) this.carryOutWhatIsDue();
    return update;
  }

  /** Takes back the last update. */
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

  /** At every participant that is informed, in their order. */
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

  /** Of a file, as all that follows: nothing has happened yet. @param sequenced how many updates there were */
  restoreLog(sequenced: number): void {
    this.log.restore(sequenced);
    this.origins.clear();
  }

  /** @returns an update that is in no log yet */
  restoredUpdate(kept: KeptUpdate): StoredUpdate {
    return restoredUpdate(kept, (where, migrationId) => this.originOf(where, migrationId));
  }

  /** The next update of the log. @param entries at participants, the one that was told last first */
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

  /** Remembers this moment; costs nothing. @returns its id, for {@link revert} */
  snapshot(): string {
    return this.snapshots.take();
  }

  /**
   * Goes back to a snapshot. It stays valid; later ones do not.
   * @throws LedgerError INVALID_ARGUMENT for one that is not known
   */
  revert(snapshotId: string): void {
    this.snapshots.revert(snapshotId);
    this.tellReverted();
  }

  /** Whether anything was ever taken back: for explanations alone. */
  get hasReverted(): boolean {
    return this.snapshots.hasReverted;
  }

  /** Makes this moment the one that {@link reset} goes to, or an earlier one that is still known. @returns its snapshot */
  startHere(earlier?: string): string {
    return this.snapshots.startHere(earlier);
  }

  /** Goes back to the start; before {@link startHere} was called, to the first snapshot. */
  reset(isTestOver = false): void {
    this.snapshots.reset();
    this.tellReverted(isTestOver);
  }

  /**
   * Gives back the memory of all that every participant who saw it has pruned, Scan's history of it too, and of all that there is
   * to go back to: snapshots until now cannot be reverted to. Updates stay whose contracts are active.
   */
  forgetHistory(): void {
    const isPruned = (update: Update): boolean => {
      for (let entry = (update as StoredUpdate).entries; entry !== undefined; entry = entry.next)
        if (entry.offset > entry.participant.log.prunedUpTo) return false;
      return true;
    };
    this.contracts.forget(isPruned);
    this.log.keep(
      (update) =>
        !isPruned(update) || (update.kind !== 'topology' && this.contracts.rememberAnyOf(update)),
    );
    for (const member of this.joined) member.forgetPruned();
    this.partySets.forget();
    this.journal.forget();
    this.snapshots.forget();
  }

  private tellReverted(isTestOver = false): void {
    this.partySets.forgetMany();
    for (const listener of [...this.revertListeners]) listener(isTestOver);
  }

  /** Calls `listener` after each revert or reset, until the returned function is called. */
  onRevert(listener: (isTestOver: boolean) => void): () => void {
    this.revertListeners.add(listener);
    return () => this.revertListeners.delete(listener);
  }
}
