/** Fuzzes the Daml code of a DAR as tests of a test runner: one test for each check and each invariant. */
import { basename } from 'node:path';
import { lazy } from '../../daml/errors/lazy.js';
import type * as Emitting from '../../fuzzing/emitting/reproduce.js';
import type * as Projects from '../../assembly/fuzzing/fuzz-project.js';
import type { FuzzSettings } from '../../assembly/fuzzing/settings.js';
import type * as Invariants from '../../fuzzing/invariants/index.js';
import type { Check } from '../../fuzzing/model/finding.js';
import type * as Runs from '../../fuzzing/running/fuzz-run.js';
import { globalRunner, type DescribingRunner } from './daml-tests.js';

const projects = lazy(() => require('../../assembly/fuzzing/fuzz-project.js') as typeof Projects);
const runs = lazy(() => require('../../fuzzing/running/fuzz-run.js') as typeof Runs);
const emitting = lazy(() => require('../../fuzzing/emitting/reproduce.js') as typeof Emitting);
const invariants = lazy(() => require('../../fuzzing/invariants/index.js') as typeof Invariants);

/** Random sequences of a run without `runs`. */
export const DEFAULT_FUZZ_RUNS = 200;

/** An invariant of a fuzzed model. */
export type FuzzInvariant = Check;

/** Selects the actions of a fuzzed DAR, its start state, its invariants and its budget. */
export interface FuzzDamlOptions extends Pick<
  FuzzSettings,
  | 'dars'
  | 'packages'
  | 'setup'
  | 'scenario'
  | 'parties'
  | 'only'
  | 'exclude'
  | 'weights'
  | 'actions'
  | 'skipChecks'
  | 'failOn'
  | 'budget'
  | 'steps'
  | 'protocolVersion'
> {
  /** Title of the `describe` block; by default the name of the file or the package. */
  readonly name?: string;
  /** The number of random sequences; 200 by default. */
  readonly runs?: number;
  /** The same seed gives the same run; 0 by default. */
  readonly seed?: number;
  /** Invariants, in addition to those in the Daml code. */
  readonly invariants?: readonly FuzzInvariant[];
  /** Required if the functions are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: DescribingRunner;
}

/**
 * Runs random sequences of the creates and choices of an archive, and declares a test for each check and invariant. A
 * test fails with the bugs that its check found, each with the fewest steps that show it.
 * @param dar the archive, its path, or its name in the folder CANTICLE_DARS
 */
export function fuzzDaml(dar: Uint8Array | string, options: FuzzDamlOptions = {}): void {
  const { name, runs: count = DEFAULT_FUZZ_RUNS, invariants: own = [], runner, ...rest } = options;
  const { describe, it } = runner ?? globalRunner('fuzzDaml');
  const { seed = 0, ...settings } = rest;
  const file = typeof dar === 'string' ? { file: dar } : { file: 'the archive', bytes: dar };
  const project = new (projects().FuzzProject)({ ...settings, ...file, seed });
  const checks = [...project.checks(), ...own];
  const title = name ?? (typeof dar === 'string' ? basename(dar) : project.main.name);
  const stories = lazy(() => storiesOf(project, checks, count));
  describe(title, () => {
    for (const check of checks)
      it(`${check.name}: ${check.summary}`, () => {
        const found = stories().get(check.name);
        if (found !== undefined) throw new FuzzingFailed(found.join('\n\n'));
      });
  });
}

/** Fuzzing found a bug. The message has the steps that show it. */
export class FuzzingFailed extends Error {
  override readonly name = 'FuzzingFailed';
}

/** The stories of the bugs, by the name of the check. */
function storiesOf(
  project: Projects.FuzzProject,
  checks: readonly Check[],
  count: number,
): ReadonlyMap<string, readonly string[]> {
  const { packages, start, actions, constants, ledger, settings } = project;
  const { FuzzRun } = runs();
  const run = new FuzzRun({
    ...{ packages, start, actions, constants, ledger, checks },
    seed: String(settings.seed),
    ...(settings.steps !== undefined && { steps: settings.steps }),
  });
  for (let sequence = 0; sequence < count; sequence++) run.next(sequence);
  const failures = run.report().bugs.filter(({ finding }) => finding.isNote !== true);
  const { reproduce } = emitting();
  const origin = { kind: 'parties' } as const;
  const stories = new Map<string, string[]>();
  for (const bug of failures) {
    const { story } = reproduce(bug, { packages, start, checks, ledger, dars: [], origin });
    const { check } = bug.finding;
    stories.set(check, [...(stories.get(check) ?? []), story.join('\n')]);
  }
  return stories;
}

/**
 * An invariant of a fuzzed model: it must hold in the start state and after each step of a sequence.
 * @param name identifies its failures
 * @param holds returns false, a sentence or several sentences about the violation, or throws an exception, if not
 */
export const invariant: typeof Invariants.invariant = (name, holds) =>
  invariants().invariant(name, holds);

/**
 * An invariant of a fuzzed model: no choice changes the sum of a field. Commands that create or archive a contract
 * directly may change it, because they have the authority of all signatories.
 */
export const conserved: typeof Invariants.conserved = (options) => invariants().conserved(options);

/**
 * An invariant of a fuzzed model: only the parties in some fields of a contract see it, as stakeholders or as
 * witnesses of a choice.
 */
export const seenOnlyBy: typeof Invariants.seenOnlyBy = (options) =>
  invariants().seenOnlyBy(options);
