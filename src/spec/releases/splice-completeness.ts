/** The parts of a Splice release that are known to be complete, and those that are not: by operation and by fact. */
import type { Api } from '../api.js';
import { apiIn } from '../apis.js';
import { operationsOf, whyUnrouted } from '../operations.js';
import { documentedIn, undecidedIn } from '../splice/facts.js';
import type { PackageVersions } from '../packages/splice-packages.js';
import {
  SPLICE_VERSIONS,
  spliceReleaseOf,
  type ApiVersion,
  type SpliceApi,
  type SpliceVersion,
} from '../versions.js';
import { factsAbout, type MissingOperation, type ReleaseFact } from './release-facts.js';

/** The operations of one API, such as Scan's. */
interface ApiCompleteness {
  readonly api: SpliceApi;
  /** The version of the document that it follows. */
  readonly document: string;
  readonly documented: number;
  readonly served: number;
}

export interface SpliceCompleteness {
  /** In the form of `--splice`. */
  readonly release: SpliceVersion;
  /** The version that its apps report. */
  readonly version: string;
  /** The release of Canton that it implies. */
  readonly canton: ApiVersion;
  readonly apis: readonly ApiCompleteness[];
  readonly missing: readonly MissingOperation[];
  readonly packages: {
    readonly versions: PackageVersions;
    /** Whether they are only known to be these versions or later ones. */
    readonly orLater: boolean;
  };
  /** Parts without a known decision, which are served as in the release before. */
  readonly undecided: readonly string[];
  readonly facts: readonly ReleaseFact[];
}

/** The middle of the ids of facts about a release: R-09-001 says how 0.9 differs from the release before. */
const FACTS_OF: Readonly<Record<SpliceVersion, string>> = {
  '0.7.4': '08',
  '0.8': '08',
  '0.9': '09',
  '0.10': '10',
};

const APIS: readonly SpliceApi[] = ['scan', 'sv', 'validator', 'wallet', 'names', 'registry'];

export function spliceCompletenessOf(version: SpliceVersion): SpliceCompleteness {
  const spoken = { spliceVersion: version };
  const {
    version: reported,
    canton,
    packages,
    hasLaterPackages,
    undecided,
  } = spliceReleaseOf(version);
  const rows = APIS.map((api) => ({
    api,
    operations: operationsOf(api, spoken).filter(({ unlisted }) => !unlisted),
  }));
  return {
    release: version,
    version: reported,
    canton,
    apis: rows.map(({ api, operations }) => ({
      api,
      document: spliceReleaseOf(documentedIn(api, version)).version,
      documented: operations.length,
      served: operations.filter(({ served }) => served).length,
    })),
    missing: rows.flatMap(({ api, operations }) =>
      operations
        .filter(({ served }) => !served)
        .map(({ operationId, method, path }) => ({
          operation: `${method.toUpperCase()} ${basePathOf(api)}${path}`,
          reason: whyUnrouted(api, operationId, spoken) ?? 'It has no handler.',
        })),
    ),
    packages: { versions: packages, orLater: hasLaterPackages },
    undecided: [...undecided, ...undecidedIn(version)],
    facts: factsAbout(FACTS_OF[version]),
  };
}

const basePathOf = (api: Api): string => apiIn(api).basePath;

/** A name of a release of Splice, with the prefix that `canticle rehearse --to` has, or without. */
export function spliceReleaseNamed(name: string): SpliceVersion | undefined {
  const bare = name.replace(/^splice-/, '');
  return SPLICE_VERSIONS.find((each) => each === bare);
}
