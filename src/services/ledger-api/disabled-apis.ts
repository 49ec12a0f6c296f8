/**
 * Rejects calls of operations that the participant's release disables, and requests with disabled members. An option of the participant
 * enables each group of them again.
 */
import { JsonLayerError } from '../../daml/codec/json/json-layer.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { disabledText, type DeprecatedApis } from '../../spec/deprecated/deprecated-apis.js';
import type { Operation } from '../../spec/operations.js';
import { releaseOf, type ApiVersion } from '../../spec/versions.js';

/** The release of a participant, and the groups that its options enable again. */
export interface EnabledApis {
  readonly apiVersion: ApiVersion;
  readonly enabledAgain: readonly DeprecatedApis[];
}

const CODE = 'DEPRECATED_API_DISABLED';

function isDisabled({ apiVersion, enabledAgain }: EnabledApis, group: DeprecatedApis): boolean {
  return releaseOf(apiVersion).disabledApis.includes(group) && !enabledAgain.includes(group);
}

/** Whether the release no longer has these parts, so that no option enables them (R-36-021). */
export function hasRemoved({ apiVersion }: EnabledApis, group: DeprecatedApis): boolean {
  return releaseOf(apiVersion).removedApis?.includes(group) ?? false;
}

/**
 * The error of a disabled operation, which the JSON layer answers before it reads the body (B-DEP-002).
 * @param method in upper case; a WebSocket is opened with GET (B-DEP-003)
 */
export function disabledOperation(
  apis: EnabledApis,
  { disabled, path }: Operation,
  method: string,
): LedgerError | undefined {
  if (disabled === undefined || !isDisabled(apis, disabled.group)) return undefined;
  return new JsonLayerError(CODE, { cause: disabledText(disabled.group, `${method} ${path}`) });
}

/** @throws LedgerError DEPRECATED_API_DISABLED as a gRPC service does @param api its name in the text */
export function requireEnabled(apis: EnabledApis, group: DeprecatedApis, api: string): void {
  if (isDisabled(apis, group)) throw ledgerError(CODE, disabledText(group, api));
}
