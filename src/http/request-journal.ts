/**
 * What was asked of this Canticle and what became of it, newest last. It is no state of the network: a revert leaves it, so that a
 * test can see what happened before. Nothing in it comes from the wall clock.
 */
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

export class RequestJournal {
  private readonly entries: JournalEntry[] = [];
  /** Slot of the oldest entry: the next to be overwritten once the limit is reached. */
  private oldest = 0;
  private count = 0;

  constructor(readonly limit: number = MAX_JOURNAL_ENTRIES) {}

  /** Ids count from 1 and go on after a clearing. */
  add(entry: Omit<JournalEntry, 'id'>): void {
    const numbered = { id: ++this.count, ...entry };
    if (this.entries.length < this.limit) this.entries.push(numbered);
    else {
      this.entries[this.oldest] = numbered;
      this.oldest = (this.oldest + 1) % this.limit;
    }
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
