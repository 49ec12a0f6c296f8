/** A list for each party, which grows and is taken back at its end: a party of whom nothing is left is forgotten. */
import type { Party } from '../../daml/model/values.js';
import { GrowingList } from '../journal/journal.js';

export class ListsByParty<T> {
  private readonly lists = new Map<Party, GrowingList<T>>();

  get(party: Party): GrowingList<T> | undefined {
    return this.lists.get(party);
  }

  /** Forgets the other items, and parties of whom nothing is left. */
  keep(isKept: (item: T) => boolean): void {
    for (const [party, list] of this.lists) {
      list.keep(isKept);
      if (list.length === 0) this.lists.delete(party);
    }
  }

  /** @param parties each once */
  push(parties: readonly Party[], item: T): void {
    // By index: iterators over frozen lists are objects.
    for (let i = 0; i < parties.length; i++) {
      const party = parties[i]!;
      let list = this.lists.get(party);
      if (list === undefined) this.lists.set(party, (list = new GrowingList()));
      list.push(item);
    }
  }

  /** Takes back the last item of each, who must have one. */
  pop(parties: readonly Party[]): void {
    for (const party of parties) {
      const list = this.lists.get(party)!;
      list.pop();
      if (list.length === 0) this.lists.delete(party);
    }
  }
}
