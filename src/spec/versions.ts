/**
 * The releases that this simulator speaks, as data. Rows of operations and messages may name the release that brought
 * them (`since`) and the first release without them (`until`); nothing else in the code compares versions.
 */

/** The releases of the Ledger API, as `--api-version` names them; what `GET /v2/version` answers for each. */
export const LEDGER_API_VERSIONS = {
  '3.4': '3.4.12',
  '3.5': '3.5.14',
  '3.6': '3.6.0-SNAPSHOT',
} as const;

export type ApiVersion = keyof typeof LEDGER_API_VERSIONS;

export const API_VERSIONS = Object.keys(LEDGER_API_VERSIONS) as readonly ApiVersion[];

/** The release whose Ledger API is spoken unless told otherwise. */
export const DEFAULT_API_VERSION: ApiVersion = '3.5';

/** The Daml-LF versions that participants of a release know, by their names; all that we read, where absent. */
export const LANGUAGES_OF_RELEASE: Readonly<Partial<Record<ApiVersion, readonly string[]>>> = {
  '3.4': ['2.1', '2.2', '2.dev'],
};

/** The release of Splice whose Scan, validator and registry are spoken. */
export const SPLICE_VERSION = '0.7.4';

/** Whether a row that states `since` and `until` belongs to a release. Versions are compared number by number. */
export function inRelease(row: { since?: string; until?: string }, version: string): boolean {
  if (row.since !== undefined && compareVersions(version, row.since) < 0) return false;
  return row.until === undefined || compareVersions(version, row.until) < 0;
}

function compareVersions(left: string, right: string): number {
  const a = numbersOf(left);
  const b = numbersOf(right);
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A snapshot counts as the release that it leads to. */
function numbersOf(version: string): number[] {
  return version.replace(/-.*$/, '').split('.').map(Number);
}
