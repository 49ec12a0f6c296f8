/**
 * One offset in the log of a participant. History is most of a network's memory, so an entry holds only data that
 * exists nowhere else. The rest, such as the completion of an accepted command, is derived on demand from the update.
 */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import type { Member } from './member.js';
import type {
  Activation,
  Completion,
  GivenOrDrawnTrace,
  LogEntry,
  Offsets,
  SubmissionInfo,
  LocalUpdate,
  Update,
} from '../model/updates.js';

const NONE: readonly never[] = [];
/** In place of the start of a period if there is no period. */
export const NOT_DEDUPLICATED = -1;

/** An update at one participant and, through `next`, at the others that see it. */
export class UpdateEntry implements LogEntry, LocalUpdate, Offsets {
  /** A single activation is stored without an array. */
  #deactivated: Activation | readonly Activation[] = NONE;

  constructor(
    readonly participant: Member,
    readonly offset: number,
    readonly update: Update,
    /**
     * The start of the deduplication period, if any, at the participant that submitted the command; otherwise
     * undefined.
     */
    private readonly deduplicationOffset: number | undefined,
    /** The same update at the next participant. */
    readonly next: UpdateEntry | undefined,
  ) {}

  /** Activations that ended here. */
  get deactivated(): readonly Activation[] {
    const ended = this.#deactivated;
    return isList(ended) ? ended : [ended];
  }

  /** For files: the start of the period, at the participant that submitted. */
  get deduplicationStart(): number | undefined {
    return this.deduplicationOffset;
  }

  /** Called once, when the ended activations are known. */
  hasEnded(stays: Activation | readonly Activation[]): void {
    this.#deactivated = stays;
  }

  get recordTime(): Timestamp {
    return this.update.recordTime;
  }

  get synchronizerId(): SynchronizerId {
    return this.update.synchronizerId;
  }

  /** The command of the update, if this participant accepted it. */
  get accepted(): SubmissionInfo | undefined {
    return this.deduplicationOffset === undefined ? undefined : this.update.submission;
  }

  /** The command, if its change must not be accepted again for a while. */
  get deduplicated(): SubmissionInfo | undefined {
    return this.deduplicationOffset === NOT_DEDUPLICATED ? undefined : this.accepted;
  }

  get submitters(): readonly Party[] {
    return this.accepted?.actAs ?? NONE;
  }

  /** The offset of the update at a participant: of this entry or a linked one. */
  get(participantId: ParticipantId): number | undefined {
    return this.at(participantId)?.offset;
  }

  /** The entry at a participant: this one or a linked one. */
  at(participantId: ParticipantId): UpdateEntry | undefined {
    return this.participant.id === participantId ? this : this.next?.at(participantId);
  }

  /** The nodes of a transaction that the participant sees, ascending; undefined if it sees all. */
  get seen(): readonly number[] | undefined {
    return undefined;
  }

  nodeIdOf(node: number): number | undefined {
    return node;
  }

  get completion(): Completion | undefined {
    const { accepted, offset, update, deduplicationOffset } = this;
    if (accepted === undefined) return undefined;
    const { commandId, userId, submissionId, actAs } = accepted;
    const { updateId, synchronizerId, recordTime, trace } = update;
    return {
      offset,
      commandId,
      userId,
      submissionId,
      actAs,
      updateId,
      deduplicationPeriod:
        deduplicationOffset === undefined || deduplicationOffset === NOT_DEDUPLICATED
          ? undefined
          : { kind: 'offset', offset: deduplicationOffset },
      synchronizerId,
      recordTime,
      traceContext: trace,
      externalTransactionHash:
        update.kind === 'transaction' ? update.externalTransactionHash : undefined,
    };
  }
}

/** An entry whose participant sees a part of the transaction. Most entries see all of it, and do not need the list. */
class PartEntry extends UpdateEntry {
  readonly #seen: readonly number[];

  constructor(
    participant: Member,
    offset: number,
    update: Update,
    deduplicationOffset: number | undefined,
    next: UpdateEntry | undefined,
    seen: readonly number[],
  ) {
    super(participant, offset, update, deduplicationOffset, next);
    this.#seen = seen;
  }

  override get seen(): readonly number[] {
    return this.#seen;
  }

  override nodeIdOf(node: number): number | undefined {
    const seen = this.#seen;
    let [from, to] = [0, seen.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (seen[middle]! < node) from = middle + 1;
      else to = middle;
    }
    return seen[from] === node ? from : undefined;
  }
}

/** @param seen the nodes that the participant sees, ascending; undefined for all */
export function updateEntry(
  participant: Member,
  offset: number,
  update: Update,
  deduplicationOffset: number | undefined,
  next: UpdateEntry | undefined,
  seen: readonly number[] | undefined,
): UpdateEntry {
  return seen === undefined
    ? new UpdateEntry(participant, offset, update, deduplicationOffset, next)
    : new PartEntry(participant, offset, update, deduplicationOffset, next, seen);
}

function isList(ended: Activation | readonly Activation[]): ended is readonly Activation[] {
  return Array.isArray(ended);
}

/** The completion data of a rejected request. */
export interface RejectedRequest {
  readonly info: SubmissionInfo;
  readonly synchronizerId: SynchronizerId;
  readonly traceContext: GivenOrDrawnTrace | undefined;
  readonly externalTransactionHash?: string | undefined;
  readonly paid?: number | undefined;
}

/** A rejection after the command was accepted for processing. */
export class RejectionEntry implements LogEntry {
  readonly deactivated = NONE;

  constructor(readonly completion: Completion) {}

  get submitters(): readonly Party[] {
    return this.completion.actAs;
  }

  get offset(): number {
    return this.completion.offset;
  }

  get recordTime(): Timestamp {
    return this.completion.recordTime;
  }

  get synchronizerId(): SynchronizerId {
    return this.completion.synchronizerId;
  }

  get update(): undefined {
    return undefined;
  }
}
