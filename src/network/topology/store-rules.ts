/** What any topology store holds what is added to it to: serials follow each other, signatures are joined, and who has to has signed. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { toHex } from '../../daml/model/hash.js';
import type { TopologyMapping } from './party-hosting.js';
import {
  authorized,
  isSame,
  signersOf,
  type Delegations,
  type SignedMapping,
  type StoredMapping,
} from './signed-mappings.js';

export interface TopologyStore {
  /** What is in force of the same as the mapping, or was taken away; proposals aside. */
  readonly latest: (mapping: TopologyMapping) => StoredMapping | undefined;
  /** The latest of a hash, proposals among them. @param hash hexadecimal */
  readonly byHash: (hash: string) => StoredMapping | undefined;
  readonly delegations: Delegations;
}

/**
 * @returns what the store takes: with the signatures that were there before; undefined for what adds none
 * @throws LedgerError TOPOLOGY_SERIAL_MISMATCH and what {@link authorized} throws
 */
export function taken(
  store: TopologyStore,
  given: SignedMapping,
  mustBeComplete: boolean,
): SignedMapping | undefined {
  const { transaction } = given;
  const known = store.byHash(toHex(transaction.hash));
  const knownSigners = known && signersOf(known);
  if (knownSigners && signersOf(given).every((each) => knownSigners.includes(each)))
    return undefined;
  const before = store.latest(transaction.mapping);
  const isJoined = before !== undefined && isSame(before.transaction.hash, transaction.hash);
  const next = before === undefined ? undefined : before.transaction.serial + 1;
  if (!isJoined && next !== undefined && next !== transaction.serial)
    throw serialMismatch(transaction.serial, next);
  const joined = known === undefined ? given : joinedSignatures(known, given);
  return authorized(joined, before, store.delegations, mustBeComplete);
}

export function serialMismatch(actual: number, expected: number) {
  return ledgerError('TOPOLOGY_SERIAL_MISMATCH', {
    cause: `The provided serial Some(${actual}) did not match the expected serial Some(${expected}).`,
    context: { actual: `Some(${actual})`, expected: `Some(${expected})` },
  });
}

/** Each key's signature once. */
function joinedSignatures(known: SignedMapping, given: SignedMapping): SignedMapping {
  const before = new Set(signersOf(known));
  const fresh = ({ signedBy }: { readonly signedBy: string }) => !before.has(signedBy);
  const joint = given.joint.map((each) => ({ ...each, signatures: each.signatures.filter(fresh) }));
  return {
    ...given,
    signatures: [...known.signatures, ...given.signatures.filter(fresh)],
    joint: [...known.joint, ...joint.filter(({ signatures }) => signatures.length > 0)],
  };
}
