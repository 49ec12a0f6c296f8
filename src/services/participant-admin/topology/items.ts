/** Converts parts of topology mappings to messages of the admin API, and filters by id. */
import { formatInstant } from '../../../daml/model/time.js';
import type { DelegationRestriction } from '../../../network/topology/party-hosting.js';
import type { VettedPackage } from '../../../network/topology/topology.js';

/** Matches both parts of an id by the prefixes in the filter. */
export function passes(uid: string, filter: string): boolean {
  const [identifier, namespace = ''] = filter.split('::') as [string, string?];
  const [ownIdentifier, ownNamespace = ''] = uid.split('::') as [string, string?];
  return ownIdentifier.startsWith(identifier) && ownNamespace.startsWith(namespace);
}

export const vettedPackageOf = ({ packageId, validFrom, validUntil }: VettedPackage) => ({
  packageId,
  ...(validFrom !== undefined && { validFromInclusive: formatInstant(validFrom) }),
  ...(validUntil !== undefined && { validUntilExclusive: formatInstant(validUntil) }),
});

export const restrictionOf = (restriction: DelegationRestriction): object => {
  if (restriction === 'all') return { canSignAllMappings: {} };
  if (restriction === 'all but delegations') return { canSignAllButNamespaceDelegations: {} };
  return { canSignSpecificMapings: { mappings: restriction } };
};
