/** The keys with which a node signs in its own store: chosen automatically, or by the request. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import { abbreviatedHash } from '../model/ids.js';
import type { SigningKey } from '../model/keys.js';
import { isRootDelegation, requiredSigners } from './mapping-rules.js';
import type { TopologyTransaction } from './party-hosting.js';
import { SIGNATURE_ALGORITHM, SIGNATURE_FORMAT, type Signature } from './party-keys.js';
import type { Delegations, StoredMapping } from './signed-mappings.js';

/**
 * The fingerprints of the requested signing keys. Without a request: for each required namespace the key with the
 * longest delegation chain, and each new key of the node.
 * @param own the node's keys
 * @param isForced also accepts keys without authority
 * @throws LedgerError TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE, TOPOLOGY_SECRET_KEY_NOT_IN_STORE
 */
export function keysToSignWith(
  own: readonly SigningKey[],
  { mapping }: TopologyTransaction,
  before: StoredMapping | undefined,
  delegations: Delegations,
  named: readonly string[],
  isForced: boolean,
): readonly SigningKey[] {
  const { clauses, keys } = requiredSigners(mapping, before?.transaction);
  const byFingerprint = new Map(own.map((key) => [key.fingerprint, key]));
  const usable = (mayBeAny: boolean): readonly string[] => [
    ...[...new Set(clauses.flat())].flatMap((namespace) =>
      delegations.keysOf(namespace, mapping.kind).flatMap((delegates) => {
        const known = delegates
          .filter(({ key }) => byFingerprint.has(key.fingerprint))
          .map(({ key, level }) => ({ fingerprint: key.fingerprint, level }))
          .sort((a, b) => b.level - a.level || (a.fingerprint < b.fingerprint ? 1 : -1));
        return (mayBeAny ? known : known.slice(0, 1)).map(({ fingerprint }) => fingerprint);
      }),
    ),
    ...keys.filter((each) => byFingerprint.has(each)),
    ...(isRootDelegation(mapping) ? [mapping.namespace] : []),
  ];
  const chosen = named.length > 0 ? named : usable(false);
  const all = new Set(named.length > 0 && !isForced ? usable(true) : chosen);
  const unusable = [...new Set(chosen)].filter((each) => !all.has(each));
  if (chosen.length === 0 || unusable.length > 0)
    throw noAppropriateKey([...new Set(clauses.flat())], keys, unusable);
  return [...new Set(chosen)].map((fingerprint) => {
    const key = byFingerprint.get(fingerprint);
    if (key !== undefined) return key;
    throw ledgerError('TOPOLOGY_SECRET_KEY_NOT_IN_STORE', {
      cause: 'Secret key with given fingerprint could not be found',
      context: { keyId: abbreviatedHash(fingerprint) },
    });
  });
}

/** @param namespaces the required signers, if known */
function noAppropriateKey(
  namespaces: readonly string[],
  extraKeys: readonly string[],
  unusable: readonly string[],
): LedgerError {
  const sequence = (texts: readonly string[]): string =>
    texts.length === 1 ? texts[0]! : `Set(${texts.join(', ')})`;
  const required = [
    ['namespaces', namespaces],
    ['extraKeys', extraKeys],
  ] as const;
  const entries = required
    .filter(([, each]) => each.length > 0)
    .map(([name, each]) => `${name} = ${sequence(each.map(abbreviatedHash))}`);
  return ledgerError('TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE', {
    cause: 'Could not find an appropriate signing key to issue the topology transaction',
    context: {
      required: `ReferencedAuthorizations(${entries.join(', ')})`,
      unusable: scalaList(unusable.map(abbreviatedHash)),
    },
  });
}

const ED25519 = { format: SIGNATURE_FORMAT.CONCAT, algorithm: SIGNATURE_ALGORITHM.ED25519 };

/** The signature of a transaction's hash. */
export function signatureOf({ fingerprint, form, sign }: SigningKey, hash: Uint8Array): Signature {
  const { format, algorithm: signingAlgorithmSpec } = form ?? ED25519;
  return { format, signature: sign(hash), signedBy: fingerprint, signingAlgorithmSpec };
}
