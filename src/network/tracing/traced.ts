/** What callers name when they want a trace: an update, a submission, or the error that refused one. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../request-errors.js';
import { traceOfSubmission, type SubmissionIds } from './find-submission.js';
import { traceOfPrepared, type PreparedMessage } from './trace-prepared.js';
import { traceOfRefusal, traceOfUpdate } from './traces.js';
import { isError } from '../../daml/errors/realms.js';

/** The id of an update, the ids of a submission, a prepared transaction, or what was thrown where one was refused. */
export type Traced = string | SubmissionIds | PreparedMessage | Error;

/** @throws LedgerError INVALID_ARGUMENT where there is no such update, or the error is that of no submission */
export function traceOf(network: Network, of: Traced): TransactionTrace {
  if (typeof of === 'string') return found(traceOfUpdate(network, of), `There is no update ${of}.`);
  if (isError(of)) {
    const refusal = refusalIn(of);
    return found(
      refusal && traceOfRefusal(network, refusal),
      'The error is not the refusal of a submission.',
    );
  }
  if ('preparedTransaction' in of) return traceOfPrepared(network, of);
  return found(traceOfSubmission(network, of), 'No completion has these ids.');
}

/** The refusal that the error is, or that caused it. */
export function refusalIn(error: unknown): LedgerError | undefined {
  if (error instanceof LedgerError) return error;
  return isError(error) ? refusalIn(error.cause) : undefined;
}

function found(trace: TransactionTrace | undefined, why: string): TransactionTrace {
  if (trace === undefined) throw invalidArgument(why);
  return trace;
}
