/** The updates and completions of one participant by their ascending offsets, and the visibility of each. */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { GrowingList, JournaledCell, JournaledList, type Journal } from '../journal/journal.js';
import { ListsByParty } from '../journal/lists-by-party.js';
import type { LogEntry } from '../model/updates.js';
import { witnessesIn } from './witnesses.js';

/** Receives an entry and the witnesses of its update. The entry may still be undone. */
export type AppendListener = (entry: LogEntry, witnesses: Iterable<Party>) => void;

interface Pruning {
  readonly upTo: number;
  /** The last offset at that time. */
  readonly end: number;
}

export class ParticipantLog {
  /** From the first entry that is not forgotten. */
  private readonly entries = new GrowingList<LogEntry>();
  /** The offset after which the entries start. */
  private forgotten = 0;
  /** How far offsets advanced without an entry; undefined if they never did. */
  private readonly moved: JournaledCell<number | undefined>;
  /**
   * Offsets of the updates that a party witnesses: an index, so that reads of a party do not depend on the updates of
   * others.
   */
  private readonly byParty = new ListsByParty<LogEntry, number>(
    this.entries,
    ({ update }) => (update === undefined ? NOBODY : witnessesIn(update)),
    ({ offset }) => offset,
  );
  private readonly pruned: JournaledList<Pruning>;
  /**
   * Called after each append; not part of the state. Each change makes a new list, because a listener may add or
   * remove listeners.
   */
  private listeners: readonly AppendListener[] = [];

  /** Offsets with delayed completions, ascending. */
  private readonly withheld: JournaledCell<readonly number[]>;

  constructor(
    private readonly journal: Journal,
    participant: string,
  ) {
    this.pruned = new JournaledList(journal, `prunings/${participant}`);
    this.moved = new JournaledCell<number | undefined>(journal, `moved/${participant}`, undefined);
    this.withheld = new JournaledCell<readonly number[]>(journal, `withheld/${participant}`, []);
  }

  /** The last offset whose completion is visible, with all before it: completion streams are in order. */
  get completedUpTo(): number {
    const [first] = this.withheld.value;
    return first === undefined ? this.end : first - 1;
  }

  /** Delays the completion at the offset, and all after it. */
  withhold(offset: number): void {
    this.withheld.value = [...this.withheld.value, offset].sort((one, other) => one - other);
  }

  /** Ends the delay of a completion. */
  letGo(offset: number): void {
    if (!this.withheld.value.includes(offset)) return;
    const before = this.completedUpTo;
    this.withheld.value = this.withheld.value.filter((each) => each !== offset);
    for (const entry of this.between(before, this.completedUpTo))
      for (const listener of this.listeners) listener(entry, NOBODY);
  }

  /** 0 if the log is empty. */
  get end(): number {
    const { lastEntry: last } = this;
    const { value: moved } = this.moved;
    return moved !== undefined && moved > last ? moved : last;
  }

  private get lastEntry(): number {
    return this.entries.last()?.offset ?? this.forgotten;
  }

  /** Skips offsets: the next entry comes after them. */
  leaveOut(count: number): void {
    if (count > 0) this.moved.value = this.end + count;
  }

  /** The last pruned offset whose entry was forgotten; 0 if there is none. */
  get forgottenUpTo(): number {
    return this.forgotten;
  }

  get prunedUpTo(): number {
    return this.pruned.last()?.upTo ?? 0;
  }

  /** The prunings, with ascending offsets. */
  get prunings(): Pick<JournaledList<Pruning>, 'length' | 'at'> {
    return this.pruned;
  }

  /**
   * The caller journals it.
   * @param leftOut the number of empty offsets after it
   */
  append(entry: LogEntry, leftOut = 0): void {
    invariant(entry.offset > this.lastEntry, 'offsets ascend');
    this.entries.push(entry);
    this.leaveOut(leftOut);
  }

  endsWith(entry: LogEntry): boolean {
    return this.entries.last() === entry;
  }

  /** Undoes the last entry. */
  takeBack(): void {
    this.byParty.takeBack();
    this.entries.pop();
  }

  /** Calls the listeners with the last entry. */
  notify(witnesses: readonly Party[]): void {
    const { listeners } = this;
    if (listeners.length === 0 || this.journal.isRehearsing) return;
    const entry = this.entries.last()!;
    for (let i = 0; i < listeners.length; i++) listeners[i]!(entry, witnesses);
  }

  /** Undefined if the entry is forgotten, or if no entry has the offset. */
  entry(offset: number): LogEntry | undefined {
    const found = this.lastUntil(offset);
    return found?.offset === offset ? found : undefined;
  }

  /** The last entry at or before the offset; undefined if it is forgotten. */
  lastUntil(offset: number): LogEntry | undefined {
    return this.entries.at(this.indexBehind(offset) - 1);
  }

  /** The last entry of all, if it is after the offset. */
  lastBehind(offset: number): LogEntry | undefined {
    const last = this.entries.last();
    return last !== undefined && last.offset > offset ? last : undefined;
  }

  /** Index of the first entry after an offset. */
  private indexBehind(offset: number): number {
    const { entries } = this;
    const first = entries.at(0);
    if (first === undefined || first.offset > offset) return 0;
    if (entries.last()!.offset <= offset) return entries.length;
    // If no offset is skipped, the index follows from the offset.
    const guess = offset - first.offset + 1;
    if (entries.at(guess - 1)?.offset === offset) return guess;
    return entries.firstIndex((entry) => entry.offset > offset);
  }

  /** Entries with begin < offset ≤ end, ascending, without forgotten ones. */
  *between(begin: number, end: number): Generator<LogEntry, void, undefined> {
    for (let last = begin; ;) {
      const entry = this.entries.at(this.indexBehind(last));
      if (entry === undefined || entry.offset > end) return;
      yield entry;
      last = entry.offset;
    }
  }

  /** The same entries, descending. */
  *backwards(begin = 0, end = this.end): Generator<LogEntry, void, undefined> {
    for (let next = end; ;) {
      const entry = this.lastUntil(next);
      if (entry === undefined || entry.offset <= begin) return;
      yield entry;
      next = entry.offset - 1;
    }
  }

  /**
   * The same entries, but only updates that one of `parties` witnesses (undefined: all of them), in either direction.
   */
  *witnessedBy(
    parties: readonly Party[] | undefined,
    begin: number,
    end: number,
    descending = false,
  ): Generator<LogEntry, void, undefined> {
    const last = Math.min(end, this.end);
    if (parties === undefined) {
      yield* descending ? this.backwards(begin, last) : this.between(begin, last);
      return;
    }
    const cursors = parties
      .map((party) => this.byParty.get(party))
      .filter((offsets) => offsets !== undefined)
      .map((offsets) => new Cursor(offsets, begin, last, descending));
    for (;;) {
      const heads = cursors.map((cursor) => cursor.head).filter((head) => head !== undefined);
      if (heads.length === 0) return;
      const next = descending ? Math.max(...heads) : Math.min(...heads);
      for (const cursor of cursors) if (cursor.head === next) cursor.advance();
      yield this.entry(next)!;
    }
  }

  /** The offset of the last entry whose record time is at most `time`; 0 if no remaining entry is that old. */
  lastOffsetUntil(time: Timestamp): number {
    const first = this.entries.at(0);
    // The usual case, which needs no search.
    if (first === undefined || first.recordTime > time) return 0;
    const behind = this.entries.firstIndex((entry) => entry.recordTime > time);
    return this.entries.at(behind - 1)!.offset;
  }

  prune(offset: number): void {
    invariant(
      offset > this.prunedUpTo && offset < this.end,
      'pruning goes forward, and ends before the ledger does',
    );
    this.pruned.push({ upTo: offset, end: this.end });
  }

  /** Frees the memory of pruned entries permanently. The last pruned entry stays, because its time is needed. */
  forget(): void {
    const last = this.lastUntil(this.prunedUpTo);
    if (last !== undefined) this.forgotten = Math.max(this.forgotten, last.offset - 1);
    this.entries.retain(({ offset }) => offset > this.forgotten);
    this.byParty.forget();
  }

  /** Restores from a file: replaces the content by a log that starts after `forgotten` offsets. */
  restore(forgotten: number): void {
    this.entries.retain(() => false);
    this.byParty.forget();
    this.forgotten = forgotten;
  }

  /** Calls `listener` after each append, until the returned function is called. */
  onAppend(listener: AppendListener): () => void {
    if (!this.listeners.includes(listener)) this.listeners = [...this.listeners, listener];
    return () => void (this.listeners = this.listeners.filter((each) => each !== listener));
  }
}

const NOBODY: readonly Party[] = [];

/** A position in one party's offsets. */
class Cursor {
  private index: number;

  constructor(
    private readonly offsets: GrowingList<number>,
    private readonly begin: number,
    private readonly end: number,
    private readonly descending: boolean,
  ) {
    this.index = descending
      ? offsets.firstIndex((offset) => offset > end) - 1
      : offsets.firstIndex((offset) => offset > begin);
  }

  get head(): number | undefined {
    const offset = this.offsets.at(this.index);
    return offset !== undefined && offset > this.begin && offset <= this.end ? offset : undefined;
  }

  advance(): void {
    this.index += this.descending ? -1 : 1;
  }
}
