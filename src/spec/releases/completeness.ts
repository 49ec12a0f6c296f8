/** The parts of a Canton release that are known to be complete, and those that are not: by operation and by fact. */
import { lazy } from '../../daml/errors/lazy.js';
import { cantonFactsOf } from '../ledger-api/facts.js';
import { operationsOf, whyUnrouted } from '../operations.js';
import { releaseOf, type ApiVersion } from '../versions.js';

/** A difference between releases. */
export interface ReleaseFact {
  readonly id: string;
  /** The part of the APIs that differs. */
  readonly topic: string;
  readonly text: string;
  /** `holds`: a test shows it. `note`: it cannot hold here. `open`: it is not shown, or not implemented. */
  readonly state: 'holds' | 'note' | 'open';
  /** The reason why it cannot hold here. */
  readonly note?: string;
}

/** An operation of the release's document without a handler. */
interface MissingOperation {
  /** Such as `POST /v2/updates`. */
  readonly operation: string;
  readonly reason: string;
}

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

const facts = lazy(
  () => (require('../facts/releases.json') as { facts: readonly ReleaseFact[] }).facts,
);

/** The middle of the ids of facts about a release: R-34-001 says how 3.4 and 3.5 differ. */
const FACTS_OF: Readonly<Record<ApiVersion, string>> = {
  '3.4': '34',
  '3.5': '34',
  '3.6': '36',
  '3.7': '36',
};

/** Whether a fact says how a release differs from its neighbours. */
const concerns = (id: string, version: ApiVersion): boolean =>
  id.split('-')[1] === FACTS_OF[version];

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
    facts: facts().filter(({ id }) => concerns(id, version)),
  };
}
