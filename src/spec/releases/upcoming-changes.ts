/**
 * The parts of the Ledger API that the next release disables or removes, so that calls are marked before an upgrade.
 * An instance loads the facts of one release only, so these are here.
 */
import { API_VERSIONS, releaseName, releaseOf, type ApiVersion } from '../versions.js';
import type { DeprecatedApis, Disabled } from '../deprecated/deprecated-apis.js';

/** The operations that 3.6 disables, by id. A test compares the rows with the facts of 3.6. */
const DISABLED_OPERATIONS: Readonly<Record<string, Disabled>> = {
  'postV2CommandsSubmit-and-wait-for-transaction-tree': {
    group: 'endpoints-34',
    instead: 'POST /v2/commands/submit-and-wait-for-transaction',
  },
  'getV2Interactive-submissionPreferred-package-version': {
    group: 'endpoints-34',
    instead: 'POST /v2/interactive-submission/preferred-packages',
  },
  postV2UpdatesFlats: { group: 'endpoints-34', instead: 'POST /v2/updates' },
  postV2UpdatesTrees: { group: 'endpoints-34', instead: 'POST /v2/updates' },
  'getV2UpdatesTransaction-tree-by-offsetOffset': {
    group: 'endpoints-34',
    instead: 'POST /v2/updates/update-by-offset',
  },
  'postV2UpdatesTransaction-by-offset': {
    group: 'endpoints-34',
    instead: 'POST /v2/updates/update-by-offset',
  },
  'postV2UpdatesTransaction-by-id': {
    group: 'endpoints-34',
    instead: 'POST /v2/updates/update-by-id',
  },
  'getV2UpdatesTransaction-tree-by-idUpdate-id': {
    group: 'endpoints-34',
    instead: 'POST /v2/updates/update-by-id',
  },
  'getV2Package-vetting': { group: 'endpoints-35', instead: 'POST /v2/package-vetting/list' },
  'postV2Package-vetting': { group: 'endpoints-35', instead: 'POST /v2/package-vetting/update' },
  'getV2StateActive-contracts-page': {
    group: 'endpoints-35',
    instead: 'POST /v2/state/active-contracts-page',
  },
};

/** The members `filter` and `verbose` of a request, by its path. */
export const LEGACY_MEMBERS = {
  '/v2/updates': { group: 'parameters-34', instead: 'updateFormat' },
  '/v2/state/active-contracts': { group: 'parameters-34', instead: 'eventFormat' },
} as const satisfies Readonly<Record<string, Disabled>>;

export type LegacyPath = keyof typeof LEGACY_MEMBERS;

/** A part of the API that the next release disables or removes. */
export interface UpcomingChange extends Disabled {
  /** Such as `GET /v2/package-vetting`. */
  readonly api: string;
  readonly effect: 'disables' | 'removes';
  /** The release with that effect. */
  readonly release: string;
}

type Effect = Pick<UpcomingChange, 'effect' | 'release'>;

/** The effect of the next release on a group; undefined if it leaves the group unchanged. */
function nextEffect(version: ApiVersion, group: DeprecatedApis): Effect | undefined {
  const next = API_VERSIONS[API_VERSIONS.indexOf(releaseName(version)) + 1];
  if (next === undefined) return undefined;
  const [before, after] = [releaseOf(version), releaseOf(next)];
  if (after.disabledApis.includes(group))
    return before.disabledApis.includes(group) ? undefined : { effect: 'disables', release: next };
  return after.removedApis?.includes(group) ? { effect: 'removes', release: next } : undefined;
}

/** @param operationId undefined for calls of no operation */
export const disabledById = (operationId: string | undefined): Disabled | undefined =>
  operationId !== undefined && Object.hasOwn(DISABLED_OPERATIONS, operationId)
    ? DISABLED_OPERATIONS[operationId]
    : undefined;

/** @param api the name of the part, as in {@link UpcomingChange} */
export function upcomingChange(
  version: ApiVersion,
  disabled: Disabled | undefined,
  api: string,
): UpcomingChange | undefined {
  const effect = disabled && nextEffect(version, disabled.group);
  return effect && { ...disabled, api, ...effect };
}
