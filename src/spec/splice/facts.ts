/**
 * The facts of Splice's documents by release. Those of the first release are part of the code. The build writes the
 * others into separate files, and an instance reads only the files of its releases.
 */
import { carried, type Service } from '../api.js';
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

/** The contents of a file in `facts/splice`: services by their groups. */
interface SpliceFacts extends Readonly<Partial<Record<SpliceApi, object>>> {
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
 * @param first reads those of the first release
 */
export function servicesIn(
  api: SpliceApi,
  version: SpliceVersion,
  first: () => unknown,
): readonly Service[] {
  const own = FILES[version]?.() as SpliceFacts | undefined;
  const facts = own === undefined ? first() : own[api];
  return Object.values(carried(facts as object));
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
