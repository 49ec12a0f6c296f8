/** The counts of a run: sequences, steps, and the outcomes of submissions by their first command. */
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import type { Outcome, Submitted } from '../model/outcome.js';

/** `Module:Template` for creates, `Module:Template.Choice` for choices, or the name of a custom action. */
export interface ActionCount {
  readonly action: string;
  readonly accepted: number;
  /** By error code, in the order of their first use. */
  readonly rejected: Readonly<Record<string, number>>;
}

export interface FuzzCounts {
  readonly sequences: number;
  readonly steps: number;
  readonly accepted: number;
  readonly rejected: number;
  /** In the order of their first use. */
  readonly actions: readonly ActionCount[];
}

/** By error code; the empty text for none. */
type Codes = Map<string, number>;

export class Counts {
  sequences = 0;
  private steps = 0;
  private readonly outcomes = new Map<TypeId, Map<string, Codes>>();

  /** Adds a step. */
  add({ submitted }: Outcome): void {
    this.steps += 1;
    for (let i = 0; i < submitted.length; i++) this.addSubmission(submitted[i]!);
  }

  private addSubmission({ submission, error }: Submitted): void {
    const [command] = submission.commands;
    if (command === undefined) return;
    const choice = 'choice' in command ? command.choice : '';
    let choices = this.outcomes.get(command.templateId);
    if (choices === undefined) this.outcomes.set(command.templateId, (choices = new Map()));
    let codes = choices.get(choice);
    if (codes === undefined) choices.set(choice, (codes = new Map()));
    const code = error?.code ?? '';
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }

  report(): FuzzCounts {
    const actions = [...this.outcomes].flatMap(([id, choices]) =>
      [...choices].map(([choice, codes]): ActionCount => {
        const name = qualifiedNameOf(id);
        const { '': accepted = 0, ...rejected } = Object.fromEntries(codes);
        return { action: choice === '' ? name : `${name}.${choice}`, accepted, rejected };
      }),
    );
    const total = (of: (each: ActionCount) => number) =>
      actions.reduce((sum, each) => sum + of(each), 0);
    return {
      sequences: this.sequences,
      steps: this.steps,
      accepted: total(({ accepted }) => accepted),
      rejected: total(rejectedOf),
      actions,
    };
  }
}

const rejectedOf = ({ rejected }: ActionCount): number =>
  Object.values(rejected).reduce((sum, count) => sum + count, 0);

/** The counts of several threads together. */
export function mergedCounts(all: readonly FuzzCounts[]): FuzzCounts {
  const byAction = new Map<string, ActionCount>();
  for (const { actions } of all)
    for (const { action, accepted, rejected } of actions) {
      const known = byAction.get(action) ?? { action, accepted: 0, rejected: {} };
      const codes = { ...known.rejected };
      for (const [code, count] of Object.entries(rejected))
        codes[code] = (codes[code] ?? 0) + count;
      byAction.set(action, { action, accepted: known.accepted + accepted, rejected: codes });
    }
  const total = (of: (each: FuzzCounts) => number) => all.reduce((sum, each) => sum + of(each), 0);
  return {
    sequences: total(({ sequences }) => sequences),
    steps: total(({ steps }) => steps),
    accepted: total(({ accepted }) => accepted),
    rejected: total(({ rejected }) => rejected),
    actions: [...byAction.values()],
  };
}
