/**
 * Assigns what nobody did. Once the exclusive time of an unassignment is over on its target, the participants that take part do it
 * by themselves, in the name of the command that unassigned it. Where that time is zero they never do.
 *
 * No timers: whoever moves time asks what is due. What waits is kept in the order in which it falls due, so that asking costs
 * nothing that grows with history.
 */
import type { Timestamp } from '../../daml/model/values.js';
import { automaticAssigner, unassignedEvent, type Assigner } from './assignment-exclusivity.js';
import type { SynchronizerId } from '../ids.js';
import type { Network } from '../network.js';
import { JournaledIndex } from '../journal/ordered-index.js';
import { assignEvents } from './events.js';
import { StoredSubmissionInfo } from '../ledger/submission-info.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ReassignmentUpdate } from '../updates.js';

/** Unassignments to one synchronizer: as all have the same timeout, they fall due in the order in which they were sequenced. */
interface Queue {
  readonly target: Synchronizer;
  readonly waiting: JournaledIndex<ReassignmentUpdate>;
}

export class AutomaticAssignments {
  private readonly queues: readonly Queue[];
  /** While one is being made, the others wait for their turn. */
  private isUnderWay = false;
  /** The next call of a clock that nobody moves; no part of the state. */
  private alarm: Timestamp | undefined;

  constructor(private readonly network: Network) {
    const { journal, synchronizers } = network;
    this.queues = synchronizers.map((target) => ({
      target,
      waiting: new JournaledIndex<ReassignmentUpdate>(
        journal,
        `automatic-assignments/${target.alias}`,
      ),
    }));
  }

  /** From now on it hears of what is unassigned and assigned, and of the time. */
  attach(): void {
    const { network } = this;
    network.onCommit((update) => {
      if (update.kind === 'reassignment') this.note(update);
    });
    network.whenDue(() => this.carryOut());
    network.clock.onJump(() => this.carryOut());
    network.onRevert(() => this.setAlarm());
  }

  private note(update: ReassignmentUpdate): void {
    const { kind, reassignmentId } = update.events[0]!;
    if (kind === 'unassigned') this.unassigned(update);
    else this.assigned(this.network.contracts.reassignment(reassignmentId)!.unassigned);
  }

  private unassigned(update: ReassignmentUpdate): void {
    const { target, waiting } = this.queueTo(unassignedEvent(update).target);
    if (target.assignmentExclusivityTimeout > 0n) waiting.insert(update);
  }

  /** @param update the unassignment */
  private assigned(update: ReassignmentUpdate): void {
    const { waiting } = this.queueTo(unassignedEvent(update).target);
    if (waiting.has(update)) waiting.remove(update);
  }

  /** Assigns all that is due, except where the target is paused. */
  carryOut(): void {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      for (let due = this.due(); due !== undefined; due = this.due()) this.assign(due);
    } finally {
      this.isUnderWay = false;
    }
    this.setAlarm();
  }

  private due(): ReassignmentUpdate | undefined {
    const next = this.next();
    return next !== undefined && deadlineOf(next) <= this.network.clock.now() ? next : undefined;
  }

  /** What falls due first; of two at once, what was unassigned first. */
  private next(): ReassignmentUpdate | undefined {
    let next: ReassignmentUpdate | undefined;
    for (let i = 0; i < this.queues.length; i++) {
      const { target, waiting } = this.queues[i]!;
      const { first } = waiting;
      if (first === undefined || target.isPaused) continue;
      if (next === undefined || isBefore(first, next)) next = first;
    }
    return next;
  }

  private queueTo(synchronizerId: SynchronizerId): Queue {
    return this.queues.find(({ target }) => target.id === synchronizerId)!;
  }

  /**
   * NOTE: of several participants that can, the first one does. Real ones race: the first that is sequenced wins, and the others'
   * attempts either find it done and end without a trace, as here, or are rejected with a completion.
   */
  private assign(update: ReassignmentUpdate): void {
    this.assigned(update);
    const assigner = automaticAssigner(this.network, unassignedEvent(update));
    if (assigner !== undefined)
      this.network.journal.atomically(() => this.commit(update, assigner));
  }

  /** The completion is that of the command that unassigned, of its user, and has no submission id. */
  private commit(update: ReassignmentUpdate, { participant: { id }, submitter }: Assigner): void {
    const { network } = this;
    const participant = network.participant(id);
    const { reassignmentId, source, target } = unassignedEvent(update);
    // Of what was unassigned elsewhere, before a fork, nobody knows the command.
    const { submission } = update;
    const command = { kind: 'assign', reassignmentId, source, target } as const;
    const actAs = [submitter];
    network.commit(
      {
        kind: 'reassignment',
        synchronizerId: target,
        events: assignEvents(participant, submitter, command),
        ...(submission && {
          submission: StoredSubmissionInfo.of(
            network.random,
            '',
            participant.id,
            submission.userId,
            submission.commandId,
            actAs,
          ),
        }),
        workflowId: '',
      },
      submission && { participantId: participant.id },
    );
  }

  /** Where time is that of a machine nobody moves it, and it has to call. One call that is not too late is enough. */
  private setAlarm(): void {
    const next = this.next();
    if (next === undefined || this.network.clock.mode === 'virtual') return;
    const deadline = deadlineOf(next);
    if (this.alarm !== undefined && this.alarm <= deadline) return;
    this.alarm = deadline;
    this.network.clock.onTime(deadline, () => {
      if (this.alarm === deadline) this.alarm = undefined;
      this.carryOut();
    });
  }
}

function deadlineOf(update: ReassignmentUpdate): Timestamp {
  return unassignedEvent(update).assignmentExclusivity;
}

function isBefore(one: ReassignmentUpdate, other: ReassignmentUpdate): boolean {
  const [a, b] = [deadlineOf(one), deadlineOf(other)];
  return a === b ? one.sequence < other.sequence : a < b;
}
