/** The errors of a participant's topology manager. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList, scalaSet } from '../../daml/errors/scala-text.js';
import { abbreviatedHash } from '../model/ids.js';
import { namespaceOfOwners } from '../model/keys.js';

/** An error whose details do not reach the client (B-ERR-004). */
export function topologyRefusal(
  code: LedgerError['code'],
  cause: string,
  context: Readonly<Record<string, string>> = {},
): LedgerError {
  return ledgerError(code, { cause, context, undetailed: true });
}

export const invalidMapping = (error: string): LedgerError =>
  topologyRefusal(
    'TOPOLOGY_INVALID_MAPPING',
    `The topology transaction was rejected due to an invalid mapping: ${error}`,
  );

/** The first definition of a decentralized namespace takes its name from its owners. @throws LedgerError TOPOLOGY_INVALID_MAPPING */
export function requireDerivedNamespace({
  namespace,
  owners,
}: {
  readonly namespace: string;
  readonly owners: readonly string[];
}): void {
  if (namespace !== namespaceOfOwners(owners))
    throw invalidMapping(
      `The decentralized namespace ${abbreviatedHash(namespace)} is not derived from the owners ${scalaList(owners.map(abbreviatedHash))}`,
    );
}

/** @param namespaces fingerprints, hexadecimal @param keys fingerprints, hexadecimal */
export function missingAuthorizations(
  namespaces: readonly string[],
  keys: readonly string[],
): LedgerError {
  return topologyRefusal(
    'TOPOLOGY_UNAUTHORIZED_TRANSACTION',
    `Topology transaction is missing authorizations by namespaces=${shownHashes(namespaces)} and keys=${shownHashes(keys)}`,
  );
}

/** Hashes, each once, as a set of Scala prints them. */
export const shownHashes = (hashes: readonly string[]): string =>
  scalaSet([...new Set(hashes)].map(abbreviatedHash));
