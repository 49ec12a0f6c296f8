/**
 * Automatic assignments. After the assignment exclusivity of an unassignment ends on its target, a reassigning
 * participant assigns the contracts, under the command that unassigned them. If the exclusivity is zero, this never
 * happens. There are no timers: the caller that advances time runs the due assignments. They wait in the order of
 * their due times, so that checking them has a constant cost.
 */
import type { Timestamp } from '../../daml/model/values.js';
import { automaticAssigner, unassignedEvent, type Assigner } from './assignment-exclusivity.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Network } from '../network.js';
import { JournaledIndex } from '../journal/ordered-index.js';
import { assignEvents } from './events.js';
import { StoredSubmissionInfo } from '../ledger/submission-info.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ReassignmentUpdate } from '../model/updates.js';

/** Unassignments to one synchronizer. All have the same timeout, so that they are due in the order of sequencing. */
interface Queue {
  readonly target: Synchronizer;
  readonly waiting: JournaledIndex<ReassignmentUpdate>;
}

export class AutomaticAssignments {
  private readonly queues: readonly Queue[];
  /** While one assignment runs, the others wait. */
  private isUnderWay = false;
  /** The next alarm of a wall clock; not part of the state. */
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

  /** Starts listening for unassignments, assignments and time changes. */
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

  /** Assigns all due contracts, except on a paused target. */
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

  /** The unassignment that is due first; of two at the same time, the earlier one. */
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
   * NOTE: the first of several possible participants assigns. Real participants race: the first sequenced assignment
   * wins. Other attempts either end without a trace, as here, or are rejected with a completion.
   */
  private assign(update: ReassignmentUpdate): void {
    this.assigned(update);
    const assigner = automaticAssigner(this.network, unassignedEvent(update));
    if (assigner !== undefined)
      this.network.journal.atomically(() => this.commit(update, assigner));
  }

  /** The completion has the command and the user of the unassignment, and no submission id. */
  private commit(update: ReassignmentUpdate, { participant: { id }, submitter }: Assigner): void {
    const { network } = this;
    const participant = network.participant(id);
    const { reassignmentId, source, target } = unassignedEvent(update);
    // The command of an unassignment from before a fork is unknown.
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

  /** A wall clock advances without a caller, so that it needs an alarm. One alarm in time is sufficient. */
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
