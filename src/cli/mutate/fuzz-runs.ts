/** Runs random sequences against the mutants of a DAR. Checks and invariants are the tests. */
import { FuzzedDar, type FuzzedDarOptions } from '../../assembly/mutating/fuzzed-dar.js';
import type { Mutant } from '../../mutating/operators/mutant.js';
import type { FuzzFacts } from '../../mutating/running/fuzz-suite.js';
import { NO_DIFFERENCE, NOT_REACHED, type Verdict } from '../../mutating/running/verdict.js';
import { problemOf } from '../fuzz/problem.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import type { ChooseMutants, MutateFlags, SuiteRun } from './flags.js';
import { MutantThreads, progress } from './mutant-threads.js';
import type { Order } from './orders.js';

/** The name of the only test. */
const TEST = 'random sequences';

/** @throws CommandFailed if the settings do not fit the DAR */
export function fuzzedDar(
  file: string,
  operators: FuzzedDarOptions['operators'],
  { package: packages, invariant: invariants, seed = 0, cache, setup, runs }: MutateFlags,
): readonly [FuzzedDar, FuzzedDarOptions] {
  const settings = {
    ...{ file, packages, invariants, seed },
    ...(cache !== undefined && { cache }),
    ...(setup !== undefined && { setup }),
  };
  const options = { settings, sequences: runs, ...(operators && { operators }) };
  try {
    return [new FuzzedDar(options), options];
  } catch (error) {
    const why = problemOf(error);
    if (why === undefined) throw error;
    throw new CommandFailed(`failed to fuzz ${file}: ${why}`);
  }
}

export async function runSequences(
  { mutation, suite }: FuzzedDar,
  options: FuzzedDarOptions,
  choose: ChooseMutants,
  { workers }: Pick<MutateFlags, 'workers'>,
  terminal: Terminal,
): Promise<SuiteRun> {
  const setting = { kind: 'fuzz', options } as const;
  const threads = new MutantThreads(suite, setting, terminal.mutateWorker, workers);
  try {
    const [facts] = await threads.all<FuzzFacts>([{ kind: 'sequences' }]);
    const { bugs, steps } = facts!;
    const original = { bugs, steps };
    const [reached, affected] = [new Set(facts!.reached), new Set(facts!.affected)];
    const chosen = choose(mutation.mutants, ({ number }) => reached.has(number));
    const run = chosen.filter(({ number }) => affected.has(number));
    const orders = run.map(({ number }): Order => ({ kind: 'fuzz', number, original }));
    const verdicts = await threads.all<Verdict>(orders, progress(orders.length, terminal));
    const byMutant = new Map(run.map((mutant, index) => [mutant, verdicts[index]!]));
    const verdictOf = (mutant: Mutant): Verdict =>
      byMutant.get(mutant) ?? (reached.has(mutant.number) ? NO_DIFFERENCE : NOT_REACHED);
    const outcomes = chosen.map((mutant) => ({
      mutant,
      verdict: verdictOf(mutant),
      tests: reached.has(mutant.number) ? [TEST] : [],
    }));
    return { tests: [{ name: TEST }], outcomes };
  } finally {
    await threads.end();
  }
}
