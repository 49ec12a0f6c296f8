/** Runs a scenario: every step in order, with a report of each expectation. */
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { ScenarioDocument, ScenarioStep } from './document.js';
import { ExpectationFailed } from './faults.js';
import { ScenarioError, type FieldPath, type Place } from '../wallet/scenario-error.js';
import { ANY_CODE } from './fields.js';
import { expectThat, isRefusedAs, labelOf, perform, type Step } from './perform.js';
import type { World } from './world.js';

export interface ExpectationReport {
  readonly place: Place;
  /** As it was written. */
  readonly label: string;
  /** The number of times that it held, which can be more than one in a repetition. */
  readonly held: number;
  /** Its first failure. */
  readonly failure?: ExpectationFailed;
}

export interface ScenarioReport {
  readonly document: ScenarioDocument;
  /** In the order of the file. */
  readonly expectations: readonly ExpectationReport[];
  /** The number of executed steps. Each repetition counts; entries of the head do not. */
  readonly steps: number;
  /** The reason why the scenario ended before its last step. */
  readonly broken?: ScenarioError;
  /** Replaces ids in a text by the names of the scenario. */
  readonly humanize: (text: string) => string;
}

/** Called before each step. */
export type Progress = (done: number, total: number) => void;

/** A failed step ends the run, because later steps depend on it. A failed expectation does not. */
export function runScenario(
  world: World,
  document: ScenarioDocument,
  progress: Progress = () => {},
): ScenarioReport {
  const run = new Run(world, document, progress);
  const definitions = definitionsOf(document);
  world.names.whereDefined = (name) => definitions.get(name);
  try {
    run.steps(document.steps);
    return run.report();
  } catch (error) {
    if (error instanceof ScenarioError) return run.report(error);
    throw error;
  } finally {
    world.names.whereDefined = () => undefined;
  }
}

class Run {
  private readonly expectations = new Map<string, ExpectationReport>();
  private done = 0;
  private count = 0;
  private readonly total: number;

  constructor(
    private readonly world: World,
    private readonly document: ScenarioDocument,
    private readonly progress: Progress,
  ) {
    this.total = countOf(document.steps);
  }

  report(broken?: ScenarioError): ScenarioReport {
    const expectations = [...this.expectations.values()];
    const humanize = (text: string): string => this.world.humanize(text);
    return { document: this.document, expectations, steps: this.count, broken, humanize };
  }

  steps(steps: readonly ScenarioStep[]): void {
    for (const step of steps) {
      if (step.kind === 'repeat') this.repeat(step);
      else if (step.kind === 'attempt') this.attempt(step);
      else {
        this.progress(this.done++, this.total);
        // The shorthand at the top of the file is not a step.
        if (step.path[0] === 'steps') this.count++;
        if (step.kind === 'expect') this.expect(step);
        else this.verb(step);
      }
    }
  }

  private repeat(step: Extract<ScenarioStep, { kind: 'repeat' }>): void {
    for (let round = 1; round <= step.times; round++) {
      this.world.names.set(step.index, round);
      this.steps(step.steps);
    }
  }

  private attempt({ steps, step, path, number }: Extract<ScenarioStep, { kind: 'attempt' }>): void {
    const error = this.rejectionIn(steps);
    const { refused, notRefusedWith } = step;
    const problems: string[] = [];
    const found = error && this.world.humanize(error.message);
    if (refused !== undefined && (error === undefined || !isRefusedAs(error, refused)))
      problems.push(
        `refused: expected ${refused === ANY_CODE ? 'an error' : String(refused)}, ${found === undefined ? 'but all steps were accepted' : `found ${found}`}`,
      );
    if (typeof notRefusedWith === 'string' && error?.message.includes(notRefusedWith) === true)
      problems.push(`notRefusedWith: the error contains '${notRefusedWith}': ${String(found)}`);
    if (refused === undefined && notRefusedWith === undefined) return;
    const { attempt: _, ...expected } = step;
    this.record(path, expected, () => {
      if (problems.length > 0)
        throw new ExpectationFailed(
          labelOf(expected),
          problems,
          undefined,
          this.document.placeOf(path),
          `${number} (attempt)`,
          error,
        );
    });
  }

  /** Runs steps until the ledger rejects one. */
  private rejectionIn(steps: readonly ScenarioStep[]): LedgerError | undefined {
    try {
      this.steps(steps);
      return undefined;
    } catch (error) {
      if (error instanceof ScenarioError && error.cause instanceof LedgerError) return error.cause;
      throw error;
    }
  }

  private verb({ verb, step, path, number }: Extract<ScenarioStep, { kind: 'verb' }>): void {
    const act = () =>
      this.located(path, `${number} (${verb})`, () => perform(this.world, verb, step));
    if (step.refused === undefined) act();
    else this.record(path, step, act);
  }

  private expect({ expectations, number }: Extract<ScenarioStep, { kind: 'expect' }>): void {
    for (const { path, step } of expectations)
      this.record(path, step, () =>
        this.located(path, `${number} (expect)`, () => expectThat(this.world, step)),
      );
  }

  private record(path: FieldPath, step: Step, check: () => void): void {
    const key = path.join('.');
    const before = this.expectations.get(key) ?? {
      place: this.document.placeOf(path),
      label: labelOf(step),
      held: 0,
    };
    try {
      check();
      this.expectations.set(key, { ...before, held: before.held + 1 });
    } catch (error) {
      if (!(error instanceof ExpectationFailed)) throw error;
      this.expectations.set(key, { ...before, failure: before.failure ?? error });
    }
  }

  /** Adds the position in the file to an error. */
  private located<T>(path: FieldPath, step: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof ExpectationFailed)
        throw new ExpectationFailed(
          error.expectation,
          error.errors,
          error.holds,
          this.document.placeOf(path),
          step,
          error.cause,
        );
      if (error instanceof ScenarioError)
        throw new ScenarioError(
          error.reason,
          error.path,
          this.document.placeOf([...path, ...error.path]),
          step,
          error.cause,
        );
      if (!(error instanceof LedgerError)) throw error;
      const { explanation } = error.details;
      const isSaid = explanation === undefined || error.message.includes(explanation);
      const reason = `refused: ${error.message}${isSaid ? '' : ` ${explanation}`}`;
      const next = `If the scenario expects this rejection, add \`refused: ${error.code}\`.`;
      throw new ScenarioError(
        `${this.world.humanize(reason)}\n  ${next}`,
        [],
        this.document.placeOf(path),
        step,
        error,
      );
    }
  }
}

/** @throws ScenarioError if the scenario ended early, or with every failed expectation */
export function requireMet({ document, expectations, broken }: ScenarioReport): void {
  if (broken !== undefined) throw broken;
  const failures = expectations.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return;
  const headline = `${document.file} does not meet the expectations:`;
  const message = [headline, ...failures.map((each) => each.message)].join('\n');
  const cause = failures.find((each) => each.cause !== undefined)?.cause;
  throw new ScenarioError(message, [], undefined, undefined, cause);
}

function countOf(steps: readonly ScenarioStep[]): number {
  return steps.reduce(
    (sum, step) =>
      sum +
      (step.kind === 'repeat'
        ? step.times * countOf(step.steps)
        : step.kind === 'attempt'
          ? countOf(step.steps)
          : 1),
    0,
  );
}

/** The step that sets each name, for errors about names used too early. */
function definitionsOf(document: ScenarioDocument): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  const collect = (steps: readonly ScenarioStep[]): void => {
    for (const step of steps) {
      if (step.kind === 'repeat' || step.kind === 'attempt') collect(step.steps);
      if (step.kind !== 'verb') continue;
      const names = [step.step.as, step.verb === 'party' ? step.step.party : undefined];
      const { line } = document.placeOf(step.path);
      for (const name of names)
        if (typeof name === 'string' && !definitions.has(name))
          definitions.set(
            name,
            `Step ${step.number} in line ${line} sets this name: it runs later, or was reverted.`,
          );
    }
  };
  collect(document.steps);
  return definitions;
}
