/** The elliptic curves and hash functions of Node's crypto that the engine uses. */
import { ed25519 } from '@noble/curves/ed25519';
import { p256, p384, p521 } from '@noble/curves/nist';
import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2';
import { shake256 } from '@noble/hashes/sha3';
import { hmac } from '@noble/hashes/hmac';

export { ed25519, hmac };

export interface Curve {
  /** The name in OpenSSL. */
  readonly name: string;
  /** The name in a JSON Web Key. */
  readonly crv: string;
  /** The object identifier in DER, hexadecimal. */
  readonly oid: string;
  readonly noble: typeof p256;
}

const CURVES: readonly Curve[] = [
  { name: 'prime256v1', crv: 'P-256', oid: '2a8648ce3d030107', noble: p256 },
  { name: 'secp384r1', crv: 'P-384', oid: '2b81040022', noble: p384 },
  { name: 'secp521r1', crv: 'P-521', oid: '2b81040023', noble: p521 },
  { name: 'secp256k1', crv: 'secp256k1', oid: '2b8104000a', noble: secp256k1 },
];

/** @throws Error for a curve that this build does not have */
export function curveBy(member: 'name' | 'crv' | 'oid', value: string | undefined): Curve {
  const found = CURVES.find((curve) => curve[member] === value);
  if (found === undefined) throw new Error(`This build has no elliptic curve ${value}.`);
  return found;
}

const HASHES = { sha256, sha384, sha512 } as const;

export type HashName = keyof typeof HASHES;

/** @throws Error for a hash function that this build does not have */
export function hashBy(name: string): (typeof HASHES)[HashName] {
  const found = Object.hasOwn(HASHES, name) ? HASHES[name as HashName] : undefined;
  if (found === undefined) throw new Error(`This build has no hash function ${name}.`);
  return found;
}

export { shake256 };
