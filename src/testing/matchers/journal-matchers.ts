/** The matcher on the request journal: the requests of clients, and their number. */
import type { Canticle } from '../../assembly/canticle.js';
import type { JournalEntry } from '../../services/request-journal.js';
import { nearestName } from './nearest-name.js';
import { isObject, shown, verdict, type MatcherState, type Verdict } from './matcher.js';

/** Most entries that a message shows, the newest. */
const MAX_LISTED = 10;

/**
 * @param subject an instance or its `requests`
 * @param operation its id in the API's document, or `METHOD /path` with the path of the request
 * @param times the exact number; at least one by default
 */
export function toHaveAnswered(
  this: MatcherState,
  subject: Pick<Canticle, 'requests'> | Canticle['requests'],
  operation: string,
  times?: number,
): Verdict {
  const text = `toHaveAnswered(${shown(operation)}${times === undefined ? '' : `, ${times}`})`;
  const call = { subject: 'canticle', text };
  const journal = journalOf(subject);
  if (journal === undefined)
    return verdict(this, call, this.isNot === true, () => [
      `Not a Canticle instance: ${shown(subject)}.`,
    ]);
  const entries = journal.list();
  const matched = entries.filter((entry) => isCalled(entry, operation));
  const nearest = matched.length === 0 ? nearestName(operation) : undefined;
  // No instance answers an unknown operation, so expecting that it was not answered is also a mistake.
  if (nearest !== undefined)
    return verdict(this, call, this.isNot === true, () => [nearest, '', ...journalLines(entries)]);
  const answered = matched.filter(({ outcome }) => outcome === 'answered').length;
  const pass = times === undefined ? answered > 0 : answered === times;
  return verdict(this, call, pass, () => [
    `It was answered ${counted(answered)}${refusedText(matched.length - answered)}.`,
    '',
    ...journalLines(entries),
  ]);
}

function journalOf(subject: unknown): Canticle['requests'] | undefined {
  const journal = isObject(subject) && 'requests' in subject ? subject.requests : subject;
  return isObject(journal) && typeof journal.list === 'function'
    ? (journal as unknown as Canticle['requests'])
    : undefined;
}

function isCalled({ operation, method, path }: JournalEntry, wanted: string): boolean {
  return (
    operation === wanted ||
    wanted === `${method} ${path}` ||
    wanted === `${method} ${path.split('?')[0]}`
  );
}

const counted = (times: number): string =>
  times === 0 ? 'never' : times === 1 ? 'once' : `${times} times`;
const refusedText = (times: number): string =>
  times === 0 ? '' : `, and refused ${counted(times)}`;

function journalLines(entries: readonly JournalEntry[]): string[] {
  if (entries.length === 0) return ['There was no request.'];
  const rows = entries.slice(-MAX_LISTED).map(journalLine);
  const earlier = entries.length - rows.length;
  return [
    earlier > 0 ? `The last ${rows.length} of ${entries.length} requests:` : 'The requests:',
    ...rows,
  ];
}

function journalLine(entry: JournalEntry): string {
  const { method, path, status, operation, outcome, error, explanation } = entry;
  const what = [method, path, status, operation, outcome].filter((part) => part !== undefined);
  const why = [error, explanation].filter((part) => part !== undefined);
  return `  ${[what.join(' '), ...(outcome === 'answered' ? [] : [why.join(', ')])].join(': ')}`;
}
