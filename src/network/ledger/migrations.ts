/**
 * Migrations of the network. One migration can be scheduled. When it runs, it upgrades every synchronizer, and later
 * updates belong to the new migration id. History keeps the old id.
 * NOTE: the errors are Canticle's: the DSO schedules a real migration.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { ContractId, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import { JournaledCell, JournaledList } from '../journal/journal.js';
import type { Ledger } from './ledger.js';

export interface ScheduledMigration {
  readonly time: Timestamp;
  readonly migrationId: number;
}

/** A contract in the state in which a migration imported it. */
export interface ImportedContract {
  readonly contractId: ContractId;
  readonly synchronizerId: SynchronizerId;
}

/** The active contracts that a migration imported again under the new id. */
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

  /** Id of the current migration, at first 0. */
  get current(): number {
    return this.carriedOut.last()?.migrationId ?? 0;
  }

  get scheduled(): ScheduledMigration | undefined {
    return this.schedule_.value;
  }

  /** Completed migrations, oldest first. */
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

  /** Runs the scheduled migration now. If its time is in the future, the clock first jumps there. */
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
