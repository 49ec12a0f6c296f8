/** Runs random sequences against mutants. A mutant is noticed if a check or an invariant reports a bug that the original code has not. */
import type { DarPackage } from '../../daml/dar/dar-package.js';
import type { Check } from '../../fuzzing/model/finding.js';
import { bugKey, type FoundBug, type FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import type { Mutation } from '../mutation.js';
import { stepLimit } from './step-budget.js';
import { oneLine, type Verdict } from './verdict.js';

/** A shorter run counts as this long. */
const LEAST_STEPS = 1_000_000;

/** The sequences with the original code. */
export interface FuzzFacts {
  /** Of the Daml machine. */
  readonly steps: number;
  /** The keys of its bugs. */
  readonly bugs: readonly string[];
  /** The numbers of the mutants that it reaches, and of those that can change its outcome. */
  readonly reached: readonly number[];
  readonly affected: readonly number[];
}

export class FuzzSuite {
  /**
   * @param affected the packages with mutants, and those that refer to them
   * @param newRun makes a run with its own checks and this one
   * @param sequences the number of sequences of each run
   */
  constructor(
    private readonly affected: readonly DarPackage[],
    private readonly mutation: Mutation,
    private readonly newRun: (more: Check) => FuzzRun,
    private readonly sequences: number,
  ) {}

  facts(): FuzzFacts {
    const { mutants, selector } = this.mutation;
    selector.reached.length = 0;
    selector.differs.length = 0;
    selector.unfinished.length = 0;
    const { bugs: found, steps } = this.run(-1, Infinity);
    const bugs = found.map(({ finding }) => bugKey(finding));
    const reached = mutants.filter(({ place }) => selector.reached[place]);
    const affected = reached.filter((each) => this.mutation.mayChange(each));
    const numbers = (of: typeof reached) => of.map(({ number }) => number);
    return { bugs, steps, reached: numbers(reached), affected: numbers(affected) };
  }

  /** @param original the sequences with the original code */
  judge(number: number, original: Pick<FuzzFacts, 'bugs' | 'steps'>): Verdict {
    const limit = stepLimit(original.steps, LEAST_STEPS);
    const { bugs, steps } = this.run(number, limit);
    if (steps > limit) return { status: 'timeout' };
    const found = bugs.find(({ finding }) => !original.bugs.includes(bugKey(finding)));
    if (found === undefined) return { status: 'survived' };
    const { check, message } = found.finding;
    return { status: 'killed', by: check, reason: oneLine(message) };
  }

  private run(
    mutant: number,
    limit: number,
  ): { readonly bugs: readonly FoundBug[]; readonly steps: number } {
    for (const each of this.affected) each.forgetConstants();
    const { selector } = this.mutation;
    let steps = 0;
    const run = this.newRun(counting((work) => (steps += work)));
    selector.at = mutant;
    try {
      for (let sequence = 0; sequence < this.sequences && steps <= limit; sequence += 1)
        run.next(sequence);
      const bugs = run.report().bugs.filter(({ finding }) => finding.isNote !== true);
      return { bugs, steps };
    } finally {
      selector.at = 0;
    }
  }
}

/** Counts the steps of submissions. */
const counting = (add: (work: number) => void): Check => ({
  name: 'steps',
  summary: 'Nothing: it counts the steps of a run.',
  start: () => ({
    afterStep({ submitted }) {
      for (const { work } of submitted) add(work);
      return [];
    },
  }),
});
