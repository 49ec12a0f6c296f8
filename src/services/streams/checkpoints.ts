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
  /** From the opening of a stream to its first checkpoint. */
  readonly first: number;
  /** Between two moments at which a checkpoint is taken. */
  readonly interval: number;
  /** Without any change of the log, until an open stream is told the checkpoint. */
  readonly idle: number;
}

/** Canton's (B-CHK-004, B-CHK-006). */
export const CHECKPOINT_DELAYS: CheckpointDelays = { first: 500, interval: 15_000, idle: 60_000 };

/** Undefined for a log without entries. */
export function takeCheckpoint(participant: Participant): Checkpoint | undefined {
  const { log, ledger } = participant;
  if (log.end === 0) return undefined;
  const synchronizerTimes = ledger.synchronizers.flatMap(({ id, recordTime }) =>
    recordTime === undefined || !participant.isConnectedTo(id)
      ? []
      : [{ synchronizerId: id, recordTime: formatInstant(recordTime) }],
  );
  return { offset: log.end, message: { offset: log.end, synchronizerTimes } };
}
