/** Requests whose external calls a service answers later. They run again with each answer. */
import { shortCopy } from '../../daml/errors/short-copy.js';
import { AnswerPending } from '../../network/extensions/external-calls.js';
import type { AnsweredCall, RecordedCalls } from '../../network/extensions/recorded-calls.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import type { ExternalCallOfRequest } from '../../spec/generated/control.js';
import { MAX_JOURNAL_CALLS, MAX_JOURNAL_CALL_TEXT } from '../limits.js';

/** @param run a part of the request that makes calls before its first wait @throws LedgerError */
export function withServices<T>(
  network: Network,
  participant: Participant,
  calls: RecordedCalls,
  run: () => T | Promise<T>,
): T | Promise<T> {
  const { externalCalls, inFlight } = network;
  try {
    return externalCalls.within(calls, run);
  } catch (error) {
    if (!(error instanceof AnswerPending)) throw error;
    inFlight.checkCapacity(participant);
    return externalCalls
      .wait(error, participant.name)
      .then(() => withServices(network, participant, calls, run));
  }
}

/** The calls in the form of the request journal: the first ones, and the beginnings of long texts. */
export const shownCalls = (calls: readonly AnsweredCall[]): ExternalCallOfRequest[] =>
  calls.slice(0, MAX_JOURNAL_CALLS).map(({ participant, mode, call, answer }) => ({
    participant,
    mode,
    extension: short(call.extensionId),
    function: short(call.functionId),
    config: short(call.config),
    input: short(call.input),
    ...('output' in answer
      ? { output: short(answer.output) }
      : { failure: { status: answer.failure.status, message: short(answer.failure.message) } }),
  }));

const short = (text: string): string => shortCopy(text, MAX_JOURNAL_CALL_TEXT);
