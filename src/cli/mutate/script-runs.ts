/** Runs the scripts of a DAR against its mutants. */
import type { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import type { Mutant } from '../../mutating/operators/mutant.js';
import type { Outcome } from '../../mutating/reporting/mutation-report.js';
import type { ScriptFacts } from '../../mutating/running/script-suite.js';
import { NO_DIFFERENCE, NOT_REACHED, type Verdict } from '../../mutating/running/verdict.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import type { ChooseMutants, MutateFlags, SuiteRun } from './flags.js';
import { MutantThreads, progress } from './mutant-threads.js';
import type { Order } from './orders.js';

/** @throws CommandFailed if there are no scripts */
export async function runScripts(
  dar: MutatedDar,
  choose: ChooseMutants,
  { workers }: Pick<MutateFlags, 'workers'>,
  terminal: Terminal,
): Promise<SuiteRun> {
  const { mutation, suite, options } = dar;
  const { file } = options;
  if (suite.scripts.length === 0)
    throw new CommandFailed(`${file} has no script that can run as a test: name a DAR with tests.`);
  const threads = new MutantThreads(
    suite,
    { kind: 'scripts', options },
    terminal.mutateWorker,
    workers,
  );
  try {
    const facts = await threads.all<ScriptFacts>(
      suite.scripts.map((_, index) => ({ kind: 'script', index })),
    );
    const reached = new Set(facts.flatMap((each) => (each.failure ? [] : each.reached)));
    const chosen = choose(mutation.mutants, ({ number }) => reached.has(number));
    const outcomes = await judged(threads, chosen, facts, progress(chosen.length, terminal));
    const tests = facts.map(({ name, failure }) => ({ name, ...(failure && { failure }) }));
    return { tests, outcomes };
  } finally {
    await threads.end();
  }
}

async function judged(
  threads: MutantThreads,
  mutants: readonly Mutant[],
  facts: readonly ScriptFacts[],
  onDone: (count: number) => void,
): Promise<readonly Outcome[]> {
  // The shortest tests first.
  const usable = facts
    .map((each, index) => ({
      ...each,
      index,
      reached: new Set(each.reached),
      affected: new Set(each.affected),
    }))
    .filter(({ failure }) => failure === undefined)
    .sort((a, b) => a.steps - b.steps || a.index - b.index);
  const plans = mutants.map((mutant) => {
    const tests = usable.filter(({ reached }) => reached.has(mutant.number));
    return { mutant, tests, affected: tests.filter(({ affected }) => affected.has(mutant.number)) };
  });
  const run = plans.filter(({ affected }) => affected.length > 0);
  const orders = run.map(({ mutant, affected }): Order => {
    const scripts = affected.map(({ index, steps, effect }) => ({ index, steps, effect }));
    return { kind: 'judge', number: mutant.number, scripts };
  });
  const verdicts = await threads.all<Verdict>(orders, onDone);
  const byMutant = new Map(run.map(({ mutant }, index) => [mutant, verdicts[index]!]));
  return plans.map(({ mutant, tests }) => ({
    mutant,
    verdict: byMutant.get(mutant) ?? (tests.length > 0 ? NO_DIFFERENCE : NOT_REACHED),
    tests: [...tests].sort((a, b) => a.index - b.index).map(({ name }) => name),
  }));
}
