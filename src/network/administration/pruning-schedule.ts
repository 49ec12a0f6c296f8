/**
 * Automatic pruning: at each scheduled time, a participant prunes everything older than the retention period.
 * NOTE: the maximum duration is stored and returned only, because pruning takes no time here. If time jumps over
 * several runs, pruning runs once.
 */
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledCell } from '../journal/journal.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ParticipantLog } from '../ledger/participant-log.js';
import { nextAfter, readCron, type Cron } from './cron.js';

export interface PruningSchedule {
  /** A text that `readCron` accepts. */
  readonly cron: string;
  /** In seconds, like the next member. */
  readonly maxDuration: number;
  readonly retention: number;
  readonly pruneInternallyOnly: boolean;
}

interface Pruned {
  readonly name: string;
  readonly ledger: Ledger;
  readonly log: ParticipantLog;
  prune(offset: number): void;
}

export class PruningScheduler {
  private readonly stored: JournaledCell<PruningSchedule | null>;
  private readonly next: JournaledCell<Timestamp | null>;

  constructor(private readonly participant: Pruned) {
    const { ledger, name } = participant;
    this.stored = new JournaledCell<PruningSchedule | null>(
      ledger.journal,
      `pruning/${name}`,
      null,
    );
    this.next = new JournaledCell<Timestamp | null>(ledger.journal, `next-pruning/${name}`, null);
    ledger.whenDue(() => this.carryOut());
    ledger.clock.onJump(() => this.carryOut());
  }

  get schedule(): PruningSchedule | null {
    return this.stored.value;
  }

  /** @param schedule null removes it */
  set(schedule: PruningSchedule | null): void {
    const { clock, journal } = this.participant.ledger;
    const next = schedule && nextAfter(cronOf(schedule), clock.now());
    journal.atomically(() => {
      this.stored.value = schedule;
      this.comesAt(next);
    });
  }

  private comesAt(next: Timestamp | null | undefined): void {
    this.next.value = next ?? null;
    if (next) this.participant.ledger.clock.onTime(next, () => this.carryOut());
  }

  private carryOut(): void {
    const { ledger, log } = this.participant;
    const now = ledger.clock.now();
    const { schedule } = this;
    if (schedule === null || this.next.value === null || this.next.value > now) return;
    this.comesAt(nextAfter(cronOf(schedule), now));
    const cutoff = now - BigInt(schedule.retention) * 1_000_000n;
    const offset = Math.min(log.lastOffsetUntil(cutoff), log.end - 1);
    if (offset > log.prunedUpTo) this.participant.prune(offset);
  }
}

const cronOf = ({ cron }: PruningSchedule): Cron => readCron(cron) as Cron;
