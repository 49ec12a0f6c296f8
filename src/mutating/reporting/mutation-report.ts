/** The result of a mutation run, as data. */
import type { PackageId } from '../../daml/model/types.js';
import type { Mutation } from '../mutation.js';
import type { Mutant, OperatorName } from '../operators/mutant.js';
import { isNoticed, STATUSES, type Status, type Verdict } from '../running/verdict.js';
import type { SourceLines } from './source-lines.js';

/** A mutant with its outcome. */
export interface ReportedMutant extends Verdict {
  readonly number: number;
  /** Runs it alone: `canticle mutate --only KEY`. */
  readonly key: string;
  readonly operator: OperatorName;
  readonly package: string;
  readonly module: string;
  /** Empty for a function. */
  readonly template: string;
  /** The choice, the function, or the part of the template. */
  readonly definition: string;
  /** From 1. */
  readonly line?: number;
  readonly before: string;
  readonly after: string;
  /** The tests that reach it. */
  readonly tests: readonly string[];
}

export interface ReportedTest {
  readonly name: string;
  /** A test that fails without mutants is left out. */
  readonly failure?: string;
}

export interface MutationReport {
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    readonly id: PackageId;
  }[];
  /** The share of reached mutants that a test noticed, from 0 to 100; 100 if none was reached. */
  readonly score: number;
  readonly counts: Readonly<Record<Status, number>>;
  readonly tests: readonly ReportedTest[];
  /** Survivors first. */
  readonly mutants: readonly ReportedMutant[];
}

export interface Outcome {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  readonly tests: readonly string[];
}

const ORDER = Object.keys(STATUSES) as readonly Status[];

export function mutationReport(
  mutation: Pick<Mutation, 'sourceOf'>,
  packages: MutationReport['packages'],
  tests: readonly ReportedTest[],
  outcomes: readonly Outcome[],
  lines: SourceLines,
): MutationReport {
  const counts = Object.fromEntries(ORDER.map((status) => [status, 0])) as Record<Status, number>;
  for (const { verdict } of outcomes) counts[verdict.status] += 1;
  const mutants = outcomes.map(({ mutant, verdict, tests: reaching }): ReportedMutant => {
    const { module, owner, name } = mutation.sourceOf(mutant);
    const { number, key, operator, before, after, definition } = mutant;
    const line = lines.lineOf(mutant, { module, owner, name });
    return {
      ...verdict,
      ...{ number, key, operator, package: definition.lf.name, module, template: owner },
      definition: name,
      ...(line !== undefined && { line }),
      ...{ before, after, tests: reaching },
    };
  });
  mutants.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || inSourceOrder(a, b));
  return { packages, score: scoreOf(outcomes), counts, tests, mutants };
}

function scoreOf(outcomes: readonly Outcome[]): number {
  const reached = outcomes.filter(({ verdict }) => verdict.status !== 'not reached');
  if (reached.length === 0) return 100;
  const noticed = reached.filter(({ verdict }) => isNoticed(verdict));
  return (100 * noticed.length) / reached.length;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function inSourceOrder(a: ReportedMutant, b: ReportedMutant): number {
  return (
    order(a.package, b.package) ||
    order(a.module, b.module) ||
    (a.line ?? Infinity) - (b.line ?? Infinity) ||
    order(a.template, b.template) ||
    a.number - b.number
  );
}
