/** Where package code runs: whatever it throws becomes a ledger error, and the first one is final. */
import { LedgerError } from '../errors/ledger-error.js';
import { failureOf } from '../lf/runtime/any-exception.js';
import { DamlException } from '../lf/runtime/exceptions.js';
import type { Machine } from '../lf/runtime/machine.js';
import type { Call } from '../lf/runtime/runtime-values.js';
import * as refuse from '../refusals/refusals.js';
import type { Timestamp } from '../model/values.js';

export abstract class FailureGuard<Frame> {
  /** What the code runs on. */
  abstract readonly machine: Machine;

  /** The first refusal. Choice code that catches it cannot undo it. */
  private failure: LedgerError | undefined;

  /** The choices that a frame is in, as a refusal tells them. */
  protected abstract exerciseTrace(frame: Frame): string;

  protected abstract get ledgerTime(): Timestamp;

  /** Runs package code: whatever it throws becomes a ledger error, and the first one is final. */
  guarded<T>(frame: Frame, code: () => T): T {
    this.checkFailure();
    try {
      return code();
    } catch (error) {
      throw this.fail(frame, error);
    }
  }

  /** The same, but a Daml exception stays one: a handler further out may catch it. */
  catchable<T>(frame: Frame, code: () => T): T {
    this.checkFailure();
    try {
      return code();
    } catch (error) {
      throw this.caught(frame, error);
    }
  }

  /** The same of code that asks for calls. */
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

  /** @throws LedgerError where something has failed already */
  protected checkFailure(): void {
    if (this.failure) throw this.failure;
  }

  protected caught(frame: Frame, error: unknown): DamlException | LedgerError {
    if (!(error instanceof DamlException)) return this.fail(frame, error);
    error.trace ??= this.exerciseTrace(frame);
    return error;
  }

  protected fail(frame: Frame, error: unknown): LedgerError {
    this.failure ??= this.refusalOf(frame, error);
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

/** By its name: what a test runner runs has a RangeError of its own, and what Node has of itself throws another. */
function isStackOverflow(error: unknown): boolean {
  return (error as Partial<Error> | null | undefined)?.name === 'RangeError';
}
