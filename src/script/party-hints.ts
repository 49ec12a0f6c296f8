/**
 * Names for parties that a script allocates without a hint. They equal the names of the real runner, which uses
 * Java's random number generator with seed 0. Each script starts with a new generator.
 */
import { ScriptRefusal } from './failures.js';

const MULTIPLIER = 0x5deece66dn;
const INCREMENT = 0xbn;
const MASK = (1n << 48n) - 1n;

export class PartyHints {
  private state = MULTIPLIER & MASK;

  private next32(): bigint {
    this.state = (this.state * MULTIPLIER + INCREMENT) & MASK;
    return this.state >> 16n;
  }

  /** Eight hexadecimal digits: the lower half of a `nextLong`. */
  private suffix(): string {
    this.next32();
    return this.next32().toString(16).padStart(8, '0');
  }

  /**
   * @param given the hint; empty if the script has none
   * @param requested the display name; empty if the script has none
   */
  hint(given: string, requested: string): string {
    if (given === '') return `${requested === '' ? 'party' : requested}-${this.suffix()}`;
    if (requested !== '' && requested !== given)
      throw new ScriptRefusal(
        `Requested name '${requested}' cannot be different from id hint '${given}'`,
        'ConverterException',
      );
    return given;
  }
}
