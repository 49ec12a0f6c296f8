/** Scan's snapshots of the active contracts (S-ACS-*), and the amulets in them (S-HLD-001 to S-HLD-003). */
import { gzipSync } from 'node:zlib';
import { withoutTrailing } from '../../../daml/model/scans.js';
import { formatInstant, formatTimestamp } from '../../../daml/model/time.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type {
  AcsRequest,
  AcsResponse,
  AcsResponseV1,
  AcsResponseV2,
  HoldingsStateRequest,
} from '../../../spec/generated/scan.js';
import { exportedAcs } from '../../../splice/scan/acs-export.js';
import { acsPage, holdingsPage, type AcsPage } from '../../../splice/scan/acs-pages.js';
import type { AcsSnapshot } from '../../../splice/scan/acs-snapshots.js';
import { latestOf, synchronizerOf } from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../../handler.js';
import { activeContract, createdEventOf, formatOf } from '../history/update-items.js';
import { readDateTime, readInstant, shownDateTime } from '../formats/instant.js';
import { checkCount, checkPageSize, readParty } from '../formats/requests.js';

/**
 * Scan's HTTP status for the gRPC codes of its participant (S-GEN-008): FAILED_PRECONDITION, OUT_OF_RANGE, NOT_FOUND.
 */
const EXPORT_STATUS = { unprocessed: 400, 'before-all': 500, 'no-match': 404 } as const;

export const activeContractsHandlers = {
  /** In the format of a participant's export, compressed. */
  getAcsSnapshot: ({ splice }, { path, query }) => {
    const { record_time } = query;
    const asOf = record_time === undefined ? undefined : readInstant(record_time);
    const answer = exportedAcs(splice, readParty(path.party), asOf);
    if (!answer.ok)
      throw new HttpRefusal(EXPORT_STATUS[answer.refusal.kind], answer.refusal.message);
    return { acs_snapshot: gzipSync(answer.value).toString('base64') };
  },
  getDateOfMostRecentSnapshotBefore: ({ splice }, { query }) => ({
    record_time: formatTimestamp(timeAtOrBefore(splice, query.migration_id, query.before)),
  }),
  getDateOfFirstSnapshotAfter: ({ splice }, { query }) => {
    const time = splice.acsSnapshots.after(query.migration_id, readDateTime(query.after));
    if (time === undefined)
      throw new HttpRefusal(404, `No snapshots found after ${shownDateTime(query.after)}`);
    return { record_time: formatTimestamp(time) };
  },
  getAcsSnapshotAt: (context, { body }) => withEvents(context, contractsAt(context, body)),
  getAcsSnapshotAtV1: (context, { body }) => withContracts(context, contractsAt(context, body)),
  getAcsSnapshotAtV2: (context, { body }) =>
    withTextToken(withContracts(context, contractsAt(context, withNumber(body)))),
  forceAcsSnapshotNow: ({ splice }) => {
    if (!splice.forcedAcsSnapshots)
      throw new HttpRefusal(400, 'Forced ACS snapshots are disabled.');
    const migrationId = splice.network.migrations.current;
    const recordTime = latestRecordTime(splice, migrationId);
    splice.acsSnapshots.force({ migrationId, recordTime });
    return { record_time: formatTimestamp(recordTime), migration_id: migrationId };
  },
  getHoldingsStateAt: (context, { body }) => withEvents(context, holdingsAt(context, body)),
  getHoldingsStateAtV1: (context, { body }) => withContracts(context, holdingsAt(context, body)),
  getHoldingsStateAtV2: (context, { body }) =>
    withTextToken(withContracts(context, holdingsAt(context, withNumber(body)))),
} satisfies SomeHandlers<'scan'>;

export interface SnapshotRequest {
  readonly migration_id: number;
  readonly record_time: string;
  readonly record_time_match?: 'exact' | 'at_or_before';
}

export interface FoundSnapshot {
  readonly migrationId: number;
  readonly recordTime: Timestamp;
  readonly snapshot: AcsSnapshot;
}

/**
 * The time of the requested snapshot. A snapshot at exactly that time may not exist.
 * @throws HttpRefusal 404 (S-ACS-006)
 */
export function snapshotTime(splice: Splice, request: SnapshotRequest): Timestamp {
  const { migration_id, record_time, record_time_match } = request;
  return record_time_match === 'at_or_before'
    ? timeAtOrBefore(splice, migration_id, record_time)
    : readDateTime(record_time);
}

/** @throws HttpRefusal 404 (S-ACS-006) */
export function snapshotAt(
  { acsSnapshots }: Splice,
  migrationId: number,
  recordTime: Timestamp,
): FoundSnapshot {
  const snapshot = acsSnapshots.at(migrationId, recordTime);
  if (snapshot === undefined)
    throw new HttpRefusal(
      404,
      `Failed to find ACS snapshot for migration id ${migrationId} at ${formatInstant(recordTime)}`,
    );
  return { migrationId, recordTime, snapshot };
}

function timeAtOrBefore({ acsSnapshots }: Splice, migrationId: number, before: string): Timestamp {
  const time = acsSnapshots.atOrBefore(migrationId, readDateTime(before));
  if (time === undefined)
    throw new HttpRefusal(404, `No snapshots found before ${shownDateTime(before)}`);
  return time;
}

type FoundPage = FoundSnapshot & AcsPage;

function contractsAt(context: ScanContext, request: AcsRequest): FoundPage {
  const { splice } = context;
  const { migration_id, after, page_size, party_ids = [], templates = [] } = request;
  const time = snapshotTime(splice, request);
  checkPageSize(page_size);
  checkCount(context, 'party_ids', party_ids);
  checkCount(context, 'templates', templates);
  const parties = party_ids.map(readParty);
  for (const template of templates)
    if (!isTemplateName(template))
      throw new HttpRefusal(
        400,
        "Malformed template_id, expected 'package_name:module_name:entity_name'",
      );
  const found = snapshotAt(splice, migration_id, time);
  checkToken(found, after);
  return { ...found, ...acsPage(found.snapshot, { after, limit: page_size, parties, templates }) };
}

function holdingsAt(context: ScanContext, request: HoldingsStateRequest): FoundPage {
  const { splice } = context;
  const { migration_id, after, page_size, owner_party_ids } = request;
  const time = snapshotTime(splice, request);
  checkPageSize(page_size);
  const owners = readOwners(context, 'ownerPartyIds', owner_party_ids);
  const found = snapshotAt(splice, migration_id, time);
  checkToken(found, after);
  return { ...found, ...holdingsPage(found.snapshot, { after, limit: page_size, owners }) };
}

/** @throws HttpRefusal 400 (S-GEN-021, S-GEN-022) */
export function readOwners(
  context: ScanContext,
  field: string,
  owners: readonly string[],
): readonly string[] {
  checkCount(context, 'owner_party_ids', owners);
  if (owners.length === 0)
    throw new HttpRefusal(
      400,
      `Expected '${field}' to contain at least one item, but contained none.`,
    );
  return owners.map(readParty);
}

/** Like Java's `split`, it ignores empty parts at the end. */
function isTemplateName(text: string): boolean {
  return withoutTrailing(text, ':').split(':').length === 3;
}

/** NOTE: the real Scan numbers the rows of all its snapshots; here, each snapshot starts with 1. */
function checkToken({ snapshot: { contracts } }: FoundSnapshot, after: number | undefined): void {
  if (after !== undefined && (after < 1 || after > contracts.length))
    throw new HttpRefusal(
      400,
      `Invalid after token, outside of snapshot range (1 to ${contracts.length}).`,
    );
}

/** A token of version 2 is a text (S-ACS-016). @throws HttpRefusal 400 for other texts */
function withNumber<Request extends { readonly after?: string }>({ after, ...rest }: Request) {
  if (after === undefined) return rest;
  const number = Buffer.from(after, 'base64').toString();
  if (!/^\d{1,15}$/.test(number)) throw new HttpRefusal(400, `Invalid after token: ${after}`);
  return { ...rest, after: Number(number) };
}

/** NOTE: a real token is opaque, too, but its form is not known. */
const withTextToken = ({ next_page_token: next, ...rest }: AcsResponseV1): AcsResponseV2 => ({
  ...rest,
  next_page_token: next === undefined ? undefined : Buffer.from(String(next)).toString('base64'),
});

function withEvents({ splice }: ScanContext, page: FoundPage): AcsResponse {
  const format = formatOf(splice, 0);
  return {
    ...headOf(page),
    created_events: page.contracts.map((each) => createdEventOf(each, format)),
  };
}

function withContracts({ splice }: ScanContext, page: FoundPage): AcsResponseV1 {
  const format = formatOf(splice, 1);
  return {
    ...headOf(page),
    created_events: page.contracts.map((each) => activeContract(each, format)),
  };
}

function headOf({ recordTime, migrationId, next }: FoundPage) {
  return {
    record_time: formatTimestamp(recordTime),
    migration_id: migrationId,
    next_page_token: next,
  };
}

/**
 * The latest record time on the synchronizer of Amulet's rules (S-ACS-015). NOTE: a real Scan without rules takes no
 * snapshot. Here, a snapshot without rules includes every synchronizer, even before the first update.
 */
function latestRecordTime(splice: Splice, migrationId: number): Timestamp {
  const rules = latestOf(splice, 'rules');
  const latest = (synchronizerId?: string) => splice.viewpoint.latest(migrationId, synchronizerId);
  // Just before now, because all later updates have a later time.
  if (rules === undefined) return latest()?.recordTime ?? splice.network.clock.now() - 1n;
  const synchronizerId = synchronizerOf(splice, rules.contractId);
  if (synchronizerId === undefined) throw new HttpRefusal(400, 'Amulet rules are in flight.');
  const last = latest(synchronizerId);
  if (last === undefined) throw new HttpRefusal(400, 'No updates ever happened for a snapshot.');
  return last.recordTime;
}
