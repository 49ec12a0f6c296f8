/**
 * The names of parties that a script allocates without saying them: as the real runner makes them, which draws from Java's generator
 * of random numbers with seed 0. Each script begins anew.
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

  /** Eight digits, hexadecimal: the lower half of a `nextLong`. */
  private suffix(): string {
    this.next32();
    return this.next32().toString(16).padStart(8, '0');
  }

  /** @param given the hint, and @param requested the display name; empty where the script gives none */
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
