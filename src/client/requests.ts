/**
 * The requests of a participant's client, as generators: each yields a request and receives its answer. The caller
 * sends them, synchronously or not. No request is sent twice.
 */
import { CATALOGUE, type ErrorCode } from '../daml/errors/error-catalogue.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { isBytes } from '../daml/errors/realms.js';
import { isJsonObject } from '../daml/model/own-members.js';
import type { Operation } from './operations.js';

export type Json = Readonly<Record<string, unknown>>;

/** The parts of a request that its operation leaves open. */
export interface Given {
  /** Replaces `*`. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /** JSON, unless it is bytes. */
  readonly body?: object | Uint8Array;
  /** Whether the request is sent without the token. */
  readonly isAnonymous?: true;
}

export interface ApiRequest extends Given {
  readonly operation: Operation;
  readonly method: Operation['method'];
  /** With the query. */
  readonly path: string;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed; undefined if it was not JSON. */
  readonly body: unknown;
  /** The raw bytes, over HTTP. */
  readonly bytes?: Buffer;
}

export type Requests<T> = Generator<ApiRequest, T, ApiAnswer>;

/** An error answer without a known error code, or an answer that a participant does not send. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code = 'LEDGER_API_CLIENT';

  constructor(
    readonly request: Pick<ApiRequest, 'method' | 'path'>,
    /** Such as `was answered with 503: busy`. */
    readonly why: string,
    /** The status of the answer. */
    readonly status?: number,
  ) {
    super(`${request.method} ${request.path} ${why}`);
  }
}

export function requestOf(operation: Operation, given: Given = {}): ApiRequest {
  const { method, path } = operation;
  const { id, query } = given;
  const plain = id === undefined ? path : path.replace('*', encodeURIComponent(id));
  const parts = Object.entries(query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return {
    ...{ ...given, operation, method },
    path: parts.length === 0 ? plain : `${plain}?${parts.join('&')}`,
  };
}

/** @throws LedgerError for an error of the ledger, ClientError for any other answer that is not a success */
export function* call(operation: Operation, given?: Given): Requests<Json> {
  const request = requestOf(operation, given);
  const answer = yield request;
  if (answer.status >= 400) throw refusalOf(request, answer);
  return (answer.body ?? {}) as Json;
}

/** An answer whose used parts are checked. @throws ClientError for any other answer, also for a rejection */
export function* read<T>(operation: Operation, given?: Given): Requests<T> {
  const request = requestOf(operation, given);
  const answer = yield request;
  return checked(request, answer) as T;
}

export function checked(request: ApiRequest, answer: ApiAnswer): Json {
  const { status, body, bytes } = answer;
  if (status !== 200) throw refused(request, answer);
  if (!isJsonObject(body)) {
    const shown = bytes?.toString('utf8', 0, SHOWN_OF_TEXT).trim() ?? 'nothing';
    throw new ClientError(request, `was answered with a body that is not JSON: ${shown}.`);
  }
  const error = request.operation.answer?.(body, '');
  if (error === undefined) return body;
  const shown = error.slice(0, SHOWN);
  throw new ClientError(request, `was answered with an unexpected body: ${shown}.`);
}

/** Characters. */
const [SHOWN, SHOWN_OF_TEXT] = [300, 60];

export function refused(request: ApiRequest, { status, body, bytes }: ApiAnswer): ClientError {
  const { code, cause } = isJsonObject(body) ? body : {};
  const parts = [code, cause].filter((each) => typeof each === 'string');
  const description =
    parts.length > 0 ? parts.join(': ') : (bytes?.toString('utf8', 0, SHOWN) ?? '');
  const reason = description === '' ? '' : `: ${description.slice(0, SHOWN)}`;
  return new ClientError(request, `was answered with ${status}${reason}.`, status);
}

/**
 * The error for an answer with status 400 or above: a LedgerError if the catalogue has its code, otherwise a
 * ClientError.
 */
export function refusalOf(request: ApiRequest, answer: ApiAnswer): Error {
  const body = isJsonObject(answer.body) ? answer.body : {};
  const code = String(body['code']);
  if (!Object.hasOwn(CATALOGUE, code)) return refused(request, answer);
  const resources = Array.isArray(body['resources'])
    ? (body['resources'] as (readonly [string, string])[])
    : [];
  const context = body['context'] as Record<string, string> | undefined;
  const category = Number(body['errorCategory']);
  return new LedgerError(code as ErrorCode, {
    cause: String(body['cause']),
    resources,
    ...(context && { context }),
    ...(Number.isInteger(category) && code === 'DAML_FAILURE' && { category }),
  });
}

/** Sends one request after another until the generator returns. */
export function driveNow<T>(requests: Requests<T>, send: (request: ApiRequest) => ApiAnswer): T {
  let next = requests.next();
  while (next.done !== true) next = requests.next(send(next.value));
  return next.value;
}

/** The same, asynchronously. */
export async function drive<T>(requests: Requests<T>, send: Send): Promise<T> {
  let next = requests.next();
  while (next.done !== true) next = requests.next(await send(next.value));
  return next.value;
}

/** Sends a request over any transport. Rejects if there is no answer. */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

/** The body of a request in bytes, and its content type. */
export function sentBody({ body }: Given): { bytes: Buffer; contentType: string } | undefined {
  if (body === undefined) return undefined;
  return isBytes(body)
    ? { bytes: Buffer.from(body), contentType: 'application/octet-stream' }
    : { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
}

export function headersOf(
  request: Given,
  token: string | undefined,
): Readonly<Record<string, string>> {
  const sent = sentBody(request);
  return {
    ...(sent && { 'content-type': sent.contentType }),
    ...(token !== undefined && !request.isAnonymous && { authorization: `Bearer ${token}` }),
  };
}
