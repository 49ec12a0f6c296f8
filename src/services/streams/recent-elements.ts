/**
 * Elements that were made lately, for streams that show the same: a thousand subscribers with one format cost one
 * rendering. Found by the log entry itself, so that undone entries never appear again.
 */
import type { Participant } from '../../network/participant.js';
import type { LogEntry } from '../../network/model/updates.js';
import { isMap } from '../../daml/errors/realms.js';

/** Stored elements of a format; subscribers further behind render their own. */
const MAX_ELEMENTS = 64;
/** Formats of one participant; the oldest leave first. */
const MAX_FORMATS = 32;

export class RecentElements<T> {
  /**
   * A ring: a new entry replaces the oldest. Not a Map: a growing Map keeps its old tables until a full garbage
   * collection.
   */
  private readonly entries: LogEntry[] = [];
  private readonly elements: T[] = [];
  private made = 0;

  /** The element for an entry. A suitable existing one is reused. */
  get(entry: LogEntry, willDo: (element: T) => boolean, make: () => T): T {
    const known = this.entries.indexOf(entry);
    if (known >= 0 && willDo(this.elements[known]!)) return this.elements[known]!;
    const element = make();
    const place = known >= 0 ? known : this.made++ % MAX_ELEMENTS;
    this.entries[place] = entry;
    this.elements[place] = element;
    return element;
  }
}

const ofParticipant = new WeakMap<Participant, Map<string, RecentElements<unknown>>>();

/** @param format the data that decides the form of an entry; Maps in it are compared by their entries */
export function recentElements<T>(participant: Participant, format: unknown): RecentElements<T> {
  const key = JSON.stringify(format, (_name, value: unknown) =>
    isMap(value) ? [...value] : value,
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
