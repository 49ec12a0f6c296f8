/** What happened, newest first: updates, what was refused behind a synchronizer, and what was refused at once, which the journal of requests knows. */
import type {
  InspectedUpdate,
  InspectedUpdates,
  JournalEntry,
  RequestJournal,
} from '../../../spec/generated/control.js';
import { microseconds } from '../parts/format.js';
import { ask } from '../state/api.js';
import { href, type Eyes } from '../state/route.js';

export interface Entry {
  readonly key: string;
  readonly url: string;
  readonly kind: InspectedUpdate['kind'];
  readonly recordTime: string;
  readonly synchronizer: string;
  readonly summary: string;
  /** What it is about, where there are words for it. */
  readonly about?: string;
  /** What it did by its choices, where the summary says it otherwise. */
  readonly did?: string;
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly offsets: Readonly<Record<string, number>>;
  readonly error?: { readonly code: string; readonly cause: string };
}

/** Operations by which something is submitted. */
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
  ask('inspection/updates', { before, limit: PAGE, synchronizer, ...eyesQuery(eyes) }, signal);

/** Of the whole journal: it is bounded. Those that reached a synchronizer stand among the updates, with an offset. */
export async function refusedAtOnce(signal?: AbortSignal): Promise<readonly JournalEntry[]> {
  const { requests } = await ask<RequestJournal>(
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
  const { told } = update;
  const summary =
    kind === 'refused' ? (error?.code ?? 'refused') : (told?.text ?? update.summary.join(', '));
  return {
    key: url.replace(/\?.*/, ''),
    url,
    kind,
    recordTime,
    synchronizer,
    summary,
    ...(told != null && { about: told.about, did: update.summary.join(', ') }),
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

/** Both lists as one, newest first. @param until what is older is not there yet */
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
