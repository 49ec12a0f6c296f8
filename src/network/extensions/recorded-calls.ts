/** The external calls of one request to a participant, with their answers. */
import type { ExternalCall } from '../../daml/model/transaction.js';
import type { Timestamp } from '../model/ids.js';
import { callKey } from './replay.js';
import type { ExternalCallMode, ServiceAnswer, ServiceFailure } from './services.js';

/** The external calls that one request may make. */
const MAX_EXTERNAL_CALLS = 1_000;
/** The characters of all outputs for one request. */
const MAX_OUTPUT_CHARACTERS = 32 * 1024 * 1024;

/** One call and its answer, for the request journal. */
export interface AnsweredCall {
  readonly participant: string;
  readonly mode: ExternalCallMode;
  readonly call: ExternalCall;
  readonly answer: ServiceAnswer;
}

interface Submitted {
  readonly key: string;
  readonly answer: ServiceAnswer;
}

/**
 * A request runs again when an answer has arrived, and then gets the earlier answers again. Calls of the interpreter
 * repeat in their order, because equal calls may have different answers. A confirming participant asks only once.
 */
export class RecordedCalls {
  readonly answered: AnsweredCall[] = [];
  private readonly submitted: Submitted[] = [];
  private readonly validated = new Map<string, ServiceAnswer>();
  private readonly times: Timestamp[] = [];
  private nextCall = 0;
  private nextTime = 0;
  private characters = 0;

  /** Starts at the first call again. */
  rewind(): void {
    this.nextCall = this.nextTime = 0;
  }

  /** The time of the first run, so that a clock that moves on does not change the calls. */
  timeOf(now: Timestamp): Timestamp {
    return (this.times[this.nextTime++] ??= now);
  }

  /** The answer to a call that the earlier run already made. */
  known(
    participant: string,
    mode: ExternalCallMode,
    call: ExternalCall,
  ): ServiceAnswer | undefined {
    const key = keyOf(participant, call);
    if (mode === 'validation') return this.validated.get(key);
    const next = this.submitted[this.nextCall];
    if (next?.key === key) {
      this.nextCall += 1;
      return next.answer;
    }
    // The ledger has changed since, so that the later calls differ.
    this.submitted.length = this.nextCall;
    return undefined;
  }

  /** Why there is no further call. */
  get refusal(): ServiceFailure | undefined {
    if (this.answered.length >= MAX_EXTERNAL_CALLS)
      return tooLarge(`A request may make at most ${MAX_EXTERNAL_CALLS} external calls`);
    if (this.characters > MAX_OUTPUT_CHARACTERS)
      return tooLarge(
        `The outputs of the external calls of a request may have at most ${MAX_OUTPUT_CHARACTERS} characters`,
      );
    return undefined;
  }

  /** @param isNext whether the current run has the answer as well, not only the next one */
  add(call: AnsweredCall, isNext: boolean): void {
    const { participant, mode, answer } = call;
    const key = keyOf(participant, call.call);
    this.answered.push(call);
    if ('output' in answer) this.characters += answer.output.length;
    if (mode === 'validation') this.validated.set(key, answer);
    else {
      this.submitted.push({ key, answer });
      if (isNext) this.nextCall += 1;
    }
  }
}

const keyOf = (participant: string, call: ExternalCall): string =>
  `${participant} ${callKey(call)}`;

const tooLarge = (message: string): ServiceFailure => ({
  status: 413,
  message,
  retryable: false,
  isActionable: true,
});
