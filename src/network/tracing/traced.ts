/** What callers name when they want a trace: an update, a submission, or the error that refused one. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../request-errors.js';
import { traceOfSubmission, type SubmissionIds } from './find-submission.js';
import { traceOfPrepared } from './trace-prepared.js';
import { traceOfRefusal, traceOfUpdate } from './traces.js';

/** The id of an update, the ids of a submission, a prepared transaction, or what was thrown where one was refused. */
export type Traced = string | SubmissionIds | PreparedMessage | Error;

/** A transaction that was prepared for signing outside. */
export interface PreparedMessage {
  /** As the JSON Ledger API answers it, base64. */
  readonly preparedTransaction: string;
  /** The name of whoever prepared it; the first where absent. */
  readonly participant?: string | undefined;
}

/** @throws LedgerError INVALID_ARGUMENT where there is no such update, or the error is that of no submission */
export function traceOf(network: Network, of: Traced): TransactionTrace {
  if (typeof of === 'string') return found(traceOfUpdate(network, of), `There is no update ${of}.`);
  if (of instanceof Error) {
    const refusal = refusalIn(of);
    return found(
      refusal && traceOfRefusal(network, refusal),
      'The error is not the refusal of a submission.',
    );
  }
  if ('preparedTransaction' in of) {
    const { participant: name = network.participants[0]!.name, preparedTransaction } = of;
    return traceOfPrepared(network, network.participant(name), preparedTransaction);
  }
  if (of.commandId === undefined && of.submissionId === undefined)
    throw invalidArgument('Say which submission: by commandId or by submissionId.');
  return found(traceOfSubmission(network, of), 'No completion has these ids.');
}

/** The refusal that the error is, or that caused it. */
function refusalIn(error: unknown): LedgerError | undefined {
  if (error instanceof LedgerError) return error;
  return error instanceof Error ? refusalIn(error.cause) : undefined;
}

function found(trace: TransactionTrace | undefined, why: string): TransactionTrace {
  if (trace === undefined) throw invalidArgument(why);
  return trace;
}
