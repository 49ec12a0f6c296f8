/** The updates and completions of one participant, at its offsets 1, 2, 3 …, and who can see which. */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { GrowingList, JournaledCell, JournaledList, type Journal } from '../journal/journal.js';
import { ListsByParty } from './lists-by-party.js';
import type { LogEntry } from '../updates.js';
import { witnessesIn } from './witnesses.js';

/** Told of an entry and of those who may see its update. What it is told of may still be undone. */
export type AppendListener = (entry: LogEntry, witnesses: Iterable<Party>) => void;

interface Pruning {
  readonly upTo: number;
  /** The last offset at that time. */
  readonly end: number;
}

export class ParticipantLog {
  /** From the first that is not forgotten. */
  private readonly entries = new GrowingList<LogEntry>();
  /** How many are not there any more. */
  private forgotten = 0;
  /** Offsets of the updates that a party witnesses; an index, so that a quiet party's reads do not pay for busy ones. */
  private readonly byParty = new ListsByParty<LogEntry, number>(
    this.entries,
    ({ update }) => (update === undefined ? NOBODY : witnessesIn(update)),
    ({ offset }) => offset,
  );
  private readonly pruned: JournaledList<Pruning>;
  /** Told after each append; not part of the state. */
  private readonly listeners = new Set<AppendListener>();

  /** Offsets whose completions come late, ascending. */
  private readonly withheld: JournaledCell<readonly number[]>;

  constructor(
    private readonly journal: Journal,
    participant: string,
  ) {
    this.pruned = new JournaledList(journal, `prunings/${participant}`);
    this.withheld = new JournaledCell<readonly number[]>(journal, `withheld/${participant}`, []);
  }

  /** The last offset whose completion is told, as all before it are: streams of them are in order. */
  get completedUpTo(): number {
    const [first] = this.withheld.value;
    return first === undefined ? this.end : first - 1;
  }

  /** Has the completion at the offset come late, with all behind it. */
  withhold(offset: number): void {
    this.withheld.value = [...this.withheld.value, offset].sort((one, other) => one - other);
  }

  /** It is late no more. */
  letGo(offset: number): void {
    if (!this.withheld.value.includes(offset)) return;
    const before = this.completedUpTo;
    this.withheld.value = this.withheld.value.filter((each) => each !== offset);
    for (const entry of this.between(before, this.completedUpTo))
      for (const listener of [...this.listeners]) listener(entry, NOBODY);
  }

  /** 0 while nothing happened. */
  get end(): number {
    return this.forgotten + this.entries.length;
  }

  /** The last offset whose entry was given back, of those that are pruned; 0 where there is none. */
  get forgottenUpTo(): number {
    return this.forgotten;
  }

  get prunedUpTo(): number {
    return this.pruned.last()?.upTo ?? 0;
  }

  /** Each further than the one before it. */
  get prunings(): Pick<JournaledList<Pruning>, 'length' | 'at'> {
    return this.pruned;
  }

  /** The caller journals it. */
  append(entry: LogEntry): void {
    invariant(entry.offset === this.end + 1, 'offsets are dense');
    this.entries.push(entry);
  }

  endsWith(entry: LogEntry): boolean {
    return this.entries.last() === entry;
  }

  /** Takes the last entry back. */
  takeBack(): void {
    this.byParty.takeBack();
    this.entries.pop();
  }

  /** Tells the listeners of the last entry. */
  tell(witnesses: readonly Party[]): void {
    if (this.listeners.size === 0 || this.journal.isRehearsing) return;
    const entry = this.entries.last()!;
    for (const listener of [...this.listeners]) listener(entry, witnesses);
  }

  /** None where it is forgotten. */
  entry(offset: number): LogEntry | undefined {
    return this.entries.at(offset - 1 - this.forgotten);
  }

  /** Entries with begin < offset ≤ end, upwards, as far as they are not forgotten. */
  *between(begin: number, end: number): Generator<LogEntry, void, undefined> {
    for (let offset = Math.max(begin, this.forgotten) + 1; offset <= end; offset++) {
      const entry = this.entry(offset);
      if (entry === undefined) return;
      yield entry;
    }
  }

  /**
   * The same, but only updates that one of `parties` witnesses (undefined: all of them), in either direction.
   */
  *witnessedBy(
    parties: readonly Party[] | undefined,
    begin: number,
    end: number,
    descending = false,
  ): Generator<LogEntry, void, undefined> {
    const last = Math.min(end, this.end);
    if (parties === undefined) {
      if (descending)
        for (let offset = last; offset > Math.max(begin, this.forgotten); offset--)
          yield this.entry(offset)!;
      else yield* this.between(begin, last);
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

  /** The last offset whose record time is not after `time`; 0 where there is none that is not forgotten. */
  lastOffsetUntil(time: Timestamp): number {
    const first = this.entries.at(0);
    // Nearly always, and then there is no need to look through the history.
    if (first === undefined || first.recordTime > time) return 0;
    return this.forgotten + this.entries.firstIndex((entry) => entry.recordTime > time);
  }

  prune(offset: number): void {
    invariant(
      offset > this.prunedUpTo && offset < this.end,
      'pruning goes forward, and ends before the ledger does',
    );
    this.pruned.push({ upTo: offset, end: this.end });
  }

  /** Gives back the memory of what is pruned, for good. The last pruned entry stays: its time says up to when. */
  forget(): void {
    this.forgotten = Math.max(this.forgotten, this.prunedUpTo - 1);
    this.entries.keep(({ offset }) => offset > this.forgotten);
    this.byParty.forget();
  }

  /** Of a file: what there is makes room for the log behind `forgotten` offsets. */
  restore(forgotten: number): void {
    this.entries.keep(() => false);
    this.byParty.forget();
    this.forgotten = forgotten;
  }

  /** Calls `listener` after each append, until the returned function is called. */
  onAppend(listener: AppendListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const NOBODY: readonly Party[] = [];

/** A place in one party's offsets. */
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
