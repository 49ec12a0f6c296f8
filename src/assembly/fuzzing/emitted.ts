/** Bugs of a fuzzed project with their shortest steps, and as texts of tests. */
import { relative } from 'node:path';
import { asDamlScript } from '../../fuzzing/emitting/daml-script.js';
import { asTest, type OwnInvariant } from '../../fuzzing/emitting/jest-test.js';
import {
  reproduce,
  type ReproducedBug,
  type ReproduceOptions,
} from '../../fuzzing/emitting/reproduce.js';
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

/** The bugs of a project with their shortest steps. @param limits of the shrinking of each bug */
export function reproduced(
  project: FuzzProject,
  bugs: readonly FoundBug[],
  limits: Pick<ReproduceOptions, 'maxReplays'> = {},
): readonly ReproducedBug[] {
  const { packages, start, ledger, settings } = project;
  const checks = project.checks();
  const dars = [settings.file, ...(settings.dars ?? [])];
  const origin = originOf(settings);
  const options = { packages, start, checks, ledger, dars, origin, ...limits };
  return bugs.map((bug) => reproduce(bug, options));
}

function originOf({ setup, scenario, load }: FuzzSettings): Origin {
  if (setup !== undefined) return { kind: 'script', name: setup };
  const path = scenario ?? load;
  return path === undefined ? { kind: 'parties' } : { kind: 'file', path };
}

/** Where the texts of a bug are written. */
export interface EmittedPlace {
  /** The folder of the scenario and the test. */
  readonly folder: string;
  /** The file of the test. */
  readonly test: string;
}

/** A bug as texts. @param place the current folder by default */
export function emittedOf(
  project: FuzzProject,
  bug: ReproducedBug,
  place: Partial<EmittedPlace> = {},
): FuzzedBug {
  const { folder = '.', test } = place;
  const { reproduction, steps, story } = bug;
  const { check, place: where, message } = reproduction.finding;
  const { settings, ledger } = project;
  const codec = codecOf(project);
  const { setup, scenario, load, parties, packages } = settings;
  const options = { setup, scenario, load, parties, packages };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    check,
    place: where,
    message,
    story: story.join('\n'),
    steps: steps.map((step) => codec.encode(step)),
    scenario: asScenario(
      reproduction,
      reproduction.dars.map((dar) => relative(folder, dar)),
      test,
    ),
    damlScript: asDamlScript(reproduction, moduleNameOf(check), test),
    test: asTest(reproduction, steps, {
      options: Object.fromEntries(given),
      actions: (name) => ledger.actions?.get(name)?.argument,
      own: ownInvariant(project, check, folder),
    }),
  };
}

/** @param folder of the emitted test */
function ownInvariant(
  project: FuzzProject,
  check: string,
  folder: string,
): OwnInvariant | undefined {
  const own = project.ownOf(check);
  if (own === undefined || own === 'test') return own;
  const path = relative(folder, own.file).replaceAll('\\', '/');
  const module = path.startsWith('.') ? path : `./${path}`;
  return { module, name: own.name, place: own.place };
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
