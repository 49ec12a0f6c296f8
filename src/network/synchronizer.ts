/** A synchronizer: sequences updates with strictly increasing record times, and has a current version. */
import { invariant, ledgerError } from '../daml/errors/ledger-error.js';
import type { Timestamp } from '../daml/model/values.js';
import {
  abbreviatedId,
  namespaceFor,
  namespaceOf,
  uniqueId,
  type SynchronizerId,
} from './model/ids.js';
import { namespaceOfOwners } from './model/keys.js';
import { JournaledCell, type Journal, type Undoable } from './journal/journal.js';
import type { SavedPart } from './journal/saved-parts.js';
import {
  DEFAULT_PROTOCOL_VERSION,
  PROTOCOLS,
  type Protocol,
  type ProtocolVersion,
} from './model/protocol.js';
import type { SeededRandom } from './journal/random.js';
import { durationOf, type Duration } from './model/time-texts.js';

/** Canton's default of the dynamic synchronizer parameter, a minute, in microseconds. */
const DEFAULT_ASSIGNMENT_EXCLUSIVITY_TIMEOUT = 60_000_000n;

export interface SynchronizerOptions {
  /** Its name for participants, such as `global`. */
  readonly alias: string;
  /** First part of its id; the alias by default. */
  readonly identifier?: string;
  /** The complete id of a remote synchronizer, whose keys are unknown here; replaces `identifier`. */
  readonly id?: string;
  /**
   * Name of the participant that founds it. The participant is then the only owner of its decentralized namespace, and
   * its nodes have that name. By default, it has a separate namespace.
   */
  readonly foundedBy?: string;
  /**
   * After an unassignment to it, how long only the submitter may assign. Afterwards any stakeholder may, and
   * participants assign automatically. A minute by default, as in Canton. If zero, any stakeholder may assign at once,
   * and there is no automatic assignment.
   */
  readonly assignmentExclusivityTimeout?: Duration;
  /** The version of Canton's protocol that it runs; that of the network by default. */
  readonly protocolVersion?: ProtocolVersion;
}

/** Says that no synchronizer has the name, and which ones there are. */
export const noSynchronizer = (name: string, all: readonly Synchronizer[]): string =>
  `There is no synchronizer ${name}. There are: ${all.map(({ alias }) => alias).join(', ')}.`;

export class Synchronizer implements Undoable, SavedPart {
  readonly alias: string;
  readonly protocol: Protocol;
  /** Set for a remote synchronizer. */
  readonly givenId: string | undefined;
  readonly foundedBy: string | undefined;
  readonly namespace: string;
  readonly id: SynchronizerId;
  readonly sequencerId: string;
  readonly mediatorId: string;
  /** Microseconds. */
  readonly assignmentExclusivityTimeout: bigint;
  private readonly serialCell: JournaledCell<number>;
  private readonly pausedCell: JournaledCell<boolean>;
  private lastRecordTime: Timestamp | undefined;

  constructor(
    private readonly journal: Journal,
    random: SeededRandom,
    options: SynchronizerOptions,
    defaultVersion: ProtocolVersion = DEFAULT_PROTOCOL_VERSION,
  ) {
    this.protocol = PROTOCOLS[options.protocolVersion ?? defaultVersion];
    this.alias = options.alias;
    const { foundedBy, id } = options;
    this.foundedBy = foundedBy;
    this.givenId = id;
    const own = (): string =>
      foundedBy === undefined
        ? namespaceFor(random, `synchronizer/${options.alias}`)
        : namespaceOfOwners([namespaceFor(random, `participant/${foundedBy}`)]);
    this.namespace = id === undefined ? own() : namespaceOf(id);
    this.id = id ?? uniqueId(options.identifier ?? options.alias, this.namespace);
    this.sequencerId = uniqueId(
      foundedBy ?? 'sequencer1',
      namespaceFor(random, `sequencer/${options.alias}`),
    );
    this.mediatorId = uniqueId(
      foundedBy ?? 'mediator1',
      namespaceFor(random, `mediator/${options.alias}`),
    );
    this.assignmentExclusivityTimeout = exclusivityTimeoutOf(options);
    journal.parts.add(`record-time/${options.alias}`, this);
    this.serialCell = new JournaledCell(journal, `serial/${options.alias}`, 0);
    this.pausedCell = new JournaledCell(journal, `paused/${options.alias}`, false);
  }

  saved(): unknown {
    return this.lastRecordTime;
  }

  restore(content: unknown): void {
    this.lastRecordTime = content as Timestamp | undefined;
  }

  /** Increases by one with each upgrade of the synchronizer. */
  get serial(): number {
    return this.serialCell.value;
  }

  /** `<id>::<protocol version>-<serial>` (B-ID-014). */
  get physicalId(): string {
    return `${this.id}::${this.protocol.version}-${this.serial}`;
  }

  /** The physical id as Canton prints it in its messages. */
  get printedId(): string {
    return `${abbreviatedId(this.id)}::${this.protocol.version}-${this.serial}`;
  }

  /** The id that external parties sign (B-INT-016). */
  get signedId(): string {
    return this.protocol.signsPhysicalId ? this.physicalId : this.id;
  }

  /** Record time of the last update; undefined before the first. */
  get recordTime(): Timestamp | undefined {
    return this.lastRecordTime;
  }

  /**
   * Records a record time, which the caller journals.
   * @param before the argument of {@link unsequenced}; it is journaled here only if it differs from the last record
   * time
   */
  sequenced(recordTime: Timestamp, before: Timestamp): void {
    const last = this.lastRecordTime;
    invariant(last === undefined || recordTime > last, 'record times strictly increase');
    if (last !== before) this.journal.record(this, undefined, last);
    this.lastRecordTime = recordTime;
  }

  unsequenced(before: Timestamp): void {
    this.lastRecordTime = before;
  }

  undo(_slot: unknown, previous: unknown): void {
    this.lastRecordTime = previous as Timestamp | undefined;
  }

  /** Like a synchronizer that is down: it sequences no updates. */
  get isPaused(): boolean {
    return this.pausedCell.value;
  }

  set isPaused(isPaused: boolean) {
    if (isPaused !== this.isPaused) this.pausedCell.value = isPaused;
  }

  upgraded(): void {
    this.serialCell.value = this.serial + 1;
  }
}

/** NOTE: Canticle's text, for the user who starts it. */
function exclusivityTimeoutOf({
  alias,
  assignmentExclusivityTimeout: given = DEFAULT_ASSIGNMENT_EXCLUSIVITY_TIMEOUT,
}: SynchronizerOptions): bigint {
  const timeout = durationOf(given);
  if (timeout >= 0n) return timeout;
  throw ledgerError(
    'INVALID_ARGUMENT',
    `The assignmentExclusivityTimeout of synchronizer ${alias} is negative. Give a duration such as PT1M, or PT0S for none.`,
  );
}
