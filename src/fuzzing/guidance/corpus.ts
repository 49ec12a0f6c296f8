/** Sequences that reached something new, and how to choose one to change. */
import type { ContractId } from '../../daml/model/values.js';
import { withTexts } from '../model/texts.js';
import type { Step } from '../model/step.js';
import type { Random } from '../values/random.js';

/** The most sequences in memory: later ones replace the oldest. */
export const MAX_ENTRIES = 5_000;

export interface CorpusEntry {
  readonly steps: readonly Step[];
  /** Whether it reached new code, not only a new shape of the state. */
  readonly isOfCode: boolean;
}

/** How many of the last sequences are recent. */
const RECENT = 10;
/** How often to choose a sequence that reached new code, and a recent one: those were not changed often yet. */
const CODE_SHARE = 0.7;
const RECENT_SHARE = 0.5;

export class Corpus {
  private readonly ofCode: CorpusEntry[] = [];
  private readonly ofShapes: CorpusEntry[] = [];

  get size(): number {
    return this.ofCode.length + this.ofShapes.length;
  }

  /** Those that reached new code first. */
  all(): readonly CorpusEntry[] {
    return [...this.ofCode, ...this.ofShapes];
  }

  add(entry: CorpusEntry): void {
    const list = entry.isOfCode ? this.ofCode : this.ofShapes;
    list.push(entry);
    if (list.length > MAX_ENTRIES) list.shift();
  }

  pick(random: Random): CorpusEntry {
    const { ofCode, ofShapes } = this;
    const isOfCode = ofShapes.length === 0 || (ofCode.length > 0 && random.chance(CODE_SHARE));
    const list = isOfCode ? ofCode : ofShapes;
    const { length } = list;
    const isRecent = random.chance(RECENT_SHARE);
    const place = isRecent
      ? length - 1 - random.below(Math.min(RECENT, length))
      : random.below(length);
    return list[place]!;
  }
}

/** A number that no step has. */
export const numberAfter = (steps: readonly Step[]): number =>
  steps.reduce((most, { number }) => Math.max(most, number), -1) + 1;

/** The digits of the step's number in the ids of the contracts that it creates. */
const STEP_PLACE = [2, 14] as const;

/** The steps with other numbers, and with the ids of the contracts that they create. */
export function renumbered(steps: readonly Step[], first: number): readonly Step[] {
  const digits = new Map(
    steps.map(({ number }, place) => [digitsOf(number), digitsOf(first + place)]),
  );
  const idOf = (id: ContractId): ContractId => {
    const own = isStepId(id) ? digits.get(id.slice(...STEP_PLACE)) : undefined;
    return own === undefined ? id : id.slice(0, STEP_PLACE[0]) + own + id.slice(STEP_PLACE[1]);
  };
  return steps.map((step, place) => ({ ...withTexts(step, idOf), number: first + place }));
}

const digitsOf = (number: number): string =>
  number.toString(16).padStart(STEP_PLACE[1] - STEP_PLACE[0], '0');

const isStepId = (text: string): boolean => text.length === 138 && text.startsWith('00');
