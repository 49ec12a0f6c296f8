/**
 * Recently rendered elements, for streams with the same format, so that many subscribers with one format need one
 * rendering. The key is the log entry itself, so that elements of undone entries never appear again.
 */
import type { Participant } from '../../network/participant.js';
import type { LogEntry } from '../../network/model/updates.js';
import { isMap } from '../../daml/errors/realms.js';

/** Maximum number of stored elements of a format. Subscribers that read older entries render their own. */
const MAX_ELEMENTS = 64;
/** Maximum number of formats of a participant. The oldest are removed first. */
const MAX_FORMATS = 32;

export class RecentElements<T> {
  /**
   * A ring buffer, in which a new entry replaces the oldest. A Map that grows would keep its old tables until a full
   * garbage collection.
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

/** @param format decides the form of an entry; Maps in it are compared by their entries */
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
