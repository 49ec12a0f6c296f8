/**
 * Shrinks a failing sequence to the fewest steps, commands and parties, and to the smallest values, with which it
 * still fails for the same reason.
 */
import { choiceOf, template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue, Party } from '../../daml/model/values.js';
import { idPrefix } from '../ledger/fuzz-interpreter.js';
import type { RaceStep, Step, Submission } from '../model/step.js';
import { withTexts } from '../model/texts.js';
import { isNumber, leafKey, Leaves } from '../values/leaves.js';
import { SmallerValues, type Origins } from './smaller-values.js';

/** The most replays of one shrinking. */
const MAX_REPLAYS = 20_000;

export interface ShrinkOptions extends Origins {
  readonly packages: PackageLookup;
  /** Whether the steps, from the start state, lead to the same finding. */
  readonly fails: (steps: readonly Step[]) => boolean;
  /** {@link MAX_REPLAYS} by default. */
  readonly maxReplays?: number;
}

/** @param steps a sequence that fails */
export function shrink(steps: readonly Step[], options: ShrinkOptions): readonly Step[] {
  return new Shrinking(options).shrunk(steps);
}

class Shrinking {
  private replays = 0;
  private readonly smaller: SmallerValues;
  private readonly leaves: Leaves;

  constructor(private readonly options: ShrinkOptions) {
    this.smaller = new SmallerValues(options.packages, options);
    this.leaves = new Leaves(options.packages);
  }

  shrunk(steps: readonly Step[]): readonly Step[] {
    let current = this.withoutSteps(steps);
    for (;;) {
      const next = this.withoutSteps(this.withSmallerSteps(this.withSharedValues(current)));
      if (next === current) return current;
      current = next;
    }
  }

  private fails(steps: readonly Step[]): boolean {
    const { fails, maxReplays = MAX_REPLAYS } = this.options;
    return this.replays++ < maxReplays && fails(steps);
  }

  /** Removes groups of steps, the large groups first, from the end of the sequence. */
  private withoutSteps(steps: readonly Step[]): readonly Step[] {
    let current = steps;
    for (let size = Math.ceil(current.length / 2); size > 0; size = Math.floor(size / 2)) {
      for (let end = current.length; end > 0; end -= size) {
        const shorter = [...current.slice(0, Math.max(0, end - size)), ...current.slice(end)];
        if (this.fails(shorter)) current = shorter;
      }
    }
    return current;
  }

  /** Replaces equal values together, and halves all numbers together, as long as the sequence still fails. */
  private withSharedValues(steps: readonly Step[]): readonly Step[] {
    let current = steps;
    for (;;) {
      const next = this.firstShared(current);
      if (next === undefined) return current;
      current = next;
    }
  }

  private firstShared(steps: readonly Step[]): readonly Step[] | undefined {
    let isHalved = false;
    const halved = this.leaves.changed(steps, (type, value) => {
      const half = isNumber(type) ? this.middle(type, value) : undefined;
      isHalved ||= half !== undefined;
      return half ?? value;
    });
    if (isHalved && this.fails(halved)) return halved;
    const counts = new Map<string, number>();
    const leaves: [DamlType, DamlValue][] = [];
    this.leaves.changed(steps, (type, value) => {
      const key = leafKey(type, value);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      // A value that occurs once shrinks with its step.
      if (count === 1) leaves.push([type, value]);
      return value;
    });
    for (const [type, value] of leaves)
      for (const smaller of this.smaller.of(type, value)) {
        const key = leafKey(type, value);
        const candidate = this.leaves.changed(steps, (of, each) =>
          leafKey(of, each) === key ? smaller : each,
        );
        if (this.fails(candidate)) return candidate;
      }
    return undefined;
  }

  /** A number half way to zero; undefined for zero. */
  private middle(type: DamlType, value: DamlValue): DamlValue | undefined {
    const [zero, half] = this.smaller.of(type, value);
    return half ?? zero;
  }

  /** Replaces each step by the first smaller step with which the sequence still fails, as often as possible. */
  private withSmallerSteps(steps: readonly Step[]): readonly Step[] {
    let current = steps;
    for (let place = current.length - 1; place >= 0; place--) {
      for (;;) {
        const next = this.firstSmaller(current, place);
        if (next === undefined) break;
        current = next;
      }
    }
    return current;
  }

  private firstSmaller(steps: readonly Step[], place: number): readonly Step[] | undefined {
    const step = steps[place]!;
    if (step.kind === 'race') {
      const second = withSecondAlone(steps, step);
      if (this.fails(second)) return second;
    }
    for (const smaller of this.smallerSteps(step)) {
      const candidate = steps.with(place, smaller);
      if (this.fails(candidate)) return candidate;
    }
    return undefined;
  }

  private *smallerSteps(step: Step): Generator<Step, void, undefined> {
    switch (step.kind) {
      case 'submit':
        for (const submission of this.smallerSubmissions(step.submission))
          yield { ...step, submission };
        break;
      case 'race':
        yield* this.smallerRaces(step);
        break;
      case 'advance':
        for (const micros of this.smaller.of({ kind: 'int64' }, step.micros) as Iterable<bigint>)
          if (micros > 0n) yield { ...step, micros };
        break;
      case 'custom':
        break;
    }
  }

  private *smallerRaces({ number, submissions }: RaceStep): Generator<Step, void, undefined> {
    const [first, second] = submissions;
    yield { kind: 'submit', number, submission: first };
    for (const smaller of this.smallerSubmissions(first))
      yield { kind: 'race', number, submissions: [smaller, second] };
    for (const smaller of this.smallerSubmissions(second))
      yield { kind: 'race', number, submissions: [first, smaller] };
  }

  private *smallerSubmissions(of: Submission): Generator<Submission, void, undefined> {
    const { actAs, readAs, commands } = of;
    if (commands.length > 1)
      for (const place of commands.keys()) yield { ...of, commands: commands.toSpliced(place, 1) };
    for (const parties of fewer(readAs)) yield { ...of, readAs: parties };
    if (actAs.length > 1) for (const parties of fewer(actAs)) yield { ...of, actAs: parties };
    for (const [place, command] of commands.entries())
      for (const smaller of this.smallerCommands(command))
        yield { ...of, commands: commands.with(place, smaller) };
  }

  private *smallerCommands(command: Command): Generator<Command, void, undefined> {
    const { packages } = this.options;
    const template = templateOf(packages, command.templateId);
    if (command.kind === 'createAndExercise') {
      const { templateId, payload } = command;
      yield { kind: 'create', templateId, payload };
    }
    if ('payload' in command)
      for (const payload of this.values(template?.payloadType, command.payload))
        yield { ...command, payload: payload as DamlRecord };
    if (!('argument' in command)) return;
    const type = choiceOf(packages, command.templateId, command.choice)?.argumentType;
    for (const argument of this.values(type, command.argument)) yield { ...command, argument };
  }

  private values(type: DamlType | undefined, value: DamlValue): Iterable<DamlValue> {
    return type === undefined ? [] : this.smaller.of(type, value);
  }
}

function* fewer(parties: readonly Party[]): Generator<readonly Party[], void, undefined> {
  for (const place of parties.keys()) yield parties.toSpliced(place, 1);
}

/** The sequence with the second submission of a race alone. Later steps get the new ids of its contracts. */
function withSecondAlone(steps: readonly Step[], race: RaceStep): readonly Step[] {
  const { number, submissions } = race;
  const [from, to] = [idPrefix(number, 1), idPrefix(number, 0)];
  const rename = (submission: Submission) =>
    withTexts(submission, (text) => (text.startsWith(from) ? to + text.slice(from.length) : text));
  return steps.map((step): Step => {
    if (step === race) return { kind: 'submit', number, submission: submissions[1] };
    if (step.kind === 'submit') return { ...step, submission: rename(step.submission) };
    if (step.kind !== 'race') return step;
    const [first, second] = step.submissions;
    return { ...step, submissions: [rename(first), rename(second)] };
  });
}
