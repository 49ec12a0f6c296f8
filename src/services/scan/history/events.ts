/** Scan's events: updates with the mediator's verdicts on them (S-EVT-*). */
import { formatTimestampMicros } from '../../../daml/model/time.js';
import type { EventHistoryItem, EventHistoryVerdict } from '../../../spec/generated/scan.js';
import { spliceReleaseOf, type SpliceVersion } from '../../../spec/versions.js';
import type { Splice } from '../../../splice/splice.js';
import type { ScanEvent } from '../../../splice/scan/scan-events.js';
import type { Verdict } from '../../../splice/scan/verdicts.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { checkPageSize } from '../formats/requests.js';
import { formatOf, updateItemV2, type ItemFormat } from './update-items.js';
import { placeOf } from './updates.js';

export const eventHandlers = {
  getEventHistory: ({ splice, spliceVersion }, { body }) => {
    const place = body.after && placeOf(body.after);
    checkPageSize(body.page_size);
    const format = formatOf(splice, 2, body.daml_value_encoding);
    return {
      events: splice.events
        .page(place, body.page_size)
        .map((event) => eventItem(splice, event, format, spliceVersion)),
    };
  },
  getEventById: ({ splice, spliceVersion }, { path, query }) => {
    const found = splice.events.withId(path.update_id);
    if (found === undefined)
      throw new HttpRefusal(404, `Event with id ${path.update_id} not found`);
    const format = formatOf(splice, 2, query.daml_value_encoding);
    return eventItem(splice, found, format, spliceVersion);
  },
  /** NOTE: a real Scan without events waits for the first one. */
  getLatestEventRecordTime: ({ splice }) => {
    const time = splice.events.latestRecordTime();
    if (time === undefined) throw new HttpRefusal(404, 'No events are available yet');
    return { record_time: formatTimestampMicros(time) };
  },
} satisfies SomeHandlers<'scan'>;

/** Verdicts have traffic and activity only in a network that records them (S-EVT-014). */
function eventItem(
  { activity }: Splice,
  { update, verdict, judged }: ScanEvent,
  format: ItemFormat,
  release: SpliceVersion,
): EventHistoryItem {
  const { verdictsHaveRounds } = spliceReleaseOf(release);
  const round = verdictsHaveRounds && judged && activity.roundNumberAt(judged.recordTime);
  const summary = judged && activity.summaryOf(judged);
  const record = judged && activity.recordOf(judged);
  return {
    update: update && updateItemV2(update, format),
    verdict: verdict && {
      ...verdictBody(verdict),
      ...(typeof round === 'bigint' && { round_number: Number(round) }),
    },
    traffic_summary: summary && {
      total_traffic_cost: summary.total,
      envelope_traffic_summaries: summary.envelopes.map(({ cost, views }) => ({
        traffic_cost: cost,
        view_ids: [...views],
      })),
    },
    app_activity_records: record && {
      round_number: Number(record.round),
      records: record.weights.map(({ party, weight }) => ({ party, weight: Number(weight) })),
    },
  };
}

/** NOTE: the verdict is final when the request is sequenced, because there is no wait for confirmations. */
function verdictBody(verdict: Verdict): EventHistoryVerdict {
  return {
    update_id: verdict.updateId,
    migration_id: verdict.migrationId,
    domain_id: verdict.synchronizerId,
    record_time: formatTimestampMicros(verdict.recordTime),
    finalization_time: formatTimestampMicros(verdict.recordTime),
    submitting_parties: [...verdict.submittingParties],
    submitting_participant_uid: verdict.submittingParticipant,
    verdict_result: 'VERDICT_RESULT_ACCEPTED',
    mediator_group: 0,
    transaction_views: {
      views: verdict.views.map(({ viewId, informees, quorums, subviews, hash }) => ({
        view_id: viewId,
        informees: [...informees],
        confirming_parties: quorums.map(({ parties, threshold }) => ({
          parties: [...parties],
          threshold,
        })),
        sub_views: [...subviews],
        view_hash: hash,
      })),
      root_views: [...verdict.rootViews],
    },
  };
}
