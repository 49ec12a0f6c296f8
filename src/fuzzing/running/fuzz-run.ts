/**
 * A run: random sequences of steps from the start state, each checked after every step, with the findings that are
 * different bugs. The caller decides when to stop.
 */
import type { ScriptPackages } from '../../script/packages.js';
import type { ActionSet } from '../actions/action-set.js';
import type { CodeCoverage } from '../guidance/code-coverage.js';
import type { CorpusEntry } from '../guidance/corpus.js';
import { Guidance } from '../guidance/guidance.js';
import { FuzzLedger, type FuzzLedgerOptions, type FuzzMark } from '../ledger/fuzz-ledger.js';
import { Counts, type FuzzCounts } from './counts.js';
import type { Check, Finding, RunningCheck } from '../model/finding.js';
import type { Outcome } from '../model/outcome.js';
import type { StartState } from '../model/state.js';
import type { Step } from '../model/step.js';
import type { Constants } from '../values/constants.js';
import { Random } from '../values/random.js';
import { ValueSource } from '../values/values.js';

/** The most steps of a sequence, by default. */
const DEFAULT_STEPS = 30;

/** The number of the sequence of a finding about the whole run. */
export const OF_RUN = -1;

/** After how many sequences the kept ones are used. */
const SEQUENCES_TO_ABSORB = 20;

export interface FuzzOptions {
  readonly packages: ScriptPackages;
  readonly start: StartState;
  readonly actions: ActionSet;
  readonly checks: readonly Check[];
  /** The same seed gives the same sequences. */
  readonly seed: string;
  /** The most steps of a sequence; {@link DEFAULT_STEPS} by default. */
  readonly steps?: number;
  readonly constants?: Constants;
  readonly ledger?: FuzzLedgerOptions;
  /** The coverage of the code. With it, or with true, the sequences are guided by what earlier ones reached. */
  readonly guidance?: CodeCoverage | true;
  /** Whether the caller exchanges the kept sequences with other runs. */
  readonly isShared?: boolean;
}

/** A finding with the sequence that shows it. */
export interface FoundBug {
  readonly finding: Finding;
  /** The steps up to the one after which it shows; empty if no single sequence shows it. */
  readonly steps: readonly Step[];
  /** The number of the sequence. */
  readonly sequence: number;
  /** In how many sequences it showed. */
  readonly times: number;
}

export interface FuzzReport {
  readonly seed: string;
  readonly counts: FuzzCounts;
  /** In the order in which they were found. */
  readonly bugs: readonly FoundBug[];
}

interface Noted {
  readonly bug: Omit<FoundBug, 'times'>;
  times: number;
  /** The last sequence that showed it. */
  last: number;
}

export class FuzzRun {
  readonly ledger: FuzzLedger;
  private readonly start: FuzzMark;
  private readonly guidance: Guidance | undefined;
  private readonly kept: CorpusEntry[] = [];
  /** How often sequences were added. */
  private absorbed = 0;
  private readonly found = new Map<string, Noted>();
  private readonly counts = new Counts();

  constructor(private readonly options: FuzzOptions) {
    const { packages, start, ledger } = options;
    this.ledger = new FuzzLedger(packages, start, ledger);
    this.start = this.ledger.mark();
    const { guidance, actions } = options;
    if (guidance !== undefined)
      this.guidance = new Guidance(actions, this.ledger, guidance === true ? undefined : guidance);
  }

  /** Runs a sequence. @param sequence its number, which determines it together with the seed and the earlier ones */
  next(sequence = this.counts.sequences): void {
    const { seed, actions, constants, steps: most = DEFAULT_STEPS } = this.options;
    const values = new ValueSource(new Random(`${seed} ${sequence}`), this.ledger, constants);
    let number = 0;
    const fresh = () => (number < most ? actions.next(values, number++) : undefined);
    this.checked(sequence, this.guidance?.sequence(values, most) ?? fresh);
    const kept = this.guidance?.kept();
    if (kept !== undefined) this.kept.push(kept);
    const isDue = this.counts.sequences % SEQUENCES_TO_ABSORB === 0;
    if (isDue && this.options.isShared !== true) this.absorb(this.takeKept());
  }

  /** The sequences from which new ones are made. */
  get corpus(): readonly CorpusEntry[] {
    return this.guidance?.corpus.all() ?? [];
  }

  /** Runs given steps as a sequence. */
  runSteps(sequence: number, given: readonly Step[]): void {
    let place = 0;
    this.checked(sequence, () => given[place++]);
  }

  /** Takes the sequences that reached something new since the last call. */
  takeKept(): readonly CorpusEntry[] {
    return this.kept.splice(0);
  }

  /** Adds sequences to those from which new ones are made. */
  absorb(sequences: Iterable<CorpusEntry>): void {
    for (const kept of sequences) {
      this.guidance?.absorb(kept);
      this.ledger.revert(this.start);
    }
    this.guidance?.relearn(new Random(`${this.options.seed} again ${this.absorbed++}`));
    this.ledger.revert(this.start);
  }

  private checked(sequence: number, next: () => Step | undefined): void {
    const { ledger } = this;
    const steps: Step[] = [];
    this.guidance?.begin();
    const running = new RunningChecks(this.options.checks, ledger);
    const note = (finding: Finding): void => this.note(finding, steps, sequence);
    for (let step = next(); step !== undefined; step = next()) {
      steps.push(step);
      running.beforeStep(step);
      const outcome = ledger.run(step);
      this.counts.add(outcome);
      this.guidance?.afterStep(outcome);
      running.afterStep(outcome, note);
    }
    running.atEnd(note);
    ledger.revert(this.start);
    this.counts.sequences += 1;
  }

  private note(finding: Finding, steps: readonly Step[], sequence: number): void {
    const key = bugKey(finding);
    const known = this.found.get(key);
    if (known === undefined) {
      const bug = { finding, steps: steps.slice(), sequence };
      this.found.set(key, { bug, times: 1, last: sequence });
    } else if (known.last !== sequence) {
      known.times += 1;
      known.last = sequence;
    }
  }

  /** The keys of bugs that this run shows not to exist. */
  refuted(): readonly string[] {
    return this.options.checks.flatMap(({ name: check, refuted }) =>
      [...(refuted?.() ?? [])].map((place) => bugKey({ check, place })),
    );
  }

  report(): FuzzReport {
    for (const check of this.options.checks)
      for (const { finding, steps } of check.atEndOfRun?.() ?? [])
        this.note(finding, steps, OF_RUN);
    const counts = this.counts.report();
    const bugs = [...this.found.values()].map(({ bug, times }) => ({ ...bug, times }));
    return { seed: this.options.seed, counts, bugs };
  }
}

/** Equal for findings of the same bug. */
export const bugKey = ({ check, place }: Pick<Finding, 'check' | 'place'>): string =>
  `${check}\n${place}`;

/** The checks of one sequence. */
class RunningChecks {
  private readonly running: readonly RunningCheck[];

  constructor(
    checks: readonly Check[],
    private readonly ledger: FuzzLedger,
  ) {
    this.running = checks.map((check) => check.start(ledger, ledger.probe));
  }

  beforeStep(step: Step): void {
    for (const each of this.running) each.beforeStep?.(step, this.ledger);
  }

  afterStep(outcome: Outcome, note: (finding: Finding) => void): void {
    for (let i = 0; i < this.running.length; i++) {
      const found = this.running[i]!.afterStep?.(outcome, this.ledger);
      if (found !== undefined) for (const finding of found) note(finding);
    }
  }

  atEnd(note: (finding: Finding) => void): void {
    for (const each of this.running)
      for (const finding of each.atEnd?.(this.ledger) ?? []) note(finding);
  }
}

export interface ReplayOptions {
  readonly ledger?: FuzzLedgerOptions;
  readonly onOutcome?: (outcome: Outcome, ledger: FuzzLedger) => void;
}

/**
 * Runs steps from a start state, and returns the findings in their order, without duplicates. Checks of whole runs
 * judge the steps alone.
 */
export function replay(
  packages: ScriptPackages,
  start: StartState,
  steps: readonly Step[],
  checks: readonly Check[],
  { ledger: options, onOutcome }: ReplayOptions = {},
): readonly Finding[] {
  const ledger = new FuzzLedger(packages, start, options);
  const running = new RunningChecks(
    checks.map((check) => check.inSequence ?? check),
    ledger,
  );
  const found = new Map<string, Finding>();
  const note = (finding: Finding) => {
    const key = bugKey(finding);
    if (!found.has(key)) found.set(key, finding);
  };
  for (const step of steps) {
    running.beforeStep(step);
    const outcome = ledger.run(step);
    onOutcome?.(outcome, ledger);
    running.afterStep(outcome, note);
  }
  running.atEnd(note);
  return [...found.values()];
}
