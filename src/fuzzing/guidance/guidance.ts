/**
 * Guides a run by what its sequences reach: lines, branches and shapes of states. Sequences that reach something new
 * are kept, and new sequences are changes of them.
 */
import type { ActionSet } from '../actions/action-set.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Outcome } from '../model/outcome.js';
import type { Step } from '../model/step.js';
import type { Random } from '../values/random.js';
import type { ValueSource } from '../values/values.js';
import type { CodeCoverage } from './code-coverage.js';
import { Corpus, type CorpusEntry } from './corpus.js';
import { Mutation } from './mutation.js';
import { StateShapes } from './state-shapes.js';
import { Hints, type Hint } from './steering.js';

/** The shares of sequences that follow a hint, if there is one, and that do not come from the corpus. */
const HINTED_SHARE = 0.4;
const FRESH_SHARE = 0.4;
/** The most hints that wait for their sequences. */
export const MAX_WAITING = 5_000;

export class Guidance {
  readonly corpus = new Corpus();
  private readonly shapes = new StateShapes();
  private readonly mutation: Mutation;
  private readonly hints: Hints | undefined;
  private readonly waiting: { readonly steps: readonly Step[]; readonly hint: Hint }[] = [];
  /** Accepted steps of the current sequence, and those that reached something new. */
  private useful: Step[] = [];
  /** How many of them there are up to the last that reached something new. */
  private upTo = 0;
  private isOfCode = false;

  constructor(
    private readonly actions: ActionSet,
    private readonly ledger: FuzzLedger,
    private readonly coverage: CodeCoverage | undefined,
  ) {
    this.mutation = new Mutation(actions, ledger);
    const probes = coverage?.probes;
    this.hints = probes && new Hints(probes.operands, probes.comparisons);
    coverage?.takeNew();
  }

  /** Starts a sequence. */
  begin(): void {
    this.useful = [];
    this.upTo = 0;
    this.isOfCode = false;
  }

  /** The steps of a new sequence, one for each call; undefined at its end. */
  sequence(values: ValueSource, most: number): () => Step | undefined {
    const { random } = values;
    const hinted = random.chance(HINTED_SHARE) ? this.waiting.pop() : undefined;
    if (hinted !== undefined) return this.mutation.hinted(hinted.steps, hinted.hint, values);
    if (this.corpus.size > 0 && !random.chance(FRESH_SHARE))
      return this.mutation.sequence(this.corpus, values, most);
    let number = 0;
    return () => (number < most ? this.actions.next(values, number++) : undefined);
  }

  /** Called after each step. */
  afterStep(outcome: Outcome): void {
    this.shapes.see(outcome, this.ledger);
    const isOfCode = (this.coverage?.takeNew() ?? 0) > 0;
    const isNew = this.shapes.takeNew() > 0 || isOfCode;
    const { submitted, step, failure } = outcome;
    const isRejected =
      failure === undefined &&
      submitted.length > 0 &&
      submitted.every(({ error }) => error !== undefined);
    if (isRejected && !isNew) return;
    this.useful.push(step);
    this.isOfCode ||= isOfCode;
    if (isNew) this.upTo = this.useful.length;
  }

  /** The sequence that has ended, up to the last step that reached something new; undefined if none did. */
  kept(): CorpusEntry | undefined {
    const { upTo, isOfCode, useful } = this;
    return upTo === 0 ? undefined : { steps: useful.slice(0, upTo), isOfCode };
  }

  /** Runs kept steps again to learn what they compare, and adds them. The caller reverts the ledger. */
  absorb({ steps, isOfCode }: CorpusEntry): void {
    this.learn(steps, isOfCode);
    if (steps.length > 0) this.corpus.add({ steps, isOfCode });
  }

  /** Finds the hints of a kept sequence again, if none is left. The caller reverts the ledger. */
  relearn(random: Random): void {
    if (this.waiting.length > 0 || this.corpus.size === 0) return;
    this.learn(this.corpus.pick(random).steps, true);
  }

  /** @param isOfCode whether the last step reached new code */
  private learn(steps: readonly Step[], isOfCode: boolean): void {
    const { coverage, ledger } = this;
    this.hints?.begin();
    for (const [place, step] of steps.entries()) {
      const isNew = isOfCode && place === steps.length - 1;
      const { now } = ledger;
      this.shapes.see(ledger.run(step), ledger);
      const hints = this.hints?.of(step, now, isNew) ?? [];
      for (const hint of hints.slice(0, MAX_WAITING - this.waiting.length))
        this.waiting.push({ steps, hint });
    }
    this.shapes.takeNew();
    coverage?.takeNew();
  }
}
