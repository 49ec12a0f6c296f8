/** The built-in checks of a run, one row each. */
import type { Check, Finding, RunFinding, RunningCheck } from '../model/finding.js';
import { anyoneMayExercise, delegatedAuthority } from './authority.js';
import { stepBudget, trafficBudget, type Budget } from './budgets.js';
import { arithmeticError, failingEnsure, partialFunction } from './crashes.js';
import { doubleSpending } from './racing.js';
import { stuckContract } from './stuck.js';
import { failingView } from './views.js';
import { divulgedPayload, needsDisclosure } from './visibility.js';

export interface CheckSelection {
  /** Names of checks to leave out. */
  readonly off?: readonly string[];
  /** Names of checks whose notes are failures, too. */
  readonly failing?: readonly string[];
}

/** A name of a check that does not exist. */
export class UnknownCheck extends Error {
  override readonly name = 'UnknownCheck';
}

const ROWS: readonly ((budget: Budget) => Check)[] = [
  () => anyoneMayExercise,
  () => delegatedAuthority,
  () => needsDisclosure,
  () => divulgedPayload,
  () => doubleSpending,
  () => arithmeticError,
  () => partialFunction,
  () => failingEnsure,
  () => failingView,
  () => stuckContract(),
  stepBudget,
  trafficBudget,
];

/** The built-in checks for one run. */
export const builtInChecks = (budget: Budget = {}): readonly Check[] =>
  ROWS.map((row) => row(budget));

/**
 * The checks of a selection.
 * @throws UnknownCheck if the selection names a check that is not one of these
 */
export function selectChecks(
  checks: readonly Check[],
  { off = [], failing = [] }: CheckSelection,
): readonly Check[] {
  const names = checks.map(({ name }) => name);
  for (const name of [...off, ...failing])
    if (!names.includes(name))
      throw new UnknownCheck(`There is no check ${name}. The checks are ${names.join(', ')}.`);
  return checks
    .filter(({ name }) => !off.includes(name))
    .map((check) => (failing.includes(check.name) ? withoutNotes(check) : check));
}

const asFailure = ({ isNote: _, ...finding }: Finding): Finding => finding;

function* asFailures(findings: Iterable<Finding> = []): Generator<Finding> {
  for (const finding of findings) yield asFailure(finding);
}

function* runFailures(found: Iterable<RunFinding>): Generator<RunFinding> {
  for (const { finding, steps } of found) yield { finding: asFailure(finding), steps };
}

/** The same check, whose notes fail the run. */
function withoutNotes(check: Check): Check {
  return {
    ...check,
    start(state, probe): RunningCheck {
      const running = check.start(state, probe);
      return {
        ...running,
        afterStep: (outcome, after) => asFailures(running.afterStep?.(outcome, after)),
        atEnd: (after) => asFailures(running.atEnd?.(after)),
      };
    },
    ...(check.atEndOfRun && { atEndOfRun: () => runFailures(check.atEndOfRun!()) }),
    ...(check.inSequence && { inSequence: withoutNotes(check.inSequence) }),
  };
}
