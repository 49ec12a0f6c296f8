/** A Canton error, wherever a client may have put it: thrown in-process, an error body, an answer, or wrapped by a client. */
import { HTTP_STATUS_OF_GRPC, REDACTED_CODE } from '../../daml/errors/error-catalogue.js';
import type { ShownError } from '../../daml/errors/explanation.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { rememberedInstances } from './instances.js';
import { isObject } from './matcher.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface FoundError {
  readonly code: string;
  readonly cause: string;
  /** HTTP status; undefined for a body that came without its answer. */
  readonly status: number | undefined;
  readonly context: Readonly<Record<string, unknown>>;
  /** `[type, value]` pairs. */
  readonly resources: readonly (readonly [string, string])[];
  readonly explanation?: string;
  /** The text of the explanation that the error carries, made when it is shown. */
  readonly explained?: () => string | undefined;
}

/** Where HTTP clients keep the body of an answer, and libraries the error that they wrap. */
const WRAPPINGS = ['response', 'body', 'data', 'error', 'cause'] as const;
const MAX_WRAPPINGS = 6;

/** @param status of the answer around it, as far as one was met */
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

/** By its shape: a test may have two copies of the class, one for modules and one for CommonJS. */
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
 * The journal of the instance explains the response that a client got. A redacted answer is known by its correlation id alone, which
 * several have where their client gave it, as a submission id.
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
