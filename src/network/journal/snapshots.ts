/**
 * The moments that can be gone back to: positions in the journal, and the one that a reset goes to.
 * NOTE: the refusals are ours: no participant goes back.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Journal } from './journal.js';
import type { RequestMark, RequestNumbers } from './request-numbers.js';

const FORGOTTEN = 'a pruning forgot all history before it (forgetHistory).';

interface Moment {
  readonly id: string;
  readonly position: number;
  readonly requests: RequestMark;
}

export class Snapshots {
  /** In order of time, each a moment of its own: going back takes away those at the end. */
  private readonly moments: Moment[] = [];
  private readonly indexes = new Map<string, number>();
  private count = 0;
  /** How many had been taken when history was forgotten last. */
  private forgotten = 0;
  /** Index of the moment that a reset goes to. */
  private start = 0;
  private reverts = 0;

  constructor(
    private readonly journal: Journal,
    private readonly requests: RequestNumbers,
  ) {}

  /** Whether anything that was here may have been taken back: for explanations alone. */
  get hasReverted(): boolean {
    return this.reverts > 0;
  }

  /** Remembers this moment, at no cost. @returns its id, the same while nothing has changed and nothing was refused */
  take(): string {
    const { position } = this.journal;
    const last = this.moments.at(-1);
    if (last?.position === position && this.requests.isAt(last.requests)) return last.id;
    const id = `snapshot-${++this.count}`;
    this.indexes.set(id, this.moments.length);
    this.moments.push({ id, position, requests: this.requests.mark });
    return id;
  }

  /** Makes this moment the one that a reset goes to, or an earlier one, unless it is gone. @returns its id */
  startHere(earlier = this.take()): string {
    this.start = this.indexes.get(earlier) ?? this.start;
    return earlier;
  }

  /** None that was taken until now can be gone back to any more, nor the start. */
  forget(): void {
    this.forgotten = this.count;
    this.moments.length = 0;
    this.indexes.clear();
    this.start = 0;
  }

  /**
   * Costs what has changed since. The snapshot stays valid, later ones do not; where the start is one of those, what was
   * gone back to is the start from now on.
   * @throws LedgerError INVALID_ARGUMENT for one that is not known
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

  /** @throws LedgerError INVALID_ARGUMENT where the start was forgotten */
  reset(): void {
    if (this.forgotten > 0 && this.moments.length === 0)
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
    const { position, requests } = this.moments[index]!;
    if (position < this.journal.position) this.reverts += 1;
    this.journal.revertTo(position);
    this.requests.goBackTo(requests);
    for (const { id } of this.moments.splice(index + 1)) this.indexes.delete(id);
    this.start = Math.min(this.start, index);
  }
}
