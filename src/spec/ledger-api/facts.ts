/**
 * The facts of each Canton release, one file each. Only those of the default release are part of the code that every
 * process loads. The build writes the others into separate files, and an instance reads only the file of its release.
 */
import type { CantonFacts } from '../carrying/canton.js';
import usual from '../facts/canton/3.5.json' with { type: 'json' };
import type { ApiVersion } from '../versions.js';

const FACTS: { readonly [Version in ApiVersion]: () => unknown } = {
  '3.4': () => require('../facts/canton/3.4.json'),
  '3.5': () => usual,
  '3.6': () => require('../facts/canton/3.6.json'),
  '3.7': () => require('../facts/canton/3.7.json'),
};

const read = new Map<ApiVersion, CantonFacts>();

/** The facts of a release's official documents. */
export function cantonFactsOf(version: ApiVersion): CantonFacts {
  let facts = read.get(version);
  if (facts === undefined) read.set(version, (facts = FACTS[version]() as CantonFacts));
  return facts;
}
