/**
 * Runs code of packages outside of any transaction: top-level values, and functions that came out of them. Values are those of
 * compiled code (`lf/runtime/runtime-values.ts`). Each computation has a machine, and so the steps, of its own.
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
  /** @param onTrace is given the messages of `trace` of each computation, once it has ended */
  constructor(
    readonly packages: PackageLookup,
    private readonly onTrace: (messages: readonly string[]) => void = () => undefined,
    private readonly deadline?: Deadline,
  ) {}

  /** @throws as {@link apply} */
  value(of: DarPackage, module: string, name: string): unknown {
    return this.run((machine) => of.valueCode(module, name).force(machine, 0));
  }

  /** @throws DamlException, DamlFailure, or LedgerError with what the code refuses by itself */
  apply(fun: unknown, args: readonly unknown[]): unknown {
    return this.run((machine) => applyAll(fun as Fun, args, machine, 0));
  }

  /** What an exception becomes that nobody catches: its message is computed by its package's code. */
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
