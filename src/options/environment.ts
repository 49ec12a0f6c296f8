/** The environment variables that Canticle reads: those of options have a `variable` in their row, the others are here. */
import type { CANTICLE } from './canticle.js';
import type { LOCALNET } from './localnet.js';
import type { FORK } from './origins.js';

export const VARIABLES = {
  CANTICLE_COVERAGE: 'file that choice coverage of tests is added to',
  CANTICLE_COVERAGE_PACKAGES: 'packages that coverage reports: names with commas between them',
  CANTICLE_COVERAGE_LINES: 'folder of Daml sources: coverage counts their lines',
  CANTICLE_DEBUG_DAML: 'folder of Daml sources: a JavaScript debugger steps through them',
  CANTICLE_UPSTREAM: 'address of a JSON Ledger API: tests run on that participant',
  CANTICLE_UPSTREAM_TOKEN: 'token for that participant: its user submits',
  CANTICLE_QUIET_DEPRECATIONS:
    'if set, tests print nothing about calls that the next release disables or removes',
  CANTICLE_DEPRECATIONS:
    'folder that gets the number of these calls; `canticle/deprecations` sets it',
  CANTICLE_CANTON:
    'release of Canton of each instance, such as 3.6, instead of its option; `canticle rehearse` sets it',
  CANTICLE_SPLICE: 'the same for the release of Splice, which implies one of Canton',
  CANTICLE_REHEARSAL: 'folder that gets the calls of a rehearsal; `canticle rehearse` sets it',
  CANTICLE_PRIVACY: 'folder that gets what parties learn in a run; `canticle privacy` sets it',
  CANTICLE_TRAFFIC: 'folder that gets the traffic of commands in a run; `canticle traffic` sets it',
  CANTICLE_MUTANT: 'file that names the mutants of Daml code in a run; `canticle mutate` sets it',
  CANTICLE_KEEP: 'keeps the Canticle of a failed test running, so that you can inspect it',
} as const;

type VariableIn<R> = { [K in keyof R]: R[K] extends { variable: infer V } ? V : never }[keyof R];
type Variable =
  | keyof typeof VARIABLES
  | VariableIn<typeof CANTICLE>
  | VariableIn<typeof FORK>
  | VariableIn<typeof LOCALNET>;

/** @returns undefined for a variable that is not set */
export const fromEnvironment = (name: Variable): string | undefined => process.env[name];

/** Sets a variable for the processes that this one starts. */
export function setForChildren(name: Variable, value: string): void {
  process.env[name] = value;
}
