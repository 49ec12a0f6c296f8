/**
 * The type of expected failures: a Canton error with its catalogue row. Code throws `ledgerError('CODE', …)`, and each API encodes it (as
 * JSON or as a completion status). Bugs are {@link InvariantError}s instead.
 */
import type { Explanation } from './explanation.js';
import type { LoggingContext } from './logging-context.js';
import { StacklessError, addStack } from './own-frames.js';
import { CATALOGUE, CATEGORIES, type CatalogueRow, type ErrorCode } from './error-catalogue.js';

export interface LedgerErrorDetails {
  /** The sentence for people, without the code. */
  readonly cause: string;
  /** ErrorInfo metadata, as text. */
  readonly context?: Readonly<Record<string, string>>;
  /** `[resource type, value]` pairs, for example `['CONTRACT_ID', '00…']`. */
  readonly resources?: readonly (readonly [type: string, value: string])[];
  /** Overrides the row's category. Only DAML_FAILURE has this. */
  readonly category?: number;
  /** Whether the command certainly had no effect, if the client gets this information. */
  readonly definiteAnswer?: boolean;
  /** True for errors that reach the client as a bare gRPC status, without code or context (B-ERR-004). */
  readonly undetailed?: boolean;
  /** True for errors of which gRPC has the status and its text, but no details (B-GRPC-025). */
  readonly isStatusAlone?: boolean;
  /** Canticle's explanation for people. Real APIs do not send it; the request journal shows it. NOTE: all explanations are our texts. */
  readonly explanation?: string;
  /** For an authorization error: the required and the actual authorizers. Only explanations use it. */
  readonly authorization?: {
    readonly required: readonly string[];
    readonly given: readonly string[];
  };
}

/** An error of the ledger, with the text of a real participant. */
export class LedgerError extends StacklessError {
  /** `LedgerError`. */
  override readonly name = 'LedgerError';
  /** The row of the error catalogue: category, gRPC code and status. */
  readonly row: CatalogueRow;
  #explanation: Explanation | undefined;
  #logging: LoggingContext | undefined;
  constructor(
    /** Canton's error code, such as `CONTRACT_NOT_FOUND`. */
    readonly code: ErrorCode,
    /** The cause, context and further data of the error. */
    readonly details: LedgerErrorDetails,
  ) {
    super(`${code}: ${details.cause}`);
    this.row = CATALOGUE[code];
    addStack(this, () => this.message);
  }
  /** For a refused submission: what it did, its authorizers, and why a contract could not be used. It is computed on first use. */
  get explanation(): Explanation | undefined {
    return this.#explanation;
  }
  /** The submission id of the refused submission, if there is one, by which a client finds the error. */
  get correlationId(): string | undefined {
    return this.#logging?.correlationId;
  }
  /** Logging data that its origin adds to the status; undefined for the default. */
  get logging(): LoggingContext | undefined {
    return this.#logging;
  }
  /** Sets the context, unless an inner function has set one. */
  logIn(context: LoggingContext): this {
    this.#logging ??= context;
    return this;
  }
  /** Sets the explanation, unless an inner function has set one. The stack then includes it. */
  explainBy(explanation: Explanation): void {
    if (this.#explanation !== undefined) return;
    this.#explanation = explanation;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Math.max(stackTraceLimit, MIN_STACK_FRAMES);
    // The submitter's frames are closer to this call than to the origin of the error. The text is computed only when it is read.
    addStack(this, () => `${this.message}\n\n${bodyOf(explanation)}\n`);
    Error.stackTraceLimit = stackTraceLimit;
  }
  /** The same error with a new stack that includes the explanation. Test runners show this stack. */
  explained(explanation = this.details.explanation): LedgerError {
    const Same = this.constructor as typeof LedgerError;
    const copy = new Same(this.code, { ...this.details, explanation });
    copy.#logging = this.#logging;
    if (explanation !== undefined) addStack(copy, () => `${copy.message}. ${explanation}`);
    return copy;
  }
  /** Canton's error category, a number from 1. */
  get category(): number {
    return this.details.category ?? this.row.category;
  }
  /** Whether a client gets only its gRPC status and a correlation id (B-ERR-012). */
  get isRedacted(): boolean {
    return this.row.redacted ?? CATEGORIES[this.category]?.redacted ?? false;
  }
  /** The gRPC status of the category. */
  get grpcCode(): number {
    return CATEGORIES[this.category]?.grpcCode ?? 13;
  }
}

/** The number of frames between the caller's code and the origin of an error, with a margin. */
const MIN_STACK_FRAMES = 30;

/** If computing the explanation fails, the stack has the error alone, because a stack that throws can crash a test runner. */
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

/** The cause of an error of Canton's interpreter. */
export function interpretation(reason: string): string {
  return `Interpretation error: Error: ${reason}`;
}

/** A violated invariant of Canticle: a bug, which every API answers with 500. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** NOTE: the messages are our texts. Clients never get them. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition)
    throw new InvariantError(`Broken invariant: ${message}. This is a bug in Canticle.`);
}
