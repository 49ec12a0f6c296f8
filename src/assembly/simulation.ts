/** Simulations in the form for tests: commands of the JSON Ledger API, submissions, or functions of the earlier results. */
import type { Party } from '../daml/model/values.js';
import type { Network } from '../network/network.js';
import type { ContractOverride } from '../network/simulation/overrides.js';
import type { SimulatedStep, Simulation } from '../network/simulation/simulation-types.js';
import { simulateSteps, type WordedStep } from '../services/control/simulation.js';
import type { Command, JsCommands } from '../spec/generated/ledger.js';
import type { Releases } from '../spec/releases/releases.js';
import { partiesOf } from '../wallet/submit-options.js';

/** A submission of the JSON Ledger API. Only `commands` is required. */
export interface SimulatedSubmission extends Partial<Omit<JsCommands, 'commands'>> {
  /** The commands of one transaction. */
  readonly commands: readonly Command[];
  /** Name of the participant. */
  readonly participant?: string;
  /** Time of the submission: RFC 3339, not before the current time. */
  readonly time?: string;
}

/** A submission, a single command, or a function that returns one from the results of the earlier steps. */
export type Simulated =
  | Command
  | SimulatedSubmission
  | ((done: readonly SimulatedStep[]) => Command | SimulatedSubmission);

/** Defaults for steps that do not set these members. */
export interface SimulateOptions {
  /** The acting parties. */
  readonly actAs?: Party | readonly Party[];
  /** Further parties whose contracts may be used. */
  readonly readAs?: Party | readonly Party[];
  /** Name of the participant; by default the first that hosts all acting parties. */
  readonly participant?: string;
  /** Time of the submissions: RFC 3339, not before the current time. */
  readonly time?: string;
  /**
   * Contracts to replace: `{ contractId, archived: true }` removes one, `{ contractId, createArguments }` changes its payload, and
   * `{ createdEventBlob }` adds one from elsewhere.
   */
  readonly contracts?: readonly ContractOverride[];
  /** Whether the results contain traces; true by default. */
  readonly trace?: boolean;
}

export function simulated(
  network: Network,
  releases: Releases,
  steps: Simulated | readonly Simulated[],
  { actAs, readAs, ...options }: SimulateOptions,
): Simulation {
  const list = Array.isArray(steps) ? (steps as readonly Simulated[]) : [steps as Simulated];
  const next = (done: readonly SimulatedStep[]): WordedStep | undefined => {
    const given = list[done.length];
    const step = typeof given === 'function' ? given(done) : given;
    if (step === undefined) return undefined;
    return ('commands' in step ? step : { commands: [step] }) as unknown as WordedStep;
  };
  return simulateSteps(network, releases, next, {
    ...options,
    actAs: actAs === undefined ? undefined : partiesOf(actAs),
    readAs: readAs === undefined ? undefined : partiesOf(readAs),
  });
}
