/** The update service: the stream as a list, and single updates by offset or id. */
import { ledgerStringError, requireArgument } from '../../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { logged, loggedIn, QUOTED } from '../../../daml/errors/logging-context.js';
import { multihashError } from '../../../daml/model/multihash.js';
import type { TypeId } from '../../../daml/model/types.js';
import { partiesOf, type UpdateFormat } from '../../../network/reading/event-format.js';
import { ViewVersions } from '../../../network/routing/interface-views.js';
import type { ParticipantLog } from '../../../network/ledger/participant-log.js';
import type { Participant } from '../../../network/participant.js';
import { projectUpdate, type UpdateView } from '../../../network/reading/projection.js';
import {
  missingField,
  negativeOffset,
  nonPositiveOffset,
  offsetAfterLedgerEnd,
} from '../../../network/model/request-errors.js';
import type { LogEntry, Update } from '../../../network/model/updates.js';
import type {
  GetUpdatesRequest,
  JsGetUpdateResponse,
  JsGetUpdatesResponse,
} from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import { LogStream } from '../../streams/element-stream.js';
import { recentElements, type RecentElements } from '../../streams/recent-elements.js';
import { checkUpdateFormat, type ReadingContext } from '../formats/formats.js';
import { renderUpdate, updateReader } from '../formats/render.js';
import { requireUnpruned } from '../formats/requests.js';
import { readUpdateFormat, resolveUpdateFormat } from '../formats/resolve-format.js';
import { finiteList, openList } from '../formats/stream-list.js';

export const updates = {
  postV2Updates: (context, { body, query }) => {
    const stream = updateStream(context, body);
    if (stream.open === undefined) return finiteList(stream.read(), query);
    return openList(context, stream, query);
  },

  'postV2UpdatesUpdate-by-id': (context, { body }) => {
    const { participant } = context;
    const { updateId, checked } = loggedIn(QUOTED, () => ({
      updateId: requireUpdateId(body.updateId),
      checked: checkUpdateFormat(context, body.updateFormat),
    }));
    const format = resolveUpdateFormat(participant.packages, checked);
    return single(context, participant.ledger.updateById(updateId), format, [
      'UPDATE_ID',
      updateId,
    ]);
  },

  'postV2UpdatesUpdate-by-offset': logged(QUOTED, (context, { body }) => {
    const { participant } = context;
    const { offset } = body;
    if (offset <= 0) throw nonPositiveOffset('offset', offset);
    const format = readUpdateFormat(context, body.updateFormat);
    return single(context, participant.log.entry(offset)?.update, format, [
      'OFFSET',
      String(offset),
    ]);
  }),
} satisfies SomeHandlers<'ledger'>;

/** The updates of a request in its current form: existing ones and, without an end, new ones. */
export const updateStream = logged(QUOTED, openUpdates);

function openUpdates(
  context: ReadingContext,
  request: GetUpdatesRequest,
): LogStream<JsGetUpdatesResponse> {
  const { participant, values } = context;
  const { log } = participant;
  const { beginExclusive: begin = 0, descendingOrder: descending = false } = request;
  const end = request.endInclusive ?? undefined;
  checkOffsets(log, begin, end, descending);
  const format = readUpdateFormat(context, request.updateFormat);
  checkRange(log, begin, end);
  const recent =
    end === undefined ? recentElements<Shown>(participant, [values.name, format]) : undefined;
  const versions = new ViewVersions(participant);
  const reading = { participant, values, call: context, format, versions, recent };
  return new LogStream(
    log,
    { begin, end, descending },
    {
      parties: readers(format),
      find: (low, high, down) => readUpdates(reading, low, high, down),
      checkpoint: ({ message }) => ({ update: { OffsetCheckpoint: { value: message } } }),
    },
  );
}

const END_OR_NONE = 'the offset has to be either a positive integer (>0) or not defined at all';

/** Checks the offsets, independent of the format (B-UPD-005, B-UPD-006, B-UPD-012). */
function checkOffsets(
  log: ParticipantLog,
  begin: number,
  end: number | undefined,
  descending: boolean,
): void {
  if (begin < 0) throw negativeOffset('begin_exclusive', begin);
  if (descending && end === undefined)
    throw ledgerError(
      'DESCENDING_ORDER_MISSING_END',
      'end_inclusive is not provided when descending_order is true',
    );
  if (end !== undefined && end <= 0)
    throw nonPositiveOffset('end_inclusive', end, descending ? undefined : END_OR_NONE);
  if (begin > log.end) throw offsetAfterLedgerEnd('Begin', begin, log.end);
  if (end !== undefined && end > log.end) throw offsetAfterLedgerEnd('End', end, log.end);
}

/** B-UPD-003, B-UPD-004, B-UPD-007. */
function checkRange(log: ParticipantLog, begin: number, end: number | undefined): void {
  if (end !== undefined && end < begin)
    throw ledgerError('OFFSET_OUT_OF_RANGE', `End offset ${end} is before begin offset ${begin}.`);
  if (begin !== end) requireUnpruned(log, begin, end ?? log.end);
}

export interface UpdateReading extends Pick<ReadingContext, 'participant' | 'values'> {
  readonly call: Pick<ReadingContext, 'origin'>;
  readonly format: UpdateFormat;
  readonly versions: ViewVersions;
  /** The elements that streams with the same format rendered. */
  readonly recent?: RecentElements<Shown>;
}

/** An element, or its absence, with the packages that the result depends on. */
interface Shown {
  readonly element: JsGetUpdatesResponse | undefined;
  /** For each interface that the format names. */
  readonly implementers: readonly (readonly string[])[];
  readonly views: ReturnType<ViewVersions['tracking']>['used'];
  /** Whether a view has failed. Such an element is not shared, because its error belongs to one call. */
  readonly hasFailed: boolean;
}

/** Elements that the format shows, with their offsets. */
export function* readUpdates(
  { participant, values, call, format, versions, recent }: UpdateReading,
  begin: number,
  end: number,
  descending: boolean,
): Generator<{ offset: number; element: JsGetUpdatesResponse }> {
  const { log } = participant;
  // While a slow reader waits, pruning may remove its next update.
  if (begin < Math.min(end, log.forgottenUpTo)) requireUnpruned(log, begin, end);
  const parties = readers(format);
  const reader = updateReader({ participant, call, versions }, values, format);
  const implementers = interfacesOf(format).map((id) => participant.packages.implementersOf(id));
  const show = ({ update }: LogEntry): Shown => {
    const { made, used, hasFailed } = versions.tracking(() => {
      const view = update && projectUpdate(participant, update, format);
      return view && { update: renderUpdate(reader, view) };
    });
    return { element: made, implementers, views: used, hasFailed };
  };
  const isUpToDate = (shown: Shown): boolean =>
    !shown.hasFailed &&
    shown.implementers.every((names, index) => names === implementers[index]) &&
    versions.agreesWith(shown.views);
  for (const entry of log.witnessedBy(parties, begin, end, descending)) {
    const { element } =
      recent === undefined ? show(entry) : recent.get(entry, isUpToDate, () => show(entry));
    if (element) yield { offset: entry.offset, element };
  }
}

function interfacesOf({ transactions, reassignments }: UpdateFormat): readonly TypeId[] {
  return [transactions?.eventFormat, reassignments].flatMap((format) =>
    [...(format?.byParty.values() ?? []), format?.anyParty].flatMap((filter) => [
      ...(filter?.interfaces.keys() ?? []),
    ]),
  );
}

/** The parties of the format; undefined for any party. */
export function readers(format: UpdateFormat): readonly string[] | undefined {
  const parties = new Set<string>();
  for (const part of [format.transactions?.eventFormat, format.reassignments]) {
    if (part === undefined) continue;
    const named = partiesOf(part);
    if (named === undefined) return undefined;
    for (const party of named) parties.add(party);
  }
  if (format.topology?.parties.length === 0) return undefined;
  for (const party of format.topology?.parties ?? []) parties.add(party);
  return [...parties];
}

/** Lower-case letters, as in answers. */
export function requireUpdateId(updateId: string): string {
  if (updateId === '') throw missingField('update_id');
  requireArgument(ledgerStringError, updateId);
  return requireArgument(multihashError, updateId).toLowerCase();
}

function single(
  context: Omit<ReadingContext, 'apiVersion'>,
  update: Update | undefined,
  format: UpdateFormat,
  resource: readonly [string, string],
): JsGetUpdateResponse {
  const { participant, values } = context;
  const view = requireVisible(participant, update, format, resource);
  const reader = updateReader({ participant, call: context }, values, format);
  return { update: renderUpdate(reader, view) };
}

/** The part of an existing update that the format shows. @throws LedgerError UPDATE_NOT_FOUND */
export function requireVisible(
  participant: Participant,
  update: Update | undefined,
  format: UpdateFormat,
  resource: readonly [string, string],
): UpdateView {
  const offset = update?.offsets.get(participant.id);
  const isPruned = offset !== undefined && offset <= participant.log.prunedUpTo;
  const view = update && !isPruned ? projectUpdate(participant, update, format) : undefined;
  if (view === undefined) throw updateNotFound(...resource);
  return view;
}

/** The same error for an unknown update and for one that the reader may not see (B-PTW-002, B-PTW-010). */
export function updateNotFound(type: string, value: string): LedgerError {
  return ledgerError('UPDATE_NOT_FOUND', {
    cause: 'Update not found, or not visible.',
    resources: [[type, value]],
  });
}
