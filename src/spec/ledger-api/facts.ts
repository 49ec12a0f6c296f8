/**
 * The facts of each Canton release, one file each. Only those of the default release are part of the code that every
 * process loads. The build writes the others into separate files, and an instance reads only the file of its release.
 */
import { createHash } from 'node:crypto';
import type { CantonFacts } from '../carrying/canton.js';
import usual from '../facts/canton/3.5.json' with { type: 'json' };
import { releaseName, type ApiVersion } from '../versions.js';

const FACTS: { readonly [Version in ApiVersion]: () => unknown } = {
  '3.4': () => require('../facts/canton/3.4.json'),
  '3.5': () => usual,
  '3.6': () => require('../facts/canton/3.6.json'),
  '3.7': () => require('../facts/canton/3.7.json'),
};

const read = new Map<ApiVersion, CantonFacts>();

/** The facts of a release's official documents, or of those of the user. */
export function cantonFactsOf(version: ApiVersion): CantonFacts {
  let facts = read.get(version);
  if (facts === undefined)
    read.set(version, (facts = FACTS[releaseName(version)]() as CantonFacts));
  return facts;
}

/** A release that follows documents of the user. The same documents give the same name. */
export function withDocuments(version: ApiVersion, facts: CantonFacts): ApiVersion {
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  const own = `${version}+${key}` as ApiVersion;
  read.set(own, facts);
  return own;
}
