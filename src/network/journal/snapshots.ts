/**
 * The snapshots that you can revert to: positions in the journal, and the target of a reset.
 * NOTE: the errors are Canticle's: a real participant cannot be reverted.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Journal } from './journal.js';
import type { RequestMark, RequestNumbers } from './request-numbers.js';

const FORGOTTEN = 'a pruning forgot all history before it (forgetHistory).';

interface Snapshot {
  readonly id: string;
  readonly position: number;
  readonly requests: RequestMark;
}

export class Snapshots {
  /** In order of time and distinct. A revert removes the later ones. */
  private readonly snapshots: Snapshot[] = [];
  private readonly indexes = new Map<string, number>();
  private count = 0;
  /** The number of snapshots when history was last forgotten. */
  private forgotten = 0;
  /** Index of the snapshot that a reset reverts to. */
  private start = 0;
  private reverts = 0;

  constructor(
    private readonly journal: Journal,
    private readonly requests: RequestNumbers,
  ) {}

  /** Whether a revert may have removed an update; only explanations need it. */
  get hasReverted(): boolean {
    return this.reverts > 0;
  }

  /**
   * Takes a snapshot at no cost.
   * @returns its id, which is the same if nothing has changed and no request was rejected
   */
  take(): string {
    const { position } = this.journal;
    const last = this.snapshots.at(-1);
    if (last?.position === position && this.requests.isAt(last.requests)) return last.id;
    const id = `snapshot-${++this.count}`;
    this.indexes.set(id, this.snapshots.length);
    this.snapshots.push({ id, position, requests: this.requests.mark });
    return id;
  }

  /**
   * Makes a snapshot now, or an earlier one that still exists, the target of a reset.
   * @returns its id
   */
  startHere(earlier = this.take()): string {
    this.start = this.indexes.get(earlier) ?? this.start;
    return earlier;
  }

  /** Removes all snapshots and the start. */
  forget(): void {
    this.forgotten = this.count;
    this.snapshots.length = 0;
    this.indexes.clear();
    this.start = 0;
  }

  /**
   * The cost depends on the changes since the snapshot. The snapshot stays valid, later ones do not. If the start is
   * later, the snapshot becomes the new start.
   * @throws LedgerError INVALID_ARGUMENT for an unknown snapshot
   */
  revert(id: string): void {
    const index = this.indexes.get(id);
    if (index === undefined)
      throw ledgerError(
        'INVALID_ARGUMENT',
        this.wasForgotten(id)
          ? `Snapshot ${id} is gone: ${FORGOTTEN} Take one after it.`
          : `Unknown snapshot ${id}: it was never taken, or a revert to an earlier one removed it.`,
      );
    this.revertTo(index);
  }

  /** @throws LedgerError INVALID_ARGUMENT if the start was forgotten */
  reset(): void {
    if (this.forgotten > 0 && this.snapshots.length === 0)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `There is no start to go back to: ${FORGOTTEN} Prune without it where a reset follows, or open a Canticle of its own.`,
      );
    this.revertTo(this.start);
  }

  private wasForgotten(id: string): boolean {
    const number = /^snapshot-([1-9]\d{0,15})$/.exec(id)?.[1];
    return number !== undefined && Number(number) <= this.forgotten;
  }

  private revertTo(index: number): void {
    const { position, requests } = this.snapshots[index]!;
    if (position < this.journal.position) this.reverts += 1;
    this.journal.revertTo(position);
    this.requests.goBackTo(requests);
    for (const { id } of this.snapshots.splice(index + 1)) this.indexes.delete(id);
    this.start = Math.min(this.start, index);
  }
}
