/**
 * Runs the commands of a refused submission once more, with the same inputs and seed, and records what they do. Interpretation
 * is a function of its inputs, so this may be done at any later time: contracts are those that the first run found.
 */
import { NO_SERVICE } from '../lf/runtime/exceptions.js';
import type { ExternalAnswer, InterpreterInput, UsedContracts } from '../interpreter/input.js';
import { LedgerError } from '../errors/ledger-error.js';
import type { Command, ContractInstance, ContractKey } from '../model/transaction.js';
import type { PackageLookup } from '../model/package.js';
import type { ContractId, Timestamp } from '../model/values.js';
import { runTraced, type Sampling } from './run-traced.js';
import type { Trace } from './trace.js';
import { TracingInterpreter } from './tracing-interpreter.js';

/** @returns undefined if a revert removed packages that the first run used */
export function retrace(
  input: InterpreterInput,
  used: UsedContracts,
  error: LedgerError,
  sampling?: Sampling,
): Trace | undefined {
  const contract = (id: ContractId): ContractInstance => {
    const known = used.byId.get(id);
    // The first run failed because of a missing contract. A new error has the current stack.
    if (known === undefined) throw new LedgerError(error.code, error.details);
    return known;
  };
  const contractsByKey = ({ hash }: ContractKey) => used.withKey(hash);
  const claim = (id: ContractId) => input.claim?.(id);
  let ledgerTime: Timestamp | undefined;
  const onTime = () => void ({ ledgerTime } = input);
  const answers = used.answers.values();
  const externalCall = (): ExternalAnswer => answers.next().value ?? { error: NO_SERVICE };
  const again: InterpreterInput = {
    ...input,
    contract,
    claim,
    contractsByKey,
    onTime,
    externalCall,
    onRefusal: undefined,
  };
  const ran = runTraced(again, sampling);
  return ran.refusal && isSame(ran.refusal, error) ? { ...ran.trace, ledgerTime } : undefined;
}

/**
 * Commands that were refused before any was interpreted.
 * @param areSound false where reading them found errors: then their values have holes, and are left out
 */
export function unreached(
  packages: PackageLookup,
  commands: readonly Command[],
  areSound: boolean,
): Trace {
  const input = { commands, packages, actAs: [], ledgerTime: 0n, seed: '' };
  const interpreter = new TracingInterpreter({ ...input, contract: () => undefined });
  interpreter.addUnreached();
  const { trace } = interpreter;
  if (areSound) return trace;
  const actions = trace.actions.map((action) =>
    typeof action === 'string' ? action : { ...action, argument: undefined },
  );
  return { ...trace, actions };
}

function isSame(one: LedgerError, other: LedgerError): boolean {
  return one.code === other.code && one.details.cause === other.details.cause;
}
