/** Reads fault rules from a YAML or JSON file: a list of rules, or the `fault` steps of a scenario. */
import { ScenarioError } from '../../wallet/scenario-error.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import { yaml } from '../../spec/loading/yaml.js';
import { readBoundedFile } from '../bounded-file.js';
import { unreadable } from '../file-errors.js';

const MAX_FAULTS_BYTES = 1024 * 1024;

/** The rules, unchecked: the function that adds them checks them. @param given rules, or the path of a file of them */
export function readFaults(given: string | readonly FaultRule[]): readonly FaultRule[] {
  if (typeof given !== 'string') return given;
  const parsed = parsedFile(given);
  const list: unknown = isJsonObject(parsed) ? (parsed['faults'] ?? parsed['steps']) : parsed;
  if (!Array.isArray(list))
    throw new ScenarioError(
      `Failed to read the faults '${given}': expected a list of { on, when, do }, or a map with such a list as faults or steps.`,
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
