/**
 * Items by an ascending number, with insertion and removal in about √n steps: the active contracts of a party or a
 * template, in order of activation. Iteration can start at any number, so that each page has the same cost.
 */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { Journal, Undoable } from './journal.js';
import type { SavedPart } from './saved-parts.js';

/** A size at which moving a chunk's tail is fast and chunks are few. */
const CHUNK = 512;

interface Keyed {
  readonly sequence: number;
}

/** Insertion and removal undo each other. The owner of the index writes the journal. */
export class OrderedIndex<T extends Keyed> {
  private readonly chunks: T[][] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  get first(): T | undefined {
    return this.chunks[0]?.[0];
  }

  /** Whether it contains an item with the same sequence. */
  has({ sequence }: T): boolean {
    const chunk = this.chunks[this.chunkFor(sequence)];
    return chunk !== undefined && chunk[position(chunk, sequence)]?.sequence === sequence;
  }

  /** Items with a sequence above `after`, ascending. The index must not change while this runs. */
  *after(after: number): Generator<T, void, undefined> {
    let c = this.chunkFor(after + 1);
    let i = c < this.chunks.length ? position(this.chunks[c]!, after + 1) : 0;
    for (; c < this.chunks.length; c++, i = 0) {
      const chunk = this.chunks[c]!;
      for (; i < chunk.length; i++) yield chunk[i]!;
    }
  }

  insert(item: T): void {
    this.count++;
    const last = this.chunks[this.chunks.length - 1];
    // Most items belong at the end, which needs no search.
    if (last === undefined || item.sequence > last[last.length - 1]!.sequence) {
      if (last === undefined || last.length >= CHUNK) this.chunks.push([item]);
      else last.push(item);
      return;
    }
    const c = Math.min(this.chunkFor(item.sequence), this.chunks.length - 1);
    const chunk = this.chunks[c]!;
    const i = position(chunk, item.sequence);
    invariant(chunk[i]?.sequence !== item.sequence, 'an ordered index holds a sequence once');
    if (i === chunk.length) chunk.push(item);
    else chunk.splice(i, 0, item);
    if (chunk.length > CHUNK * 2) this.chunks.splice(c + 1, 0, chunk.splice(CHUNK));
  }

  remove(item: T): void {
    const c = this.chunkFor(item.sequence);
    const chunk = this.chunks[c];
    const i = chunk === undefined ? 0 : position(chunk, item.sequence);
    invariant(
      chunk?.[i]?.sequence === item.sequence,
      'an ordered index removes only what it holds',
    );
    this.count--;
    chunk.copyWithin(i, i + 1);
    chunk.pop();
    if (chunk.length === 0) this.chunks.splice(c, 1);
  }

  /** The first chunk whose last item is at or above `sequence`. */
  private chunkFor(sequence: number): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.chunks[middle]!;
      if (chunk[chunk.length - 1]!.sequence >= sequence) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** An index that writes to the journal. */
export class JournaledIndex<T extends Keyed>
  extends OrderedIndex<T>
  implements Undoable, SavedPart
{
  /** @param name see JournaledCell */
  constructor(
    private readonly journal: Journal,
    name: string | undefined,
  ) {
    super();
    journal.parts.add(name, this);
  }

  saved(): unknown {
    return [...this.after(-Infinity)];
  }

  restore(content: unknown): void {
    for (const item of [...this.after(-Infinity)]) super.remove(item);
    for (const item of content as readonly T[]) super.insert(item);
  }

  override insert(item: T): void {
    this.journal.record(this, item, false);
    super.insert(item);
  }

  override remove(item: T): void {
    this.journal.record(this, item, true);
    super.remove(item);
  }

  /** The `previous` value tells whether the item existed. */
  undo(item: unknown, previous: unknown): void {
    if (previous === true) super.insert(item as T);
    else super.remove(item as T);
  }
}

/** The first position in a chunk with at least this sequence. */
function position(chunk: readonly Keyed[], sequence: number): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunk[middle]!.sequence >= sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Merges ascending iterations into one, without repeats. */
export function* mergeAscending<T extends Keyed>(
  sources: readonly Iterator<T>[],
): Generator<T, void, undefined> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let lowest: T | undefined;
    for (const head of heads)
      if (!head.done && (lowest === undefined || head.value.sequence < lowest.sequence))
        lowest = head.value;
    if (lowest === undefined) return;
    yield lowest;
    for (let i = 0; i < heads.length; i++) {
      const head = heads[i]!;
      if (!head.done && head.value.sequence === lowest.sequence) heads[i] = sources[i]!.next();
    }
  }
}
