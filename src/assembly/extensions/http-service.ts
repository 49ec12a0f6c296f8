/** The client of an extension service at an HTTP address, with the requests and the retries of a participant (R-36-083, B-INT-051). */
import { clearTimeout, setTimeout } from 'node:timers';
import { HttpSide, type HttpAnswer, type HttpRequest } from '../../client/http-side.js';
import { SyncSide } from '../../client/sync-side.js';
import type { ExternalCall } from '../../daml/model/transaction.js';
import type {
  ExtensionService,
  ServiceAnswer,
  ServiceFailure,
  ServiceQuestion,
} from '../../network/extensions/services.js';
import type { ExternalService } from '../../spec/releases/node-options.js';

/** A participant's defaults. Times are in milliseconds. */
export const SERVICE_DEFAULTS = {
  requestTimeout: 8_000,
  maxRetries: 3,
  retryInitialDelay: 1_000,
  retryMaxDelay: 10_000,
  maxResponseBodyBytes: 20 * 1024 * 1024,
} as const;

/** Characters of the id of a function, and of its configuration. */
const MAX_HEADER_CHARACTERS = 1024;
const PATH = '/api/v1/external-call';

type Service = Required<Omit<ExternalService, 'token'>> & Pick<ExternalService, 'token'>;

/** The next step of the caller: it sends a request, or waits for some milliseconds. */
type Step = { readonly send: HttpRequest } | { readonly wait: number };
type Reply = { readonly answer: HttpAnswer } | { readonly error: NodeJS.ErrnoException };
type Steps<T> = Generator<Step, T, Reply | undefined>;

/** @param closing ends all requests */
export function httpService(given: ExternalService, closing: AbortSignal): ExtensionService {
  const service: Service = { ...SERVICE_DEFAULTS, ...given };
  const { requestTimeout: patience, maxResponseBodyBytes: maxBytes, url } = service;
  const base = url.replace(/\/+$/, '');
  const side = new HttpSide(base, { patience, maxBytes, signal: closing });
  let blocking: SyncSide | undefined;
  const blockingSide = (): SyncSide => {
    closing.addEventListener('abort', () => blocking?.close(), { once: true });
    return new SyncSide(base, { patience, maxBytes });
  };
  return {
    ask: (question) => asynchronously(calling(service, question), side, closing),
    askNow: (question) =>
      blockingly(calling(service, question, true), (blocking ??= blockingSide())),
  };
}

async function asynchronously<T>(
  steps: Steps<T>,
  side: HttpSide,
  closing: AbortSignal,
): Promise<T> {
  let step = steps.next(undefined);
  while (step.done !== true) {
    const { value } = step;
    if ('wait' in value) {
      await delay(value.wait, closing);
      step = steps.next(undefined);
    } else
      step = steps.next(
        await side.request(value.send).then(
          (answer) => ({ answer }),
          (error: NodeJS.ErrnoException) => ({ error }),
        ),
      );
  }
  return step.value;
}

function blockingly<T>(steps: Steps<T>, side: SyncSide): T {
  const idle = new Int32Array(new SharedArrayBuffer(4));
  let step = steps.next(undefined);
  while (step.done !== true) {
    const { value } = step;
    let reply: Reply | undefined;
    if ('wait' in value) Atomics.wait(idle, 0, 0, value.wait);
    else
      try {
        reply = { answer: side.request(value.send) };
      } catch (error) {
        reply = { error: error as NodeJS.ErrnoException };
      }
    step = steps.next(reply);
  }
  return step.value;
}

const delay = (milliseconds: number, closing: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    closing.addEventListener('abort', end, { once: true });
  });

/** All requests of one call. NOTE: a participant waits for a random part of each delay. */
function* calling(
  service: Service,
  question: ServiceQuestion,
  isBlocking = false,
): Steps<ServiceAnswer> {
  const { maxRetries, retryInitialDelay, retryMaxDelay } = service;
  const invalid = invalidHeader(question.call);
  if (invalid !== undefined) {
    const message = `Invalid external-call HTTP header value for ${invalid}`;
    const requestId = question.requestId(0);
    return {
      failure: { status: 400, message, retryable: false, isActionable: true, requestId },
    };
  }
  for (let attempt = 0; ; attempt += 1) {
    const requestId = question.requestId(attempt);
    const reply = (yield { send: requestOf(service, question, requestId) })!;
    const answer = 'answer' in reply ? ofAnswer(reply.answer) : ofError(reply.error, service);
    if ('output' in answer) return answer;
    if (isBlocking && 'error' in reply && answer.failure.status === 408)
      return { failure: { ...LATE_WHILE_BLOCKED, requestId } };
    if (!answer.failure.retryable || attempt >= maxRetries)
      return { failure: { ...answer.failure, requestId } };
    yield { wait: Math.min(retryInitialDelay * 2 ** attempt, retryMaxDelay) };
  }
}

function requestOf(
  { token }: Service,
  { call, mode, idempotencyKey }: ServiceQuestion,
  requestId: string,
): HttpRequest {
  return {
    method: 'POST',
    target: PATH,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      accept: 'text/plain',
      'x-daml-external-function-id': call.functionId,
      'x-daml-external-config-hash': call.config,
      'x-daml-external-mode': mode,
      'x-request-id': requestId,
      'idempotency-key': idempotencyKey(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: call.input,
  };
}

/** NOTE: Canticle's text, and no repetition: a service in the same process would never answer. */
const LATE_WHILE_BLOCKED: ServiceFailure = {
  status: 408,
  message:
    'Request timeout. A synchronous call blocks its process, so that a service of the same process cannot answer: send the command to the Ledger API',
  retryable: true,
  isActionable: true,
};

const isHeaderValue = (text: string): boolean =>
  text.length <= MAX_HEADER_CHARACTERS && /^[ -~]*$/.test(text);

function invalidHeader({ functionId, config }: ExternalCall): string | undefined {
  if (!isHeaderValue(functionId)) return 'X-Daml-External-Function-Id';
  return isHeaderValue(config) ? undefined : 'X-Daml-External-Config-Hash';
}

const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized - check bearer token'],
  [403, 'Forbidden - insufficient permissions'],
  [404, 'Function not found'],
  [408, 'Request timeout'],
  [429, 'Rate limit exceeded'],
  [500, 'Internal server error'],
  [502, 'Bad gateway'],
  [503, 'Service unavailable'],
  [504, 'Gateway timeout'],
]);
const RETRYABLE: ReadonlySet<number> = new Set([408, 412, 429, 500, 502, 503, 504]);

function ofAnswer({ status, bytes }: HttpAnswer): ServiceAnswer {
  if (status === 200) return { output: bytes.toString('utf8') };
  const message = MESSAGES.get(status) ?? `HTTP ${status}`;
  return { failure: { status, message, retryable: RETRYABLE.has(status) } };
}

function ofError(
  { code }: NodeJS.ErrnoException,
  { maxResponseBodyBytes }: Service,
): { readonly failure: ServiceFailure } {
  if (code === 'EMSGSIZE')
    return {
      failure: {
        status: 413,
        message: `External call response body exceeded maximum size of ${maxResponseBodyBytes} bytes`,
        retryable: false,
        isActionable: true,
      },
    };
  if (code === 'ETIMEDOUT')
    return { failure: { status: 408, message: 'Request timeout', retryable: true } };
  const message =
    code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'Connection failed' : 'I/O error';
  return { failure: { status: 503, message, retryable: true } };
}
