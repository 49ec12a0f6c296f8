/**
 * The facts of Splice's documents by release. Those of the first release, the base, are part of the code. The files of
 * the others have their differences from it. The build keeps these files apart, and an instance reads only the files of
 * its releases.
 */
import { carried, gather, type Service } from '../api.js';
import { withDifferences, type FactDifferences, type Facts } from '../loading/differences.js';
import {
  SPLICE_VERSIONS,
  spliceReleaseOf,
  type SpliceApi,
  type SpliceVersion,
} from '../versions.js';

const FILES: { readonly [Version in SpliceVersion]?: () => unknown } = {
  '0.8': () => require('../facts/splice/0.8.json'),
  '0.9': () => require('../facts/splice/0.9.json'),
};

/** The contents of a file in `facts/splice`: the differences of each service, by group. */
interface SpliceFacts extends Readonly<
  Partial<Record<SpliceApi, Readonly<Record<string, FactDifferences>>>>
> {
  /** Decisions about new parts of the documents that are still to be made, by document. */
  readonly undecided?: Readonly<Record<string, readonly string[]>>;
}

export const undecidedIn = (version: SpliceVersion): readonly string[] =>
  Object.values((FILES[version]?.() as SpliceFacts | undefined)?.undecided ?? {}).flat();

/** The latest release until this one that has a document of the API. */
export function documentedIn(api: SpliceApi, version: SpliceVersion): SpliceVersion {
  const until = SPLICE_VERSIONS.slice(0, SPLICE_VERSIONS.indexOf(version) + 1);
  return until.findLast((each) => spliceReleaseOf(each).documents.includes(api))!;
}

/**
 * The services of an API in a release that has a document of it.
 * @param first reads those of the base
 */
export function servicesIn(
  api: SpliceApi,
  version: SpliceVersion,
  first: () => unknown,
): readonly Service[] {
  const base = carried(first() as object);
  const own = FILES[version]?.() as SpliceFacts | undefined;
  if (own === undefined) return Object.values(base);
  return Object.entries(own[api]!).map(([name, differences]) =>
    withDifferences(baseOf(base, name), differences),
  );
}

/** The facts that a service refers to: those of the same service, or those of all services together. */
export function baseOf(services: Readonly<Record<string, Service>>, name: string): Facts {
  const same = services[name];
  return gather(same === undefined ? Object.values(services) : [same]);
}

/** An API by release, made once for each. */
export function perRelease<Facts>(
  build: (version: SpliceVersion) => Facts,
): (version: SpliceVersion) => Facts {
  const known = new Map<SpliceVersion, Facts>();
  return (version) => {
    let facts = known.get(version);
    if (facts === undefined) known.set(version, (facts = build(version)));
    return facts;
  };
}
