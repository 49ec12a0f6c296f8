/**
 * The external calls of a network. The engine is synchronous. So if a service answers later, the request stops at its
 * call, all that it did is undone, and it runs again with the answer.
 */
import { Interruption } from '../../daml/errors/interruption.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { isPromise } from '../../daml/errors/realms.js';
import type { ExternalCall } from '../../daml/model/transaction.js';
import type { Journal } from '../journal/journal.js';
import type { SeededRandom } from '../journal/random.js';
import type { RequestNumbers } from '../journal/request-numbers.js';
import type { Timestamp } from '../model/ids.js';
import type { RecordedCalls } from './recorded-calls.js';
import { callKey } from './replay.js';
import type {
  ExternalCallMode,
  ServiceAnswer,
  ServiceCaller,
  ServiceFailure,
  ServiceQuestion,
} from './services.js';

/** Stops a request until a service has answered. */
export class AnswerPending extends Interruption {
  override readonly name = 'AnswerPending';

  constructor(readonly answer: Promise<void>) {
    super('An extension service has not answered yet.');
  }
}

interface Waiting {
  readonly participant: string;
  readonly failed: (error: LedgerError) => void;
}

export class ExternalCalls {
  /** Whether any participant has extension services. */
  isUsed = false;
  private current: RecordedCalls | undefined;
  /** Requests that wait for an answer; not part of the state. */
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    private readonly requestNumbers: RequestNumbers,
  ) {}

  /** Runs a request, or a part of it. Undoes all of its changes if it must wait. @throws AnswerPending then */
  within<T>(calls: RecordedCalls, run: () => T): T {
    const { current: before } = this;
    const { position } = this.journal;
    this.current = calls;
    calls.rewind();
    try {
      return run();
    } catch (error) {
      if (error instanceof AnswerPending) this.journal.revertTo(position);
      throw error;
    } finally {
      this.current = before;
    }
  }

  /**
   * Makes the calls of a commit beforehand, so that the commit need not stop after its first updates, which listeners
   * see.
   */
  foresee(commit: () => unknown): void {
    if (this.current === undefined) return;
    const { mark } = this.requestNumbers;
    try {
      this.journal.rehearse(commit);
    } catch (error) {
      // The commit fails in the same way.
      if (error instanceof AnswerPending) throw error;
    } finally {
      this.requestNumbers.goBackTo(mark);
    }
  }

  /** The ledger's time when the request first asked for it. */
  timeOf(now: Timestamp): Timestamp {
    return this.current?.timeOf(now) ?? now;
  }

  /** @throws AnswerPending if the service answers later */
  ask(caller: ServiceCaller, call: ExternalCall, mode: ExternalCallMode): ServiceAnswer {
    const { current } = this;
    const { name: participant, shared } = caller;
    const known = current?.known(participant, mode, call);
    if (known !== undefined) return known;
    const refusal = current?.refusal;
    if (refusal !== undefined) return { failure: refusal };
    const services = shared.extensions ?? {};
    const { extensionId: id } = call;
    const service = Object.hasOwn(services, id) ? services[id]! : undefined;
    const question = this.question(call, mode);
    if (current === undefined)
      return service === undefined
        ? unknown(id)
        : (service.askNow?.(question) ?? atOnce(service.ask(question)));
    const answer = service?.ask(question) ?? unknown(id);
    const add = (given: ServiceAnswer, isNext: boolean): void =>
      current.add({ participant, mode, call, answer: given }, isNext);
    if (isPromise(answer)) throw new AnswerPending(answer.then((given) => add(given, false)));
    add(answer, true);
    return answer;
  }

  private question(call: ExternalCall, mode: ExternalCallMode): ServiceQuestion {
    const { random, requestNumbers } = this;
    let number: number | undefined;
    const draw = () => (number ??= requestNumbers.ofSubmission());
    return {
      call,
      mode,
      // Draws repeat after a revert. A service that remembers keys must not mix up two calls.
      idempotencyKey: () => random.uuidAt(`external call ${callKey(call)}`, draw()),
      requestId: (attempt) => random.uuidAt(`external request ${attempt}`, draw()),
    };
  }

  /** Resolves when the answer is available. @throws LedgerError if a revert took the request back */
  wait({ answer }: AnswerPending, participant: string): Promise<void> {
    return new Promise((resolve, failed) => {
      const waiting = { participant, failed };
      this.waiting.add(waiting);
      void answer.then(() => {
        if (this.waiting.delete(waiting)) resolve();
      });
    });
  }

  waitingAt(participant: string): number {
    return [...this.waiting].filter((each) => each.participant === participant).length;
  }

  /** Ends all requests that wait. */
  forget(): void {
    for (const each of this.waiting) {
      this.waiting.delete(each);
      each.failed(takenBack());
    }
  }

  /** Drops the requests that wait at a participant, which are never answered. */
  abandon(participant: string): void {
    for (const each of this.waiting)
      if (each.participant === participant) this.waiting.delete(each);
  }
}

const unknown = (id: string): ServiceAnswer => ({
  failure: {
    status: 404,
    message: `Extension '${id}' not configured`,
    retryable: false,
    isActionable: true,
  },
});

/** NOTE: Canticle's text: a real participant always waits. */
function atOnce(answer: ServiceAnswer | Promise<ServiceAnswer>): ServiceAnswer {
  if (!isPromise(answer)) return answer;
  const failure: ServiceFailure = {
    status: 500,
    message:
      'The function of the extension service is asynchronous. Only requests to the Ledger API can wait for it',
    retryable: false,
    isActionable: true,
  };
  return { failure };
}

/** NOTE: Canticle's text: a real ledger is never reverted. */
const takenBack = (): LedgerError =>
  ledgerError('REQUEST_TIME_OUT', {
    cause: 'Timed out while awaiting the answer of an extension service.',
    explanation: 'A revert took the submission back.',
  });
