/**
 * Parts of the Ledger API that a release still has, but disables by default. Canton enables each group of them again with one key of its
 * configuration (B-DEP-001).
 */
export const DEPRECATED_APIS = {
  /** Operations and gRPC methods that 3.4 deprecated. */
  'endpoints-34': '3.4',
  /** Members of requests to operations that stay. */
  'parameters-34': '3.4',
  /** Operations that 3.5 deprecated. */
  'endpoints-35': '3.5',
} as const;

export type DeprecatedApis = keyof typeof DEPRECATED_APIS;

/** A disabled operation: the group that enables it, and the operation to use instead. */
export interface Disabled {
  readonly group: DeprecatedApis;
  readonly instead: string;
}

const DISABLED_IN = '3.6';
const REMOVED_IN = '3.7';

const keyOf = (group: DeprecatedApis): string =>
  `canton.participants.<participant>.features.deprecated.enable-deprecated-${group}`;

/** The cause of DEPRECATED_API_DISABLED. @param api such as `GET /v2/package-vetting` */
export function disabledText(group: DeprecatedApis, api: string): string {
  return (
    `${api} was deprecated in Canton ${DEPRECATED_APIS[group]}, is disabled by default since Canton ${DISABLED_IN} ` +
    `and will be removed in Canton ${REMOVED_IN}. Set \`${keyOf(group)} = true\` to re-enable it temporarily.`
  );
}

/** The description of a disabled operation in the documents; undefined for any other operation. */
export function disabledNotice(
  { disabled }: { readonly disabled?: Disabled },
  shownAs = (instead: string): string => instead,
): string | undefined {
  if (disabled === undefined) return undefined;
  const { group, instead } = disabled;
  return (
    `Deprecated since Canton ${DEPRECATED_APIS[group]}: disabled by default since Canton ${DISABLED_IN} ` +
    `(re-enable temporarily with \`${keyOf(group)} = true\`) and will be removed in Canton ${REMOVED_IN}. ` +
    `Use ${shownAs(instead)} instead.`
  );
}
