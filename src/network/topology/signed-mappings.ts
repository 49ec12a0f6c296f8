/**
 * Signed topology transactions of a store, and the keys that its delegations authorize. Only the store's own
 * delegations count.
 */
import { toHex } from '../../daml/model/hash.js';
import type { Timestamp } from '../../daml/model/values.js';
import { abbreviatedHash } from '../model/ids.js';
import { missingAuthorizations, shownHashes, topologyRefusal } from './topology-refusals.js';
import {
  isRootDelegation,
  mappedKeys,
  mayDelegateFor,
  requiredSigners,
  selfAuthorizingKey,
} from './mapping-rules.js';
import {
  multiHash,
  type DelegationRestriction,
  type TopologyMapping,
  type TopologyTransaction,
} from './party-hosting.js';
import { isValidSignature, KEY_USAGE, type PartyKey, type Signature } from './party-keys.js';

/** A signature of several transactions at once: it covers all their hashes. */
interface JointSignatures {
  readonly hashes: readonly Uint8Array[];
  readonly signatures: readonly Signature[];
}

export interface SignedMapping {
  readonly transaction: TopologyTransaction;
  readonly signatures: readonly Signature[];
  readonly joint: readonly JointSignatures[];
  /** A required signature is missing. */
  readonly isProposal: boolean;
}

export interface StoredMapping extends SignedMapping {
  readonly since: Timestamp;
  /** When another transaction replaced it. */
  readonly until?: Timestamp;
}

/** A key that may sign for a namespace, and how many delegations lead to it. */
interface Delegate {
  readonly key: PartyKey;
  readonly level: number;
}

type Kind = TopologyMapping['kind'];

export const signersOf = ({ signatures, joint }: SignedMapping): readonly string[] => [
  ...new Set(
    [...signatures, ...joint.flatMap((each) => each.signatures)].map(({ signedBy }) => signedBy),
  ),
];

/** The mappings of a namespace that are in force in a store. */
export interface NamespaceRecords {
  readonly delegationsOf: (namespace: string) => readonly StoredMapping[];
  /** The definition of a decentralized namespace. */
  readonly definitionOf: (namespace: string) => StoredMapping | undefined;
}

/** The delegations and definitions in force in a store. */
export class Delegations {
  constructor(private readonly records: NamespaceRecords) {}

  /** For each owner of the namespace, the keys that may sign mappings of the kind. */
  keysOf(namespace: string, kind: Kind): readonly (readonly Delegate[])[] {
    const owners = this.decentralized(namespace)?.owners ?? [namespace];
    return owners.map((owner) =>
      [...this.delegates(owner).values()].filter(({ restriction }) =>
        mayDelegateFor(restriction, kind),
      ),
    );
  }

  /** Whether the signers are sufficient for the namespace. */
  isSpokenFor(namespace: string, kind: Kind, signers: ReadonlySet<string>): boolean {
    const speaking = this.keysOf(namespace, kind).filter((delegates) =>
      delegates.some(({ key }) => signers.has(key.fingerprint)),
    );
    return speaking.length >= (this.decentralized(namespace)?.threshold ?? 1);
  }

  private decentralized(namespace: string) {
    const mapping = this.records.definitionOf(namespace)?.transaction.mapping;
    return mapping?.kind === 'DecentralizedNamespaceDefinition' ? mapping : undefined;
  }

  /** By fingerprint, starting from the root: a delegation counts if an earlier key that may delegate signed it. */
  private delegates(namespace: string) {
    const found = new Map<string, Delegate & { readonly restriction: DelegationRestriction }>();
    const waiting = this.records.delegationsOf(namespace).flatMap((each) => {
      const { mapping } = each.transaction;
      return mapping.kind === 'NamespaceDelegation' ? [{ mapping, signers: signersOf(each) }] : [];
    });
    for (let level = 1; ; level += 1) {
      const next = waiting.filter(
        ({ mapping, signers }) =>
          !found.has(mapping.target.fingerprint) &&
          (isRootDelegation(mapping) || signers.some((each) => mayDelegate(found.get(each)))),
      );
      if (next.length === 0) return found;
      for (const { mapping } of next) {
        const { target: key, restriction } = mapping;
        found.set(key.fingerprint, { key, level, restriction });
      }
    }
  }
}

const mayDelegate = (
  delegate: { readonly restriction: DelegationRestriction } | undefined,
): boolean => delegate !== undefined && mayDelegateFor(delegate.restriction, 'NamespaceDelegation');

/**
 * Verifies signatures, and drops those of keys without authority.
 * @param before the mapping in force with the same unique key
 * @param mustBeComplete also rejects proposals with missing signatures
 * @throws LedgerError TOPOLOGY_UNAUTHORIZED_TRANSACTION, TOPOLOGY_INVALID_TX_SIGNATURE,
 * TOPOLOGY_MULTI_TRANSACTION_HASH_MISMATCH
 */
export function authorized(
  given: SignedMapping,
  before: StoredMapping | undefined,
  delegations: Delegations,
  mustBeComplete: boolean,
): SignedMapping {
  const { mapping, hash, replaces } = given.transaction;
  const uncovering = given.joint.find(({ hashes }) => !hashes.some((each) => isSame(each, hash)));
  if (uncovering !== undefined)
    throw topologyRefusal(
      'TOPOLOGY_MULTI_TRANSACTION_HASH_MISMATCH',
      `The given transaction hash set ${shownHashes(uncovering.hashes.map(toHex))} did not contain the expected hash ${abbreviatedHash(toHex(hash))} of the transaction.`,
    );
  const signers = new Set(signersOf(given));
  const isSigner = ({ fingerprint }: PartyKey): boolean => signers.has(fingerprint);
  if (isRootDelegation(mapping)) {
    if (!isSigner(mapping.target)) throw withoutDelegation(signers);
    return complete(verified(given, [mapping.target], []));
  }
  const required = requiredSigners(mapping, before?.transaction);
  const atFirst = requiredSigners(mapping, undefined);
  const namespaces = [...new Set([...required.clauses, ...atFirst.clauses].flat())];
  const itself = [selfAuthorizingKey(mapping)].flatMap((key) => key ?? []).filter(isSigner);
  const byDelegation = namespaces.flatMap((namespace) =>
    delegations.keysOf(namespace, mapping.kind).flatMap((all) => all.map(({ key }) => key)),
  );
  const speaking = [...byDelegation.filter(isSigner), ...itself];
  const proving = (replaces ? mappedKeys(mapping) : []).filter(
    (key) => isSigner(key) && !itself.includes(key),
  );
  if (speaking.length + proving.length === 0) throw withoutDelegation(signers);
  if (speaking.length === 0)
    throw topologyRefusal(
      'TOPOLOGY_UNAUTHORIZED_TRANSACTION',
      'Topology transaction is not properly authorized by any namespace key',
    );
  const result = verified(given, speaking, proving);
  const isMerely = before !== undefined && isSame(before.transaction.hash, hash);
  const speaks = (namespace: string) =>
    itself.some(({ fingerprint }) => fingerprint === namespace) ||
    delegations.isSpokenFor(namespace, mapping.kind, signers);
  const missing = required.clauses
    .filter((clause) => !clause.some(speaks))
    .map(([first]) => first!);
  const keys = required.keys.filter((each) => !signers.has(each));
  if (isMerely || missing.length + keys.length === 0) return complete(result);
  if (given.isProposal && !mustBeComplete) return result;
  throw missingAuthorizations(missing, keys);
}

const withoutDelegation = (signers: ReadonlySet<string>) =>
  topologyRefusal(
    'TOPOLOGY_UNAUTHORIZED_TRANSACTION',
    `Topology transaction authorization cannot be verified due to missing namespace delegations for keys ${[...signers].map(abbreviatedHash).join(', ')}`,
  );

const complete = (signed: SignedMapping): SignedMapping => ({ ...signed, isProposal: false });

export const isSame = (left: Uint8Array, right: Uint8Array): boolean =>
  Buffer.compare(left, right) === 0;

/**
 * With the signatures of these keys alone, each of which is good.
 * @param speaking keys of namespaces, which must have that usage
 * @param proving keys that are mapped, which prove their possession
 * @throws LedgerError TOPOLOGY_INVALID_TX_SIGNATURE
 */
function verified(
  given: SignedMapping,
  speaking: readonly PartyKey[],
  proving: readonly PartyKey[],
): SignedMapping {
  const by = new Map([...speaking, ...proving].map((key) => [key.fingerprint, key]));
  const mayProve = new Set(proving.map(({ fingerprint }) => fingerprint));
  const good = (all: readonly Signature[], covered: Uint8Array): readonly Signature[] => {
    const relevant = all.filter(({ signedBy }) => by.has(signedBy));
    const isGood = (each: Signature): boolean => {
      const key = by.get(each.signedBy)!;
      const isUsable = mayProve.has(each.signedBy) || key.usage.includes(KEY_USAGE.NAMESPACE);
      return isUsable && isValidSignature(covered, key, each);
    };
    if (!relevant.every(isGood))
      throw topologyRefusal(
        'TOPOLOGY_INVALID_TX_SIGNATURE',
        'Transaction signature verification failed',
      );
    return relevant;
  };
  const signatures = good(given.signatures, given.transaction.hash);
  const joint = given.joint
    .map(({ hashes, signatures: all }) => ({ hashes, signatures: good(all, multiHash(hashes)) }))
    .filter((each) => each.signatures.length > 0);
  return { ...given, signatures, joint };
}
