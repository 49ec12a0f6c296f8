/**
 * Turns errors into answers, for every API. An error on the Ledger API has one of two forms. One is read back
 * from gRPC, with its context and with Canton's redaction (B-ERR-007, B-ERR-009, B-ERR-010, B-ERR-012). The JSON
 * layer makes the other (B-ERR-008). Elsewhere it is `{"error": text}`.
 */
import { CATEGORIES, HTTP_STATUS_OF_GRPC, REDACTED_CODE } from '../daml/errors/error-catalogue.js';
import { IN_JSON_LAYER } from '../daml/errors/logging-context.js';
import { JsonLayerError } from '../daml/codec/json/json-layer.js';
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { JsCantonError } from '../spec/generated/ledger.js';
import {
  grpcStatus,
  messagePrefix,
  type ErrorOrigin,
} from '../services/ledger-api/formats/grpc-status.js';
import { isError } from '../daml/errors/realms.js';

type Nullable<T> = { [K in keyof T]: T[K] | (undefined extends T[K] ? null : never) };

/** Optional members appear as explicit nulls, as the participant prints them. */
export type ErrorBody = Required<Nullable<JsCantonError>>;

export interface ErrorAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface AnswerOrigin extends ErrorOrigin {
  /** In the context if the JSON layer rejected the token (B-ERR-013). */
  readonly isTokenRefused?: boolean;
  /** Whether the release names resources by their kinds alone. */
  readonly namesKindsAlone?: boolean;
}

export function ledgerErrorAnswer(
  error: LedgerError,
  origin: AnswerOrigin,
): ErrorAnswer<ErrorBody> {
  const status = error.row.httpStatus ?? HTTP_STATUS_OF_GRPC[error.grpcCode] ?? 500;
  if (!origin.isTokenRefused) return { status, body: bodyFor(error, origin) };
  const body = bodyFor(error.logIn(IN_JSON_LAYER), origin);
  return {
    status,
    body: { ...body, context: { ...body.context, ledger_api_error: 'invalid token' } },
  };
}

function bodyFor(error: LedgerError, origin: AnswerOrigin): ErrorBody {
  if (error.details.undetailed) return bareStatus(error);
  return error instanceof JsonLayerError ? fromJsonLayer(error, origin) : fromGrpc(error, origin);
}

/** A gRPC status without details has only its description (B-ERR-004). */
function bareStatus(error: LedgerError): ErrorBody {
  const { cause } = error.details;
  return {
    code: cause,
    cause: `${GRPC_STATUS_NAMES[error.grpcCode] ?? 'UNKNOWN'}: ${cause}`,
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: error.grpcCode,
    retryInfo: null,
    definiteAnswer: null,
  };
}

const GRPC_STATUS_NAMES: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  9: 'FAILED_PRECONDITION',
  13: 'INTERNAL',
};

/** Found by the trace of the request (B-ERR-027). */
function fromJsonLayer(error: LedgerError, { traceId, hasBrokenTrace }: AnswerOrigin): ErrorBody {
  const { cause, context = {}, resources = [] } = error.details;
  const trace = (hasBrokenTrace ? undefined : traceId) ?? null;
  return {
    code: error.code,
    cause,
    correlationId: trace,
    traceId: trace,
    context: { ...context },
    resources: resources.map(([type, value]) => [type, value]),
    errorCategory: error.category,
    grpcCodeValue: error.grpcCode,
    retryInfo: retryText(error),
    definiteAnswer: false,
  };
}

const REDACTED_CAUSE = 'A security-sensitive error has been received';

function fromGrpc(error: LedgerError, origin: AnswerOrigin): ErrorBody {
  const { info, message, requestId, traceId, resources } = grpcStatus(error, origin);
  if (info === undefined) return redacted(error, requestId, traceId);
  return {
    code: error.code,
    cause: causeIn(message, messagePrefix(error, requestId)),
    correlationId: requestId === traceId ? null : (requestId ?? null),
    traceId: traceId ?? null,
    context: Object.fromEntries(info.metadata),
    resources: resources.map(([kind, value]) => [
      origin.namesKindsAlone ? kind : `ErrorResource(${kind})`,
      value,
    ]),
    errorCategory: error.category,
    grpcCodeValue: error.grpcCode,
    retryInfo: retryText(error),
    definiteAnswer: null,
  };
}

/** Unlike other errors, it includes the trace id even if that replaces the correlation id. */
function redacted(
  error: LedgerError,
  requestId: string | undefined,
  traceId: string | undefined,
): ErrorBody {
  return {
    code: REDACTED_CODE,
    cause: REDACTED_CAUSE,
    correlationId: requestId ?? null,
    traceId: traceId ?? null,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: error.grpcCode,
    retryInfo: null,
    definiteAnswer: null,
  };
}

/** A cause of several lines is not recognized when the status is read back. The whole message replaces it. */
function causeIn(message: string, prefix: string): string {
  return /[\n\r\u0085\u2028\u2029]/.test(message) ? message : message.slice(prefix.length);
}

/** In Scala's format of a duration. */
function retryText(error: LedgerError): string | null {
  const seconds = CATEGORIES[error.category]?.retrySeconds;
  if (seconds === undefined) return null;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** The error that a client receives for a bug: the participant's form for an unexpected exception (B-ERR-006). */
export function unexpectedError(thrown: unknown): LedgerError {
  const text = isError(thrown) ? thrown.message : String(thrown);
  const name = isError(thrown) ? thrown.name : typeof thrown;
  return new JsonLayerError('LEDGER_API_INTERNAL_ERROR', {
    cause: text,
    context: { throwableO: `Some(${name}: ${text})` },
  });
}

const SPLICE_STATUS_OF_GRPC: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  6: 409,
  9: 400,
  10: 429,
  12: 400,
  13: 500,
  14: 503,
};

/** The codes with gRPC status FAILED_PRECONDITION that answer 409 (V-GEN-011). */
const CONFLICTS: ReadonlySet<string> = new Set([
  'DAML_INTERPRETATION_ERROR',
  'UNHANDLED_EXCEPTION',
  'INTERPRETATION_USER_ERROR',
  'TEMPLATE_PRECONDITION_VIOLATED',
  'NOT_CONNECTED_TO_ANY_SYNCHRONIZER',
  'NOT_CONNECTED_TO_SYNCHRONIZER',
  'UNKNOWN_CONTRACT_SYNCHRONIZERS',
]);

/**
 * The answer of a Splice app to a ledger error (S-GEN-008, V-GEN-010).
 * @param origin of an error that the ledger sent to the app, which returns its text, with the code; absent for the
 * app's own errors
 */
export function spliceErrorAnswer(
  error: LedgerError,
  origin?: AnswerOrigin,
): ErrorAnswer<{ error: string }> {
  const isConflict = error.grpcCode === 9 && CONFLICTS.has(error.code);
  return {
    status: isConflict ? 409 : (SPLICE_STATUS_OF_GRPC[error.grpcCode] ?? 500),
    body: { error: origin === undefined ? error.details.cause : grpcStatus(error, origin).message },
  };
}

/** The answer of Canticle's controls to a ledger error, with the status of its gRPC code. */
export function controlErrorAnswer(error: LedgerError): ErrorAnswer<{ error: string }> {
  const status = HTTP_STATUS_OF_GRPC[error.grpcCode] ?? 500;
  return { status, body: { error: error.details.cause } };
}
