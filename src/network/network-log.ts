/** Every update of the network in the order of sequencing, and where to find it: one journal entry an update. */
import type { Party } from '../daml/values.js';
import type { UpdateId } from './ids.js';
import { GrowingList, type Journal, type Undoable } from './journal.js';
import type { LedgerUpdate, Update } from './updates.js';

export class NetworkLog implements Undoable {
  /** Record times ascend. */
  readonly all = new GrowingList<Update>();
  /** Transactions and reassignments. */
  readonly ledger = new GrowingList<LedgerUpdate>();
  private readonly byId = new Map<UpdateId, Update>();
  private readonly byExternalHash = new Map<string, Update>();
  private readonly byParty = new Map<Party, GrowingList<Update>>();

  constructor(private readonly journal: Journal) {}

  /** @param witnesses each once */
  append(update: Update, witnesses: readonly Party[]): void {
    this.journal.record(this, update, witnesses);
    this.all.push(update);
    if (update.kind !== 'topology') this.ledger.push(update);
    this.byId.set(update.updateId, update);
    const hash = externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.set(hash, update);
    for (const party of witnesses) {
      let seen = this.byParty.get(party);
      if (seen === undefined) this.byParty.set(party, (seen = new GrowingList()));
      seen.push(update);
    }
  }

  undo(slot: unknown, previous: unknown): void {
    const update = slot as Update;
    this.all.pop();
    if (update.kind !== 'topology') this.ledger.pop();
    this.byId.delete(update.updateId);
    const hash = externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.delete(hash);
    for (const party of previous as readonly Party[]) this.byParty.get(party)!.pop();
  }

  get(updateId: UpdateId): Update | undefined {
    return this.byId.get(updateId);
  }

  /** @param hash what an external party signed, hexadecimal */
  withExternalHash(hash: string): Update | undefined {
    return this.byExternalHash.get(hash);
  }

  /** What a party witnesses. */
  of(party: Party): GrowingList<Update> | undefined {
    return this.byParty.get(party);
  }
}

function externalHashOf(update: Update): string | undefined {
  return update.kind === 'transaction' ? update.externalTransactionHash : undefined;
}
