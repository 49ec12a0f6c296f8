/** The subject of a trace: an update, a submission, or the error that rejected a submission. */
import type { Explanation } from '../../daml/errors/explanation.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isError } from '../../daml/errors/realms.js';
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../model/request-errors.js';
import type { Update } from '../model/updates.js';
import { newestCompletion, type SubmissionIds } from './find-submission.js';
import { traceOfPrepared, type PreparedMessage } from './trace-prepared.js';
import { traceOfRefusal, traceOfUpdate } from './traces.js';

/** The id of an update, the ids of a submission, a prepared transaction, or the error of a rejected submission. */
export type Traced = string | SubmissionIds | PreparedMessage | Error;

/**
 * The source of the trace; undefined if there is no such update, if no completion has the ids, or if the error does
 * not come from a submission.
 */
export function sourceOf(
  network: Network,
  of: Traced | Explanation,
): Update | SubmissionExplanation | PreparedMessage | undefined {
  if (typeof of === 'string') return network.updateById(of);
  if (of instanceof SubmissionExplanation) return of;
  if (isError(of)) {
    const explanation = refusalIn(of)?.explanation;
    return explanation && sourceOf(network, explanation);
  }
  // An explanation of another kind.
  if ('isOf' in of) return undefined;
  if ('preparedTransaction' in of) return of;
  const completion = newestCompletion(network, of);
  return completion && sourceOf(network, completion.error ?? completion.updateId);
}

/** @returns undefined as for {@link sourceOf} */
export function findTrace(
  network: Network,
  of: Traced | Explanation,
): TransactionTrace | undefined {
  const source = sourceOf(network, of);
  if (source === undefined) return undefined;
  if (source instanceof SubmissionExplanation) return traceOfRefusal(network, source);
  if ('preparedTransaction' in source) return traceOfPrepared(network, source);
  return traceOfUpdate(network, source);
}

/** @throws LedgerError INVALID_ARGUMENT if there is no trace */
export function traceOf(network: Network, of: Traced): TransactionTrace {
  const trace = findTrace(network, of);
  if (trace !== undefined) return trace;
  if (typeof of === 'string') throw invalidArgument(`There is no update ${of}.`);
  if (isError(of)) throw invalidArgument('The error is not the refusal of a submission.');
  throw invalidArgument('No completion has these ids.');
}

/** The ledger error itself, or the one that caused it. */
function refusalIn(error: unknown): LedgerError | undefined {
  if (error instanceof LedgerError) return error;
  return isError(error) ? refusalIn(error.cause) : undefined;
}
