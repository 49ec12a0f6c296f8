/**
 * What was asked of this Canticle and what became of it, newest last. It is no state of the network: a revert leaves it, so that a
 * test can see what happened before. Nothing in it comes from the wall clock.
 */
import type { Explanation } from '../daml/errors/explanation.js';
import type { Api } from '../spec/api.js';
import type { JournalEntry, Outcome } from '../spec/generated/control.js';
import { MAX_JOURNAL_ENTRIES } from './limits.js';

export type { JournalEntry };

export interface JournalFilter {
  readonly api?: Api;
  readonly operation?: string;
  readonly outcome?: Outcome;
  /** Ids from this one on. */
  readonly since?: number;
}

export type JournalListener = (entry: JournalEntry, explanation: Explanation | undefined) => void;

export class RequestJournal {
  private readonly entries: JournalEntry[] = [];
  private readonly explanations = new WeakMap<JournalEntry, Explanation>();
  private readonly listeners = new Set<JournalListener>();
  /** Slot of the oldest entry: the next to be overwritten once the limit is reached. */
  private oldest = 0;
  private count = 0;

  constructor(readonly limit: number = MAX_JOURNAL_ENTRIES) {}

  /** Ids count from 1 and go on after a clearing. @param explanation of the refusal, where a submission was refused */
  add(entry: Omit<JournalEntry, 'id'>, explanation?: Explanation): void {
    const numbered: JournalEntry = { id: ++this.count, ...entry };
    if (this.entries.length < this.limit) this.entries.push(numbered);
    else {
      this.entries[this.oldest] = numbered;
      this.oldest = (this.oldest + 1) % this.limit;
    }
    if (explanation !== undefined) this.explanations.set(numbered, explanation);
    for (const listener of this.listeners) listener(numbered, explanation);
  }

  /** Why a submission was refused, by the id of its entry or of the newest that has one. */
  explain(id: number | 'latest'): Explanation | undefined {
    const newestFirst = this.list().reverse();
    const entry = newestFirst.find((each) =>
      id === 'latest' ? this.explanations.has(each) : each.id === id,
    );
    return entry && this.explanations.get(entry);
  }

  /** Explanations of refused submissions, newest first. */
  *explained(): Generator<Explanation> {
    for (const entry of this.list().reverse()) {
      const explanation = this.explanations.get(entry);
      if (explanation !== undefined) yield explanation;
    }
  }

  /** Calls `listener` for each request that is answered, until the returned function is called. */
  onRequest(listener: JournalListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  list({ api, operation, outcome, since = 0 }: JournalFilter = {}): JournalEntry[] {
    return [...this.entries.slice(this.oldest), ...this.entries.slice(0, this.oldest)].filter(
      (entry) =>
        entry.id >= since &&
        (api === undefined || entry.api === api) &&
        (operation === undefined || entry.operation === operation) &&
        (outcome === undefined || entry.outcome === outcome),
    );
  }

  /** How many were removed. */
  clear(): number {
    const { length } = this.entries;
    this.entries.length = 0;
    this.oldest = 0;
    return length;
  }
}
