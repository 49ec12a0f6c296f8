/**
 * When a participant prunes by itself: once each time that its schedule comes round, all that is older than it is to retain.
 * NOTE: how long a run may take is kept and told, as none takes any time; where time goes past several runs at once, one is made.
 */
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledCell } from '../journal/journal.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ParticipantLog } from '../ledger/participant-log.js';
import { nextAfter, readCron, type Cron } from './cron.js';

export interface PruningSchedule {
  /** One that `readCron` reads. */
  readonly cron: string;
  /** In seconds, as the next. */
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
  private readonly kept: JournaledCell<PruningSchedule | null>;
  private readonly next: JournaledCell<Timestamp | null>;

  constructor(private readonly participant: Pruned) {
    const { ledger, name } = participant;
    this.kept = new JournaledCell<PruningSchedule | null>(ledger.journal, `pruning/${name}`, null);
    this.next = new JournaledCell<Timestamp | null>(ledger.journal, `next-pruning/${name}`, null);
    ledger.whenDue(() => this.carryOut());
    ledger.clock.onJump(() => this.carryOut());
  }

  get schedule(): PruningSchedule | null {
    return this.kept.value;
  }

  /** @param schedule null for none */
  set(schedule: PruningSchedule | null): void {
    const { clock, journal } = this.participant.ledger;
    const next = schedule && nextAfter(cronOf(schedule), clock.now());
    journal.atomically(() => {
      this.kept.value = schedule;
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
    const kept = now - BigInt(schedule.retention) * 1_000_000n;
    const offset = Math.min(log.lastOffsetUntil(kept), log.end - 1);
    if (offset > log.prunedUpTo) this.participant.prune(offset);
  }
}

const cronOf = ({ cron }: PruningSchedule): Cron => readCron(cron) as Cron;
