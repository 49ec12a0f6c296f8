/**
 * One call with its faults, over any transport: their effects before the handler, in the handler, and on the answer.
 * The transport decides how an answer is lost or delayed.
 */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { FaultAction, GivenAnswer, LossForm } from '../../network/faults/fault-rule.js';
import {
  isOfCompletion,
  ParticipantRestarted,
  type AppliedFault,
  type MetCall,
} from '../../network/faults/faults.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { delayOf, pause } from './delays.js';
import { happens, participantAt } from './events.js';
import { makeLate } from './late-completions.js';
import { imposedRefusal, imposedRejection } from './refusals.js';

/** The delivery of an answer. */
export type Delivery =
  | { readonly kind: 'lost'; readonly as: LossForm }
  /** From 0 to 1. */
  | { readonly kind: 'truncated'; readonly part: number }
  | SlowDelivery;

/** A delayed answer. */
export interface SlowDelivery {
  readonly kind: 'slow';
  readonly pieces: number;
  /** Resolves when the next piece may be sent. */
  pause(): Promise<void>;
  /** Rejects with {@link ParticipantRestarted} if the participant restarts before `delivered` settles. */
  whileUp<T>(delivered: Promise<T>): Promise<T>;
}

/** A call, and the ways to answer it. */
export interface FaultyCall<A> extends Omit<MetCall, 'participant'> {
  readonly network: Network;
  readonly participant: Participant;
  handle(): A | Promise<A>;
  /** Receives faults that apply after the start of the call. */
  met(applied: readonly AppliedFault[]): void;
  /** The answer from the state before the given number of updates. */
  behind(updates: number): A | Promise<A>;
  refused(error: LedgerError): A;
  /** The answer for a request that was not handled. */
  lost(as: LossForm): A;
  /** The answer of a proxy that rejects the call. @param retryAfter seconds */
  turnedAway(status: 429 | 503, retryAfter: number): A;
  given(answer: GivenAnswer): A;
  delivered(answer: A, delivery: Delivery): A;
  /** The answer with other values, by their paths in its JSON. */
  altered(answer: A, values: Readonly<Record<string, unknown>>): A;
}

export async function answerUnder<A>(
  applied: readonly AppliedFault[],
  call: FaultyCall<A>,
): Promise<A> {
  const gathering = applied.filter(({ action }) => 'shuffle' in action);
  if (gathering.length > 0) return inTurn(gathering, call);
  try {
    for (const fault of applied) {
      const early = await before(fault, call);
      if (early !== undefined) return early.answer;
    }
  } catch (error) {
    // The client no longer reads the answer.
    if (error instanceof ParticipantRestarted) return call.lost('reset');
    throw error;
  }
  let answer = await handled(applied, call);
  for (const fault of applied) answer = await after(fault, call, answer);
  return answer;
}

/** Waits for its turn, and only then draws the other faults, so that the seed decides their order. */
async function inTurn<A>(gathering: readonly AppliedFault[], call: FaultyCall<A>): Promise<A> {
  const turns: (() => void)[] = [];
  try {
    for (const { id, action } of gathering) {
      if (!('shuffle' in action)) continue;
      const turn = call.network.faults.waiting.gather(id, action.shuffle, keyOf(call));
      // If the client has disconnected, its call passes the turn on.
      turns.push(await whileUp(call, turn).catch((error: unknown) => handOn(turn, error)));
    }
    const { network, participant } = call;
    const met = network.faults.meet({ ...call, participant: participant.name, isInTurn: true });
    call.met(met);
    return await answerUnder(met, call);
  } catch (error) {
    if (error instanceof ParticipantRestarted) return call.lost('reset');
    throw error;
  } finally {
    for (const next of turns) next();
  }
}

/** The answer that replaces the handler's answer, if any. */
async function before<A>(
  fault: AppliedFault,
  call: FaultyCall<A>,
): Promise<{ readonly answer: A } | undefined> {
  const { action } = fault;
  const { network, participant, input, operation } = call;
  if (isOfCompletion(action)) makeLate(fault, call);
  else if ('delay' in action && action.of !== 'answer')
    await whileUp(call, pause(delayOf(action, fault)));
  else if ('hold' in action && action.hold === 'request') await held(fault, call);
  else if ('lose' in action && action.lose === 'request')
    return { answer: call.lost(action.as ?? 'reset') };
  else if ('refuse' in action) return { answer: refusal(action, call) };
  else if ('answer' in action) {
    const given =
      typeof action.answer === 'function'
        ? await action.answer({ operation, participant: participant.name, host: call.host, input })
        : action.answer;
    if (given) return { answer: call.given(given) };
  } else happens(action, network, participant, input);
  return undefined;
}

function handOn(turn: Promise<() => void>, error: unknown): never {
  void turn.then((next) => next());
  throw error;
}

/** @throws ParticipantRestarted if the participant of the call restarts before it ends */
function whileUp<A, T>(
  { api = 'ledger', network, participant }: FaultyCall<A>,
  waited: Promise<T>,
) {
  return isOfParticipant(api) ? network.faults.whileUp(participant.name, waited) : waited;
}

/** Whether a participant answers, which can restart meanwhile, and not an app. */
export const isOfParticipant = (api: string): boolean => api === 'ledger' || api === 'admin';

/** @throws ParticipantRestarted */
async function held<A>(fault: AppliedFault, call: FaultyCall<A>): Promise<void> {
  const { over, cancel } = call.network.faults.waiting.hold(fault.id, call.operation);
  try {
    await whileUp(call, over);
  } finally {
    cancel();
  }
}

function refusal<A>(
  { refuse, retryAfter = 1 }: Extract<FaultAction, { refuse: unknown }>,
  call: FaultyCall<A>,
): A {
  if (typeof refuse === 'number') return call.turnedAway(refuse, retryAfter);
  return call.refused(imposedRefusal(refuse, call.network, call.input));
}

/** A proxy that repeats a request forwards the last answer. */
async function handled<A>(applied: readonly AppliedFault[], call: FaultyCall<A>): Promise<A> {
  let times = 1;
  for (const { action } of applied) if ('repeat' in action) times += action.repeat;
  let answer = await imposing(applied, call);
  for (let sent = 1; sent < times; sent += 1) answer = await imposing(applied, call);
  return answer;
}

/** Imposes the fault on the submissions of the handler, synchronously: a handler submits before its first wait. */
function imposing<A>(applied: readonly AppliedFault[], call: FaultyCall<A>): A | Promise<A> {
  const rejected = applied.find(({ action }) => 'reject' in action)?.action;
  const behind = applied.find(({ action }) => 'behind' in action)?.action;
  if (behind !== undefined && 'behind' in behind) return call.behind(behind.behind);
  if (rejected === undefined || !('reject' in rejected)) return call.handle();
  const { network } = call;
  network.imposed = (judged) => imposedRejection(rejected.reject, judged, call.network);
  try {
    return call.handle();
  } finally {
    network.imposed = undefined;
  }
}

async function after<A>(fault: AppliedFault, call: FaultyCall<A>, answer: A): Promise<A> {
  const { action } = fault;
  try {
    if ('delay' in action && action.of === 'answer')
      await whileUp(call, pause(delayOf(action, fault)));
    else if ('hold' in action && action.hold === 'answer') await held(fault, call);
  } catch (error) {
    if (!(error instanceof ParticipantRestarted)) throw error;
    return call.delivered(answer, { kind: 'lost', as: 'reset' });
  }
  if ('lose' in action && action.lose === 'answer')
    return call.delivered(answer, { kind: 'lost', as: action.as ?? 'reset' });
  else if ('truncate' in action)
    return call.delivered(answer, { kind: 'truncated', part: action.truncate });
  else if ('alter' in action) return call.altered(answer, action.alter);
  else if ('slow' in action)
    return call.delivered(answer, {
      kind: 'slow',
      pieces: action.slow,
      pause: () => pause(action.pause),
      whileUp: (delivered) => whileUp(call, delivered),
    });
  else if ('restart' in action) {
    const { network, participant } = call;
    const restarted = participantAt(network, participant, action.at);
    network.faults.restart(restarted.name);
    if (restarted === participant) return call.delivered(answer, { kind: 'lost', as: 'reset' });
  }
  return answer;
}

/** Identifies a request, independent of its caller. */
function keyOf<A>({ operation, input }: FaultyCall<A>): string {
  return `${operation} ${JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )}`;
}
