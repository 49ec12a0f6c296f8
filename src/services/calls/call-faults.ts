/** Applies fault rules to a call. */
import type { AppliedFault } from '../../network/faults/faults.js';
import { answerUnder } from '../faults/under-faults.js';
import type { Answer, CallContext, Called, IncomingCall, ReadCall } from './call.js';
import type { Calls, Soon } from './calls.js';

/** The name of an operation in fault rules. */
export const faultName = ({ operationId, shortName = '' }: Called): string =>
  operationId ?? shortName;

/** For the journal. */
export function noteFaults(call: IncomingCall, applied: readonly AppliedFault[]): void {
  if (applied.length === 0) return;
  const faults = applied.map(({ id, text }) => ({ id, fault: text }));
  call.faults = [...(call.faults ?? []), ...faults];
}

/** @returns undefined if no fault matches */
export function answerUnderFaults<
  C extends IncomingCall,
  Context extends CallContext,
  A extends Answer,
>(
  calls: Calls<C, Context, A>,
  call: C,
  read: ReadCall<Context, A>,
  handle: () => Soon<A>,
): Promise<A> | undefined {
  const { world, transport } = calls;
  const { network, participant, splice } = world;
  const { called, input } = read;
  const met = {
    operation: faultName(called),
    participant: participant.name,
    host: call.header(transport.hostHeader),
    input,
    api: called.api,
    isMessage: transport.isMessage,
  };
  const applied = network.faults.meet(met);
  if (applied.length === 0) return undefined;
  noteFaults(call, applied);
  return answerUnder<A>(applied, {
    ...met,
    network,
    participant,
    handle,
    met: (more) => noteFaults(call, more),
    // Only Scan and the registry can read an earlier state of the ledger.
    behind: (updates) => splice!.viewpoint.asOf(updates, handle),
    refused: (error) => calls.failed(call, called, error),
    lost: (as) =>
      calls.note(call, called, transport.lost(call, as), {
        outcome: 'refused',
        explanation: 'Lost before it was processed.',
      }),
    turnedAway: (status, retryAfter) =>
      calls.note(call, called, transport.turnedAway(call, called, status, retryAfter), {
        outcome: 'refused',
      }),
    given: (answer) => {
      const given = transport.given(call, read, answer);
      return calls.note(call, called, given, { outcome: calls.outcomeOf(given) });
    },
    delivered: (answer, delivery) => transport.delivered(call, answer, delivery),
    altered: (answer, values) => transport.altered(answer, values),
  });
}
