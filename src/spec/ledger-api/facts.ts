/**
 * The facts of each Canton release, one file each. Those of one release, the base, are part of the code that every
 * process loads. The files of the others have their differences from it. The build keeps these files apart, and an
 * instance reads only the file of its release.
 */
import { createHash } from 'node:crypto';
import type { CantonDifferences, CantonFacts } from '../carrying/canton.js';
import base from '../facts/canton/3.5.json' with { type: 'json' };
import { withDifferences } from '../loading/differences.js';
import { releaseName, type ApiVersion } from '../versions.js';

/** The release that the files of the others refer to. */
export const BASE = '3.5';

const OTHERS: { readonly [Version in Exclude<ApiVersion, typeof BASE>]: () => unknown } = {
  '3.4': () => require('../facts/canton/3.4.json'),
  '3.6': () => require('../facts/canton/3.6.json'),
  '3.7': () => require('../facts/canton/3.7.json'),
};

const read = new Map<ApiVersion, CantonFacts>();

/** The facts of a release's official documents, or of those of the user. */
export function cantonFactsOf(version: ApiVersion): CantonFacts {
  let facts = read.get(version);
  if (facts === undefined) read.set(version, (facts = readFacts(releaseName(version))));
  return facts;
}

function readFacts(name: ApiVersion): CantonFacts {
  const facts = base as unknown as CantonFacts;
  if (name === BASE) return facts;
  const own = OTHERS[name]() as CantonDifferences;
  return { ...own, ...withDifferences(facts, own) };
}

/** A release that follows documents of the user. The same documents give the same name. */
export function withDocuments(version: ApiVersion, facts: CantonFacts): ApiVersion {
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  const own = `${version}+${key}` as ApiVersion;
  read.set(own, facts);
  return own;
}
