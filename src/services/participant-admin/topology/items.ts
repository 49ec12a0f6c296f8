/** Parts of topology mappings as the admin API's messages have them, and what a filter of ids lets through. */
import { formatInstant } from '../../../daml/model/time.js';
import type { DelegationRestriction } from '../../../network/topology/party-hosting.js';
import type { PublicKeyMessage } from '../../../network/topology/party-keys.js';
import type { VettedPackage } from '../../../network/topology/topology.js';

/** Both halves of an id, each by what it begins with, as far as the filter names them. */
export function passes(uid: string, filter: string): boolean {
  const [identifier, namespace = ''] = filter.split('::') as [string, string?];
  const [ownIdentifier, ownNamespace = ''] = uid.split('::') as [string, string?];
  return ownIdentifier.startsWith(identifier) && ownNamespace.startsWith(namespace);
}

/** As messages have it: bytes are base64. */
export const keyOf = ({ format, publicKey, usage, keySpec }: PublicKeyMessage) => ({
  format,
  publicKey: Buffer.from(publicKey).toString('base64'),
  usage,
  keySpec,
});

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
