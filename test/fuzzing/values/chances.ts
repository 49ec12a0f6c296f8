/** All results that random choices can lead to, with their exact probabilities. */
import { Random } from '../../../src/fuzzing/values/random.js';

interface Choice {
  readonly option: number;
  /** The number of options. */
  readonly count: number;
  readonly chanceOf: (option: number) => number;
}

/** Takes the choices of a path, and the first option of each further choice. */
class Path extends Random {
  readonly taken: Choice[] = [];

  constructor(private readonly options: readonly number[]) {
    super('');
  }

  private choose(count: number, chanceOf: (option: number) => number): number {
    const known = this.options[this.taken.length];
    const option = known ?? possible(0, count, chanceOf)!;
    this.taken.push({ option, count, chanceOf });
    return option;
  }

  override below(end: number): number {
    return this.choose(end, () => 1 / end);
  }

  override chance(probability: number): boolean {
    return this.choose(2, (option) => (option === 0 ? probability : 1 - probability)) === 0;
  }

  override next(): number {
    // Random itself draws some numbers before the first choice.
    if (this.taken === undefined) return super.next();
    throw new Error('Only choices with a number of options are listed.');
  }
}

/** The first option from there on that can occur. */
function possible(from: number, count: number, chanceOf: Choice['chanceOf']): number | undefined {
  for (let option = from; option < count; option++) if (chanceOf(option) > 0) return option;
  return undefined;
}

/** The options of the next path in order; undefined after the last one. */
function following({ taken }: Path): readonly number[] | undefined {
  for (let place = taken.length - 1; place >= 0; place--) {
    const { option, count, chanceOf } = taken[place]!;
    const next = possible(option + 1, count, chanceOf);
    if (next !== undefined) return [...taken.slice(0, place).map((each) => each.option), next];
  }
  return undefined;
}

/** @param of a result, as a text or a number, for random choices */
export function chancesOf<T>(of: (random: Random) => T): ReadonlyMap<T, number> {
  const found = new Map<T, number>();
  for (let options: readonly number[] | undefined = []; options !== undefined;) {
    const path = new Path(options);
    const result = of(path);
    const chance = path.taken.reduce((all, { option, chanceOf }) => all * chanceOf(option), 1);
    found.set(result, (found.get(result) ?? 0) + chance);
    options = following(path);
  }
  return found;
}

/** The probability of the results that fulfil a condition. */
export const shareOf = <T>(chances: ReadonlyMap<T, number>, is: (result: T) => boolean): number =>
  [...chances].reduce((sum, [result, chance]) => sum + (is(result) ? chance : 0), 0);
