/** Traces of what was submitted: by update, by request, by the ids that clients give. */
import { traceOfSubmission } from '../../network/tracing/find-submission.js';
import type { Network } from '../../network/network.js';
import { traceOf } from '../../network/tracing/traced.js';
import { traceOfRefusal, traceOfUpdate } from '../../network/tracing/traces.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { Trace } from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

export const traces = {
  getTrace: ({ network }, { path: { updateId } }) =>
    shown(traceOfUpdate(network, updateId), `no update ${updateId}`),

  findTrace: ({ network }, { query: { commandId, submissionId, participant } }) => {
    if ((commandId === undefined) === (submissionId === undefined))
      throw new HttpRefusal(400, 'Say which: either commandId or submissionId.');
    requireParticipant(network, participant);
    const found = traceOfSubmission(network, { commandId, submissionId, participant });
    const named = commandId === undefined ? `submission ${submissionId}` : `command ${commandId}`;
    return shown(found, `no completion of ${named}`);
  },

  tracePrepared: ({ network }, { body: { preparedTransaction, participant } }) => {
    requireParticipant(network, participant);
    return traceOf(network, { preparedTransaction, participant }) as Trace;
  },

  traceRequest: (context, { path: { requestId } }) =>
    shown(ofRequest(context, requestId), `nothing to trace of request ${requestId}`),
} satisfies SomeHandlers<'control'>;

function requireParticipant({ participants }: Network, wanted: string | undefined): void {
  if (wanted !== undefined && !participants.some(({ name }) => name === wanted))
    throw new HttpRefusal(404, `There is no participant ${wanted}.`);
}

function shown(trace: TransactionTrace | undefined, why: string): Trace {
  if (trace === undefined) throw new HttpRefusal(404, `There is ${why}.`);
  return trace as Trace;
}

/** Refused, or committed: an entry of the journal knows its update. */
function ofRequest(
  { network, requests }: ControlContext,
  requestId: string,
): TransactionTrace | undefined {
  const id = requestId === 'latest' ? requestId : Number(requestId);
  const explanation = requests.explain(id);
  if (explanation !== undefined) return traceOfRefusal(network, { explanation });
  const [entry] = typeof id === 'number' ? requests.list({ since: id }) : [];
  if (entry?.id !== id || entry?.updateId === undefined) return undefined;
  return traceOfUpdate(network, entry.updateId);
}
