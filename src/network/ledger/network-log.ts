/** Every update of the network in the order of sequencing, with its indexes. The network journals it. */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import type { UpdateId } from '../model/ids.js';
import { GrowingList } from '../journal/journal.js';
import { ListsByParty } from '../journal/lists-by-party.js';
import type { StoredUpdate } from './sequenced-update.js';
import type { LedgerUpdate, Update } from '../model/updates.js';
import { isImport, witnessesIn } from './witnesses.js';

export class NetworkLog {
  /** The number of updates, including forgotten ones. */
  private sequenced = 0;
  /** Record times ascend. */
  readonly all = new GrowingList<StoredUpdate>();
  /** Transactions and reassignments up to the last read. */
  private readonly changes = new GrowingList<LedgerUpdate>();
  /** How many of all updates `changes` covers. */
  private looked = 0;
  private readonly byExternalHash = new Map<string, Update>();
  private readonly byParty = new ListsByParty<StoredUpdate, Update>(
    this.all,
    (update) => (isImport(update) ? NOBODY : witnessesIn(update)),
    (update) => update,
  );
  /** The first updates up to the last read: ids are created on demand. */
  private readonly byId = new Map<UpdateId, StoredUpdate>();

  append(update: StoredUpdate): void {
    this.sequenced += 1;
    this.restoreUpdate(update);
  }

  /** Restores the next update from a file. */
  restoreUpdate(update: StoredUpdate): void {
    this.all.push(update);
    if (isImport(update)) return;
    const hash = externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.set(hash, update);
  }

  /** Transactions and reassignments. */
  get ledger(): GrowingList<LedgerUpdate> {
    for (; this.looked < this.all.length; this.looked++) {
      const update = this.all.at(this.looked)!;
      if (changesContracts(update)) this.changes.push(update);
    }
    return this.changes;
  }

  /** Undoes the last update. */
  takeBack(update: StoredUpdate): void {
    invariant(this.all.last() === update, 'the last update is taken back first');
    if (this.byId.size === this.all.length) this.byId.delete(update.updateId);
    if (this.looked === this.all.length) {
      this.looked -= 1;
      if (changesContracts(update)) this.changes.pop();
    }
    this.byParty.takeBack();
    this.all.pop();
    this.sequenced -= 1;
    const hash = isImport(update) ? undefined : externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.delete(hash);
  }

  /** Starts restoring a file, and replaces the content. */
  restore(sequenced: number): void {
    this.retain(() => false);
    this.sequenced = sequenced;
  }

  /** The sequence number of the next update. */
  get nextSequence(): number {
    return this.sequenced;
  }

  /** Forgets the other updates permanently. */
  retain(isRetained: (update: StoredUpdate) => boolean): void {
    const retained = new Set<Update>();
    this.all.retain((update) => {
      if (isRetained(update)) retained.add(update);
      return retained.has(update);
    });
    this.changes.retain(() => false);
    this.looked = 0;
    this.byParty.forget();
    for (const [hash, update] of this.byExternalHash)
      if (!retained.has(update)) this.byExternalHash.delete(hash);
    this.byId.clear();
  }

  get(updateId: UpdateId): Update | undefined {
    for (let i = this.byId.size; i < this.all.length; i++) {
      const update = this.all.at(i)!;
      this.byId.set(update.updateId, update);
    }
    return this.byId.get(updateId);
  }

  /** @param hash the hash that an external party signed, in hexadecimal */
  withExternalHash(hash: string): Update | undefined {
    return this.byExternalHash.get(hash);
  }

  /** The updates that a party witnesses. */
  of(party: Party): GrowingList<Update> | undefined {
    return this.byParty.get(party);
  }
}

const NOBODY: readonly Party[] = [];

function changesContracts(update: StoredUpdate): update is StoredUpdate & LedgerUpdate {
  return update.kind !== 'topology' && !isImport(update);
}

function externalHashOf(update: Update): string | undefined {
  return update.kind === 'transaction' ? update.externalTransactionHash : undefined;
}
