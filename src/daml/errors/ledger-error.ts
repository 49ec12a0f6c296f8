/**
 * The one kind of expected failure: a Canton error with its catalogue row. Code throws `ledgerError('CODE', …)`; the
 * edge that answers (JSON, completion status) turns it into its wire form. Bugs are {@link InvariantError}s instead.
 */
import type { Explanation } from './explanation.js';
import type { LoggingContext } from './logging-context.js';
import { StacklessError, tellStack } from './own-frames.js';
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
  /** Whether the command certainly had no effect, where the client is told. */
  readonly definiteAnswer?: boolean;
  /** True for errors that reach the client as a bare gRPC status, without code or context (B-ERR-004). */
  readonly undetailed?: boolean;
  /** True for errors of which gRPC tells the status and its text, and no details (B-GRPC-025). */
  readonly isStatusAlone?: boolean;
  /**
   * Canticle's own explanation for people: never on the wire of a real API, shown in the request journal.
   * NOTE: in words of ours, wherever one is given.
   */
  readonly explanation?: string;
  /** Of a refused authorization: who had to authorize, and who did. For explanations alone. */
  readonly authorization?: {
    readonly required: readonly string[];
    readonly given: readonly string[];
  };
}

/** A refusal of the ledger, as a real participant words it. */
export class LedgerError extends StacklessError {
  /** `LedgerError`. */
  override readonly name = 'LedgerError';
  /** Of the catalogue of errors: category, grpc code and status. */
  readonly row: CatalogueRow;
  #explanation: Explanation | undefined;
  #logging: LoggingContext | undefined;
  constructor(
    /** Canton's error code, such as `CONTRACT_NOT_FOUND`. */
    readonly code: ErrorCode,
    /** What the code is filled with. */
    readonly details: LedgerErrorDetails,
  ) {
    super(`${code}: ${details.cause}`);
    this.row = CATALOGUE[code];
    tellStack(this, () => this.message);
  }
  /**
   * Of a refused submission: what it did until then, who authorized what, and why a contract could not be used. Made when it is
   * first read out.
   */
  get explanation(): Explanation | undefined {
    return this.#explanation;
  }
  /** What a client finds it by: the id of the submission that it refused, if it refused one. */
  get correlationId(): string | undefined {
    return this.#logging?.correlationId;
  }
  /** What the place where it arose adds to its status; undefined where that is as of most code. */
  get logging(): LoggingContext | undefined {
    return this.#logging;
  }
  /** The first context stays: it is that of whoever was nearest. */
  logIn(context: LoggingContext): this {
    this.#logging ??= context;
    return this;
  }
  /** The first explanation stays: it is that of whoever was nearest. The stack then tells it too. */
  explainBy(explanation: Explanation): void {
    if (this.#explanation !== undefined) return;
    this.#explanation = explanation;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Math.max(stackTraceLimit, MIN_STACK_FRAMES);
    // Whoever submitted is nearer here than where the refusal was made. Its text costs nothing before it is read.
    tellStack(this, () => `${this.message}\n\n${bodyOf(explanation)}\n`);
    Error.stackTraceLimit = stackTraceLimit;
  }
  /** The same error, from here, with a stack that says what the cause leaves out: it is what a failed test shows. */
  explained(explanation = this.details.explanation): LedgerError {
    const Same = this.constructor as typeof LedgerError;
    const told = new Same(this.code, { ...this.details, explanation });
    told.#logging = this.#logging;
    if (explanation !== undefined) tellStack(told, () => `${told.message}. ${explanation}`);
    return told;
  }
  /** Canton's error category, a number from 1. */
  get category(): number {
    return this.details.category ?? this.row.category;
  }
  /** Whether a client learns no more than its gRPC status and a correlation id (B-ERR-012). */
  get isRedacted(): boolean {
    return this.row.redacted ?? CATEGORIES[this.category]?.redacted ?? false;
  }
  /** The status of gRPC that goes with the category. */
  get grpcCode(): number {
    return CATEGORIES[this.category]?.grpcCode ?? 13;
  }
}

/** So many lie between the caller's code and the place of a refusal, and some more. */
const MIN_STACK_FRAMES = 30;

/** A stack that throws while it is shown takes a test runner down: rather the refusal alone. */
function bodyOf(explanation: Explanation): string {
  try {
    return explanation.body();
  } catch (error) {
    return `(It cannot be explained, which is a bug in Canticle: ${String(error)})`;
  }
}

export function ledgerError(code: ErrorCode, details: LedgerErrorDetails | string): LedgerError {
  return new LedgerError(code, typeof details === 'string' ? { cause: details } : details);
}

/** The cause of what Canton's interpreter refuses. */
export function interpretation(reason: string): string {
  return `Interpretation error: Error: ${reason}`;
}

/** A broken invariant of Canticle itself: a bug, always answered with 500. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** NOTE: what does not hold is told in words of ours, and to nobody but us: no text of an invariant reaches a client. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition)
    throw new InvariantError(`Broken invariant: ${message}. This is a bug in Canticle.`);
}
