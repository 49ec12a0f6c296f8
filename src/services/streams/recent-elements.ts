/**
 * Elements that were made lately, for streams that show the same: a thousand subscribers with one format cost one
 * rendering. Keyed by the log's entry itself, so that what a revert has undone is never shown again.
 */
import type { Participant } from '../../network/participant.js';
import type { LogEntry } from '../../network/updates.js';

/** Elements kept for a format; subscribers further behind make their own. */
const MAX_ELEMENTS = 64;
/** Formats of one participant; the oldest leave first. */
const MAX_FORMATS = 32;

export class RecentElements<T> {
  private readonly byOffset = new Map<number, { readonly entry: LogEntry; readonly element: T }>();

  /** The element for an entry, made where none that will do is at hand. */
  get(entry: LogEntry, willDo: (element: T) => boolean, make: () => T): T {
    const { offset } = entry;
    const known = this.byOffset.get(offset);
    if (known?.entry === entry && willDo(known.element)) return known.element;
    const element = make();
    this.byOffset.delete(offset);
    this.byOffset.set(offset, { entry, element });
    if (this.byOffset.size > MAX_ELEMENTS) this.byOffset.delete(this.byOffset.keys().next().value!);
    return element;
  }
}

const ofParticipant = new WeakMap<Participant, Map<string, RecentElements<unknown>>>();

/** @param format what decides how an entry is shown; Maps in it are told apart by their entries */
export function recentElements<T>(participant: Participant, format: unknown): RecentElements<T> {
  const key = JSON.stringify(format, (_name, value: unknown) =>
    value instanceof Map ? [...(value as Map<unknown, unknown>)] : value,
  );
  let formats = ofParticipant.get(participant);
  if (formats === undefined) ofParticipant.set(participant, (formats = new Map()));
  let recent = formats.get(key);
  if (recent === undefined) {
    formats.set(key, (recent = new RecentElements()));
    if (formats.size > MAX_FORMATS) formats.delete(formats.keys().next().value!);
  }
  return recent as RecentElements<T>;
}
