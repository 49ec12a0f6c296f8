/** The keys that commands name. */
import { template } from '../model/package.js';
import { contractIdInGivenKey } from '../codec/contract-ids.js';
import type { InterpreterInput } from './input.js';

/** @throws LedgerError COMMAND_PREPROCESSING_FAILED, whichever command's it is, before any is interpreted */
export function checkGivenKeys({ packages, commands }: InterpreterInput): void {
  for (const command of commands) {
    if (command.kind !== 'exerciseByKey') continue;
    const { key: definition } = template(packages, command.templateId) ?? {};
    const refusal = definition && contractIdInGivenKey(packages, definition.type, command.key);
    if (refusal !== undefined) throw refusal;
  }
}
