/** The flags of `canticle mutate`, and what each kind of tests returns. */
import type { Mutant } from '../../mutating/operators/mutant.js';
import type { Outcome, ReportedTest } from '../../mutating/reporting/mutation-report.js';

export interface MutateFlags {
  readonly package: readonly string[];
  readonly operator: readonly string[];
  readonly testPattern?: string;
  /** Whether random sequences are the tests. */
  readonly fuzz?: boolean;
  /** The sequences for each mutant. */
  readonly runs: number;
  /** The script that makes their start state. */
  readonly setup?: string;
  /** Modules that export invariants of the sequences. */
  readonly invariant: readonly string[];
  /** The keys of mutants to run. */
  readonly only: readonly string[];
  /** Runs this many of the mutants. */
  readonly max?: number;
  readonly minScore?: number;
  readonly json?: boolean;
  /** A file for the report as HTML. */
  readonly html?: string;
  readonly workers?: number;
  readonly seed?: number;
  readonly cache?: string | false;
}

export interface SuiteRun {
  readonly tests: readonly ReportedTest[];
  readonly outcomes: readonly Outcome[];
}

/** Selects the mutants to run, of those that the tests reach. */
export type ChooseMutants = (
  mutants: readonly Mutant[],
  isReached: (each: Mutant) => boolean,
) => readonly Mutant[];
