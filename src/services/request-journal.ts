/**
 * The requests to this Canticle and their outcomes, newest last. It is not network state: a revert keeps it, so
 * that a test can see earlier requests. Nothing in it comes from the wall clock. It is bounded in entries and in
 * bytes: the oldest explanations leave first, then the oldest entries.
 */
import type { Explanation } from '../daml/errors/explanation.js';
import type { ApiName, JournalEntry, Outcome } from '../spec/generated/control.js';
import { shortCopy } from '../daml/errors/short-copy.js';
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MAX_JOURNAL_TEXT } from './limits.js';

export type { JournalEntry };

/** The details stored for each request: only the request and its outcome, or headers, bodies and durations as well. */
export type JournalDetail = 'brief' | 'full';

/** A filter of the journal: entries that match all its members. */
export interface JournalFilter {
  /** Such as `ledger`, `admin` or `scan`. */
  readonly api?: ApiName;
  /** The operation's id, such as `postV2Users`. */
  readonly operation?: string;
  /** The outcome of the request. */
  readonly outcome?: Outcome;
  /** Ids from this one on. */
  readonly since?: number;
}

export type JournalListener = (entry: JournalEntry, explanation: Explanation | undefined) => void;

/**
 * The reason for rejecting a submission, and the bytes of its request: the explanation keeps the decoded request in
 * memory.
 */
export interface Explained {
  readonly explanation: Explanation;
  readonly requestBytes: number;
}

/** The memory of an entry without its texts, in bytes, and the memory for each character of them. */
const ENTRY_BYTES = 512;
const CHARACTER_BYTES = 2;
/** The memory of an explanation, in bytes: a base, and an amount for each byte of the request. */
const EXPLANATION_BYTES = 8 * 1024;
const READ_BYTES = 8;

interface StoredEntry {
  readonly entry: JournalEntry;
  readonly bytes: number;
  readonly explanationBytes: number;
  explanation?: Explanation;
}

/** The requests and their outcomes, newest last. A revert leaves it. */
export class RequestJournal {
  private stored: StoredEntry[] = [];
  private readonly listeners = new Set<JournalListener>();
  /** The number of the oldest entry; earlier entries were removed. */
  private first = 0;
  /** The number of the oldest entry with an explanation. */
  private firstExplained = 0;
  private newestExplained: StoredEntry | undefined;
  private bytes = 0;
  private count = 0;
  private answered = 0;

  /**
   * @param maxBytes in memory, as they are estimated. The newest entry and the newest explanation stay, even if they are larger.
   */
  constructor(
    /** The limit of stored entries. */
    readonly limit: number = MAX_JOURNAL_ENTRIES,
    private readonly maxBytes: number = MAX_JOURNAL_BYTES,
  ) {}

  /**
   * Gives the entry its id: ids count from 1, and continue after a clearing.
   * @param explained if a submission was rejected
   */
  add(entry: JournalEntry, explained?: Explained): void {
    (entry as { id: number }).id = ++this.count;
    const numbered = shortened(entry);
    if (entry.api !== 'control') this.answered = this.count;
    const { explanation, requestBytes = 0 } = explained ?? {};
    const added: StoredEntry = {
      entry: numbered,
      bytes: bytesOf(numbered),
      explanationBytes:
        explanation === undefined ? 0 : EXPLANATION_BYTES + READ_BYTES * requestBytes,
      explanation,
    };
    this.stored.push(added);
    this.bytes += added.bytes + added.explanationBytes;
    if (explanation !== undefined) this.newestExplained = added;
    if (this.length > this.limit) this.forgetEntry();
    while (this.bytes > this.maxBytes && this.forgetExplanation());
    while (this.bytes > this.maxBytes && this.length > 1) this.forgetEntry();
    for (const listener of this.listeners) listener(numbered, explanation);
  }

  /** The id of the newest entry; 0 if there was none yet. */
  get lastId(): number {
    return this.count;
  }

  /** The id of the newest entry that is not a control; 0 if there was none yet. */
  get lastAnswered(): number {
    return this.answered;
  }

  private get length(): number {
    return this.stored.length - this.first;
  }

  private forgetEntry(): void {
    const { bytes, explanation, explanationBytes } = this.stored[this.first]!;
    this.bytes -= bytes + (explanation === undefined ? 0 : explanationBytes);
    this.first += 1;
    this.firstExplained = Math.max(this.firstExplained, this.first);
    if (this.first <= this.limit) return;
    this.stored = this.stored.slice(this.first);
    this.firstExplained -= this.first;
    this.first = 0;
  }

  /** Drops the oldest; false if there is only one. */
  private forgetExplanation(): boolean {
    for (; this.firstExplained < this.stored.length; this.firstExplained += 1) {
      const stored = this.stored[this.firstExplained]!;
      if (stored === this.newestExplained) return false;
      if (stored.explanation === undefined) continue;
      this.bytes -= stored.explanationBytes;
      stored.explanation = undefined;
      return true;
    }
    return false;
  }

  /** The reason for rejecting a submission, by the id of its entry, or for the newest that has one. */
  explain(id: number | 'latest'): Explanation | undefined {
    if (id === 'latest') return this.explained().next().value ?? undefined;
    return this.storedSince(id).find(({ entry }) => entry.id === id)?.explanation;
  }

  /** Explanations of refused submissions, newest first. */
  *explained(): Generator<Explanation, void> {
    for (const { explanation } of this.stored.slice(this.first).reverse())
      if (explanation !== undefined) yield explanation;
  }

  /** Calls `listener` for each request that is answered, until the returned function is called. */
  onRequest(listener: JournalListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Entries that fit, oldest first. */
  list({ api, operation, outcome, since = 0 }: JournalFilter = {}): JournalEntry[] {
    return this.storedSince(since)
      .map(({ entry }) => entry)
      .filter(
        (entry) =>
          (api === undefined || entry.api === api) &&
          (operation === undefined || entry.operation === operation) &&
          (outcome === undefined || entry.outcome === outcome),
      );
  }

  /** The entries with this id and later. The stored ids are consecutive. */
  private storedSince(id: number): StoredEntry[] {
    const oldest = this.count - this.length + 1;
    return this.stored.slice(this.first + Math.max(0, Math.ceil(id) - oldest));
  }

  /** Returns the number of removed entries. */
  clear(): number {
    const { length } = this;
    this.stored = [];
    this.first = this.firstExplained = this.bytes = 0;
    this.newestExplained = undefined;
    return length;
  }
}

/** Long texts keep their beginnings. Copies do not retain the original texts in memory. */
function shortened(entry: JournalEntry): JournalEntry {
  const { path, explanation, validation } = entry;
  const isShort = path.length <= MAX_JOURNAL_TEXT && (explanation?.length ?? 0) <= MAX_JOURNAL_TEXT;
  // Nearly all entries are short already.
  if (isShort && validation.ok) return entry;
  return {
    ...entry,
    ...(path.length > MAX_JOURNAL_TEXT && { path: shortCopy(path, MAX_JOURNAL_TEXT) }),
    ...(explanation !== undefined && { explanation: shortCopy(explanation, MAX_JOURNAL_TEXT) }),
    ...(!validation.ok && {
      validation: {
        ...validation,
        ...(validation.path !== undefined && {
          path: shortCopy(validation.path, MAX_JOURNAL_TEXT),
        }),
        ...(validation.reason !== undefined && {
          reason: shortCopy(validation.reason, MAX_JOURNAL_TEXT),
        }),
      },
    }),
  };
}

function bytesOf(entry: JournalEntry): number {
  const { path, explanation = '', validation, request, answer, externalCalls = [] } = entry;
  let characters = path.length + explanation.length;
  if (!validation.ok)
    characters += (validation.path?.length ?? 0) + (validation.reason?.length ?? 0);
  for (const message of [request, answer]) {
    if (message === undefined) continue;
    characters += message.body?.length ?? 0;
    for (const name in message.headers) characters += name.length + message.headers[name]!.length;
  }
  for (const { config, input, output = '' } of externalCalls)
    characters += ENTRY_BYTES + config.length + input.length + output.length;
  return ENTRY_BYTES + CHARACTER_BYTES * characters;
}
