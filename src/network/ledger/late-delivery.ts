/**
 * Delivers missed updates to a participant that is connected again: at its next offset, with the original record time.
 */
import type { Journal, Undoable } from '../journal/journal.js';
import { updateEntry, type UpdateEntry } from './log-entry.js';
import type { Member, MissedUpdate } from './member.js';
import type { StoredUpdate } from './sequenced-update.js';

export function deliverLate(
  journal: Journal,
  member: Member,
  { update, witnesses, deduplicationOffset, seen }: MissedUpdate,
): void {
  const stored = update as StoredUpdate;
  const { entries } = stored;
  const offset = member.log.end + 1;
  const entry = updateEntry(member, offset, update, deduplicationOffset, entries, seen);
  stored.isAt(entry);
  journal.record(LATE_DELIVERY, entry, undefined);
  member.receive(entry);
  member.log.notify(witnesses);
}

/** Undoes the late delivery to a participant. */
const LATE_DELIVERY: Undoable = {
  undo(slot) {
    const entry = slot as UpdateEntry;
    entry.participant.takeBack(entry);
    (entry.update as StoredUpdate).isAt(entry.next);
  },
};
