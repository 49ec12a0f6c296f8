/**
 * Migrations of the network: one may be scheduled, and when it is carried out every synchronizer is upgraded and what is
 * sequenced from then on belongs to the new migration id. History keeps the old one.
 * NOTE: the refusals are ours: a real migration is scheduled by the DSO.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { ContractId, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../ids.js';
import { JournaledCell, JournaledList } from '../journal/journal.js';
import type { Ledger } from './ledger.js';

export interface ScheduledMigration {
  readonly time: Timestamp;
  readonly migrationId: number;
}

/** A contract as it stood when it was carried over. */
export interface ImportedContract {
  readonly contractId: ContractId;
  readonly synchronizerId: SynchronizerId;
}

/** What a migration carried over: the contracts that were active, each imported anew under the new id. */
export interface MigrationRecord {
  readonly migrationId: number;
  readonly at: Timestamp;
  /** Sequence number of the first update under this id. */
  readonly firstSequence: number;
  /** Sorted by contract id. */
  readonly imported: readonly ImportedContract[];
}

export class Migrations {
  private readonly schedule_: JournaledCell<ScheduledMigration | undefined>;
  private readonly carriedOut: JournaledList<MigrationRecord>;

  constructor(private readonly ledger: Ledger) {
    this.schedule_ = new JournaledCell<ScheduledMigration | undefined>(
      ledger.journal,
      'scheduled-migration',
      undefined,
    );
    this.carriedOut = new JournaledList(ledger.journal, 'migrations');
  }

  /** Id of the running migration, 0 at first. */
  get current(): number {
    return this.carriedOut.last()?.migrationId ?? 0;
  }

  get scheduled(): ScheduledMigration | undefined {
    return this.schedule_.value;
  }

  /** Migrations carried out, oldest first. */
  get history(): readonly MigrationRecord[] {
    return Array.from({ length: this.carriedOut.length }, (_, i) => this.carriedOut.at(i)!);
  }

  schedule(migration: ScheduledMigration): void {
    if (!Number.isSafeInteger(migration.migrationId) || migration.migrationId <= this.current)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `A migration needs an id above the running one, ${this.current}; ${migration.migrationId} is not.`,
      );
    if (migration.time < this.ledger.clock.now())
      throw ledgerError('INVALID_ARGUMENT', 'A migration cannot be scheduled in the past.');
    this.schedule_.value = migration;
  }

  clear(): void {
    if (this.scheduled !== undefined) this.schedule_.value = undefined;
  }

  /** Carries out the scheduled migration now, or, if its time has not come, when its time has come: time jumps there. */
  carryOut(): MigrationRecord {
    const { scheduled, ledger } = this;
    if (scheduled === undefined)
      throw ledgerError('INVALID_ARGUMENT', 'No migration is scheduled. Schedule one first.');
    return ledger.journal.atomically(() => {
      if (scheduled.time > ledger.clock.now()) ledger.clock.set(scheduled.time);
      const record: MigrationRecord = {
        migrationId: scheduled.migrationId,
        at: ledger.clock.now(),
        firstSequence: ledger.nextSequence,
        imported: ledger.contracts.active(),
      };
      this.carriedOut.push(record);
      this.schedule_.value = undefined;
      for (const synchronizer of ledger.synchronizers) synchronizer.upgraded();
      return record;
    });
  }
}
