/** From a bug that a run found to its shortest reproduction. */
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import type { ScriptPackages } from '../../script/packages.js';
import { FuzzLedger, type FuzzLedgerOptions } from '../ledger/fuzz-ledger.js';
import type { Check } from '../model/finding.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import type { StartState } from '../model/state.js';
import type { Step } from '../model/step.js';
import { bugKey, replay, type FoundBug } from '../running/fuzz-run.js';
import { shrink } from '../shrinking/shrink.js';
import type { Origin, Reproduction } from './reproduction.js';
import { story } from './story.js';

export interface ReproduceOptions {
  readonly packages: ScriptPackages;
  readonly start: StartState;
  readonly checks: readonly Check[];
  readonly ledger?: FuzzLedgerOptions;
  readonly dars: readonly string[];
  readonly origin: Origin;
  /** The most replays of the shrinking. */
  readonly maxReplays?: number;
}

export interface ReproducedBug {
  /** The bug as the run found it. */
  readonly bug: FoundBug;
  readonly reproduction: Reproduction;
  readonly steps: readonly Step[];
  /** Lines. */
  readonly story: readonly string[];
}

/** Shrinks the steps of a bug. A finding about the whole run has no steps. */
export function reproduce(bug: FoundBug, options: ReproduceOptions): ReproducedBug {
  const { finding, steps } = bug;
  const { packages, start, checks, ledger, maxReplays } = options;
  const own = checks.filter(({ name }) => name === finding.check);
  const key = bugKey(finding);
  const same = (candidate: readonly Step[]) =>
    replay(packages, start, candidate, own, { ledger }).find((each) => bugKey(each) === key);
  const shrunk =
    steps.length === 0
      ? steps
      : shrink(steps, {
          packages,
          parties: start.parties,
          now: start.now,
          fails: (candidate) => same(candidate) !== undefined,
          ...(maxReplays !== undefined && { maxReplays }),
        });
  const { outcomes, trace } = told(options, shrunk);
  const { dars, origin } = options;
  const reproduction: Reproduction = {
    packages,
    dars,
    origin,
    start,
    outcomes,
    finding: (shrunk.length > 0 && same(shrunk)) || finding,
  };
  return { bug, reproduction, steps: shrunk, story: story(reproduction, trace) };
}

/** The outcomes of steps, and the trace of the last submission. */
function told(
  { packages, start, ledger: options }: ReproduceOptions,
  steps: readonly Step[],
): { readonly outcomes: readonly Outcome[]; readonly trace: TransactionTrace | undefined } {
  const ledger = new FuzzLedger(packages, start, options);
  const outcomes: Outcome[] = [];
  let trace: TransactionTrace | undefined;
  for (const step of steps) {
    const mark = ledger.mark();
    const outcome = ledger.run(step);
    outcomes.push(outcome);
    const last = outcome.submitted.at(-1);
    if (step !== steps.at(-1) || last === undefined || step.kind === 'custom') continue;
    ledger.revert(mark);
    trace = ledger.trace(last.submission, createdIn(last));
  }
  return { outcomes, trace };
}

const createdIn = ({ transaction }: Submitted): readonly string[] =>
  (transaction?.nodes ?? []).flatMap((node) =>
    node.kind === 'create' ? [node.contract.contractId] : [],
  );
