/** Reads fault rules from a YAML or JSON file: a list of rules, or the `fault` steps of a scenario. */
import { ScenarioError } from '../../wallet/scenario-error.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import type { Network } from '../../network/network.js';
import { yaml } from '../../spec/loading/yaml.js';
import { readBoundedFile } from '../bounded-file.js';
import { unreadable } from '../file-errors.js';

const MAX_FAULTS_BYTES = 1024 * 1024;

/**
 * Adds rules, which need not occur.
 * @param given rules, or the path of a file of them
 * @throws ScenarioError for an invalid file, LedgerError INVALID_ARGUMENT for an invalid rule that is not from a file
 */
export function addFaults({ faults }: Network, given: string | readonly FaultRule[]): void {
  const rules = typeof given === 'string' ? rulesIn(given) : given;
  for (const [index, rule] of rules.entries())
    try {
      faults.add({ optional: true, ...rule });
    } catch (error) {
      if (typeof given !== 'string' || !(error instanceof LedgerError)) throw error;
      const { cause: why } = error.details;
      throw new ScenarioError(`Failed to read the faults '${given}': rule ${index + 1}: ${why}`);
    }
}

/** Unchecked. */
function rulesIn(file: string): readonly FaultRule[] {
  const parsed = parsedFile(file);
  const list: unknown = isJsonObject(parsed) ? (parsed['faults'] ?? parsed['steps']) : parsed;
  if (!Array.isArray(list))
    throw new ScenarioError(
      `Failed to read the faults '${file}': expected a list of { on, when, do }, or a map with such a list as faults or steps.`,
    );
  return list.map((each: unknown) => {
    if (!isJsonObject(each) || !('fault' in each)) return each as FaultRule;
    const { fault: on, ...rule } = each;
    return { on, ...rule } as unknown as FaultRule;
  });
}

function parsedFile(path: string): unknown {
  try {
    return yaml().parse(readBoundedFile(path, MAX_FAULTS_BYTES).toString()) as unknown;
  } catch (cause) {
    throw unreadable(`the faults '${path}'`, cause);
  }
}
