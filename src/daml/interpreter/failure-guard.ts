/** Runs package code. Every error that it throws becomes a ledger error, and the first error is final. */
import { Interruption } from '../errors/interruption.js';
import { LedgerError } from '../errors/ledger-error.js';
import { failureOf } from '../lf/runtime/any-exception.js';
import { DamlException } from '../lf/runtime/exceptions.js';
import type { Machine } from '../lf/runtime/machine.js';
import type { Call } from '../lf/runtime/runtime-values.js';
import * as refuse from '../refusals/refusals.js';
import type { Timestamp } from '../model/values.js';

export abstract class FailureGuard<Frame> {
  /** The machine that runs the code. */
  abstract readonly machine: Machine;

  /** The first refusal, or the interruption. Choice code that catches it cannot undo it. */
  private failure: LedgerError | Interruption | undefined;

  /** The choices that enclose a frame, in the form that errors have them. */
  protected abstract exerciseTrace(frame: Frame): string;

  protected abstract get ledgerTime(): Timestamp;

  /** Runs package code. Every error that it throws becomes a ledger error, and the first error is final. */
  guarded<T>(frame: Frame, code: () => T): T {
    this.checkFailure();
    try {
      return code();
    } catch (error) {
      throw this.fail(frame, error);
    }
  }

  /** Like {@link guarded}, but a Daml exception remains an exception, because an enclosing handler may catch it. */
  catchable<T>(frame: Frame, code: () => T): T {
    this.checkFailure();
    try {
      return code();
    } catch (error) {
      throw this.caught(frame, error);
    }
  }

  /** Like {@link catchable}, for code that yields calls. */
  *catchableSteps<T>(
    frame: Frame,
    code: () => Generator<Call, T, unknown>,
  ): Generator<Call, T, unknown> {
    this.checkFailure();
    try {
      return yield* code();
    } catch (error) {
      throw this.caught(frame, error);
    }
  }

  /** @throws LedgerError if there was a failure before */
  protected checkFailure(): void {
    if (this.failure) throw this.failure;
  }

  protected caught(frame: Frame, error: unknown): Error {
    if (!(error instanceof DamlException)) return this.fail(frame, error);
    error.trace ??= this.exerciseTrace(frame);
    return error;
  }

  protected fail(frame: Frame, error: unknown): LedgerError | Interruption {
    this.failure ??= error instanceof Interruption ? error : this.refusalOf(frame, error);
    return this.failure;
  }

  private refusalOf(frame: Frame, error: unknown): LedgerError {
    if (error instanceof DamlException) return this.uncaught(frame, error);
    if (isStackOverflow(error))
      return this.timeExceeded(frame, 'Values or calls nest too deep for JavaScript.');
    if (!(error instanceof LedgerError))
      return refuse.damlFailure(error, this.exerciseTrace(frame));
    return error.code === 'INTERPRETATION_TIME_EXCEEDED'
      ? this.timeExceeded(frame, error.details.explanation)
      : error;
  }

  private timeExceeded(frame: Frame, limit: string | undefined): LedgerError {
    return refuse.timeExceeded(this.ledgerTime, this.exerciseTrace(frame), limit);
  }

  private uncaught(frame: Frame, exception: DamlException): LedgerError {
    const trace = exception.trace ?? this.exerciseTrace(frame);
    try {
      return refuse.damlFailure(failureOf(this.machine, exception), trace);
    } catch (error) {
      return error instanceof LedgerError
        ? error
        : refuse.damlFailure(error, this.exerciseTrace(frame));
    }
  }
}

/**
 * Checks the name, because there may be two RangeError classes: the class of a test runner's context and Node's
 * class.
 */
function isStackOverflow(error: unknown): boolean {
  return (error as Partial<Error> | null | undefined)?.name === 'RangeError';
}
