/**
 * The one undo journal, and the containers that write it. State of the network lives only in these containers, so a
 * change that the journal does not know cannot be made. A snapshot is a position in the journal, and how many requests there
 * had been (request-numbers.ts); revert undoes the entries behind it, newest first.
 */
import { invariant } from '../../daml/errors/ledger-error.js';

/** A container that can put one of its slots back. */
export interface Undoable {
  undo(slot: unknown, previous: unknown): void;
}

/** Marks a slot that was empty before. */
const ABSENT = Symbol('absent');

export class Journal {
  /** Flat triples container, slot, previous: no object an entry, so that history stays cheap. */
  private readonly entries: unknown[] = [];

  get position(): number {
    return this.entries.length;
  }

  record(container: Undoable, slot: unknown, previous: unknown): void {
    this.entries.push(container, slot, previous);
  }

  revertTo(position: number): void {
    invariant(
      position >= 0 && position <= this.entries.length,
      'a journal position lies inside the journal',
    );
    while (this.entries.length > position) {
      const previous = this.entries.pop();
      const slot = this.entries.pop();
      (this.entries.pop() as Undoable).undo(slot, previous);
    }
    // Compiled code pops without ever giving back the place of what it popped.
    this.entries.length = position;
  }

  /** Runs `change`; undoes all that it did if it throws. */
  atomically<T>(change: () => T): T {
    const { position } = this;
    try {
      return change();
    } catch (error) {
      this.revertTo(position);
      throw error;
    }
  }
}

/** One value. */
export class JournaledCell<T> implements Undoable {
  constructor(
    private readonly journal: Journal,
    private current: T,
  ) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    this.journal.record(this, undefined, this.current);
    this.current = next;
  }

  undo(_slot: unknown, previous: unknown): void {
    this.current = previous as T;
  }
}

/**
 * A map without an order: what is listed to others is sorted by key, so that an undone deletion leaves no trace.
 */
export class JournaledMap<K extends string, V> implements Undoable {
  private readonly map = new Map<K, V>();

  constructor(private readonly journal: Journal) {}

  get size(): number {
    return this.map.size;
  }

  get(key: K): V | undefined {
    return this.map.get(key);
  }

  has(key: K): boolean {
    return this.map.has(key);
  }

  set(key: K, value: V): void {
    this.journal.record(this, key, this.map.has(key) ? this.map.get(key) : ABSENT);
    this.map.set(key, value);
  }

  delete(key: K): void {
    if (!this.map.has(key)) return;
    this.journal.record(this, key, this.map.get(key));
    this.map.delete(key);
  }

  /** Keys in code unit order; O(n log n), for lists that people page through. */
  sortedKeys(): K[] {
    return [...this.map.keys()].sort();
  }

  undo(key: unknown, previous: unknown): void {
    if (previous === ABSENT) this.map.delete(key as K);
    else this.map.set(key as K, previous as V);
  }
}

/** A list that grows at its end, for containers that keep the journal themselves. */
export class GrowingList<T> {
  private readonly items: T[] = [];

  get length(): number {
    return this.items.length;
  }

  at(index: number): T | undefined {
    return this.items[index];
  }

  last(): T | undefined {
    return this.items[this.items.length - 1];
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Gives the place back as well, as `Array.pop` does not where it is compiled. */
  pop(): void {
    if (this.items.length > 0) this.items.length -= 1;
  }

  /** Index of the first item for which `reached` holds; it must hold for every later one too. */
  firstIndex(reached: (item: T) => boolean): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (reached(this.items[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A list that only grows. */
export class JournaledList<T> extends GrowingList<T> implements Undoable {
  constructor(private readonly journal: Journal) {
    super();
  }

  override push(item: T): void {
    this.journal.record(this, undefined, undefined);
    super.push(item);
  }

  undo(): void {
    this.pop();
  }
}
