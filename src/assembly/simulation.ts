/** Simulations as tests word them: commands of the JSON Ledger API, alone or with more about them, or made of what came before. */
import type { Party } from '../daml/model/values.js';
import type { Network } from '../network/network.js';
import type { ContractOverride } from '../network/simulation/overrides.js';
import type { SimulatedStep, Simulation } from '../network/simulation/simulation-types.js';
import { simulateSteps, type WordedStep } from '../services/control/simulation.js';
import type { Command, JsCommands } from '../spec/generated/ledger.js';
import type { ApiVersion } from '../spec/versions.js';
import { partiesOf } from '../wallet/submit-options.js';

/** A submission of the JSON Ledger API, in which only its commands are needed. */
export interface SimulatedSubmission extends Partial<Omit<JsCommands, 'commands'>> {
  /** One transaction. */
  readonly commands: readonly Command[];
  /** The name of the one that it is submitted to. */
  readonly participant?: string;
  /** To which time is moved first: RFC 3339, not before what it is then. */
  readonly time?: string;
}

/** A submission, or a command that is one by itself; or what makes one of what became of those before it. */
export type Simulated =
  | Command
  | SimulatedSubmission
  | ((done: readonly SimulatedStep[]) => Command | SimulatedSubmission);

/** What holds for each step that does not say it. */
export interface SimulateOptions {
  /** Who acts. */
  readonly actAs?: Party | readonly Party[];
  /** Further parties whose contracts may be used. */
  readonly readAs?: Party | readonly Party[];
  /** The name of the one that is submitted to; the first that hosts all who act where absent. */
  readonly participant?: string;
  /** To which time is moved first: RFC 3339, not before now. */
  readonly time?: string;
  /**
   * Contracts that are taken as others: `{ contractId, archived: true }`, `{ contractId, createArguments }` under the same id, or
   * `{ createdEventBlob }` of one that is not here.
   */
  readonly contracts?: readonly ContractOverride[];
  /** Whether steps carry their traces; true by default. */
  readonly trace?: boolean;
}

export function simulated(
  network: Network,
  apiVersion: ApiVersion,
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
  return simulateSteps(network, apiVersion, next, {
    ...options,
    actAs: actAs === undefined ? undefined : partiesOf(actAs),
    readAs: readAs === undefined ? undefined : partiesOf(readAs),
  });
}
