/**
 * Identity transactions of a node as Canton writes them: `SignedTopologyTransaction` messages (protocol v30) that anyone
 * can parse and verify. A root delegation ties the namespace to its key, an owner-to-key mapping names the node's keys.
 */
import { invariant } from '../../daml/errors/ledger-error.js';
import { namespaceOf } from '../model/ids.js';
import { HASH_PURPOSE, purposeHash, signingKey, type SigningKey } from '../model/keys.js';
import { encodeVersioned } from '../protobuf/versioned.js';
import type { SeededRandom } from '../journal/random.js';
import { KEY_FORMAT, KEY_SPEC, KEY_USAGE, type PublicKeyMessage } from './party-keys.js';
import { encryptionKeyOf, type EncryptionKey } from './encryption-keys.js';
import { decodeTopologyTransaction, type TopologyTransaction } from './party-hosting.js';
import { signatureOf } from './store-signing.js';
import { encodeAddition, SignedTransactionMessage } from './topology-messages.js';

/** `SEQ`, `MED` and `PAR` before a unique identifier make it a member id. */
export type MemberCode = 'SEQ' | 'MED' | 'PAR';

export interface Member {
  readonly code: MemberCode;
  /** `identifier::namespace`. */
  readonly uid: string;
  /** Whose namespace key it has: the name that its namespace was made of. */
  readonly owner: string;
}

export const participantMember = (uid: string, name: string): Member => ({
  code: 'PAR',
  uid,
  owner: `participant/${name}`,
});

/** The keys of a member besides its namespace key, with their usages. */
const MEMBER_KEYS: Readonly<
  Record<MemberCode, readonly (readonly [name: string, usage: readonly number[]])[]>
> = {
  SEQ: [['protocol', [KEY_USAGE.PROTOCOL, KEY_USAGE.PROOF_OF_OWNERSHIP]]],
  MED: [
    ['authentication', [KEY_USAGE.SEQUENCER_AUTHENTICATION, KEY_USAGE.PROOF_OF_OWNERSHIP]],
    ['protocol', [KEY_USAGE.PROTOCOL, KEY_USAGE.PROOF_OF_OWNERSHIP]],
  ],
  PAR: [
    ['authentication', [KEY_USAGE.SEQUENCER_AUTHENTICATION, KEY_USAGE.PROOF_OF_OWNERSHIP]],
    ['protocol', [KEY_USAGE.PROTOCOL, KEY_USAGE.PROOF_OF_OWNERSHIP]],
  ],
};

export function memberId({ code, uid }: Member): string {
  return `${code}::${uid}`;
}

/** The keys of a member: that of its namespace, and its own, each as it is announced. The same for the same seed. */
export function memberKeys(
  random: SeededRandom,
  { owner, code, uid }: Member,
): {
  readonly root: PublicKeyMessage;
  readonly own: readonly PublicKeyMessage[];
  /** Only participants decrypt. */
  readonly encryption: readonly EncryptionKey[];
} {
  const root = signingKey(random, `namespace/${owner}`);
  return {
    root: publicKeyMessage(root, [KEY_USAGE.NAMESPACE]),
    own: MEMBER_KEYS[code].map(([name, usage]) =>
      publicKeyMessage(signingKey(random, `${name}/${owner}`), usage),
    ),
    encryption: code === 'PAR' ? [encryptionKeyOf(uid)] : [],
  };
}

/** The signing keys of a member, namespace key first. */
export function signingKeysOf(
  random: SeededRandom,
  { owner, code }: Member,
): readonly SigningKey[] {
  const names = ['namespace', ...MEMBER_KEYS[code].map(([name]) => name)];
  return names.map((name) => signingKey(random, `${name}/${owner}`));
}

/** `PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER`. */
export const MULTI_SYNCHRONIZER = 2;

/** The certificate of a participant: it first announces that it joins, and then its capabilities. */
export function trustCertificate(
  participantUid: string,
  synchronizerId: string,
): TopologyTransaction {
  const certificate = { participantUid, synchronizerId, featureFlags: [MULTI_SYNCHRONIZER] };
  const encoded = encodeAddition({ synchronizerTrustCertificate: certificate }, 2);
  return decodeTopologyTransaction(encoded) as TopologyTransaction;
}

interface IdentityMapping {
  readonly encoded: Uint8Array;
  readonly signers: readonly SigningKey[];
}

/** The two mappings of a node's identity. The same for the same seed. */
export function identityMappings(
  random: SeededRandom,
  member: Member,
): Readonly<Record<'delegation' | 'ownKeys', IdentityMapping>> {
  const [root, ...own] = signingKeysOf(random, member);
  invariant(
    root!.fingerprint === namespaceOf(member.uid),
    "a member's namespace is the fingerprint of its root key",
  );
  const announced = memberKeys(random, member);
  const namespaceDelegation = {
    namespace: root!.fingerprint,
    targetKey: announced.root,
    // A root delegation without a restriction may sign every mapping.
    isRootDelegation: true,
  };
  const ownerToKeyMapping = {
    member: memberId(member),
    publicKeys: [
      ...announced.own.map((signingPublicKey) => ({ signingPublicKey })),
      ...announced.encryption.map((encryptionPublicKey) => ({ encryptionPublicKey })),
    ],
  };
  return {
    delegation: { encoded: encodeAddition({ namespaceDelegation }), signers: [root!] },
    // Each key that is announced signs too: that proves that the member has it.
    ownKeys: { encoded: encodeAddition({ ownerToKeyMapping }), signers: [root!, ...own] },
  };
}

/** In the order in which they have to be added. */
export function identityTransactions(random: SeededRandom, member: Member): readonly Uint8Array[] {
  const { delegation, ownKeys } = identityMappings(random, member);
  return [delegation, ownKeys].map(({ encoded, signers }) => signedTransaction(encoded, signers));
}

/** A transaction with the signatures of these keys. */
export function signedTransaction(
  transaction: Uint8Array,
  signers: readonly SigningKey[],
): Uint8Array {
  const hash = purposeHash(HASH_PURPOSE.topologyTransactionSignature, transaction);
  const signatures = signers.map((signer) => signatureOf(signer, hash));
  return encodeVersioned(SignedTransactionMessage.encode({ transaction, signatures }));
}

function publicKeyMessage({ publicKey }: SigningKey, usage: readonly number[]): PublicKeyMessage {
  const format = KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO;
  return { format, publicKey, usage, keySpec: KEY_SPEC.EC_CURVE25519 };
}
