/** Scan's update history: lists in three versions, and single updates by id and by external hash (S-UPD-034 to S-UPD-037). */
import type { DamlValueEncoding, UpdateHistoryRequestAfter } from '../../../spec/generated/scan.js';
import type { ScanItem, ScanTransaction } from '../../../splice/scan/scan-history.js';
import type { HistoryPlace } from '../../../splice/scan/scan-view.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../../handler.js';
import { readInstant } from '../formats/instant.js';
import { checkPageSize } from '../formats/requests.js';
import { formatOf, updateItem, updateItemV2, updateItemWithHash } from './update-items.js';

export const updateHandlers = {
  getUpdateHistory: (context, { body }) => {
    const format = formatOf(context.splice, 0, losslessEncoding(body.lossless));
    return { transactions: page(context, body, true).map((item) => updateItem(item, format)) };
  },
  getUpdateHistoryV1: (context, { body }) => {
    const format = formatOf(context.splice, 1, body.daml_value_encoding);
    return { transactions: page(context, body).map((item) => updateItem(item, format)) };
  },
  getUpdateHistoryV2: (context, { body }) => {
    const format = formatOf(context.splice, 2, body.daml_value_encoding);
    return { transactions: page(context, body).map((item) => updateItemV2(item, format)) };
  },
  getUpdateById: (context, { path, query }) =>
    updateItem(
      transaction(context, path.update_id),
      formatOf(context.splice, 0, losslessEncoding(query.lossless)),
    ),
  getUpdateByIdV1: (context, { path, query }) =>
    updateItem(
      transaction(context, path.update_id),
      formatOf(context.splice, 1, query.daml_value_encoding),
    ),
  getUpdateByIdV2: (context, { path, query }) =>
    updateItemV2(
      transaction(context, path.update_id),
      formatOf(context.splice, 2, query.daml_value_encoding),
    ),
  getUpdateByHash: (context, { path, query }) => {
    const found = context.splice.history.transactionByExternalHash(path.hash.toLowerCase());
    if (found === undefined)
      throw new HttpRefusal(404, `Transaction with hash ${path.hash} not found`);
    return updateItemWithHash(found, formatOf(context.splice, 2, query.daml_value_encoding));
  },
} satisfies SomeHandlers<'scan'>;

interface PageRequest {
  readonly after?: UpdateHistoryRequestAfter;
  readonly page_size: number;
}

function page(
  { splice }: ScanContext,
  { after, page_size }: PageRequest,
  imports = false,
): readonly ScanItem[] {
  const place = after && placeOf(after);
  checkPageSize(page_size);
  return splice.history.page(place, page_size, imports);
}

export function placeOf({
  after_migration_id,
  after_record_time,
}: UpdateHistoryRequestAfter): HistoryPlace {
  return { migrationId: after_migration_id, recordTime: readInstant(after_record_time) };
}

function transaction({ splice }: ScanContext, updateId: string): ScanTransaction {
  const found = splice.history.transaction(updateId);
  if (found === undefined) throw new HttpRefusal(404, `Transaction with id ${updateId} not found`);
  return found;
}

function losslessEncoding(lossless: boolean | undefined): DamlValueEncoding {
  return lossless === true ? 'protobuf_json' : 'compact_json';
}
