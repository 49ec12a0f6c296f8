/** Traces of what was submitted: by update, by request, by the ids that clients give. */
import { traceOfSubmission } from '../../network/tracing/find-submission.js';
import type { Network } from '../../network/network.js';
import { profileOf } from '../../network/tracing/profiled.js';
import { traceOf } from '../../network/tracing/traced.js';
import { traceOfRefusal, traceOfUpdate } from '../../network/tracing/traces.js';
import type { Explanation } from '../../daml/errors/explanation.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { StepProfile, Trace } from '../../spec/generated/control.js';
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

  getProfile: ({ network }, { path: { updateId } }) =>
    profile(network, updateId, `update ${updateId}`),

  profileRequest: (context, { path: { requestId } }) => {
    const of = submittedBy(context, requestId);
    const named = `request ${requestId}`;
    if (of === undefined) throw new HttpRefusal(404, `There is nothing to run again of ${named}.`);
    return profile(context.network, of, named);
  },
} satisfies SomeHandlers<'control'>;

function profile(network: Network, of: string | Explanation, named: string): StepProfile {
  try {
    return profileOf(network, of) as StepProfile;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HttpRefusal(404, `There is nothing to run again of ${named}.`);
  }
}

function requireParticipant({ participants }: Network, wanted: string | undefined): void {
  if (wanted !== undefined && !participants.some(({ name }) => name === wanted))
    throw new HttpRefusal(404, `There is no participant ${wanted}.`);
}

function shown(trace: TransactionTrace | undefined, why: string): Trace {
  if (trace === undefined) throw new HttpRefusal(404, `There is ${why}.`);
  return trace as Trace;
}

function ofRequest(context: ControlContext, requestId: string): TransactionTrace | undefined {
  const of = submittedBy(context, requestId);
  if (of === undefined) return undefined;
  const { network } = context;
  return typeof of === 'string'
    ? traceOfUpdate(network, of)
    : traceOfRefusal(network, { explanation: of });
}

/** Why it was refused, or the id of its update: an entry of the journal knows it. */
function submittedBy(
  { requests }: ControlContext,
  requestId: string,
): Explanation | string | undefined {
  const id = requestId === 'latest' ? requestId : Number(requestId);
  const explanation = requests.explain(id);
  if (explanation !== undefined) return explanation;
  const [entry] = typeof id === 'number' ? requests.list({ since: id }) : [];
  return entry?.id === id ? entry.updateId : undefined;
}
