/** Offset checkpoints (B-CHK-*): the last offset of a participant's log, and each synchronizer's time there. */
import { formatInstant } from '../../daml/model/time.js';
import type { Participant } from '../../network/participant.js';
import type { OffsetCheckpoint1 } from '../../spec/generated/ledger.js';

export interface Checkpoint {
  readonly offset: number;
  readonly message: OffsetCheckpoint1;
}

/** In milliseconds of real time, independent of the ledger's time. */
export interface CheckpointDelays {
  /** From the opening of a stream to its first checkpoint, if one was taken at its position. */
  readonly first: number;
  /** The time between two checkpoints. */
  readonly interval: number;
  /** The time without any change of the log until an open stream gets the checkpoint. */
  readonly idle: number;
}

/** The delays of Canton (B-CHK-004, B-CHK-006). */
export const CHECKPOINT_DELAYS: CheckpointDelays = { first: 500, interval: 15_000, idle: 60_000 };

/** The checkpoints for streams: their times, and the cache of each participant. */
export class Checkpoints {
  private readonly caches: ReadonlyMap<Participant, CheckpointCache>;

  constructor(
    participants: readonly Participant[],
    readonly delays: CheckpointDelays,
  ) {
    this.caches = new Map(
      participants.map((each) => [each, new CheckpointCache(each, delays.interval)]),
    );
  }

  of(participant: Participant): CheckpointCache {
    return this.caches.get(participant)!;
  }

  /** From the opening of a stream of the participant to its first checkpoint. */
  firstDelay({ rules }: Participant): number {
    const { first, idle } = this.delays;
    return rules.sendsFirstCheckpointLate ? Math.max(first, idle) : first;
  }
}

/**
 * The checkpoint of one participant, as if it were taken at each interval, independent of readers. It excludes
 * later entries. A stream that opens at the end of a busy log gets no checkpoint, and one at the end of a quiet log
 * gets one soon (B-CHK-009). It needs no timer: a log that was quiet for an interval has its checkpoint at its end.
 */
export class CheckpointCache {
  private checkpoint: Checkpoint | undefined;
  /** In real time. */
  private appendedAt = -Infinity;
  private takenAt = performance.now();

  constructor(
    private readonly participant: Participant,
    private readonly interval: number,
  ) {
    const { ledger, log } = participant;
    log.onAppend(() => {
      this.appendedAt = performance.now();
      if (this.sendsPast && this.appendedAt - this.takenAt >= this.interval) this.take();
    });
    ledger.onRevert(() => {
      if (this.checkpoint !== undefined && this.checkpoint.offset > log.end)
        this.checkpoint = undefined;
    });
  }

  /** The latest checkpoint; undefined before the first. */
  latest(): Checkpoint | undefined {
    if (performance.now() - this.appendedAt >= this.interval) this.take();
    return this.checkpoint;
  }

  /**
   * Whether a stream also gets the latest checkpoint between its first elements, as from a participant (B-CHK-010).
   * With virtual time, a client's first elements do not depend on the age of the network.
   */
  get sendsPast(): boolean {
    return this.participant.ledger.clock.mode === 'wall';
  }

  /** Called at the end of an interval. */
  take(): void {
    const { participant } = this;
    this.takenAt = performance.now();
    if (this.checkpoint?.offset !== participant.log.end)
      this.checkpoint = takeCheckpoint(participant);
  }
}

/** Undefined for a log without entries. */
function takeCheckpoint(participant: Participant): Checkpoint | undefined {
  const { log, ledger } = participant;
  if (log.end === 0) return undefined;
  const synchronizerTimes = ledger.synchronizers.flatMap(({ id, recordTime }) =>
    recordTime === undefined || !participant.isConnectedTo(id)
      ? []
      : [{ synchronizerId: id, recordTime: formatInstant(recordTime) }],
  );
  return { offset: log.end, message: { offset: log.end, synchronizerTimes } };
}
