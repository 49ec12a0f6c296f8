/** Fuzzes the Daml code of a DAR as tests of a test runner: one test for each check and each invariant. */
import { basename } from 'node:path';
import { lazy } from '../../daml/errors/lazy.js';
import type * as Emitted from '../../assembly/fuzzing/emitted.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type * as Projects from '../../assembly/fuzzing/fuzz-project.js';
import type { FuzzSettings } from '../../assembly/fuzzing/settings.js';
import type * as Invariants from '../../fuzzing/invariants/index.js';
import type { Check } from '../../fuzzing/model/finding.js';
import type { FuzzAction } from '../../fuzzing/invariants/acting-view.js';
import type { StepJson } from '../../fuzzing/model/step-json.js';
import type * as Runs from '../../fuzzing/running/fuzz-run.js';
import { globalRunner, type DescribingRunner } from './daml-tests.js';

export type { FuzzedBug, FuzzingFailed } from '../../assembly/fuzzing/emitted.js';

const projects = lazy(() => require('../../assembly/fuzzing/fuzz-project.js') as typeof Projects);
const runs = lazy(() => require('../../fuzzing/running/fuzz-run.js') as typeof Runs);
const emitted = lazy(() => require('../../assembly/fuzzing/emitted.js') as typeof Emitted);
const invariants = lazy(() => require('../../fuzzing/invariants/index.js') as typeof Invariants);

/** Random sequences of a run without `runs`. */
const DEFAULT_FUZZ_RUNS = 200;

/** An invariant of a fuzzed model. */
export type FuzzInvariant = Check;

/** Selects the actions of a fuzzed DAR, its start state and its invariants. */
export interface FuzzedModelOptions extends Pick<
  FuzzSettings,
  | 'dars'
  | 'packages'
  | 'setup'
  | 'scenario'
  | 'parties'
  | 'only'
  | 'exclude'
  | 'weights'
  | 'skipChecks'
  | 'failOn'
  | 'budget'
  | 'protocolVersion'
> {
  /** Invariants, in addition to those in the Daml code. */
  readonly invariants?: readonly FuzzInvariant[];
  /** Actions in addition to creates and choices: the names of Daml scripts, or functions. */
  readonly actions?: readonly (string | FuzzAction)[];
  /** The same seed gives the same run; 0 by default. */
  readonly seed?: number;
}

/** Selects the actions of a fuzzed DAR, its start state, its invariants and its budget. */
export interface FuzzDamlOptions extends FuzzedModelOptions {
  /** Title of the `describe` block; by default the name of the file or the package. */
  readonly name?: string;
  /** The number of random sequences; 200 by default. */
  readonly runs?: number;
  /** The most steps of a sequence; 30 by default. */
  readonly steps?: number;
  /** Required if the functions are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: DescribingRunner;
}

/**
 * Runs random sequences of the creates and choices of an archive, and declares a test for each check and invariant. A
 * test fails with the bugs that its check found, each with the fewest steps that show it.
 * @param dar the archive, its path, or its name in the folder CANTICLE_DARS
 */
export function fuzzDaml(dar: Uint8Array | string, options: FuzzDamlOptions = {}): void {
  const { name, runs: count = DEFAULT_FUZZ_RUNS, runner, steps, ...model } = options;
  const { describe, it } = runner ?? globalRunner('fuzzDaml');
  const project = projectOf(dar, model, steps);
  const title = name ?? (typeof dar === 'string' ? basename(dar) : project.main.name);
  const bugs = lazy(() => bugsOf(project, count));
  describe(title, () => {
    for (const check of project.checks())
      it(`${check.name}: ${check.summary}`, () => {
        const found = bugs().filter(({ finding }) => finding.check === check.name);
        if (found.length > 0) throw failureOf(project, found);
      });
  });
}

/** The options of {@link replayDaml}. */
export interface ReplayDamlOptions extends FuzzedModelOptions {
  /** The steps, as a bug of {@link fuzzDaml} has them. */
  readonly steps: readonly StepJson[];
  /** Only bugs of this check or invariant count; all by default. */
  readonly check?: string;
}

/**
 * Runs the steps of a bug of a fuzzed archive again, in a test of any runner.
 * @param dar the archive, its path, or its name in the folder CANTICLE_DARS
 * @throws FuzzingFailed if the bug is still there, StepError if the steps do not fit the archive
 */
export function replayDaml(dar: Uint8Array | string, options: ReplayDamlOptions): void {
  const { steps: given, check, ...model } = options;
  const project = projectOf(dar, model);
  const { packages, start, ledger } = project;
  const checks = project.checks().filter(({ name }) => check === undefined || name === check);
  if (checks.length === 0)
    throw withCallerStack(new Error(`There is no check or invariant ${String(check)}.`));
  const codec = emitted().codecOf(project);
  const steps = given.map((step) => codec.decode(step));
  const findings = runs().replay(packages, start, steps, checks, { ledger });
  const bugs = findings.map((finding) => ({ finding, steps, sequence: 0, times: 1 }));
  const failures = emitted().failuresOf({ bugs });
  if (failures.length > 0) throw failureOf(project, failures);
}

function projectOf(
  dar: Uint8Array | string,
  { invariants: own, actions = [], seed = 0, ...settings }: FuzzedModelOptions,
  steps?: number,
): Projects.FuzzProject {
  const scripts = actions.filter((each) => typeof each === 'string');
  const functions = actions.filter((each) => typeof each !== 'string');
  const file = typeof dar === 'string' ? { file: dar } : { file: 'the archive', bytes: dar };
  const most = steps === undefined ? {} : { steps };
  return new (projects().FuzzProject)(
    { ...settings, ...file, ...most, seed, actions: scripts },
    { invariants: own, actions: functions },
  );
}

function bugsOf(project: Projects.FuzzProject, count: number): readonly Runs.FoundBug[] {
  const { packages, start, actions, constants, ledger, settings, coverage } = project;
  const { FuzzRun } = runs();
  const run = new FuzzRun({
    ...{ packages, start, actions, constants, ledger },
    guidance: coverage,
    checks: project.checks(),
    seed: String(settings.seed),
    ...(settings.steps !== undefined && { steps: settings.steps }),
  });
  for (let sequence = 0; sequence < count; sequence++) run.next(sequence);
  return emitted().failuresOf(run.report());
}

function failureOf(project: Projects.FuzzProject, bugs: readonly Runs.FoundBug[]): Error {
  const { failed, reproduced } = emitted();
  return failed(project, reproduced(project, bugs));
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
