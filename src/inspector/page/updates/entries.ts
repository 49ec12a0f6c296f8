/**
 * All events, newest first: updates, rejections after sequencing, and immediate rejections, which come from the
 * journal of requests.
 */
import type {
  InspectedUpdate,
  InspectedUpdates,
  JournalEntry,
  RequestJournal,
} from '../../../spec/generated/control.js';
import { microseconds } from '../parts/format.js';
import { fetchJson } from '../state/api.js';
import { href, type Eyes } from '../state/route.js';

export interface Entry {
  readonly key: string;
  readonly url: string;
  readonly kind: InspectedUpdate['kind'];
  readonly recordTime: string;
  readonly synchronizer: string;
  readonly summary: string;
  /** The summary, if there is one. */
  readonly about?: string;
  /** Its choices, if the summary does not list them. */
  readonly did?: string;
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly offsets: Readonly<Record<string, number>>;
  readonly error?: { readonly code: string; readonly cause: string };
}

/** The operations that submit commands. */
const SUBMITTING = /^post(?:V2Commands|V2Interactive)|submit|exercise|transfer/i;

export const isSubmission = ({ operation = '', validation }: JournalEntry): boolean =>
  SUBMITTING.test(operation) && validation.ok;

const PAGE = 100;

function eyesQuery(eyes: Eyes): { party?: string; participant?: string } {
  return eyes ?? {};
}

export const updatesBefore = (
  before: string | undefined,
  eyes: Eyes,
  synchronizer: string | undefined,
  signal?: AbortSignal,
): Promise<InspectedUpdates> =>
  fetchJson(
    'inspection/updates',
    { before, limit: PAGE, synchronizer, ...eyesQuery(eyes) },
    signal,
  );

/**
 * Reads the whole journal, which is bounded. Rejections after sequencing are in the list of updates, with an
 * offset.
 */
export async function refusedAtOnce(signal?: AbortSignal): Promise<readonly JournalEntry[]> {
  const { requests } = await fetchJson<RequestJournal>(
    'requests',
    { api: 'ledger', outcome: 'refused' },
    signal,
  );
  return requests.filter((entry) => isSubmission(entry) && entry.offset == null);
}

function entryOfUpdate(update: InspectedUpdate): Entry {
  const { kind, recordTime, synchronizer, submission, offsets, error } = update;
  const { participant = '', submissionId = '', commandId = '', actAs = [] } = submission ?? {};
  const url =
    update.updateId === undefined || update.updateId === null
      ? href(['updates', 'submission', participant, submissionId])
      : href(['updates', update.updateId]);
  const { told: description } = update;
  const summary =
    kind === 'refused'
      ? (error?.code ?? 'refused')
      : (description?.text ?? update.summary.join(', '));
  return {
    key: url.replace(/\?.*/, ''),
    url,
    kind,
    recordTime,
    synchronizer,
    summary,
    ...(description != null && { about: description.about, did: update.summary.join(', ') }),
    actAs,
    commandId,
    offsets,
    ...(error != null && { error }),
  };
}

function entryOfRequest({ id, at, error, explanation = '' }: JournalEntry): Entry {
  return {
    key: `#/updates/request/${id}`,
    url: href(['updates', 'request', String(id)]),
    kind: 'refused',
    recordTime: at,
    synchronizer: '',
    summary: error ?? 'refused',
    actAs: [],
    commandId: `request ${id}`,
    offsets: {},
    error: { code: error ?? '', cause: explanation },
  };
}

/** Merges both lists, newest first. @param until older entries are not loaded yet */
export function merged(
  updates: readonly InspectedUpdate[],
  requests: readonly JournalEntry[],
  until: string | undefined,
): Entry[] {
  const entries = [
    ...updates.map(entryOfUpdate),
    ...requests.filter(({ at }) => until === undefined || at >= until).map(entryOfRequest),
  ];
  return entries.sort((a, b) =>
    microseconds(b.recordTime).localeCompare(microseconds(a.recordTime)),
  );
}
