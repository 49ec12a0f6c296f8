/**
 * Operands of comparisons steer inputs. If an operand occurs in the values of a step, the value of the other operand
 * in its place takes another branch. If it is the time of the ledger, the time must advance first.
 */
import type { ComparisonRecorder } from '../../daml/lf/probing/comparison-recorder.js';
import type { ComparedType, Comparison } from '../../daml/lf/probing/probes.js';
import { Numeric } from '../../daml/model/numeric.js';
import type { Command } from '../../daml/model/transaction.js';
import type { DamlValue } from '../../daml/model/values.js';
import { mapped, sameScalar } from '../model/scalars.js';
import type { Step, Submission } from '../model/step.js';
import type { Random } from '../values/random.js';
import { MAX_INT64, MIN_INT64 } from '../values/numbers.js';

/** The most hints of a sequence: those of the last comparisons, because one of them ended the step. */
export const MAX_HINTS = 30;
/** How often to try a comparison of the code in each direction. */
const MAX_TRIALS = 30;

export type Hint =
  | {
      readonly kind: 'replace';
      /** The number of the step. */
      readonly step: number;
      readonly from: DamlValue;
      readonly to: DamlValue;
      /** The smallest units to add to it, for comparisons that equal values do not meet. */
      readonly by: bigint;
    }
  | { readonly kind: 'wait'; readonly step: number; readonly micros: bigint };

/** An operand as a ledger value; undefined for a type whose values cannot steer. */
function ledgerValue(type: ComparedType, value: unknown): DamlValue | undefined {
  switch (type) {
    case 'Int64':
    case 'Timestamp':
      return BigInt(value as number | bigint);
    case 'Numeric':
      return value instanceof Numeric ? value : undefined;
    case 'Text':
    case 'Party':
      return value as string;
    case 'Date':
      return value as number;
  }
}

/** Finds hints in the comparisons of steps. */
export class Hints {
  private readonly trials = new Map<number, number>();
  /** The steps of the sequence so far. */
  private sources: Source[] = [];

  constructor(
    private readonly recorder: ComparisonRecorder,
    private readonly comparisons: readonly Comparison[],
  ) {}

  /** Starts a sequence. */
  begin(): void {
    this.sources = [];
    this.recorder.take(() => undefined);
  }

  /**
   * The hints for the next step of the sequence, after it ran. They change that step, or the latest step before it
   * that has the value.
   * @param now the time at which it ran
   * @param isNew whether the step reached new code: then its comparisons were not tried enough yet
   */
  of(step: Step, now: bigint, isNew: boolean): readonly Hint[] {
    const { sources } = this;
    sources.push({ number: step.number, scalars: scalarsOf(step) });
    const found: { readonly key: string; readonly number: number; readonly hint: Hint }[] = [];
    this.recorder.take((number, left, right) => {
      const type = this.comparisons[number]?.type;
      if (type === undefined) return;
      const one = ledgerValue(type, left);
      const other = ledgerValue(type, right);
      if (one === undefined || other === undefined) return;
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        for (const hint of hintsFor(step.number, sources, from, to, now))
          found.push({ key: keyOf(hint), number, hint });
      }
    });
    const latest = new Map(found.map((each) => [each.key, each]));
    const untried = [...latest.values()].filter(
      ({ number }) => isNew || (this.trials.get(number) ?? 0) < MAX_TRIALS,
    );
    const chosen = untried.slice(-MAX_HINTS);
    for (const { number } of chosen) this.trials.set(number, (this.trials.get(number) ?? 0) + 1);
    return chosen.map(({ hint }) => hint).reverse();
  }
}

/** A step and its values. */
interface Source {
  readonly number: number;
  readonly scalars: readonly DamlValue[];
}

function hintsFor(
  number: number,
  sources: readonly Source[],
  from: DamlValue,
  to: DamlValue,
  now: bigint,
): readonly Hint[] {
  const waits = from === now && typeof to === 'bigint' && to > now;
  const wait: readonly Hint[] = waits ? [{ kind: 'wait', step: number, micros: to - now }] : [];
  const has = ({ scalars }: Source) => scalars.some((scalar) => isSameNumber(scalar, from));
  const step = sources.findLast(has)?.number;
  if (step === undefined) return wait;
  const moves = typeof to === 'string' || typeof to === 'number' ? [0n] : [1n, -1n, 0n];
  return [...moves.map((by): Hint => ({ kind: 'replace', step, from, to, by })), ...wait];
}

const keyOf = (hint: Hint): string =>
  hint.kind === 'wait'
    ? `wait ${hint.micros}`
    : `${String(hint.from)} ${String(hint.to)} ${hint.by}`;

/** Numerics of different scales can be the same number, because code converts them. */
const isSameNumber = (one: DamlValue, other: DamlValue): boolean =>
  sameScalar(one, other) ||
  (one instanceof Numeric && other instanceof Numeric && one.compare(other) === 0);

/** The values of a step. */
function scalarsOf(step: Step): readonly DamlValue[] {
  const found: DamlValue[] = [];
  replacedIn(step, (scalar) => {
    found.push(scalar);
    return scalar;
  });
  return found;
}

/** The step with a hint's value. */
export function steered(step: Step, hint: Hint & { kind: 'replace' }, random: Random): Step {
  const to = moved(hint.to, hint.by);
  const count = scalarsOf(step).filter((scalar) => isSameNumber(scalar, hint.from)).length;
  // Equal values may mean different things.
  const only = random.chance(0.5) ? random.below(count) : undefined;
  let place = 0;
  return replacedIn(step, (scalar) => {
    if (!isSameNumber(scalar, hint.from)) return scalar;
    if (only !== undefined && place++ !== only) return scalar;
    return scalar instanceof Numeric && to instanceof Numeric ? rescaled(to, scalar.scale) : to;
  });
}

function moved(value: DamlValue, by: bigint): DamlValue {
  if (typeof value === 'bigint') {
    const sum = value + by;
    return sum > MAX_INT64 || sum < MIN_INT64 ? value : sum;
  }
  if (!(value instanceof Numeric) || by === 0n) return value;
  const sum = value.unscaled + by;
  return isNumeric(sum) ? Numeric.fromUnscaled(sum, value.scale) : value;
}

const isNumeric = (unscaled: bigint): boolean => unscaled.toString().replace('-', '').length <= 38;

function rescaled(value: Numeric, scale: number): Numeric {
  const by = 10n ** BigInt(Math.abs(scale - value.scale));
  const unscaled = scale >= value.scale ? value.unscaled * by : value.unscaled / by;
  return isNumeric(unscaled) ? Numeric.fromUnscaled(unscaled, scale) : value;
}

function replacedIn(step: Step, replace: (scalar: DamlValue) => DamlValue): Step {
  const value = <T>(of: T): T => mapped(of as never, replace) as T;
  const submission = (of: Submission): Submission => ({
    ...of,
    commands: of.commands.map(
      (command) =>
        ({
          ...command,
          ...('payload' in command && { payload: value(command.payload) }),
          ...('argument' in command && { argument: value(command.argument) }),
          ...('key' in command && { key: value(command.key) }),
        }) as Command,
    ),
  });
  switch (step.kind) {
    case 'submit':
      return { ...step, submission: submission(step.submission) };
    case 'race': {
      const [one, other] = step.submissions;
      return { ...step, submissions: [submission(one), submission(other)] };
    }
    case 'custom':
      return { ...step, argument: value(step.argument) };
    case 'advance':
      return step;
  }
}
