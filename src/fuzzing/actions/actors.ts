/** The parties that must authorize a command, as the code of its template and choice computes them. */
import { Machine } from '../../daml/lf/runtime/machine.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isError } from '../../daml/errors/realms.js';
import { Resolution } from '../../daml/interpreter/resolution.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import { lookLimit } from '../ledger/fuzz-input.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';

const NOBODY: readonly Party[] = [];

/** Empty if the code fails, or the contract does not exist. */
export function actorsOf(ledger: FuzzLedger, command: Command): readonly Party[] {
  const machine = new Machine(ledger.packages, lookLimit());
  const resolution = new Resolution(machine, (code) => code());
  try {
    switch (command.kind) {
      case 'create':
        return signatoriesOf(command);
      case 'createAndExercise':
        return [...signatoriesOf(command), ...controllersOf(contractOf(command), command)];
      case 'exercise': {
        const contract = ledger.contract(command.contractId);
        return contract === undefined ? NOBODY : controllersOf(contract, command);
      }
      case 'exerciseByKey': {
        const contract = ledger.withKey(command.templateId, command.key);
        return contract === undefined ? NOBODY : controllersOf(contract, command);
      }
    }
  } catch (error) {
    // The submission fails in the same way and reports it.
    if (error instanceof LedgerError || isError(error)) return NOBODY;
    throw error;
  }

  function signatoriesOf({
    templateId,
    payload,
  }: Command & { kind: 'create' | 'createAndExercise' }) {
    return templateOf(ledger.packages, templateId)!.code.signatories(payload, machine);
  }

  function controllersOf(
    contract: ContractInstance,
    { templateId, choice: name, argument }: Exclude<Command, { kind: 'create' }>,
  ): readonly Party[] {
    const { choice, definitionId, interfaceId } = resolution.choice(templateId, name);
    const target = resolution.target(contract, definitionId, interfaceId);
    return choice.code.controllers(target, argument);
  }

  function contractOf({
    templateId,
    payload,
  }: Command & { kind: 'createAndExercise' }): ContractInstance {
    const { packageName } = templateOf(ledger.packages, templateId)!;
    const nobody = { signatories: NOBODY, observers: NOBODY };
    return { contractId: '', templateId, packageName, payload, createdAt: ledger.now, ...nobody };
  }
}
