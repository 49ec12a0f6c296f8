/** Actions of users: Daml scripts with an argument, and functions. */
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { atOnce } from '../../script/awaited.js';
import { scriptName, type Script } from '../../script/find-scripts.js';
import { IdeLedger, type IdeAttempt } from '../../script/ide/ide-ledger.js';
import { ScriptRun } from '../../script/script-run.js';
import { failureOf } from '../../script/test-script.js';
import type { IdeOptions } from '../../script/ide/ide-ledger.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { LedgerState } from '../model/state.js';
import type { Probe } from '../model/finding.js';
import type { Submitted } from '../model/outcome.js';
import type { Submission } from '../model/step.js';

/** The ledger as a function of a user sees it. */
export interface ActingLedger extends LedgerState {
  /** For submissions without an effect. */
  readonly probe: Probe;
  submit(submission: Submission): Submitted;
  advance(micros: bigint): void;
}

export interface CustomAction {
  readonly name: string;
  /** The type of its argument. */
  readonly argument: DamlType;
  /** A Daml script, or a function. It fails by an exception. */
  readonly act: Script | ((ledger: ActingLedger, argument: DamlValue) => void);
}

const UNIT: DamlType = { kind: 'unit' };

/** The action of a script; a script without an argument gets a unit. */
export const scriptAction = (script: Script): CustomAction => ({
  name: scriptName(script),
  argument: script.argument ?? UNIT,
  act: script,
});

export interface ScriptOutcome {
  /** The result, a run-time value; undefined if it failed. */
  readonly result: unknown;
  readonly failure: string | undefined;
  readonly ledger: IdeLedger;
}

/** Runs a script on the contracts of a fuzzed ledger. */
export function runScript(
  packages: ScriptPackages,
  script: Script,
  argument: DamlValue | undefined,
  options: IdeOptions & { readonly onSubmit: (attempt: IdeAttempt) => void },
): ScriptOutcome {
  const ledger = new IdeLedger(packages, options);
  try {
    const given =
      script.argument === undefined || argument === undefined
        ? undefined
        : toRuntime(packages, script.argument, argument);
    const result = atOnce(new ScriptRun(script, { packages, ledger }).run(given));
    return { result, failure: undefined, ledger };
  } catch (error) {
    return { result: undefined, failure: failureOf(error).message, ledger };
  }
}
