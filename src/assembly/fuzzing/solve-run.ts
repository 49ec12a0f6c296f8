/** Solves the conditions of branches that a run has not reached: `--solve`. */
import { FuzzLedger } from '../../fuzzing/ledger/fuzz-ledger.js';
import type { FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import { prefixesOf, Solving } from '../../fuzzing/solving/solve.js';
import type { Solver } from '../../fuzzing/solving/conditions.js';
import type { FuzzProject } from './fuzz-project.js';
import { z3Solver } from './z3.js';

/** A branch inside another one shows only after the outer one was reached. */
const MAX_ROUNDS = 4;
/** The number of a solved sequence in the report. */
const SOLVED = -3;

/**
 * Runs the solved sequences with all checks, and adds them to the corpus of the run.
 * @returns the number of branches that it reached
 */
export async function solveRun(project: FuzzProject, run: FuzzRun): Promise<number> {
  const solver = await z3Solver();
  try {
    return await solved(project, run, solver);
  } finally {
    solver.close();
  }
}

async function solved(project: FuzzProject, run: FuzzRun, solver: Solver): Promise<number> {
  const { packages, start, ledger, coverage } = project;
  const solving = new Solving(new FuzzLedger(packages, start, ledger), coverage.probes, solver);
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await solving.solve(run.corpus.flatMap(({ steps }) => prefixesOf(steps)));
    if (found.length === 0) break;
    count += found.length;
    for (const { steps } of found) run.runSteps(SOLVED, steps);
    run.absorb(found.map(({ steps }) => ({ steps, isOfCode: true })));
  }
  return count;
}
