/** The active contracts of each contract key, by the order of their activation on the participants that know them. */
import type { ContractId } from '../ids.js';
import { JournaledCell, JournaledMap, type Journal } from '../journal/journal.js';
import { JournaledIndex } from '../journal/ordered-index.js';

interface Activation {
  /** Falls with each activation, so that the newest is met first. */
  readonly sequence: number;
  readonly contractId: ContractId;
}

export class KeyIndex {
  /** By hash of the key. An index that became empty may stay. */
  private readonly byKey = new Map<string, JournaledIndex<Activation>>();
  private readonly activations: JournaledMap<ContractId, Activation>;
  private readonly last: JournaledCell<number>;

  constructor(private readonly journal: Journal) {
    this.activations = new JournaledMap(journal);
    this.last = new JournaledCell(journal, 0);
  }

  activate(hash: string, contractId: ContractId): void {
    this.last.value -= 1;
    const activation = { sequence: this.last.value, contractId };
    let index = this.byKey.get(hash);
    if (index === undefined) {
      index = new JournaledIndex(this.journal);
      this.byKey.set(hash, index);
    }
    index.insert(activation);
    this.activations.set(contractId, activation);
  }

  deactivate(hash: string, contractId: ContractId): void {
    const activation = this.activations.get(contractId);
    if (activation === undefined) return;
    this.byKey.get(hash)!.remove(activation);
    this.activations.delete(contractId);
  }

  /** Newest first. The index must not change while this is read. */
  *active(hash: string): Generator<ContractId, void, undefined> {
    for (const { contractId } of this.byKey.get(hash)?.after(-Infinity) ?? []) yield contractId;
  }
}
