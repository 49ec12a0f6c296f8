/** Bugs of a fuzzed project with their shortest steps, and as texts of tests. */
import { relative } from 'node:path';
import { asDamlScript } from '../../fuzzing/emitting/daml-script.js';
import { asTest } from '../../fuzzing/emitting/jest-test.js';
import { reproduce, type ReproducedBug } from '../../fuzzing/emitting/reproduce.js';
import type { Origin } from '../../fuzzing/emitting/reproduction.js';
import { asScenario } from '../../fuzzing/emitting/scenario.js';
import { StepCodec, type StepJson } from '../../fuzzing/model/step-json.js';
import type { Finding } from '../../fuzzing/model/finding.js';
import type { FoundBug, FuzzReport } from '../../fuzzing/running/fuzz-run.js';
import type { FuzzProject } from './fuzz-project.js';
import type { FuzzSettings } from './settings.js';

/** A bug with its shortest steps. */
export interface FuzzedBug {
  /** The name of the check or the invariant. */
  readonly check: string;
  /** The template and choice, or the invariant. */
  readonly place: string;
  /** One or more sentences, with the values of this case. */
  readonly message: string;
  /** The steps, and the trace of the last one, as text. */
  readonly story: string;
  /** The shortest sequence that shows it, for `replayDaml`. */
  readonly steps: readonly StepJson[];
  /** A scenario file that fails as long as the model has the bug. */
  readonly scenario: string;
  /** The same as a Daml script. */
  readonly damlScript: string;
  /** The same as a test with `replayDaml`. */
  readonly test: string;
}

/** A model has bugs. */
export class FuzzingFailed extends Error {
  /** `FuzzingFailed`. */
  override readonly name = 'FuzzingFailed';
  constructor(
    message: string,
    /** In the order in which they were found. */
    readonly bugs: readonly FuzzedBug[],
  ) {
    super(message);
  }
}

const isFailure = ({ isNote }: Finding): boolean => isNote !== true;

/** The bugs that fail a run. */
export const failuresOf = ({ bugs }: Pick<FuzzReport, 'bugs'>): readonly FoundBug[] =>
  bugs.filter(({ finding }) => isFailure(finding));

export const codecOf = ({ packages, ledger }: FuzzProject): StepCodec =>
  new StepCodec(packages, (name) => ledger.actions?.get(name)?.argument);

/** The bugs of a project with their shortest steps. */
export function reproduced(
  project: FuzzProject,
  bugs: readonly FoundBug[],
): readonly ReproducedBug[] {
  const { packages, start, ledger, settings } = project;
  const checks = project.checks();
  const dars = [settings.file, ...(settings.dars ?? [])];
  const origin = originOf(settings);
  return bugs.map((bug) => reproduce(bug, { packages, start, checks, ledger, dars, origin }));
}

function originOf({ setup, scenario, load }: FuzzSettings): Origin {
  if (setup !== undefined) return { kind: 'script', name: setup };
  const path = scenario ?? load;
  return path === undefined ? { kind: 'parties' } : { kind: 'file', path };
}

/** A bug as texts. @param folder of the scenario; the current one by default */
export function emittedOf(project: FuzzProject, bug: ReproducedBug, folder = '.'): FuzzedBug {
  const { reproduction, steps, story } = bug;
  const { check, place, message } = reproduction.finding;
  const { settings, ledger } = project;
  const codec = codecOf(project);
  const { setup, scenario, load, parties, packages } = settings;
  const options = { setup, scenario, load, parties, packages };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    check,
    place,
    message,
    story: story.join('\n'),
    steps: steps.map((step) => codec.encode(step)),
    scenario: asScenario(
      reproduction,
      reproduction.dars.map((dar) => relative(folder, dar)),
    ),
    damlScript: asDamlScript(reproduction, moduleNameOf(check)),
    test: asTest(reproduction, steps, {
      options: Object.fromEntries(given),
      actions: (name) => ledger.actions?.get(name)?.argument,
      isOwn: project.isOwn(check),
    }),
  };
}

/** `Reproductions.ArithmeticError` for `arithmetic-error`. */
function moduleNameOf(check: string): string {
  const words = check.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `Reproductions.${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}`;
}

/** The error of a test that found bugs. */
export function failed(project: FuzzProject, bugs: readonly ReproducedBug[]): FuzzingFailed {
  const { main, settings } = project;
  const found = bugs.length === 1 ? '1 bug' : `${bugs.length} bugs`;
  const headline = `${main.name} ${main.version} has ${found} (seed ${settings.seed}).`;
  const texts = bugs.map(({ story }) => story.join('\n'));
  const emitted = bugs.map((bug) => emittedOf(project, bug));
  return new FuzzingFailed([headline, ...texts].join('\n\n'), emitted);
}
