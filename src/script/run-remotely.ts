/** Runs a script against ledgers behind APIs. */
import { scriptArgument } from './arguments.js';
import { inTime } from './awaited.js';
import { ScriptFailed } from './failures.js';
import { scriptName, type Script } from './find-scripts.js';
import { resultJson } from './result-json.js';
import type { ScriptPackages } from './packages.js';
import { RemoteLedger, type RemoteSetting } from './remote/remote-ledger.js';
import { RemoteParticipants } from './remote/remote-participants.js';
import { ScriptRun } from './script-run.js';
import { failureOf } from './test-script.js';

export interface RemoteRun extends RemoteSetting {
  /** The participants other than the setting's participant, which is the default. */
  readonly participants?: ReadonlyMap<string, RemoteSetting>;
  /** Names of participants by the parties that act through them. */
  readonly places?: Iterable<readonly [string, string]>;
  /** The argument, if the script takes one: Ledger API JSON. */
  readonly argument?: unknown;
  readonly onTrace?: (message: string) => void;
}

/** @returns its result as Ledger API JSON; undefined if the result is not a ledger value @throws ScriptFailed */
export async function runScriptRemotely(
  packages: ScriptPackages,
  script: Script,
  setting: RemoteRun,
): Promise<unknown> {
  const { argument: given, onTrace, participants = new Map<string, RemoteSetting>() } = setting;
  const { argument: type, result: of } = script;
  try {
    const named = [...participants].map(
      ([name, each]) => [name, new RemoteLedger(packages, each)] as const,
    );
    const usual = new RemoteLedger(packages, setting);
    const ledger = new RemoteParticipants(usual, new Map(named), setting.places ?? []);
    const run = new ScriptRun(script, { packages, ledger, onTrace });
    const argument =
      type === undefined || given === undefined ? given : scriptArgument(packages, type, given);
    const result = await inTime(run.run(argument));
    return resultJson(packages, of, result);
  } catch (error) {
    throw new ScriptFailed(scriptName(script), failureOf(error), error);
  }
}
