/**
 * The world: synchronizers that sequence, participants that see their part, one clock, one journal. Here is the only
 * place that writes an update: {@link Network.commit}.
 */
import type { CheckedPackages } from '../daml/dar/checked-packages.js';
import { invariant, ledgerError, type LedgerError } from '../daml/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../daml/package.js';
import { PartySets } from '../daml/parties.js';
import type { PackageId } from '../daml/types.js';
import { STABLE_PACKAGES } from '../daml/stable-packages.js';
import { stakeholdersOf } from '../daml/transaction.js';
import { AutomaticAssignments } from './automatic-assignment.js';
import { ChoiceCoverage } from './choice-coverage.js';
import { Clock, DEFAULT_START, type WallClock } from './clock.js';
import { ContractStore } from './contract-store.js';
import { ExternalParties } from './external-parties.js';
import { InFlight } from './in-flight.js';
import type { ParticipantId, Party, SynchronizerId, Timestamp } from './ids.js';
import { Journal, type GrowingList, type Undoable } from './journal.js';
import { NOT_DEDUPLICATED, UpdateEntry } from './log-entry.js';
import { Migrations } from './migrations.js';
import { NetworkLog } from './network-log.js';
import { networkPackages } from './network-packages.js';
import { Participant, type ParticipantOptions } from './participant.js';
import { sequencedUpdate, type StoredUpdate, type UpdateOrigin } from './sequenced-update.js';
import { PROTOCOLS, type Protocol, type ProtocolVersion } from './protocol.js';
import { SeededRandom } from './random.js';
import { RequestNumbers } from './request-numbers.js';
import { Snapshots } from './snapshots.js';
import { Synchronizer, type SynchronizerOptions } from './synchronizer.js';
import { Topology } from './topology.js';
import type { LedgerUpdate, ReassignmentUpdate, Update, UpdateContent } from './updates.js';

export interface NetworkOptions {
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
  /** One `sandbox`, connected to every synchronizer, by default. */
  readonly participants?: readonly ParticipantOptions[];
  /** Beside `participant_admin` an administrator of every participant, as Canton's `additional-admin-user-id` makes one. */
  readonly additionalAdminUser?: string;
  /** Known and vetted everywhere from the start. */
  readonly packages?: readonly DamlPackage[];
  /** Packages of DARs that need not be checked again. */
  readonly checkedPackages?: CheckedPackages;
  /** Names of the Daml-LF versions that participants know; all that we read, by default. */
  readonly languages?: readonly string[];
  /** Ids of packages that are Canticle's own: nobody asks how far they are tested. */
  readonly ownPackages?: ReadonlySet<PackageId>;
}

/** What a submission adds to the log entry of the participant that made it. */
export interface CompletionContent {
  readonly participantId: ParticipantId;
  /** Where the deduplication period began; absent where the change is not deduplicated. */
  readonly deduplicationOffset?: number;
}

export class Network implements Undoable {
  readonly journal = new Journal();
  readonly random: SeededRandom;
  readonly clock: Clock;
  /** Shared by all that keeps sets of parties; not part of the state. */
  readonly partySets = new PartySets();
  readonly topology: Topology;
  readonly externalParties: ExternalParties;
  readonly contracts: ContractStore;
  readonly migrations: Migrations;
  readonly inFlight: InFlight;
  private readonly automaticAssignments: AutomaticAssignments;
  /** Off until somebody starts it. */
  readonly coverage = new ChoiceCoverage(this);
  readonly synchronizers: readonly Synchronizer[];
  private readonly byId: ReadonlyMap<SynchronizerId, Synchronizer>;
  private readonly origins = new Map<SynchronizerId, UpdateOrigin>();
  readonly participants: readonly Participant[];
  /** What any participant knows. */
  readonly packages: PackageLookup = networkPackages(this);
  private readonly log: NetworkLog;
  /** Not in the journal, but in snapshots. */
  readonly requestNumbers = new RequestNumbers();
  private readonly snapshots = new Snapshots(this.journal, this.requestNumbers);
  /** Told after each revert; not part of the state. */
  private readonly revertListeners = new Set<() => void>();

  /** What every synchronizer speaks. */
  readonly protocol: Protocol;

  constructor(readonly options: NetworkOptions = {}) {
    this.protocol = PROTOCOLS[options.protocolVersion ?? 35];
    this.random = new SeededRandom(this.journal, options.seed ?? 0);
    this.clock = new Clock(this.journal, options.start ?? DEFAULT_START, options.wallClock);
    this.inFlight = new InFlight(this);
    this.topology = new Topology(this.journal);
    this.externalParties = new ExternalParties(this.journal);
    this.contracts = new ContractStore(this.journal);
    this.log = new NetworkLog(this.random);
    this.synchronizers = (
      options.synchronizers ?? [{ alias: 'global', identifier: 'global-domain' }]
    ).map((each) => new Synchronizer(this.journal, this.random, each, this.protocol));
    this.byId = new Map(this.synchronizers.map((each) => [each.id, each]));
    this.automaticAssignments = new AutomaticAssignments(this);
    this.migrations = new Migrations(this);
    this.participants = (options.participants ?? [{ name: 'sandbox' }]).map(
      (each) => new Participant(this, each),
    );
    for (const participant of this.participants) this.connect(participant);
    for (const participant of this.participants)
      participant.addPackages([...STABLE_PACKAGES, ...(options.packages ?? [])]);
  }

  /** A participant is a party as well, which it hosts wherever it is connected (B-ID-012): every participant there is told of it. */
  private connect({ id, connected }: Participant): void {
    const event = {
      kind: 'added',
      party: id,
      participantId: id,
      permission: 'submission',
    } as const;
    for (const synchronizerId of connected)
      this.commit({ kind: 'topology', synchronizerId, workflowId: '', events: [event] });
  }

  /** @throws InvariantError for a name that no participant has; check names from outside first. */
  participant(nameOrId: string): Participant {
    const found = this.participants.find(({ name, id }) => name === nameOrId || id === nameOrId);
    if (found === undefined)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Unknown participant ${nameOrId}. There are: ${this.participants.map(({ name }) => name).join(', ')}.`,
      );
    return found;
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
    this.assignWhatIsDue();
  }

  /** For whoever has given a record time, and is through with what it is for. */
  assignWhatIsDue(): void {
    this.automaticAssignments.carryOut();
  }

  /** All updates in the order of sequencing. Record times ascend. */
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
   */
  commit(content: UpdateContent, completion?: CompletionContent): Update {
    const synchronizer = this.byId.get(content.synchronizerId);
    invariant(synchronizer !== undefined, 'an update belongs to a known synchronizer');
    // Submissions wait before they come here; whatever else does cannot.
    if (synchronizer.isPaused) throw sequencingPaused(synchronizer.alias);
    if (content.kind === 'transaction') this.contracts.check(content.transaction);
    const before = this.clock.latest;
    const recordTime = this.clock.tick();
    synchronizer.sequenced(recordTime, before);
    const origin = this.originOf(content.synchronizerId);
    const update = sequencedUpdate(origin, this.updates.length, recordTime, content);
    const witnesses = witnessesIn(update);
    update.isAt(this.entriesOf(update, witnesses, completion));
    this.journal.record(this, update, before);
    this.log.append(update, witnesses);
    this.apply(update);
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.receive(entry, witnesses);
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.log.tell(witnesses);
    if (this.coverage.isCounting && content.kind === 'transaction')
      this.coverage.count(content.transaction);
    // Time has moved on a little. Only the moves of a transaction are not the last that their submission does.
    if (content.kind !== 'reassignment' || completion !== undefined) this.assignWhatIsDue();
    return update;
  }

  /** Takes back the last update. */
  undo(slot: unknown, before: unknown): void {
    const update = slot as StoredUpdate;
    const witnesses = witnessesIn(update);
    for (let entry = update.entries; entry !== undefined; entry = entry.next)
      entry.participant.takeBack(entry, witnesses);
    if (update.kind === 'transaction') this.contracts.takeBack(update);
    this.log.takeBack(update, witnesses);
    this.byId.get(update.synchronizerId)!.unsequenced(before as Timestamp);
    this.clock.untick(before as Timestamp);
  }

  private originOf(synchronizerId: SynchronizerId): UpdateOrigin {
    const migrationId = this.migrations.current;
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
  ): UpdateEntry | undefined {
    let entries: UpdateEntry | undefined;
    for (let i = this.participants.length - 1; i >= 0; i--) {
      const participant = this.participants[i]!;
      if (!this.isInformed(participant, update, witnesses)) continue;
      const submitted = completion?.participantId === participant.id;
      entries = new UpdateEntry(
        participant,
        participant.log.end + 1,
        update,
        submitted ? (completion.deduplicationOffset ?? NOT_DEDUPLICATED) : undefined,
        entries,
      );
    }
    return entries;
  }

  private apply(update: Update): void {
    switch (update.kind) {
      case 'transaction':
        this.contracts.apply(update);
        break;
      case 'reassignment':
        this.reassign(update);
        break;
      case 'topology':
        for (const event of update.events) this.topology.apply(update.synchronizerId, event);
        break;
    }
  }

  private reassign(update: ReassignmentUpdate): void {
    const { contracts, automaticAssignments } = this;
    const { kind, reassignmentId } = update.events[0]!;
    if (kind === 'unassigned') {
      contracts.unassign(update);
      automaticAssignments.unassigned(update);
    } else {
      contracts.assign(update);
      automaticAssignments.assigned(contracts.reassignment(reassignmentId)!.unassigned);
    }
  }

  private isInformed(
    participant: Participant,
    update: Update,
    witnesses: readonly Party[],
  ): boolean {
    if (!participant.isConnectedTo(update.synchronizerId)) return false;
    if (update.kind === 'topology') return true;
    return participant.hostsAny(witnesses);
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

  /** Makes this moment the one that {@link reset} goes to. */
  startHere(): void {
    this.snapshots.startHere();
  }

  /** Goes back to the start; before {@link startHere} was called, to the first snapshot. */
  reset(): void {
    this.snapshots.reset();
    this.tellReverted();
  }

  private tellReverted(): void {
    for (const listener of [...this.revertListeners]) listener();
  }

  /** Calls `listener` after each revert or reset, until the returned function is called. */
  onRevert(listener: () => void): () => void {
    this.revertListeners.add(listener);
    return () => this.revertListeners.delete(listener);
  }

  /** Synchronizers in the order of connection. */
  connectedTo(participant: Participant): readonly SynchronizerId[] {
    return participant.connected;
  }
}

function sequencingPaused(alias: string): LedgerError {
  return ledgerError('REQUEST_TIME_OUT', {
    cause: `Timed out while awaiting the synchronizer ${alias}, which is paused.`,
    explanation: 'Resume it first. Only submissions over HTTP can wait until then.',
  });
}

/** Everyone who may see some of it, each once. */
function witnessesIn(update: Update): readonly Party[] {
  switch (update.kind) {
    case 'transaction':
      return unique(update.witnesses);
    case 'reassignment':
      return unique(update.events.map((event) => stakeholdersOf(event.contract)));
    case 'topology':
      return unique([update.events.map((event) => event.party)]);
  }
}

function unique(sets: readonly (readonly Party[])[]): readonly Party[] {
  const first = sets[0];
  if (first === undefined) return [];
  // Most of what happens concerns the same parties throughout.
  for (let i = 1; i < sets.length; i++) if (sets[i] !== first) return [...new Set(sets.flat())];
  return first;
}
