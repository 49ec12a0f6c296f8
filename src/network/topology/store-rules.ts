/** The rules of any topology store: consecutive serials, merged signatures, and required signers. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { isRootDelegation, shownMapping } from './mapping-rules.js';
import { mappingText } from './mapping-text.js';
import { toHex } from '../../daml/model/hash.js';
import type { TopologyMapping, TopologyTransaction } from './party-hosting.js';
import {
  authorized,
  isSame,
  signersOf,
  type Delegations,
  type SignedMapping,
  type StoredMapping,
} from './signed-mappings.js';
import { topologyRefusal } from './topology-refusals.js';

export interface TopologyStore {
  /** The latest mapping with the same unique key, in force or removed, without proposals. */
  readonly latest: (mapping: TopologyMapping) => StoredMapping | undefined;
  /** The latest of a hash, proposals among them. @param hash hexadecimal */
  readonly byHash: (hash: string) => StoredMapping | undefined;
  readonly delegations: Delegations;
  /** Only a synchronizer's store compares a removal with the mapping in force. */
  readonly comparesRemovals?: boolean;
  /** Checks the store's own rules for a mapping, besides serials and signatures. Throws a LedgerError. */
  readonly check?: (transaction: TopologyTransaction, before: StoredMapping | undefined) => void;
}

/**
 * @returns the transaction with the merged signatures; undefined if it adds none
 * @throws LedgerError TOPOLOGY_NO_CORRESPONDING_ACTIVE_TX_TO_REVOKE, TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING,
 * TOPOLOGY_SERIAL_MISMATCH and the errors of {@link authorized}
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
  if (store.comparesRemovals && !transaction.replaces)
    requireSame(transaction.mapping, before?.transaction.mapping);
  store.check?.(transaction, before);
  const isJoined = before !== undefined && isSame(before.transaction.hash, transaction.hash);
  const next = before === undefined ? undefined : before.transaction.serial + 1;
  if (!isJoined && next !== undefined && next !== transaction.serial)
    throw serialMismatch(transaction.serial, next);
  const joined = known === undefined ? given : joinedSignatures(known, given);
  const accepted = authorized(joined, before, store.delegations, mustBeComplete);
  // Signatures of keys without authority were dropped.
  const isKnown = known !== undefined && known.isProposal === accepted.isProposal;
  return isKnown && signersOf(accepted).every((each) => knownSigners!.includes(each))
    ? undefined
    : accepted;
}

/**
 * A removed mapping must be in force and unchanged (B-EXT-034).
 * NOTE: a root delegation can be removed before it takes effect.
 */
function requireSame(removed: TopologyMapping, inForce: TopologyMapping | undefined): void {
  if (inForce === undefined) {
    if (isRootDelegation(removed)) return;
    throw topologyRefusal(
      'TOPOLOGY_NO_CORRESPONDING_ACTIVE_TX_TO_REVOKE',
      'There is no active topology transaction matching the mapping of the revocation request',
    );
  }
  const isCertificate = removed.kind === 'SynchronizerTrustCertificate';
  if (isCertificate || shownMapping(removed) === shownMapping(inForce)) return;
  throw topologyRefusal(
    'TOPOLOGY_REMOVE_MUST_NOT_CHANGE_MAPPING',
    `REMOVE must not change the topology mapping:\nactual: ${mappingText(removed)}\nexpected: ${mappingText(inForce)}`,
  );
}

export function serialMismatch(actual: number, expected: number) {
  return ledgerError('TOPOLOGY_SERIAL_MISMATCH', {
    cause: `The provided serial Some(${actual}) did not match the expected serial Some(${expected}).`,
    context: { actual: `Some(${actual})`, expected: `Some(${expected})` },
  });
}

/** Each key's signature once. Groups without signatures are dropped when they are verified. */
function joinedSignatures(known: SignedMapping, given: SignedMapping): SignedMapping {
  const before = new Set(signersOf(known));
  const fresh = ({ signedBy }: { readonly signedBy: string }) => !before.has(signedBy);
  const joint = given.joint.map((each) => ({ ...each, signatures: each.signatures.filter(fresh) }));
  return {
    ...given,
    signatures: [...known.signatures, ...given.signatures.filter(fresh)],
    joint: [...known.joint, ...joint],
  };
}
