/** Looks now and then where compiled code is, while a submission is run again. */
import type { InterpreterInput } from '../interpreter/input.js';
import type { ContractId } from '../model/values.js';
import { damlFunctions } from './code-places.js';
import { TracingInterpreter } from './tracing-interpreter.js';

/** What to do at a look. */
export interface Sampling {
  /**
   * @param taken steps so far
   * @param functions of Daml that run, outermost first
   * @returns after how many steps to look again, from the next look on
   */
  take(taken: number, functions: readonly string[]): number;
}

/** An interpreter that records, and is looked at where `sampling` is given. @param recorded as for the interpreter */
export function tracingInterpreter(
  input: InterpreterInput,
  sampling: Sampling | undefined,
  recorded: readonly ContractId[] = [],
): TracingInterpreter {
  if (sampling === undefined) return new TracingInterpreter(input, recorded);
  const look = (): boolean => {
    const { machine } = interpreter;
    machine.stepsPerLook = sampling.take(machine.taken, damlFunctions());
    return false;
  };
  const interpreter = new TracingInterpreter({ ...input, deadline: () => look }, recorded);
  interpreter.machine.lookEvery(0);
  return interpreter;
}
