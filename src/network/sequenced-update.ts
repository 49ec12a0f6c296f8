/**
 * Updates as the log keeps them. History is most of what a network holds, so they are built member by member: objects that
 * are spread together would not share their shape.
 */
import type { ParticipantId } from './ids.js';
import type { Update, UpdateContent, UpdateHeader } from './updates.js';

/** The offset of an update at each participant that sees any of it: a map for one or a few. */
export class Offsets {
  private constructor(
    private readonly participantIds: readonly ParticipantId[],
    private readonly offsets: readonly number[],
  ) {}

  static at(entries: readonly (readonly [id: ParticipantId, offset: number])[]): Offsets {
    return new Offsets(
      entries.map(([id]) => id),
      entries.map(([, offset]) => offset),
    );
  }

  get(participantId: ParticipantId): number | undefined {
    return this.offsets[this.participantIds.indexOf(participantId)];
  }
}

type Sequencing = Pick<
  UpdateHeader,
  'updateId' | 'sequence' | 'recordTime' | 'migrationId' | 'offsets'
>;

export function sequencedUpdate(content: UpdateContent, sequencing: Sequencing): Update {
  const { updateId, sequence, recordTime, migrationId, offsets } = sequencing;
  const { synchronizerId, submission, workflowId, traceContext } = content;
  switch (content.kind) {
    case 'transaction':
      return {
        kind: 'transaction',
        updateId,
        sequence,
        synchronizerId,
        recordTime,
        migrationId,
        offsets,
        submission,
        workflowId,
        traceContext,
        effectiveAt: content.effectiveAt,
        transaction: content.transaction,
        witnesses: content.witnesses,
        externalTransactionHash: content.externalTransactionHash,
      };
    case 'reassignment':
      return {
        kind: 'reassignment',
        updateId,
        sequence,
        synchronizerId,
        recordTime,
        migrationId,
        offsets,
        submission,
        workflowId,
        traceContext,
        events: content.events,
      };
    case 'topology':
      return {
        kind: 'topology',
        updateId,
        sequence,
        synchronizerId,
        recordTime,
        migrationId,
        offsets,
        submission,
        workflowId,
        traceContext,
        events: content.events,
      };
  }
}
