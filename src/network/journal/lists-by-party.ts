/**
 * What each party may see of a list that grows and is taken back at its end: an index, made when somebody asks for what a party may
 * see, as far as the list goes then. Most tests ask of few parties or none.
 */
import type { Party } from '../../daml/model/values.js';
import { GrowingList } from './journal.js';

export class ListsByParty<T, I = T> {
  private readonly lists = new Map<Party, GrowingList<I>>();
  /** So many of the first are in their lists. */
  private indexed = 0;

  /** @param partiesOf who may see an item, each once; @param asKept what a list holds of it */
  constructor(
    private readonly all: GrowingList<T>,
    private readonly partiesOf: (item: T) => readonly Party[],
    private readonly asKept: (item: T) => I,
  ) {}

  get(party: Party): GrowingList<I> | undefined {
    while (this.indexed < this.all.length) this.push(this.all.at(this.indexed++)!);
    return this.lists.get(party);
  }

  private push(item: T): void {
    const parties = this.partiesOf(item);
    // By index: iterators over frozen lists are objects.
    for (let i = 0; i < parties.length; i++) {
      const party = parties[i]!;
      let list = this.lists.get(party);
      if (list === undefined) this.lists.set(party, (list = new GrowingList()));
      list.push(this.asKept(item));
    }
  }

  /** Called before the last item is taken back: a party of whom nothing is left is forgotten. */
  takeBack(): void {
    if (this.indexed < this.all.length) return;
    this.indexed -= 1;
    for (const party of this.partiesOf(this.all.last()!)) {
      const list = this.lists.get(party)!;
      list.pop();
      if (list.length === 0) this.lists.delete(party);
    }
  }

  /** Called where the list has become another one. */
  forget(): void {
    this.lists.clear();
    this.indexed = 0;
  }
}
