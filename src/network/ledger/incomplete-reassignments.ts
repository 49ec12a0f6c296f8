/** Reassignments of which one participant has seen only one half, now and at an earlier offset (B-ACS-012). */
import { JournaledMap, type Journal } from '../journal/journal.js';
import type { ParticipantId, ReassignmentId } from '../model/ids.js';
import { JournaledIndex, mergeAscending } from '../journal/ordered-index.js';
import type { LogEntry, ReassignmentUpdate } from '../model/updates.js';

export interface IncompleteReassignment {
  /** Offset of the half that the participant saw. */
  readonly sequence: number;
  readonly update: ReassignmentUpdate;
}

export class IncompleteReassignments {
  private readonly open: JournaledIndex<IncompleteReassignment>;
  private readonly byId: JournaledMap<ReassignmentId, IncompleteReassignment>;

  constructor(
    journal: Journal,
    private readonly participantId: ParticipantId,
  ) {
    this.open = new JournaledIndex(journal, `half-reassignments/${participantId}`);
    this.byId = new JournaledMap(journal, `half-reassignments-by-id/${participantId}`);
  }

  receive(update: ReassignmentUpdate): void {
    const id = update.events[0]!.reassignmentId;
    const otherHalf = this.byId.get(id);
    if (otherHalf === undefined) {
      const half = { sequence: update.offsets.get(this.participantId)!, update };
      this.byId.set(id, half);
      this.open.insert(half);
    } else this.open.remove(otherHalf);
  }

  /** Incomplete halves at `offset`, by the offset of each half. */
  *at(
    offset: number,
    since: Iterable<LogEntry>,
  ): Generator<IncompleteReassignment, void, undefined> {
    const completed: IncompleteReassignment[] = [];
    for (const { update } of since) {
      if (update?.kind !== 'reassignment') continue;
      const first = this.byId.get(update.events[0]!.reassignmentId);
      if (first !== undefined && first.update !== update && first.sequence <= offset)
        completed.push(first);
    }
    completed.sort((a, b) => a.sequence - b.sequence);
    for (const half of mergeAscending([completed.values(), this.open.after(0)])) {
      if (half.sequence > offset) return;
      yield half;
    }
  }
}
