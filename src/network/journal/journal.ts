/**
 * The undo journal, and the containers that write to it. All network state is in these containers, so every change is
 * recorded. A snapshot is a position in the journal, and the number of requests (request-numbers.ts). A revert undoes
 * the entries after it, newest first.
 */
import { invariant } from '../../daml/errors/ledger-error.js';
import { SavedParts, type SavedPart } from './saved-parts.js';

/** A container that can restore one of its slots. */
export interface Undoable {
  undo(slot: unknown, previous: unknown): void;
}

/** Marks a slot that was empty before. */
const ABSENT = Symbol('absent');

export class Journal {
  /** The parts of the state that files contain: all containers without a different owner. */
  readonly parts = new SavedParts();
  /**
   * Flat triples of container, slot and previous value: without an object for each entry, history needs less memory.
   */
  private readonly entries: unknown[] = [];
  /** The length of the forgotten history. */
  private forgotten = 0;
  /** The number of running changes that may still be undone as a whole. */
  private running = 0;
  private rehearsals = 0;

  get position(): number {
    return this.forgotten + this.entries.length;
  }

  /** The first position that you can revert to. */
  get start(): number {
    return this.forgotten;
  }

  record(container: Undoable, slot: unknown, previous: unknown): void {
    this.entries.push(container, slot, previous);
  }

  revertTo(position: number): void {
    invariant(
      position >= this.start && position <= this.position,
      'a journal position lies inside the journal',
    );
    const length = position - this.forgotten;
    while (this.entries.length > length) {
      const previous = this.entries.pop();
      const slot = this.entries.pop();
      (this.entries.pop() as Undoable).undo(slot, previous);
    }
    // In compiled code, `pop` never frees memory.
    this.entries.length = length;
  }

  /** Runs `change`, and undoes all of its changes if it throws. */
  atomically<T>(change: () => T): T {
    const { position } = this;
    this.running += 1;
    try {
      return change();
    } catch (error) {
      this.revertTo(position);
      throw error;
    } finally {
      this.running -= 1;
    }
  }

  /** Whether the current changes will be undone at once: listeners must not see them. */
  get isRehearsing(): boolean {
    return this.rehearsals > 0;
  }

  /** Runs `change`, and always undoes its changes. */
  rehearse<T>(change: () => T): T {
    const { position } = this;
    this.running += 1;
    this.rehearsals += 1;
    try {
      return change();
    } finally {
      this.revertTo(position);
      this.rehearsals -= 1;
      this.running -= 1;
    }
  }

  /** Frees the memory of all entries: you cannot revert to any earlier moment. */
  forget(): void {
    invariant(this.running === 0, 'what may still be undone is not forgotten');
    this.forgotten = this.position;
    this.entries.length = 0;
  }
}

/** One value. */
export class JournaledCell<T> implements Undoable, SavedPart {
  /** @param name its name in files of the state; absent if another owner writes it */
  constructor(
    private readonly journal: Journal,
    name: string | undefined,
    private current: T,
  ) {
    journal.parts.add(name, this);
  }

  saved(): unknown {
    return this.current;
  }

  restore(content: unknown): void {
    this.current = content as T;
  }

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

/** A map without an order: lists for clients are sorted by key, so that an undone deletion has no visible effect. */
export class JournaledMap<K extends string, V> implements Undoable, SavedPart {
  private readonly map = new Map<K, V>();

  /** @param name see {@link JournaledCell} */
  constructor(
    private readonly journal: Journal,
    name: string | undefined,
  ) {
    journal.parts.add(name, this);
  }

  saved(): unknown {
    return this.sortedKeys().map((key) => [key, this.map.get(key)]);
  }

  restore(content: unknown): void {
    this.map.clear();
    for (const [key, value] of content as readonly (readonly [K, V])[]) this.map.set(key, value);
  }

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

  /** Keys in code unit order, in O(n log n), for lists that clients read in pages. */
  sortedKeys(): K[] {
    return [...this.map.keys()].sort();
  }

  undo(key: unknown, previous: unknown): void {
    if (previous === ABSENT) this.map.delete(key as K);
    else this.map.set(key as K, previous as V);
  }
}

/** A list that grows at its end, for containers that write to the journal themselves. */
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

  /** A copy. */
  all(): T[] {
    return this.items.slice();
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Also frees the memory, which `Array.pop` does not do in compiled code. */
  pop(): void {
    if (this.items.length > 0) this.items.length -= 1;
  }

  /**
   * Permanently removes the other items, and moves up the remaining ones.
   * @param isRetained called once for each item, in order
   */
  retain(isRetained: (item: T) => boolean): void {
    let count = 0;
    for (const item of this.items) if (isRetained(item)) this.items[count++] = item;
    this.items.length = count;
  }

  /** Index of the first item for which `reached` holds; it must hold for all later items too. */
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
export class JournaledList<T> extends GrowingList<T> implements Undoable, SavedPart {
  /** @param name see {@link JournaledCell} */
  constructor(
    private readonly journal: Journal,
    name: string | undefined,
  ) {
    super();
    journal.parts.add(name, this);
  }

  saved(): unknown {
    return this.all();
  }

  restore(content: unknown): void {
    this.retain(() => false);
    for (const item of content as readonly T[]) super.push(item);
  }

  override push(item: T): void {
    this.journal.record(this, undefined, undefined);
    super.push(item);
  }

  undo(): void {
    this.pop();
  }
}
