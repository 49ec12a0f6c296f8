/** Traces of submissions: by update, by request, or by the ids that clients set. */
import type { Network } from '../../network/network.js';
import { profileOf } from '../../network/tracing/profiled.js';
import { findTrace, traceOf } from '../../network/tracing/traced.js';
import type { Explanation } from '../../daml/errors/explanation.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { StepProfile as Profile } from '../../daml/tracing/step-profile.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { StepProfile, Trace } from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

export const traces = {
  getTrace: (context, { path }) => traceNamed(context, path) as Trace,

  findTrace: (context, { query }) => traceNamed(context, query) as Trace,

  tracePrepared: ({ network }, { body: { preparedTransaction, participant } }) => {
    requireParticipant(network, participant);
    return traceOf(network, { preparedTransaction, participant }) as Trace;
  },

  traceRequest: (context, { path }) => traceNamed(context, path) as Trace,

  getProfile: (context, { path }) => profileNamed(context, path) as StepProfile,

  profileRequest: (context, { path }) => profileNamed(context, path) as StepProfile,
} satisfies SomeHandlers<'control'>;

/** The ways to name a submission: exactly one of them, with an optional participant. */
interface Named {
  readonly updateId?: string | undefined;
  /** The id in the journal of requests. */
  readonly requestId?: string | undefined;
  readonly commandId?: string | undefined;
  readonly submissionId?: string | undefined;
  readonly participant?: string | undefined;
}

/** @throws HttpRefusal if the submission does not exist, or the request does not name exactly one */
export function traceNamed(context: ControlContext, named: Named): TransactionTrace {
  const { updateId, requestId, commandId, submissionId, participant } = named;
  const { network } = context;
  if (updateId !== undefined) return shown(findTrace(network, updateId), `no update ${updateId}`);
  if (requestId !== undefined) {
    const of = submittedBy(context, requestId);
    return shown(
      of === undefined ? undefined : findTrace(network, of),
      `nothing to trace of request ${requestId}`,
    );
  }
  if ((commandId === undefined) === (submissionId === undefined))
    throw new HttpRefusal(400, 'Say which: either commandId or submissionId.');
  requireParticipant(network, participant);
  const found = findTrace(network, { commandId, submissionId, participant });
  const by = commandId === undefined ? `submission ${submissionId}` : `command ${commandId}`;
  return shown(found, `no completion of ${by}`);
}

/**
 * @throws HttpRefusal if the submission does not exist or cannot run again, or the request does not name exactly one
 */
export function profileNamed(context: ControlContext, { updateId, requestId }: Named): Profile {
  if (updateId !== undefined) return profile(context.network, updateId, `update ${updateId}`);
  if (requestId === undefined)
    throw new HttpRefusal(400, 'Say which: either updateId or requestId.');
  const of = submittedBy(context, requestId);
  const named = `request ${requestId}`;
  if (of === undefined) throw new HttpRefusal(404, `There is nothing to run again of ${named}.`);
  return profile(context.network, of, named);
}

function profile(network: Network, of: string | Explanation, named: string): Profile {
  try {
    return profileOf(network, of);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HttpRefusal(404, `There is nothing to run again of ${named}.`);
  }
}

function requireParticipant({ participants }: Network, wanted: string | undefined): void {
  if (wanted !== undefined && !participants.some(({ name }) => name === wanted))
    throw new HttpRefusal(404, `There is no participant ${wanted}.`);
}

function shown(trace: TransactionTrace | undefined, why: string): TransactionTrace {
  if (trace === undefined) throw new HttpRefusal(404, `There is ${why}.`);
  return trace;
}

/** The explanation of its error, or its update id, from the journal. */
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
