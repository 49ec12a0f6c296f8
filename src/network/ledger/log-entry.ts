/**
 * One offset of a participant as its log keeps it. History is most of what a network holds, so an entry holds what nothing
 * else does: what the update already says, an accepted command's completion among it, is derived when it is asked for.
 */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../ids.js';
import type { Member } from './member.js';
import type {
  Activation,
  Completion,
  LogEntry,
  Offsets,
  SubmissionInfo,
  ToldUpdate,
  Update,
} from '../updates.js';

const NONE: readonly never[] = [];
/** Stands for the beginning of a period where there is none. */
export const NOT_DEDUPLICATED = -1;

/** An update at one participant, and, through `next`, at the others that see it. */
export class UpdateEntry implements LogEntry, ToldUpdate, Offsets {
  /** A single one stands for itself. */
  #deactivated: Activation | readonly Activation[] = NONE;

  constructor(
    readonly participant: Member,
    readonly offset: number,
    readonly update: Update,
    /** Where the deduplication period began, if there was any, at the participant that submitted the command; else undefined. */
    private readonly deduplicationOffset: number | undefined,
    /** The same update at the next participant. */
    readonly next: UpdateEntry | undefined,
  ) {}

  /** Stays that ended here. */
  get deactivated(): readonly Activation[] {
    const ended = this.#deactivated;
    return isList(ended) ? ended : [ended];
  }

  /** For files: where the period began, at the participant that submitted. */
  get keptDeduplication(): number | undefined {
    return this.deduplicationOffset;
  }

  /** Called once, when it is known what ended. */
  hasEnded(stays: Activation | readonly Activation[]): void {
    this.#deactivated = stays;
  }

  get recordTime(): Timestamp {
    return this.update.recordTime;
  }

  get synchronizerId(): SynchronizerId {
    return this.update.synchronizerId;
  }

  /** Of the command that the update comes from, where this participant accepted it. */
  get accepted(): SubmissionInfo | undefined {
    return this.deduplicationOffset === undefined ? undefined : this.update.submission;
  }

  /** The same where the change is not to be accepted again for a while. */
  get deduplicated(): SubmissionInfo | undefined {
    return this.deduplicationOffset === NOT_DEDUPLICATED ? undefined : this.accepted;
  }

  get submitters(): readonly Party[] {
    return this.accepted?.actAs ?? NONE;
  }

  /** The offset of the update at a participant: of this entry, or of one behind it. */
  get(participantId: ParticipantId): number | undefined {
    return this.at(participantId)?.offset;
  }

  /** At a participant: this entry, or one behind it. */
  at(participantId: ParticipantId): UpdateEntry | undefined {
    return this.participant.id === participantId ? this : this.next?.at(participantId);
  }

  /** Of a transaction, the nodes that the participant sees, ascending; undefined where it sees all. */
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

/** Where the participant sees a part of the transaction. Most see all of it: the list takes no room in those. */
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

/** A refusal that came after the command was accepted for processing. */
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
