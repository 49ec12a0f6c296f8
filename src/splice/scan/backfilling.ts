/** The data from which other Scans backfill their history (S-UPD-040 to S-UPD-042). */
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { ScanHistory, ScanItem, ScanTransaction } from './scan-history.js';
import type { ScanViewpoint } from './scan-view.js';

export interface MigrationInfo {
  /** The previous migration that has data. */
  readonly previousMigrationId: number | undefined;
  /** Record times of updates by synchronizer id, without imports. */
  readonly ranges: readonly {
    readonly synchronizerId: SynchronizerId;
    readonly min: Timestamp;
    readonly max: Timestamp;
  }[];
  readonly lastImportUpdateId: string | undefined;
}

export class Backfilling {
  constructor(
    private readonly viewpoint: ScanViewpoint,
    private readonly history: ScanHistory,
  ) {}

  /** Undefined if the migration has no updates. */
  info(migrationId: number): MigrationInfo | undefined {
    const ranges = this.ranges(migrationId);
    if (ranges.length === 0) return undefined;
    const imports = this.importedContracts(migrationId);
    const earlier = [
      0,
      ...this.viewpoint.network.migrations.history.map((each) => each.migrationId),
    ].filter((each) => each < migrationId && this.ranges(each).length > 0);
    return {
      previousMigrationId: earlier.at(-1),
      ranges,
      lastImportUpdateId: imports.at(-1)?.contractId,
    };
  }

  /** Newest first, from just below `before` down to `from`, inclusive. */
  before(
    place: { readonly migrationId: number; readonly synchronizerId: SynchronizerId },
    { before, from }: { readonly before: Timestamp; readonly from: Timestamp | undefined },
    limit: number,
  ): readonly ScanItem[] {
    const { updates } = this.viewpoint;
    const items: ScanItem[] = [];
    let index = this.viewpoint.behind(place.migrationId, before - 1n) - 1;
    for (; index >= 0 && items.length < limit; index--) {
      const update = updates.at(index)!;
      if (update.migrationId !== place.migrationId) break;
      if (from !== undefined && update.recordTime < from) break;
      if (update.synchronizerId === place.synchronizerId)
        items.push(...this.history.itemsOf(update));
    }
    return items;
  }

  /** Imports sorted by contract id. Their update id is the contract id, because the id in the participant differs from node to node. */
  imports(migrationId: number, after: string, limit: number): readonly ScanTransaction[] {
    return this.importedContracts(migrationId)
      .filter(({ contractId }) => contractId > after)
      .slice(0, limit)
      .map(({ contractId, item }) => ({ ...item, updateId: contractId }));
  }

  private importedContracts(
    migrationId: number,
  ): readonly { readonly contractId: string; readonly item: ScanTransaction }[] {
    const record = this.viewpoint.network.migrations.history.find(
      (each) => each.migrationId === migrationId,
    );
    const items = record === undefined ? [] : [...this.history.imports.of(record).values()];
    return items
      .map((item) => ({ contractId: item.nodes[0]!.node.contract.contractId, item }))
      .sort((a, b) => (a.contractId < b.contractId ? -1 : 1));
  }

  private ranges(migrationId: number): MigrationInfo['ranges'] {
    const { updates, network } = this.viewpoint;
    const first = updates.firstIndex((update) => update.migrationId >= migrationId);
    const end = updates.firstIndex((update) => update.migrationId > migrationId);
    return network.synchronizers
      .map(({ id }) => id)
      .sort()
      .flatMap((synchronizerId) => {
        const of = (from: number, step: number): Timestamp | undefined => {
          for (let index = from; index >= first && index < end; index += step) {
            const update = updates.at(index)!;
            if (update.synchronizerId === synchronizerId && this.history.itemsOf(update).length > 0)
              return update.recordTime;
          }
          return undefined;
        };
        const [min, max] = [of(first, 1), of(end - 1, -1)];
        return min === undefined ? [] : [{ synchronizerId, min, max: max! }];
      });
  }
}
