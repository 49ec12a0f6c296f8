/** All results that random choices can lead to, with their exact probabilities. */
import { Random } from '../../../src/fuzzing/values/random.js';

/** Takes the choices of a path, and the first option of each further choice. */
class Path extends Random {
  readonly taken: { readonly option: number; readonly chances: readonly number[] }[] = [];

  constructor(private readonly options: readonly number[]) {
    super('');
  }

  private choose(chances: readonly number[]): number {
    const option = this.options[this.taken.length] ?? chances.findIndex((each) => each > 0);
    this.taken.push({ option, chances });
    return option;
  }

  override below(end: number): number {
    return this.choose(Array.from({ length: end }, () => 1 / end));
  }

  override chance(probability: number): boolean {
    return this.choose([probability, 1 - probability]) === 0;
  }

  override next(): number {
    // Random itself draws some numbers before the first choice.
    if (this.taken === undefined) return super.next();
    throw new Error('Only choices with a number of options are listed.');
  }
}

/** The options of the next path in order; undefined after the last one. */
function following({ taken }: Path): readonly number[] | undefined {
  for (let place = taken.length - 1; place >= 0; place--) {
    const { option, chances } = taken[place]!;
    const next = chances.findIndex((chance, each) => each > option && chance > 0);
    if (next >= 0) return [...taken.slice(0, place).map((each) => each.option), next];
  }
  return undefined;
}

/** @param of a result, as a text or a number, for random choices */
export function chancesOf<T>(of: (random: Random) => T): ReadonlyMap<T, number> {
  const found = new Map<T, number>();
  for (let options: readonly number[] | undefined = []; options !== undefined;) {
    const path = new Path(options);
    const result = of(path);
    const chance = path.taken.reduce((all, { option, chances }) => all * chances[option]!, 1);
    found.set(result, (found.get(result) ?? 0) + chance);
    options = following(path);
  }
  return found;
}

/** The probability of the results that fulfil a condition. */
export const shareOf = <T>(chances: ReadonlyMap<T, number>, is: (result: T) => boolean): number =>
  [...chances].reduce((sum, [result, chance]) => sum + (is(result) ? chance : 0), 0);
