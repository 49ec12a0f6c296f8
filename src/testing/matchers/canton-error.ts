/** Finds a Canton error in any form: thrown in-process, an error body, an answer, or wrapped by a client. */
import { HTTP_STATUS_OF_GRPC, REDACTED_CODE } from '../../daml/errors/error-catalogue.js';
import type { ShownError } from '../../daml/errors/explanation.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { rememberedInstances } from './instances.js';
import { isObject } from './matcher.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface FoundError {
  readonly code: string;
  readonly cause: string;
  /** HTTP status; undefined for a body without its answer. */
  readonly status: number | undefined;
  readonly context: Readonly<Record<string, unknown>>;
  /** `[type, value]` pairs. */
  readonly resources: readonly (readonly [string, string])[];
  readonly explanation?: string;
  /** Makes the text of the error's explanation when it is shown. */
  readonly explained?: () => string | undefined;
}

/** Members in which HTTP clients store the body of an answer, and libraries the wrapped error. */
const WRAPPINGS = ['response', 'body', 'data', 'error', 'cause'] as const;
const MAX_WRAPPINGS = 6;

/** @param status the status of the enclosing answer, if there is one */
export function findCantonError(
  subject: unknown,
  status?: number,
  depth = 0,
): FoundError | undefined {
  if (isLedgerError(subject)) return fromLedgerError(subject);
  if (typeof subject === 'string') return findCantonError(parsed(subject), status, depth);
  if (isBytes(subject))
    return findCantonError(parsed(Buffer.from(subject).toString('utf8')), status, depth);
  if (!isObject(subject) || depth > MAX_WRAPPINGS) return undefined;
  const met = typeof subject.status === 'number' ? subject.status : status;
  if (isErrorBody(subject)) return fromBody(subject, met);
  for (const name of WRAPPINGS) {
    const found = name in subject ? findCantonError(subject[name], met, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checked by structure: a test may load the class twice, as an ES module and as CommonJS. */
function isLedgerError(subject: unknown): subject is LedgerError {
  return (
    isObject(subject) &&
    subject.name === 'LedgerError' &&
    isObject(subject.details) &&
    isObject(subject.row)
  );
}

function fromLedgerError(error: LedgerError): FoundError {
  const { code, details, row, grpcCode } = error;
  const { cause, context = {}, resources = [], explanation } = details;
  const status = row.httpStatus ?? HTTP_STATUS_OF_GRPC[grpcCode] ?? 500;
  const explained = (): string | undefined => error.explanation?.body();
  return { code, cause, status, context, resources, explanation, explained };
}

interface ErrorBody extends ShownError {
  readonly context?: Readonly<Record<string, unknown>> | null;
  readonly resources?: readonly (readonly [string, string])[] | null;
}

function isErrorBody(subject: object): subject is ErrorBody {
  const { code, cause } = subject as Partial<ErrorBody>;
  return typeof code === 'string' && typeof cause === 'string';
}

function fromBody(body: ErrorBody, status: number | undefined): FoundError {
  const { code, cause, context, resources } = body;
  const found = { code, cause, status, context: context ?? {}, resources: resources ?? [] };
  return { ...found, explained: () => explanationOf(body) };
}

/**
 * The explanation in an instance's journal of the response that a client received. Only the correlation id identifies a
 * redacted answer. Several answers have the same correlation id if the client sets it, as a submission id.
 */
function explanationOf(shown: ShownError): string | undefined {
  const found = rememberedInstances().flatMap(({ requests }) =>
    [...requests.explained()].filter((explanation) => explanation.isOf(shown)),
  );
  const text = found[0]?.body();
  if (found.length < 2 || shown.code !== REDACTED_CODE) return text;
  return `The newest of ${found.length} refusals with this correlation id:\n${text}`;
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
