/** A script against a ledger behind an API. */
import { scriptArgument } from './arguments.js';
import { inTime } from './awaited.js';
import { ScriptFailed } from './failures.js';
import { scriptName, type Script } from './find-scripts.js';
import { resultJson } from './result-json.js';
import type { ScriptPackages } from './packages.js';
import { RemoteLedger, type RemoteSetting } from './remote/remote-ledger.js';
import { ScriptRun } from './script-run.js';
import { failureOf } from './test-script.js';

export interface RemoteRun extends RemoteSetting {
  /** Ledger API JSON, of a script that takes an argument. */
  readonly argument?: unknown;
  readonly onTrace?: (message: string) => void;
}

/** @returns its result as Ledger API JSON; undefined where that is no value of the ledger @throws ScriptFailed */
export async function runScriptRemotely(
  packages: ScriptPackages,
  script: Script,
  setting: RemoteRun,
): Promise<unknown> {
  const { argument: given, onTrace } = setting;
  const { argument: type, result: of } = script;
  try {
    const ledger = new RemoteLedger(packages, setting);
    const run = new ScriptRun(script, { packages, ledger, onTrace });
    const argument =
      type === undefined || given === undefined ? given : scriptArgument(packages, type, given);
    const result = await inTime(run.run(argument));
    return resultJson(packages, of, result);
  } catch (error) {
    throw new ScriptFailed(scriptName(script), failureOf(error), error);
  }
}
