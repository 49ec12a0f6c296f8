/** Solves conditions with z3, which a project installs as `z3-solver`: it is loaded on demand. */
import type { Condition, LinearForm, Solver, Unknown } from '../../fuzzing/solving/conditions.js';
import { FuzzSettingsError } from './settings.js';

/** Milliseconds of one search. The result of a search that takes longer is unknown. */
const SEARCH_MS = 2_000;

/** @throws FuzzSettingsError if the package is not installed */
export async function z3Solver(): Promise<Solver & { readonly close: () => void }> {
  const { init } = await import('z3-solver').catch(() => {
    throw new FuzzSettingsError(
      '--solve needs the package z3-solver. Install it: npm install --save-dev z3-solver.',
    );
  });
  const { Context, em } = await init();
  const { Int, Solver: Search } = Context('canticle');
  const solve = async (
    unknowns: readonly Unknown[],
    conditions: readonly Condition[],
  ): Promise<readonly bigint[] | undefined> => {
    const search = new Search();
    search.set('timeout', SEARCH_MS);
    const names = unknowns.map((_, index) => Int.const(`x${index}`));
    const form = ({ constant, terms }: LinearForm, times: bigint) => {
      let sum = Int.val(constant * times).add(0);
      for (const [index, factor] of terms)
        sum = sum.add(names[index]!.mul(Int.val(factor * times)));
      return sum;
    };
    unknowns.forEach(({ least, most }, index) => {
      search.add(names[index]!.ge(Int.val(least)), names[index]!.le(Int.val(most)));
    });
    for (const { operator, left, right, holds } of conditions) {
      const [one, other] = [form(left, right.divisor), form(right, left.divisor)];
      const condition = {
        EQUAL: () => one.eq(other),
        LESS: () => one.lt(other),
        LESS_EQ: () => one.le(other),
        GREATER: () => one.gt(other),
        GREATER_EQ: () => one.ge(other),
      }[operator]();
      search.add(holds ? condition : condition.not());
    }
    if ((await search.check()) !== 'sat') return undefined;
    const model = search.model();
    return names.map((name) => integerOf(model.eval(name, true).toString()));
  };
  return { solve, close: () => em.PThread.terminateAllThreads() };
}

/** A negative number is `(- 5)`. */
const integerOf = (text: string): bigint => BigInt(text.replaceAll(/[() ]/g, ''));
