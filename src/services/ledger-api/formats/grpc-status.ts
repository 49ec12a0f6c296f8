/**
 * A Canton error as the google.rpc.Status that a participant sends over gRPC, shortened and redacted in the same way.
 * Completions show all of it (rpc-status.ts); error bodies show the parts that the JSON layer reads (../errors.ts).
 */
import { CATEGORIES } from '../../../daml/errors/error-catalogue.js';
import type { LedgerError, LedgerErrorDetails } from '../../../daml/errors/ledger-error.js';
import { MAX_CAUSE } from '../../../daml/errors/limits.js';
import { PLAIN, printedValue, type LoggingContext } from '../../../daml/errors/logging-context.js';
import {
  detailsBudget,
  inScalaOrder,
  shortenContext,
  shortenId,
  shortenResources,
} from './grpc-status-size.js';

/** The data that an error carries from its call. */
export interface ErrorOrigin {
  /** The node's name, in the error context. */
  readonly participant?: string;
  /** 32 hexadecimal digits. */
  readonly traceId?: string;
  /** Whether the request has an invalid trace: then the participant's trace begins with the call. */
  readonly hasBrokenTrace?: boolean;
}

type Pair = readonly [name: string, value: string];

export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
  /** Absent for a redacted error. */
  readonly info?: { readonly reason: string; readonly metadata: readonly Pair[] };
  readonly retrySeconds?: number;
  /** The submission id if a submission failed; otherwise the trace id replaces it. */
  readonly requestId?: string;
  readonly traceId?: string;
  /** Type and name. */
  readonly resources: readonly Pair[];
}

const NOTHING: Pick<LedgerErrorDetails, 'context' | 'resources'> = {};

export function grpcStatus(error: LedgerError, origin: ErrorOrigin): GrpcStatus {
  const { logging = PLAIN } = error;
  const traceId = traceIn(logging, origin);
  const correlated = logging.correlationId ?? traceId;
  const requestId = correlated && shortenId(correlated);
  const code = error.grpcCode;
  if (error.isRedacted) {
    const message = `An error occurred. Please contact the operator and inquire about the request ${requestId ?? '<no-correlation-id>'} with tid ${traceId ?? '<no-tid>'}`;
    return { code, message, requestId, traceId, resources: [] };
  }
  const { cause, definiteAnswer = false } = error.details;
  const { context = {}, resources = [] } = logging.isMadeAnew ? NOTHING : error.details;
  const shown = cause.length > MAX_CAUSE ? `${cause.slice(0, MAX_CAUSE)}...` : cause;
  const message = `${messagePrefix(error, requestId)}${shown}`;
  const fixed: Pair[] = error.row.isNoAnswer ? [] : [['definite_answer', String(definiteAnswer)]];
  if (traceId !== undefined) fixed.push(['tid', traceId]);
  fixed.push(['category', String(error.category)]);
  const details = new Map(Object.entries(context));
  const participant = participantIn(logging, origin);
  if (participant !== undefined) details.set('participant', participant);
  for (const [name, value] of Object.entries(logging.entries ?? {})) details.set(name, value);
  const entries: Pair[] = [...details];
  const retrySeconds = error.row.retrySeconds ?? CATEGORIES[error.category]?.retrySeconds;
  const budget = detailsBudget(
    { texts: [message, error.code, ...fixed.flat()], retrySeconds, requestId },
    entries.length,
    resources.length,
  );
  const metadata = inScalaOrder([...shortenContext(entries, budget.context), ...fixed]);
  const info = { reason: error.code, metadata };
  return {
    code,
    message,
    info,
    retrySeconds,
    requestId,
    traceId,
    resources: shortenResources(resources, budget.resources),
  };
}

function traceIn({ isTraced, isBeforeCall }: LoggingContext, origin: ErrorOrigin) {
  return isTraced && !(isBeforeCall && origin.hasBrokenTrace) ? origin.traceId : undefined;
}

function participantIn(
  { participant: named }: LoggingContext,
  { participant }: ErrorOrigin,
): string | undefined {
  if (named === 'absent' || participant === undefined) return undefined;
  return named === 'quoted' ? printedValue(participant) : participant;
}

/** `CODE(category,first eight characters of the request id): ` */
export function messagePrefix(error: LedgerError, requestId: string | undefined): string {
  return `${error.code}(${error.category},${(requestId ?? '0').slice(0, 8)}): `;
}
