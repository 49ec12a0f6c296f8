/** The journal's notes about errors. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Explained, JournalEntry } from '../request-journal.js';
import type { LogEntry } from '../../network/model/updates.js';
import { isError } from '../../daml/errors/realms.js';
import type { ServedWorld } from '../caller-context.js';

export type Note = Pick<JournalEntry, 'outcome'> & Partial<Omit<JournalEntry, 'api'>>;

export function refusalNote({ code, details: { cause, explanation } }: LedgerError): Note {
  const text = explanation === undefined ? cause : `${cause.replace(/\.$/, '')}. ${explanation}`;
  return { outcome: 'refused', error: code, explanation: text };
}

/**
 * The offset of the completion of a command that failed after the synchronizer received it; false if it failed at
 * once.
 */
export function completionOf(
  entry: LogEntry | undefined,
  error: unknown,
): { readonly offset: number } | false {
  const refused = entry?.completion?.error;
  return refused !== undefined && error instanceof LedgerError && error.code === refused.code
    ? { offset: entry!.offset }
    : false;
}

/** The details that make a bug reproducible. */
export function bugNote({ network, participant }: ServedWorld, error: unknown): Note {
  const stack = isError(error) ? error.stack : String(error);
  const explanation = `Seed ${network.options.seed ?? 0}, offset ${participant.log.end}: ${stack}`;
  return { outcome: 'failed', error: 'LEDGER_API_INTERNAL_ERROR', explanation };
}

export function explainedBy(
  refusal: LedgerError | undefined,
  requestBytes: number,
): Explained | undefined {
  const explanation = refusal?.explanation;
  return explanation && { explanation, requestBytes };
}
