/**
 * Runs the code of packages outside transactions: top-level values, and functions that they return. The values are
 * those of compiled code (`lf/runtime/runtime-values.ts`). Each computation has its own machine, and therefore its
 * own step limit.
 */
import type { DamlFailure } from '../model/package.js';
import { type PackageLookup } from '../model/package.js';
import { ledgerError } from '../errors/ledger-error.js';
import { failureOf } from '../lf/runtime/any-exception.js';
import type { DamlException } from '../lf/runtime/exceptions.js';
import { applyAll, Machine } from '../lf/runtime/machine.js';
import type { Fun } from '../lf/runtime/runtime-values.js';
import type { Deadline } from '../interpreter/input.js';
import type { DarPackage } from './dar-package.js';
import { isError } from '../errors/realms.js';

export class Evaluation {
  /** @param onTrace receives the `trace` messages of each computation when it ends */
  constructor(
    readonly packages: PackageLookup,
    private readonly onTrace: (messages: readonly string[]) => void = () => undefined,
    private readonly deadline?: Deadline,
  ) {}

  /** @throws as {@link apply} */
  value(of: DarPackage, module: string, name: string): unknown {
    return this.run((machine) => of.valueCode(module, name).force(machine, 0));
  }

  /** @throws DamlException, DamlFailure, or a LedgerError that the code itself causes */
  apply(fun: unknown, args: readonly unknown[]): unknown {
    return this.run((machine) => applyAll(fun as Fun, args, machine, 0));
  }

  /** The failure for an uncaught exception. The code of the exception's package computes the message. */
  failureOf(exception: DamlException): DamlFailure {
    return failureOf(new Machine(this.packages, this.deadline?.()), exception);
  }

  private run<T>(compute: (machine: Machine) => T): T {
    const machine = new Machine(this.packages, this.deadline?.());
    try {
      return compute(machine);
    } catch (error) {
      if (!isError(error, 'RangeError')) throw error;
      throw ledgerError('INTERPRETATION_TIME_EXCEEDED', {
        cause: 'Interpretation aborted.',
        explanation: 'Values or calls nest too deep for JavaScript.',
      });
    } finally {
      if (machine.traces.length > 0) this.onTrace(machine.traces);
    }
  }
}
