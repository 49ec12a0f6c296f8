/** The answers on the wire: a result, an error or a failure, in the format of its API. */
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { Api } from '../spec/api.js';
import { NO_ROUTE, type Refusal } from '../spec/decode.js';
import type { Operation } from '../spec/operations.js';
import { releaseOf, type ApiVersion } from '../spec/versions.js';
import { completeResponse, contentFor } from '../spec/responses.js';
import type { Exchange } from './contexts.js';
import type { OpenBody } from './delivery/delivery.js';
import type { ServedDocument } from '../services/documents.js';
import {
  controlErrorAnswer,
  ledgerErrorAnswer,
  spliceErrorAnswer,
  unexpectedError,
  type AnswerOrigin,
} from './errors.js';
import type { Answer, Delivery } from '../services/calls/call.js';
import { Reply } from '../services/handler.js';
import type { CallerRefusal } from '../services/authorization/splice-callers.js';
import { isOfSplice, LATE_ANSWER } from './request-timeout.js';
import { AppRefusal } from '../splice/app-refusal.js';
import { shownPath, targetError, withoutDots } from './routing/paths.js';
import type { Match, Routing } from './routing/router.js';
import { isBytes, isError } from '../daml/errors/realms.js';

export interface WireAnswer extends Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether it is sent in chunks, without its length. */
  readonly isStreamed?: boolean;
  /** Present if a fault delays, cuts or drops the answer. */
  readonly delivery?: Delivery;
  /** The body of an answer that stays open, instead of `body`. */
  readonly open?: OpenBody;
}

export function withHeaders(answer: WireAnswer, more: WireAnswer['headers']): WireAnswer {
  return { ...answer, headers: { ...answer.headers, ...more } };
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const TEXT_HEADERS = { 'content-type': 'text/plain; charset=UTF-8' };

const json = (status: number, body: unknown): WireAnswer => ({
  status,
  headers: JSON_HEADERS,
  body: wellFormed(JSON.stringify(body)),
});

/**
 * A lone surrogate, which JSON can express as an escape, becomes a question mark when Java writes it (B-GEN-060).
 */
function wellFormed(printed: string): string {
  if (!printed.includes('\\ud')) return printed;
  return printed.replace(
    /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g,
    (_, backslash?: string) => backslash ?? '?',
  );
}
const text = (status: number, body: string): WireAnswer => ({
  status,
  headers: TEXT_HEADERS,
  body,
});

/** An error that has only a text: the text itself on the Ledger API (B-GEN-021), `{"error": text}` elsewhere. */
function worded(api: Api, status: number, message: string, path?: string): WireAnswer {
  if (api === 'ledger') return text(status, message);
  return json(status, api === 'control' && path ? { error: message, path } : { error: message });
}

export function resultAnswer(operation: Operation, result: unknown): WireAnswer {
  const { body, options } = result instanceof Reply ? result : new Reply(result);
  const { status = 200 } = options;
  const content = contentFor(operation, status);
  const contentType = options.contentType ?? content?.contentType;
  if (contentType === 'application/json') {
    const answer = json(status, completeResponse(operation, status, body));
    return options.headers === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, ...options.headers } };
  }
  // An answer whose document declares headers includes them.
  const whole =
    content?.headers !== undefined && !(result instanceof Reply) ? (body as HeadedBody) : undefined;
  const answer = rawAnswer(
    status,
    contentType,
    { ...options.headers, ...whole?.headers },
    whole === undefined ? body : whole.body,
  );
  // A participant streams anything that is not JSON (B-GEN-064).
  return operation.api === 'ledger' && isBytes(answer.body)
    ? { ...answer, isStreamed: true }
    : answer;
}

interface HeadedBody {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

function rawAnswer(
  status: number,
  contentType: string | undefined,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): WireAnswer {
  if (contentType === undefined || body === undefined || body === '') return { status, headers };
  const typed = contentType === 'text/plain' ? TEXT_HEADERS : { 'content-type': contentType };
  return {
    status,
    headers: { ...typed, ...headers },
    body: isBytes(body) ? body : String(body),
  };
}

export function refusedAnswer(
  api: Api,
  {
    status,
    text: message,
    path,
  }: Pick<Refusal, 'text' | 'path' | 'isJson'> & { readonly status: number },
): WireAnswer {
  return worded(api, status, message, path);
}

/**
 * The answer to a request that cannot be read: Splice's apps answer in plain text, before any handler runs
 * (V-GEN-018).
 */
function rejectedAnswer(api: Api, refusal: Parameters<typeof refusedAnswer>[1]): WireAnswer {
  const isText = isOfSplice(api) && refusal.isJson !== true;
  return isText ? text(refusal.status, refusal.text) : refusedAnswer(api, refusal);
}

/** The client no longer waits for the answer (V-GEN-016). */
export function lateAnswer(api: Api, { method, target, header }: Exchange): WireAnswer {
  if (!isOfSplice(api)) return LATE_ANSWER;
  const uri = uriOf(target, header);
  const message = `The server is taking too long to respond to the (${method}) request at ${uri}`;
  return json(503, { error: message });
}

/** NOTE: also of a rejected request for a WebSocket (B-GEN-056). */
function uriOf(target: string, header: Exchange['header']): string {
  const scheme = /\bwebsocket\b/i.test(header('upgrade') ?? '') ? 'ws' : 'http';
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  return `${scheme}://${header('host') ?? 'localhost'}${shownPath(withoutDots(pathname))}${query}`;
}

/**
 * The answer to a caller without access: for an unknown token, with the text of the app's server (V-GEN-003,
 * V-GEN-004).
 */
export function callerRefusedAnswer(refusal: CallerRefusal): WireAnswer {
  const { status, text: message } = refusal;
  if (status !== 401) return json(status, { error: message });
  const challenge = `Bearer realm="${refusal.realm}"`;
  return { status, headers: { ...TEXT_HEADERS, 'www-authenticate': challenge }, body: message };
}

export function documentAnswer({ contentType, text: body }: ServedDocument): WireAnswer {
  return { status: 200, headers: { 'content-type': contentType }, body };
}

/** The rest of the body is not read, so the connection ends. */
export function tooLargeAnswer(
  { api, request }: Operation,
  error: Error,
  origin: AnswerOrigin,
): WireAnswer {
  // A participant reads a DAR while it handles the request. A failure at that point is a different error.
  const isReadLate = api === 'ledger' && request?.contentType === 'application/octet-stream';
  const answer = isReadLate
    ? failureAnswer(api, error, origin)
    : rejectedAnswer(api, { status: 413, text: error.message, path: '' });
  return withHeaders(answer, { connection: 'close' });
}

/** The answer if the client does not accept the answer's media type. */
export function notAcceptableAnswer(): WireAnswer {
  return { status: 406, headers: {} };
}

const NOT_FOUND = 'The requested resource could not be found';

export function unmatchedAnswer(
  { method, target, header }: Exchange,
  routing: Exclude<Routing, Match>,
  release?: ApiVersion,
): WireAnswer {
  const { api, kind } = routing;
  switch (kind) {
    case 'malformed':
      return rejectedAnswer(api, { status: 400, text: targetError(target), path: '' });
    case 'wrongMethod':
      if (api === 'ledger') return text(405, 'Method Not Allowed');
      return rejectedAnswer(api, {
        status: 405,
        text: `HTTP method not allowed, supported methods: ${routing.allowed.join(', ')}`,
        path: '',
      });
    case 'unknown': {
      if (api === 'control') return worded(api, 404, `${NOT_FOUND}.`);
      const uri = uriOf(target, header);
      if (api !== 'ledger') return worded(api, 404, `${NOT_FOUND}: ${uri}`);
      return json(404, {
        errors: [`HttpMethod(${method}), uri: ${uri}`],
        status: 404,
        ...(releaseOf(release).writesNullErrors && { ledgerApiError: null }),
      });
    }
  }
}

/**
 * The answer to a request whose parts cannot be read. A path whose parameter does not read as its type matches no
 * route.
 */
export function unreadAnswer(exchange: Exchange, { api }: Operation, refusal: Refusal): WireAnswer {
  return refusal.status === 404 && refusal.text === NO_ROUTE
    ? unmatchedAnswer(exchange, { kind: 'unknown', api })
    : rejectedAnswer(api, refusal);
}

/** V-GEN-012. */
const SPLICE_FAILURE = 'An unexpected error occurred.';

/** Whether an operation's handler reads the ledger, not Scan's copy of it. */
function readsLedger({ api, path }: Pick<Operation, 'api' | 'path'>): boolean {
  return (
    api === 'wallet' || api === 'names' || (api === 'validator' && !path.includes('/scan-proxy/'))
  );
}

export function operationFailedAnswer(
  operation: Operation,
  error: unknown,
  origin: AnswerOrigin,
): WireAnswer {
  if (!(error instanceof LedgerError) || !readsLedger(operation))
    return failureAnswer(operation.api, error, origin);
  const { status, body } = spliceErrorAnswer(error, origin);
  return json(status, body);
}

export function failureAnswer(api: Api, error: unknown, origin: AnswerOrigin): WireAnswer {
  if (error instanceof AppRefusal) return worded(api, error.status, error.message);
  if (api === 'ledger') {
    const expected = error instanceof LedgerError ? error : unexpectedError(error);
    const { status, body } = ledgerErrorAnswer(expected, origin);
    return json(status, body);
  }
  if (error instanceof LedgerError) {
    const { status, body } =
      api === 'control' ? controlErrorAnswer(error) : spliceErrorAnswer(error);
    return json(status, body);
  }
  if (api === 'control') return worded(api, 500, isError(error) ? error.message : String(error));
  return worded(api, 500, SPLICE_FAILURE);
}
