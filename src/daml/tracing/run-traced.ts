/** Runs commands and records their actions. */
import type { InterpreterInput } from '../interpreter/input.js';
import { LedgerError } from '../errors/ledger-error.js';
import type { TransactionNode } from '../model/transaction.js';
import type { ContractId } from '../model/values.js';
import { damlFunctions, withPlaces } from './code-places.js';
import type { Trace } from './trace.js';
import { TracingInterpreter } from './tracing-interpreter.js';

/** Takes samples while the code runs. */
export interface Sampling {
  /**
   * @param taken steps so far
   * @param functions running Daml functions, outermost first
   * @returns the number of steps between the next two samples
   */
  take(taken: number, functions: readonly string[]): number;
}

export interface RunTraced {
  /** Includes commands that were not reached. */
  readonly trace: Trace;
  /** The nodes of this run. */
  readonly nodes: readonly TransactionNode[];
  readonly steps: number;
  readonly refusal?: LedgerError;
}

/** @param recorded ids of contracts that an earlier run created, in order */
export function runTraced(
  input: InterpreterInput,
  sampling?: Sampling,
  recorded: readonly ContractId[] = [],
): RunTraced {
  const look = (): boolean => {
    machine.stepsPerLook = sampling!.take(machine.taken, damlFunctions());
    return false;
  };
  const looked = sampling === undefined ? input : { ...input, deadline: () => look };
  const interpreter = new TracingInterpreter(looked, recorded);
  const { machine } = interpreter;
  if (sampling !== undefined) machine.lookEvery(0);
  const ran = (nodes: RunTraced['nodes']) => {
    interpreter.hear();
    return { nodes, steps: machine.taken };
  };
  return withPlaces(() => {
    try {
      const all = ran(interpreter.run().nodes);
      return { ...all, trace: interpreter.trace };
    } catch (refusal) {
      if (!(refusal instanceof LedgerError)) throw refusal;
      const until = ran([]);
      interpreter.addUnreached();
      return { ...until, trace: interpreter.trace, refusal };
    }
  });
}
