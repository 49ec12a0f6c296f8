/**
 * Ed25519 keys of the network's nodes, derived from the seed. The same seed gives the same keys and signatures,
 * because Ed25519 signing is deterministic. Fingerprints are Canton's, so that a namespace check finds its root key.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { toHex } from '../../daml/model/hash.js';
import { remembered } from '../../daml/model/remembered.js';
import type { SeededRandom } from '../journal/random.js';

export interface SigningKey {
  /** `1220` and 64 hexadecimal digits; also the namespace whose root key this is. */
  readonly fingerprint: string;
  /** X.509 SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The numbers of Canton's enumerations; absent for Ed25519. */
  readonly form?: { readonly format: number; readonly algorithm: number };
  /** Of an Ed25519 key, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** Canton's purposes of hashes, which precede the hashed bytes. */
export const HASH_PURPOSE = {
  topologyTransactionSignature: 11,
  publicKeyFingerprint: 12,
  decentralizedNamespace: 37,
  preparedSubmission: 48,
  multiTopologyTransaction: 55,
} as const;

/** PKCS #8 of an Ed25519 private key, up to its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_KEY_LENGTH = 32;

/** SHA-256 of a purpose and a message, as a multihash: the two bytes 12 20, then the digest. */
export function purposeHash(purpose: number, message: Uint8Array): Uint8Array {
  const digest = createHash('sha256').update(int32(purpose)).update(message).digest();
  return Buffer.concat([Buffer.from([0x12, 0x20]), digest]);
}

/** The one namespace that these owners may have together. */
export function namespaceOfOwners(owners: readonly string[]): string {
  const hasher = createHash('sha256').update(int32(HASH_PURPOSE.decentralizedNamespace));
  for (const owner of [...owners].sort())
    hasher.update(int32(Buffer.byteLength(owner))).update(owner);
  return `1220${hasher.digest('hex')}`;
}

/** The key that belongs to a name, for example `namespace/participant/sandbox`. */
export function signingKey(random: SeededRandom, name: string): SigningKey {
  return keyOf(toHex(random.fixed(`key/${name}`)));
}

/** By the 32 bytes of the private key. Tests start many networks of one seed, which have the same keys. */
const keyOf = remembered((secret): SigningKey => {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, Buffer.from(secret, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    // Hashes the raw key at the end of the DER form, so that it does not depend on the format of the key.
    fingerprint: toHex(
      purposeHash(HASH_PURPOSE.publicKeyFingerprint, publicKey.subarray(-RAW_KEY_LENGTH)),
    ),
    publicKey,
    sign: (message) => sign(null, message, privateKey),
  };
});

export function int32(value: number): Uint8Array {
  const encoded = Buffer.alloc(4);
  encoded.writeInt32BE(value);
  return encoded;
}
