/**
 * Keys that an operator has made for a participant, from the generator of the network: the same seed makes the same
 * keys.
 * NOTE: no private key is stored, because Canticle does not use it.
 */
import {
  checkPrimeSync,
  createECDH,
  createHash,
  createPublicKey,
  type JsonWebKey,
} from 'node:crypto';
import type { SeededRandom } from '../../../network/journal/random.js';
import { signingKey } from '../../../network/model/keys.js';
import { KEY_SPEC } from '../../../network/topology/party-keys.js';

export const ENCRYPTION_SPEC = { EC_P256: 1, RSA_2048: 2 } as const;

/** By its names in OpenSSL and in a JSON Web Key. */
const CURVES: Readonly<Record<number, readonly [string, string]>> = {
  [KEY_SPEC.EC_P256]: ['prime256v1', 'P-256'],
  [KEY_SPEC.EC_P384]: ['secp384r1', 'P-384'],
  [KEY_SPEC.EC_SECP256K1]: ['secp256k1', 'secp256k1'],
};

/** @param spec one of `KEY_SPEC` @returns X.509 SubjectPublicKeyInfo, DER */
export function newSigningKey(random: SeededRandom, spec: number): Uint8Array {
  const secret = newSecret(random);
  const curve = CURVES[spec];
  return curve === undefined
    ? signingKey(random, `generated/${secret}`).publicKey
    : ellipticKey(curve, secret);
}

/** @param spec one of {@link ENCRYPTION_SPEC} @returns X.509 SubjectPublicKeyInfo, DER */
export function newEncryptionKey(random: SeededRandom, spec: number): Uint8Array {
  const secret = newSecret(random);
  return spec === ENCRYPTION_SPEC.RSA_2048
    ? rsaKey(secret)
    : ellipticKey(CURVES[KEY_SPEC.EC_P256]!, secret);
}

const newSecret = (random: SeededRandom): string => random.hex('key of a vault');

function ellipticKey([openssl, crv]: readonly [string, string], secret: string): Uint8Array {
  const pair = createECDH(openssl);
  // Shorter than the order of each curve.
  pair.setPrivateKey(Buffer.from(secret.slice(2).padStart(64, '0'), 'hex'));
  const point = pair.getPublicKey();
  const half = (point.length - 1) / 2;
  const part = (from: number): string => point.subarray(from, from + half).toString('base64url');
  return derOf({ kty: 'EC', crv, x: part(1), y: part(1 + half) });
}

const PRIME_BYTES = 128;
/** 65537, as a JSON Web Key has it. */
const EXPONENT = 'AQAB';

function rsaKey(secret: string): Uint8Array {
  const modulus = primeOf(`${secret}/p`) * primeOf(`${secret}/q`);
  const n = Buffer.from(modulus.toString(16), 'hex').toString('base64url');
  return derOf({ kty: 'RSA', n, e: EXPONENT });
}

/** The first prime from a number that follows from the text. */
function primeOf(text: string): bigint {
  const bytes = createHash('shake256', { outputLength: PRIME_BYTES }).update(text).digest();
  // Large enough that the product of two has all bits; odd.
  bytes[0]! |= 0xc0;
  bytes[PRIME_BYTES - 1]! |= 1;
  let candidate = BigInt(`0x${bytes.toString('hex')}`);
  while (!checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

const derOf = (key: JsonWebKey): Uint8Array =>
  createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' });
