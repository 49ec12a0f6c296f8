/**
 * Numbers for places in compiled code. A definition can be lowered more than once, each time in the same order, so that the same place gets
 * the same number again.
 */
import type { CompiledDefinition } from '../lowering/instrument.js';

/** Returns the number of the next place. @param make describes a new place; it gets its number, and its index in the definition */
export type NextSite<Site> = (make: (number: number, index: number) => Site) => number;

export class SiteTable<Site> {
  /** By number. */
  readonly sites: Site[] = [];
  private readonly byDefinition = new Map<string, number[]>();

  /** @param first the number of the first place */
  constructor(private readonly first = 0) {}

  /** Starts at the first place of the definition. */
  within({ lf, module, name }: CompiledDefinition): NextSite<Site> {
    const key = `${lf.id}:${module}:${name}`;
    const known = this.byDefinition.get(key) ?? [];
    this.byDefinition.set(key, known);
    let at = 0;
    return (make) => {
      const index = at++;
      let number = known[index];
      if (number === undefined) {
        number = this.first + this.sites.length;
        known.push(number);
        this.sites.push(make(number, index));
      }
      return number;
    };
  }
}
