/** A DAR whose code has mutants, with random sequences that test it. Each thread makes its own, with the same numbers of mutants. */
import { DarPackage } from '../../daml/dar/dar-package.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { Check } from '../../fuzzing/model/finding.js';
import { FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import type { Mutation } from '../../mutating/mutation.js';
import type { OperatorName } from '../../mutating/operators/mutant.js';
import { FuzzSuite } from '../../mutating/running/fuzz-suite.js';
import { affectedPackages } from '../../mutating/running/mutated-packages.js';
import { FuzzProject } from '../fuzzing/fuzz-project.js';
import type { FuzzSettings } from '../fuzzing/settings.js';
import { mutationOf } from './mutated-dar.js';

/** Data that a thread needs to make the same runs. */
export interface FuzzedDarOptions {
  readonly settings: FuzzSettings;
  /** All if absent. */
  readonly operators?: readonly OperatorName[];
  /** The sequences of each mutant. */
  readonly sequences: number;
}

export class FuzzedDar {
  readonly mutation: Mutation;
  readonly main: DamlPackage;
  readonly suite: FuzzSuite;
  /** The packages with mutants. */
  readonly mutated: readonly DarPackage[];

  /** @throws as {@link FuzzProject}, its checks, and {@link FuzzProject.judgeStart} */
  constructor({ settings, operators, sequences }: FuzzedDarOptions) {
    const original = new FuzzProject(settings);
    original.judgeStart(original.checks());
    const ids = new Set(original.chosen.map(({ id }) => id));
    this.mutation = mutationOf(ids, operators);
    const project = new FuzzProject(settings, { instrumentation: this.mutation });
    this.main = project.main;
    const { packages, start, actions, constants, ledger } = project;
    const all = packages.all().filter((each) => each instanceof DarPackage);
    this.mutated = all.filter(({ id }) => ids.has(id));
    const affected = affectedPackages(all, this.mutated);
    const newRun = (more: Check): FuzzRun =>
      new FuzzRun({
        ...{ packages, start, actions, constants, ledger },
        checks: [...project.checks(), more],
        seed: String(settings.seed),
        ...(settings.steps !== undefined && { steps: settings.steps }),
      });
    const changed = all.filter(({ id }) => affected.has(id));
    this.suite = new FuzzSuite(changed, this.mutation, newRun, sequences);
  }
}
