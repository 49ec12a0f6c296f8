/**
 * Operations with which other Scans replicate the history, and its bulk storage (S-UPD-040 to S-UPD-043, S-BULK-001).
 */
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import { formatTimestamp } from '../../../daml/model/time.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { readBound } from '../formats/instant.js';
import { checkPageSize } from '../formats/requests.js';
import { formatOf, updateItem } from './update-items.js';

export const backfillingHandlers = {
  getMigrationInfo: ({ splice }, { body: { migration_id } }) => {
    const info = splice.backfilling.info(migration_id);
    if (info === undefined) throw new HttpRefusal(404, `No data for migration ${migration_id}`);
    return {
      previous_migration_id: info.previousMigrationId,
      record_time_range: info.ranges.map(({ synchronizerId, min, max }) => ({
        synchronizer_id: synchronizerId,
        min: formatTimestamp(min),
        max: formatTimestamp(max),
      })),
      last_import_update_id: info.lastImportUpdateId,
      // The only Scan has the whole history.
      complete: true,
      import_updates_complete: true,
    };
  },
  getUpdatesBefore: ({ splice }, { body }) => {
    const error = uniqueIdentifierError(body.synchronizer_id);
    if (error !== undefined) throw new HttpRefusal(400, error);
    const { migration_id: migrationId, synchronizer_id: synchronizerId } = body;
    const before = readBound(body.before);
    const from = body.at_or_after === undefined ? undefined : readBound(body.at_or_after);
    checkPageSize(body.count);
    const items = splice.backfilling.before(
      { migrationId, synchronizerId },
      { before, from },
      body.count,
    );
    const format = formatOf(splice, 1, 'protobuf_json');
    return { transactions: items.map((item) => updateItem(item, format)) };
  },
  getImportUpdates: ({ splice }, { body: { migration_id, after_update_id, limit } }) => {
    checkPageSize(limit);
    const format = formatOf(splice, 1, 'protobuf_json');
    const items = splice.backfilling.imports(migration_id, after_update_id, limit);
    return { transactions: items.map((item) => updateItem(item, format)) };
  },
  getBackfillingStatus: () => ({ complete: true }),
  listBulkAcsSnapshotObjects: () => withoutBulkStorage('Bulk storage or public URL'),
  listBulkUpdateHistoryObjects: () => withoutBulkStorage('Bulk storage or public URL'),
  getBulkObjectChecksums: () => withoutBulkStorage('Bulk storage'),
  getBulkObjectsProgress: () => withoutBulkStorage('Bulk storage'),
} satisfies SomeHandlers<'scan'>;

/**
 * The answer of a Scan without a bucket, which differs from the 501 in its document (S-GEN-013). So no answer has
 * `beyond_requested_record_time`.
 */
function withoutBulkStorage(missing: string): never {
  throw new HttpRefusal(400, `${missing} is not configured`);
}
