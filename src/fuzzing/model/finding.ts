/** A bug that a check or an invariant reports. */
import type { SourceLocation } from '../../daml/errors/source-location.js';
import type { TypeId } from '../../daml/model/types.js';
import type { Script } from '../../script/find-scripts.js';
import type { Assertion } from './assertion.js';
import type { LedgerState } from './state.js';
import type { Outcome, Submitted } from './outcome.js';
import type { Step, Submission } from './step.js';

export interface Finding {
  /** The name of the check or the invariant. */
  readonly check: string;
  /**
   * Findings with the same check and place are one bug: a template and choice, or a position in the source. It does
   * not contain values, contract ids or parties.
   */
  readonly place: string;
  /** One sentence or more, with the values of this case. */
  readonly message: string;
  readonly templateId?: TypeId;
  readonly choice?: string;
  readonly at?: SourceLocation;
  /** Absent if only a replay with the same check shows the bug. */
  readonly assertion?: Assertion;
  /** Whether it is a fact to review, which does not fail the run. */
  readonly isNote?: true;
}

/** A check over the steps of one sequence. Each sequence gets its own. */
export interface RunningCheck {
  /** Called before each step. */
  beforeStep?(step: Step, state: LedgerState): void;
  /** Called after each step. */
  afterStep?(outcome: Outcome, state: LedgerState): Iterable<Finding>;
  /** Called at the end of the sequence. */
  atEnd?(state: LedgerState): Iterable<Finding>;
}

/** Submissions and scripts on the current state that have no effect on it. */
export interface Probe {
  /** Runs a submission and undoes it. */
  submit(submission: Submission): Submitted;
  /** Runs a Daml script without an argument and undoes it. The result is a run-time value; undefined if it failed. */
  script(script: Script): { readonly result: unknown; readonly failure: string | undefined };
}

export interface Check {
  readonly name: string;
  /** A sentence about the reported bugs. */
  readonly summary: string;
  /** Starts the check at the start state of a sequence. */
  start(state: LedgerState, probe: Probe): RunningCheck;
  /** Called once after all sequences: findings about the whole run. */
  atEndOfRun?(): Iterable<RunFinding>;
  /** The places of findings that cannot hold because of what happened in this run. Other threads may report them. */
  refuted?(): Iterable<string>;
  /** Replays use this check instead: it finds the same in the steps of a {@link RunFinding}. */
  readonly inSequence?: Check;
}

/** A finding about a whole run. */
export interface RunFinding {
  readonly finding: Finding;
  /** Steps that show it to a reader; empty if no single sequence does. */
  readonly steps: readonly Step[];
}
