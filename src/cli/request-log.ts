/** `--log`: prints a line on stderr for each answered request. */
import type { Canticle } from '../assembly/canticle.js';
import type { JournalEntry } from '../services/request-journal.js';
import { UpcomingCalls, upcomingText } from '../services/upcoming-calls.js';
import { printable, spelledOut } from '../daml/errors/printable.js';
import type { Terminal } from './terminal.js';

export const LOG_FORMS = ['pretty', 'json'] as const;
export type LogForm = (typeof LOG_FORMS)[number];

export function logRequests({ requests }: Canticle, form: LogForm, { stderr }: Terminal): void {
  const line = form === 'json' ? json : prettyWith(stderr.isTTY === true);
  requests.onRequest((entry) => stderr.painted(`${line(entry)}\n`));
}

const json = (entry: JournalEntry): string => printable(JSON.stringify(entry));

const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** Of the ledger's time, not the machine's. */
const prettyWith =
  (colors: boolean) =>
  ({
    at,
    method,
    path,
    status,
    error,
    operation,
    durationMs,
    explanation,
    faults = [],
    deprecated,
  }: JournalEntry): string => {
    const isRefused = status >= 400;
    const shownStatus = isRefused && colors ? `${RED}${status}${PLAIN}` : `${status}`;
    const took = durationMs === undefined ? '' : `  ${durationMs.toFixed(1)} ms`;
    const marks = faults.map(({ fault }) => `  ⚡ ${spelledOut(fault)}`).join('');
    const marked = deprecated === undefined ? '' : `  ⚠ ${spelledOut(upcomingText(deprecated))}`;
    const why = [error, isRefused && operation === undefined ? explanation : undefined]
      .filter((each) => each !== undefined)
      .map((each) => `  ${spelledOut(each.split('\n', 1)[0]!)}`)
      .join('');
    return `${at}  ${method.padEnd(6)} ${spelledOut(path)}  ${shownStatus}${took}${marks}${marked}${why}`;
  };

/** Counts calls that use what the next release disables or removes. @returns a function that prints the line about them, at the end */
export function countUpcoming({ requests }: Canticle, { stderr }: Terminal): () => void {
  const calls = new UpcomingCalls();
  calls.watch(requests);
  return () => {
    if (calls.line !== undefined) stderr.write(`canticle: ${calls.line}\n`);
  };
}

/** A block for each refused submission, on stderr. */
export function logRefusals({ requests }: Canticle, { stderr }: Terminal): void {
  requests.onRequest(({ method, path, status }, explanation) => {
    if (explanation === undefined) return;
    stderr.painted(
      `${method} ${spelledOut(path)}: ${status}\n${explanation.text({ colors: stderr.isTTY === true })}\n\n`,
    );
  });
}
