/** What a participant's topology manager refuses. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import { abbreviatedHash } from '../ids.js';

/** A refusal that loses its details on the way to the client (B-ERR-004). */
export function topologyRefusal(
  code: LedgerError['code'],
  cause: string,
  context: Readonly<Record<string, string>> = {},
): LedgerError {
  return ledgerError(code, { cause, context, undetailed: true });
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
