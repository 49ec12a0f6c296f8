/** The active contracts of each contract key, by the order of their activation on the participants that know them. */
import type { ContractId } from '../model/ids.js';
import { JournaledCell, JournaledMap, type Journal, type Undoable } from '../journal/journal.js';
import type { SavedPart } from '../journal/saved-parts.js';
import { OrderedIndex } from '../journal/ordered-index.js';

interface Activation {
  /** Decreases with each activation, so that the newest comes first. */
  readonly sequence: number;
  readonly contractId: ContractId;
  /** The hash of the key. */
  readonly hash: string;
}

export class KeyIndex implements Undoable, SavedPart {
  /** By hash of the key; no index is empty. */
  private readonly byKey = new Map<string, OrderedIndex<Activation>>();
  private readonly activations: JournaledMap<ContractId, Activation>;
  private readonly last: JournaledCell<number>;

  constructor(private readonly journal: Journal) {
    this.activations = new JournaledMap(journal, undefined);
    journal.parts.add('keys', this);
    this.last = new JournaledCell(journal, 'last-key', 0);
  }

  saved(): unknown {
    return this.activations.saved();
  }

  restore(content: unknown): void {
    this.activations.restore(content);
    this.byKey.clear();
    for (const [, activation] of content as readonly [ContractId, Activation][])
      this.insert(activation);
  }

  activate(hash: string, contractId: ContractId): void {
    this.last.value -= 1;
    const activation = { sequence: this.last.value, contractId, hash };
    this.journal.record(this, activation, false);
    this.insert(activation);
    this.activations.set(contractId, activation);
  }

  deactivate(contractId: ContractId): void {
    const activation = this.activations.get(contractId);
    if (activation === undefined) return;
    this.journal.record(this, activation, true);
    this.remove(activation);
    this.activations.delete(contractId);
  }

  /** The `previous` value tells whether the activation existed. */
  undo(slot: unknown, previous: unknown): void {
    if (previous === true) this.insert(slot as Activation);
    else this.remove(slot as Activation);
  }

  private insert(activation: Activation): void {
    const { hash } = activation;
    let index = this.byKey.get(hash);
    if (index === undefined) this.byKey.set(hash, (index = new OrderedIndex()));
    index.insert(activation);
  }

  private remove(activation: Activation): void {
    const index = this.byKey.get(activation.hash)!;
    index.remove(activation);
    if (index.size === 0) this.byKey.delete(activation.hash);
  }

  /** Newest first. The index must not change while this is read. */
  *active(hash: string): Generator<ContractId, void, undefined> {
    for (const { contractId } of this.byKey.get(hash)?.after(-Infinity) ?? []) yield contractId;
  }
}
