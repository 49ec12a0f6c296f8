/** Offset checkpoints (B-CHK-*): how far the log of a participant has come, and each synchronizer's time there. */
import { formatInstant } from '../../daml/model/time.js';
import type { Participant } from '../../network/participant.js';
import type { OffsetCheckpoint1 } from '../../spec/generated/ledger.js';

export interface Checkpoint {
  readonly offset: number;
  readonly message: OffsetCheckpoint1;
}

/** In milliseconds of the machine, whatever the ledger's own time is. */
export interface CheckpointDelays {
  /** From the opening of a stream to its first checkpoint, where one was taken at its place. */
  readonly first: number;
  /** Between two moments at which a checkpoint is taken. */
  readonly interval: number;
  /** Without any change of the log, until an open stream is told the checkpoint. */
  readonly idle: number;
}

/** Canton's (B-CHK-004, B-CHK-006). */
export const CHECKPOINT_DELAYS: CheckpointDelays = { first: 500, interval: 15_000, idle: 60_000 };

/** What streams are told of checkpoints: when, and which one of each participant. */
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

  /** @returns the latest that was taken; undefined before the first */
  of(participant: Participant): () => Checkpoint | undefined {
    const cache = this.caches.get(participant)!;
    return () => cache.latest;
  }

  /** No checkpoint is taken any more. */
  close(): void {
    for (const cache of this.caches.values()) cache.close();
  }
}

/**
 * The checkpoint of one participant, taken anew at each interval, whoever reads: what was appended since is behind it, so that a
 * stream which is opened at the end of a busy log hears of none, and one at the end of a quiet log soon does (B-CHK-009).
 */
class CheckpointCache {
  latest: Checkpoint | undefined;
  readonly close: () => void;

  constructor(
    private readonly participant: Participant,
    interval: number,
  ) {
    const { ledger, log } = participant;
    ledger.onRevert(() => {
      if (this.latest !== undefined && this.latest.offset > log.end) this.latest = undefined;
    });
    // Not everybody says when a network is no longer used.
    const own = new WeakRef(this);
    const timer = setInterval(() => {
      const cache = own.deref();
      if (cache === undefined) clearInterval(timer);
      else cache.refresh();
    }, interval).unref();
    this.close = () => clearInterval(timer);
  }

  private refresh(): void {
    const { participant } = this;
    if (this.latest?.offset !== participant.log.end) this.latest = takeCheckpoint(participant);
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
