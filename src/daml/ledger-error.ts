/**
 * The one kind of expected failure: a Canton error with its catalogue row. Code throws `ledgerError('CODE', …)`; the
 * edge that answers (JSON, completion status) turns it into its wire form. Bugs are {@link InvariantError}s instead.
 */
import { CATALOGUE, CATEGORIES, type CatalogueRow, type ErrorCode } from './error-catalogue.js';

export interface LedgerErrorDetails {
  /** The human sentence, without the code. */
  readonly cause: string;
  /** ErrorInfo metadata, as text. */
  readonly context?: Readonly<Record<string, string>>;
  /** `[resource type, value]` pairs, for example `['CONTRACT_ID', '00…']`. */
  readonly resources?: readonly (readonly [type: string, value: string])[];
  /** Overrides the row's category: only DAML_FAILURE chooses its own. */
  readonly category?: number;
  readonly definiteAnswer?: boolean;
  /** True for errors that the JSON layer of a participant makes itself; they have another body form (B-ERR-008, B-ERR-009). */
  readonly fromJsonLayer?: boolean;
  /** True for errors that reach the client as a bare gRPC status, without code or context (B-ERR-004). */
  readonly undetailed?: boolean;
  /** Canticle's own explanation for people: never on the wire of a real API, shown in the request journal. */
  readonly explanation?: string;
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly row: CatalogueRow;
  constructor(
    readonly code: ErrorCode,
    readonly details: LedgerErrorDetails,
  ) {
    super(`${code}: ${details.cause}`);
    this.row = CATALOGUE[code];
  }
  get category(): number {
    return this.details.category ?? this.row.category;
  }
  get grpcCode(): number {
    return CATEGORIES[this.category]?.grpcCode ?? 13;
  }
}

export function ledgerError(code: ErrorCode, details: LedgerErrorDetails | string): LedgerError {
  return new LedgerError(code, typeof details === 'string' ? { cause: details } : details);
}

/** A broken invariant of Canticle itself: a bug, always answered with 500. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition)
    throw new InvariantError(`Broken invariant: ${message}. This is a bug in Canticle.`);
}
