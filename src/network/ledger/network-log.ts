/** Every update of the network in the order of sequencing, and where to find it. The network keeps the journal. */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import type { UpdateId } from '../ids.js';
import { GrowingList } from '../journal/journal.js';
import { ListsByParty } from './lists-by-party.js';
import type { StoredUpdate } from './sequenced-update.js';
import type { LedgerUpdate, Update } from '../updates.js';
import { isImport } from './witnesses.js';

export class NetworkLog {
  /** Of updates, forgotten ones too. */
  private sequenced = 0;
  /** Record times ascend. */
  readonly all = new GrowingList<StoredUpdate>();
  /** Transactions and reassignments. */
  readonly ledger = new GrowingList<LedgerUpdate>();
  private readonly byExternalHash = new Map<string, Update>();
  private readonly byParty = new ListsByParty<Update>();
  /** The first ones, as many as there were when somebody asked last: an id is made when it is asked for, and not kept before. */
  private readonly byId = new Map<UpdateId, StoredUpdate>();

  /** @param witnesses each once */
  append(update: StoredUpdate, witnesses: readonly Party[]): void {
    this.sequenced += 1;
    this.restoreUpdate(update, witnesses);
  }

  /** Of a file: the next one that is not forgotten. */
  restoreUpdate(update: StoredUpdate, witnesses: readonly Party[]): void {
    this.all.push(update);
    if (isImport(update)) return;
    if (update.kind !== 'topology') this.ledger.push(update);
    const hash = externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.set(hash, update);
    this.byParty.push(witnesses, update);
  }

  /** Takes the last update back. */
  takeBack(update: StoredUpdate, witnesses: readonly Party[]): void {
    invariant(this.all.last() === update, 'the last update is taken back first');
    if (this.byId.size === this.all.length) this.byId.delete(update.updateId);
    this.all.pop();
    this.sequenced -= 1;
    if (isImport(update)) return;
    if (update.kind !== 'topology') this.ledger.pop();
    const hash = externalHashOf(update);
    if (hash !== undefined) this.byExternalHash.delete(hash);
    this.byParty.pop(witnesses);
  }

  /** Of a file, in place of all that there is. */
  restore(sequenced: number): void {
    this.keep(() => false);
    this.sequenced = sequenced;
  }

  /** The sequence number of the next update. */
  get nextSequence(): number {
    return this.sequenced;
  }

  /** Forgets the other updates, for good. */
  keep(isKept: (update: StoredUpdate) => boolean): void {
    const kept = new Set<Update>();
    this.all.keep((update) => {
      if (isKept(update)) kept.add(update);
      return kept.has(update);
    });
    const isStill = (update: Update): boolean => kept.has(update);
    this.ledger.keep(isStill);
    this.byParty.keep(isStill);
    for (const [hash, update] of this.byExternalHash)
      if (!isStill(update)) this.byExternalHash.delete(hash);
    this.byId.clear();
  }

  get(updateId: UpdateId): Update | undefined {
    for (let i = this.byId.size; i < this.all.length; i++) {
      const update = this.all.at(i)!;
      this.byId.set(update.updateId, update);
    }
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
