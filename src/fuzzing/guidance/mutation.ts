/** New sequences from those of the corpus: changed, extended, shortened and spliced. */
import type { PackageLookup } from '../../daml/model/package.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { choiceOf } from '../../script/values.js';
import type { ActionSet } from '../actions/action-set.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Step, Submission } from '../model/step.js';
import { changed } from '../values/changes.js';
import { DURATIONS } from '../values/numbers.js';
import type { ValueSource } from '../values/values.js';
import { numberAfter, renumbered, type Corpus, type CorpusEntry } from './corpus.js';
import { steered, type Hint } from './steering.js';

/** A step of the new sequence, which is made when its turn comes: values depend on the state then. */
type Planned =
  | { readonly kind: 'keep' | 'change'; readonly step: Step }
  | { readonly kind: 'steer'; readonly step: Step; readonly hint: Hint & { kind: 'replace' } }
  | { readonly kind: 'fresh' };

const FRESH: Planned = { kind: 'fresh' };
/** The most fresh steps at the end of a changed sequence. */
const MORE = 8;

export class Mutation {
  constructor(
    private readonly actions: ActionSet,
    private readonly ledger: FuzzLedger,
  ) {}

  /**
   * The steps of a new sequence from the corpus, one for each call; undefined at its end.
   * @param most the most steps
   */
  sequence(corpus: Corpus, values: ValueSource, most: number): () => Step | undefined {
    return this.steps(this.plan(corpus, values, most).slice(0, most), values);
  }

  /** The same for a sequence that follows a hint. */
  hinted(steps: readonly Step[], hint: Hint, values: ValueSource): () => Step | undefined {
    const plan = steps.map((step): Planned => ({ kind: 'keep', step }));
    const place = steps.findIndex(({ number }) => number === hint.step);
    const step = steps[place]!;
    if (hint.kind === 'replace') plan[place] = { kind: 'steer', step, hint };
    else {
      const { micros } = hint;
      const wait: Step = { kind: 'advance', number: numberAfter(steps), micros };
      const isExact = values.random.chance(0.5);
      plan.splice(place, 0, { kind: isExact ? 'keep' : 'change', step: wait });
    }
    return this.steps([...plan, FRESH], values);
  }

  private steps(plan: readonly Planned[], values: ValueSource): () => Step | undefined {
    const kept = plan.flatMap((each) => (each.kind === 'fresh' ? [] : [each.step]));
    let number = numberAfter(kept);
    let place = 0;
    return () => {
      const planned = plan[place++];
      switch (planned?.kind) {
        case undefined:
          return undefined;
        case 'fresh':
          return this.actions.next(values, number++);
        case 'keep':
          return planned.step;
        case 'steer':
          return this.resubmitted(values, steered(planned.step, planned.hint, values.random));
        case 'change':
          return this.changed(values, planned.step);
      }
    };
  }

  private plan(corpus: Corpus, values: ValueSource, most: number): Planned[] {
    const { random } = values;
    const entry = corpus.pick(random);
    const plan = this.variation(entry, corpus, values);
    const longest = random.chance(0.3) ? most : random.below(MORE + 1);
    for (let more = 0; more < longest && plan.length < most; more++) plan.push(FRESH);
    return plan;
  }

  private variation(entry: CorpusEntry, corpus: Corpus, values: ValueSource): Planned[] {
    const { random } = values;
    const { steps } = entry;
    const plan = steps.map((step): Planned => ({ kind: 'keep', step }));
    const place = random.below(plan.length);
    switch (random.below(8)) {
      case 0:
        return plan;
      case 1:
        return plan.slice(0, place + 1);
      case 2:
        plan.splice(place, 0, FRESH);
        return plan;
      case 3:
        plan.splice(place, 1);
        return plan;
      case 4: {
        const other = corpus.pick(random).steps;
        const tail = other.slice(random.below(other.length));
        const kept = plan.slice(0, place + 1);
        const own = renumbered(tail, numberAfter(steps));
        return [...kept, ...own.map((step): Planned => ({ kind: 'keep', step }))];
      }
      case 5: {
        const [again] = renumbered([steps[place]!], numberAfter(steps));
        plan.splice(place + 1, 0, { kind: random.chance(0.5) ? 'keep' : 'change', step: again! });
        return plan;
      }
      default: {
        plan[place] = { kind: 'change', step: steps[place]! };
        if (random.chance(0.3)) {
          const second = random.below(plan.length);
          plan[second] = { kind: 'change', step: steps[second]! };
        }
        return plan;
      }
    }
  }

  private changed(values: ValueSource, step: Step): Step {
    const { random } = values;
    switch (step.kind) {
      case 'submit':
        return { ...step, submission: this.changedSubmission(values, step.submission) };
      case 'race': {
        const [one, other] = step.submissions;
        return random.chance(0.5)
          ? { ...step, submissions: [this.changedSubmission(values, one), other] }
          : { ...step, submissions: [one, this.changedSubmission(values, other)] };
      }
      case 'advance': {
        const moved = step.micros + BigInt(random.below(3) - 1);
        const micros = random.chance(0.7) ? moved : random.pick(DURATIONS);
        return { ...step, micros: micros < 0n ? 0n : micros };
      }
      case 'custom': {
        const action = this.actions.actions.find(({ name }) => name === step.action);
        if (action?.kind !== 'custom') return step;
        const { packages } = this.ledger;
        const argument = changed(values, packages, action.action.argument, step.argument);
        return { ...step, argument };
      }
    }
  }

  private changedSubmission(values: ValueSource, submission: Submission): Submission {
    const { random } = values;
    const { commands } = submission;
    const place = random.below(commands.length);
    const command = commands[place]!;
    const kind = random.below(10);
    // Other parties.
    if (kind === 0) return this.actions.submission(values, commands);
    if (kind === 1 && commands.length > 1)
      return { ...submission, commands: commands.filter((_, at) => at !== place) };
    const own =
      kind === 2 ? this.otherContract(values, command) : this.changedCommand(values, command);
    const all = commands.map((each, at) => (at === place ? own : each));
    return random.chance(0.3)
      ? { ...submission, commands: all }
      : this.actions.submission(values, all);
  }

  /** With the parties that the changed values require. */
  private resubmitted(values: ValueSource, step: Step): Step {
    if (step.kind !== 'submit') return step;
    const { commands } = step.submission;
    return { ...step, submission: this.actions.submission(values, commands, false) };
  }

  private otherContract(values: ValueSource, command: Command): Command {
    if (command.kind !== 'exercise') return command;
    const contract = this.ledger.contract(command.contractId);
    const other = contract && values.contractOf([contract.templateId]);
    return other === undefined ? command : { ...command, contractId: other };
  }

  private changedCommand(values: ValueSource, command: Command): Command {
    const { packages } = this.ledger;
    const isOfPayload =
      'payload' in command && (!('argument' in command) || values.random.chance(0.5));
    if (isOfPayload) {
      const { payloadType } = templateOf(packages, command.templateId)!;
      const payload = changed(values, packages, payloadType, command.payload) as DamlRecord;
      return { ...command, payload } as Command;
    }
    if (!('argument' in command)) return command;
    const type = argumentType(packages, command);
    return { ...command, argument: changed(values, packages, type, command.argument) } as Command;
  }
}

const argumentType = (
  packages: PackageLookup,
  { templateId, choice }: Command & { choice: string },
) => choiceOf(packages, templateId, undefined, choice)!.argumentType;
