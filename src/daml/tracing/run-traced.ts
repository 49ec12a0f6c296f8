/** Runs commands and records what they do. */
import type { InterpreterInput } from '../interpreter/input.js';
import { LedgerError } from '../errors/ledger-error.js';
import type { TransactionNode } from '../model/transaction.js';
import type { ContractId } from '../model/values.js';
import { damlFunctions, withPlaces } from './code-places.js';
import type { Trace } from './trace.js';
import { TracingInterpreter } from './tracing-interpreter.js';

/** What to do now and then, while the code runs. */
export interface Sampling {
  /**
   * @param taken steps so far
   * @param functions of Daml that run, outermost first
   * @returns after how many steps to look again, from the next look on
   */
  take(taken: number, functions: readonly string[]): number;
}

export interface RunTraced {
  /** With the commands that were not reached. */
  readonly trace: Trace;
  /** Of this run. */
  readonly nodes: readonly TransactionNode[];
  readonly steps: number;
  readonly refusal?: LedgerError;
}

/** @param recorded ids of contracts that an earlier run created, in its order */
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
