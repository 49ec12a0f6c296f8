/**
 * An index of a list by the parties that can see each item. The list grows and shrinks at its end. The index is built
 * up to the current end on the first read for a party: most tests read for few parties or none.
 */
import type { Party } from '../../daml/model/values.js';
import { GrowingList } from './journal.js';

export class ListsByParty<T, I = T> {
  private readonly lists = new Map<Party, GrowingList<I>>();
  /** The number of leading items in the index. */
  private indexed = 0;

  /**
   * @param partiesOf the parties that can see an item, without duplicates
   * @param toItem the part of an item that the index stores
   */
  constructor(
    private readonly all: GrowingList<T>,
    private readonly partiesOf: (item: T) => readonly Party[],
    private readonly toItem: (item: T) => I,
  ) {}

  get(party: Party): GrowingList<I> | undefined {
    while (this.indexed < this.all.length) this.push(this.all.at(this.indexed++)!);
    return this.lists.get(party);
  }

  private push(item: T): void {
    const parties = this.partiesOf(item);
    // A loop by index, because iterators over frozen lists allocate objects.
    for (let i = 0; i < parties.length; i++) {
      const party = parties[i]!;
      let list = this.lists.get(party);
      if (list === undefined) this.lists.set(party, (list = new GrowingList()));
      list.push(this.toItem(item));
    }
  }

  /** Called before the last item is removed. Removes parties without items. */
  takeBack(): void {
    if (this.indexed < this.all.length) return;
    this.indexed -= 1;
    for (const party of this.partiesOf(this.all.last()!)) {
      const list = this.lists.get(party)!;
      list.pop();
      if (list.length === 0) this.lists.delete(party);
    }
  }

  /** Called when the list was replaced. */
  forget(): void {
    this.lists.clear();
    this.indexed = 0;
  }
}
