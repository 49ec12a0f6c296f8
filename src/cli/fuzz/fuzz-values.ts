/** Values of the flags of `canticle fuzz`. */
import { InvalidArgumentError } from 'commander';

/** The most steps of a sequence. */
export const MAX_STEPS = 10_000;

type Weights = Readonly<Record<string, number>>;

/** Reads `name=number`. */
export function weight(text: string, previous: Weights): Weights {
  const [, name, number] = /^(.+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Expected a name, '=', and a number.");
  return { ...previous, [name]: Number(number) };
}

/** Reads a number from 1 to 100. */
export function percent(text: string): number {
  const number = Number(text.replace(/%$/, ''));
  if (!(number > 0 && number <= 100))
    throw new InvalidArgumentError('Expected a number from 1 to 100.');
  return number;
}
