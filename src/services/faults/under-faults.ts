/**
 * One call under its faults, whichever way it came: what happens before it is handled, how, and what becomes of its answer. How an
 * answer is lost or stretched on its wire, the transport says.
 */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { FaultAction, GivenAnswer, LossForm } from '../../network/faults/fault-rule.js';
import type { AppliedFault, MetCall } from '../../network/faults/faults.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { happens } from './events.js';
import { imposedRefusal, imposedRejection } from './refusals.js';

/** What becomes of an answer on its way. */
export type Delivery =
  | { readonly kind: 'lost'; readonly as: LossForm }
  /** From 0 to 1. */
  | { readonly kind: 'truncated'; readonly part: number }
  /** Milliseconds. */
  | { readonly kind: 'slow'; readonly pieces: number; readonly pause: number };

/** A call, and the ways to answer it. */
export interface FaultyCall<A> extends Omit<MetCall, 'participant'> {
  readonly network: Network;
  readonly participant: Participant;
  handle(): A | Promise<A>;
  refused(error: LedgerError): A;
  /** Nobody has handled it. */
  lost(as: LossForm): A;
  /** By what stands before the participant. @param retryAfter seconds */
  turnedAway(status: 429 | 503, retryAfter: number): A;
  given(answer: GivenAnswer): A;
  delivered(answer: A, delivery: Delivery): A;
}

export async function answerUnder<A>(
  applied: readonly AppliedFault[],
  call: FaultyCall<A>,
): Promise<A> {
  const turns: (() => void)[] = [];
  try {
    for (const fault of applied) {
      const early = await before(fault, call, turns);
      if (early !== undefined) return early.answer;
    }
    let answer = await handled(applied, call);
    for (const fault of applied) answer = await after(fault, call, answer);
    return answer;
  } finally {
    for (const next of turns) next();
  }
}

/** What comes in place of handling, where anything does. */
async function before<A>(
  fault: AppliedFault,
  call: FaultyCall<A>,
  turns: (() => void)[],
): Promise<{ readonly answer: A } | undefined> {
  const { action } = fault;
  const { network, participant, input, operation } = call;
  const { waiting } = network.faults;
  if ('delay' in action && action.of !== 'answer') await pause(delayOf(action, fault));
  else if ('hold' in action && action.hold === 'request') await waiting.hold(fault.id, operation);
  else if ('shuffle' in action)
    turns.push(await waiting.gather(fault.id, action.shuffle, keyOf(call)));
  else if ('lose' in action && action.lose === 'request')
    return { answer: call.lost(action.as ?? 'reset') };
  else if ('refuse' in action) return { answer: refusal(action, call) };
  else if ('answer' in action) {
    const given =
      typeof action.answer === 'function'
        ? await action.answer({ operation, participant: participant.name, input })
        : action.answer;
    if (given) return { answer: call.given(given) };
  } else happens(action, network, participant, input);
  return undefined;
}

function refusal<A>(
  { refuse, retryAfter = 1 }: Extract<FaultAction, { refuse: unknown }>,
  call: FaultyCall<A>,
): A {
  if (typeof refuse === 'number') return call.turnedAway(refuse, retryAfter);
  return call.refused(imposedRefusal(refuse, call.network, call.input));
}

/** A proxy that sends a request again hands on what it is answered last. */
async function handled<A>(applied: readonly AppliedFault[], call: FaultyCall<A>): Promise<A> {
  let times = 1;
  for (const { action } of applied) if ('repeat' in action) times += action.repeat;
  let answer = await imposing(applied, call);
  for (let sent = 1; sent < times; sent += 1) answer = await imposing(applied, call);
  return answer;
}

/** What a handler submits, it submits before it waits for anything. */
function imposing<A>(applied: readonly AppliedFault[], call: FaultyCall<A>): A | Promise<A> {
  const rejected = applied.find(({ action }) => 'reject' in action)?.action;
  if (rejected === undefined || !('reject' in rejected)) return call.handle();
  const { network } = call;
  network.imposed = (inputs) => imposedRejection(rejected.reject, inputs);
  try {
    return call.handle();
  } finally {
    network.imposed = undefined;
  }
}

async function after<A>(fault: AppliedFault, call: FaultyCall<A>, answer: A): Promise<A> {
  const { action } = fault;
  const { faults } = call.network;
  if ('delay' in action && action.of === 'answer') await pause(delayOf(action, fault));
  else if ('hold' in action && action.hold === 'answer')
    await faults.waiting.hold(fault.id, call.operation);
  else if ('lose' in action && action.lose === 'answer')
    return call.delivered(answer, { kind: 'lost', as: action.as ?? 'reset' });
  else if ('truncate' in action)
    return call.delivered(answer, { kind: 'truncated', part: action.truncate });
  else if ('slow' in action)
    return call.delivered(answer, { kind: 'slow', pieces: action.slow, pause: action.pause });
  else if ('restart' in action) {
    faults.restart(call.participant.name);
    return call.delivered(answer, { kind: 'lost', as: 'reset' });
  }
  return answer;
}

export function delayOf(
  { delay }: Extract<FaultAction, { delay: unknown }>,
  { draw }: AppliedFault,
): number {
  if (typeof delay === 'number') return delay;
  const [least, most] = delay;
  return least + draw * (most - least);
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What is asked, whoever asks it first. */
function keyOf<A>({ operation, input }: FaultyCall<A>): string {
  return `${operation} ${JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )}`;
}
