/** The parts of a Canton release that are known to be complete, and those that are not: by operation and by fact. */
import { cantonFactsOf } from '../ledger-api/facts.js';
import { operationsOf, whyUnrouted } from '../operations.js';
import { releaseOf, type ApiVersion } from '../versions.js';
import { factsAbout, type MissingOperation, type ReleaseFact } from './release-facts.js';

export interface Completeness {
  /** In the form of `--canton`. */
  readonly release: ApiVersion;
  /** The version that it reports. */
  readonly version: string;
  /** The version of the document that it follows. */
  readonly document: string;
  readonly operations: {
    readonly documented: number;
    readonly served: number;
    readonly missing: readonly MissingOperation[];
  };
  /** Decisions about new parts of the document that are still to be made. */
  readonly undecided: readonly string[];
  readonly facts: readonly ReleaseFact[];
}

/** The middle of the ids of facts about a release: R-34-001 says how 3.4 and 3.5 differ. */
const FACTS_OF: Readonly<Record<ApiVersion, string>> = {
  '3.4': '34',
  '3.5': '34',
  '3.6': '36',
  '3.7': '36',
};

export function completenessOf(version: ApiVersion): Completeness {
  const { document, undecided = [] } = cantonFactsOf(version);
  const rows = operationsOf('ledger', version).filter(({ unlisted }) => !unlisted);
  const missing = rows.filter(({ served }) => !served);
  return {
    release: version,
    version: releaseOf(version).version,
    document,
    operations: {
      documented: rows.length,
      served: rows.length - missing.length,
      missing: missing.map(({ operationId, method, path }) => ({
        operation: `${method.toUpperCase()} ${path}`,
        reason: whyUnrouted('ledger', operationId, version) ?? 'It has no handler.',
      })),
    },
    undecided,
    facts: factsAbout(FACTS_OF[version]),
  };
}
