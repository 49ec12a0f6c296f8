/**
 * Keys that an operator generates for a participant, from the random generator of the network, so that the same seed
 * gives the same keys. The participant signs topology transactions with them, and stores the secret from which each is
 * derived.
 */
import {
  checkPrimeSync,
  createECDH,
  createHash,
  createPublicKey,
  type JsonWebKey,
} from 'node:crypto';
import type { SeededRandom } from '../../../network/journal/random.js';
import { namedCurve } from '../../../daml/lf/builtins/noble.js';
import { signingKey, type SigningKey } from '../../../network/model/keys.js';
import { ENCRYPTION_SPEC } from '../../../network/topology/encryption-keys.js';
import {
  fingerprintOfBytes,
  KEY_SPEC,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type GeneratedKey,
} from '../../../network/topology/party-keys.js';

interface EllipticCurve {
  /** The name in OpenSSL. */
  readonly openssl: string;
  /** The name in a JSON Web Key. */
  readonly crv: string;
  /** The object identifier in DER, hexadecimal. */
  readonly oid: string;
  /** The number of hexadecimal digits of a private key. */
  readonly digits: number;
  readonly digest: string;
  readonly algorithm: number;
}

const { EC_DSA_SHA_256, EC_DSA_SHA_384 } = SIGNATURE_ALGORITHM;
const P256: EllipticCurve = {
  ...{ openssl: 'prime256v1', crv: 'P-256', oid: '2a8648ce3d030107', digits: 64 },
  ...{ digest: 'sha256', algorithm: EC_DSA_SHA_256 },
};

const CURVES: Readonly<Record<number, EllipticCurve>> = {
  [KEY_SPEC.EC_P256]: P256,
  [KEY_SPEC.EC_P384]: {
    ...{ openssl: 'secp384r1', crv: 'P-384', oid: '2b81040022', digits: 96 },
    ...{ digest: 'sha384', algorithm: EC_DSA_SHA_384 },
  },
  [KEY_SPEC.EC_SECP256K1]: {
    ...{ openssl: 'secp256k1', crv: 'secp256k1', oid: '2b8104000a', digits: 64 },
    ...{ digest: 'sha256', algorithm: EC_DSA_SHA_256 },
  },
};

interface NewKey {
  /** X.509 SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The source of the key pair. */
  readonly secret: string;
}

/** @param spec one of `KEY_SPEC` */
export function newSigningKey(random: SeededRandom, spec: number): NewKey {
  const secret = newSecret(random);
  const curve = CURVES[spec];
  const publicKey =
    curve === undefined ? ed25519Key(random, secret).publicKey : ellipticKey(curve, secret);
  return { publicKey, secret };
}

const ed25519Key = (random: SeededRandom, secret: string): SigningKey =>
  signingKey(random, `generated/${secret}`);

/** Undefined for a key that does not sign, or whose private key the participant does not have. */
export function generatedKey(
  random: SeededRandom,
  { key, secret, encrypts }: GeneratedKey,
): SigningKey | undefined {
  if (encrypts || secret === undefined) return undefined;
  const curve = CURVES[key.keySpec];
  if (curve === undefined) return ed25519Key(random, secret);
  const publicKey = Buffer.from(key.publicKey, 'base64');
  return {
    fingerprint: fingerprintOfBytes(publicKey),
    publicKey,
    form: { format: SIGNATURE_FORMAT.DER, algorithm: curve.algorithm },
    // RFC 6979: the same message has the same signature.
    sign: (message) => {
      const hash = createHash(curve.digest).update(message).digest();
      const scalar = scalarOf(secret).padStart(curve.digits, '0');
      return namedCurve(curve.oid)!.sign(hash, scalar).toDERRawBytes();
    },
  };
}

/** @param spec one of {@link ENCRYPTION_SPEC} @returns X.509 SubjectPublicKeyInfo, DER */
export function newEncryptionKey(random: SeededRandom, spec: number): Uint8Array {
  const secret = newSecret(random);
  return spec === ENCRYPTION_SPEC.RSA_2048 ? rsaKey(secret) : ellipticKey(P256, secret);
}

const newSecret = (random: SeededRandom): string => random.hex('key of a vault');

/** The private key, hexadecimal. It is shorter than the order of each curve. */
const scalarOf = (secret: string): string => secret.slice(2).padStart(64, '0');

function ellipticKey({ openssl, crv }: EllipticCurve, secret: string): Uint8Array {
  const pair = createECDH(openssl);
  pair.setPrivateKey(Buffer.from(scalarOf(secret), 'hex'));
  const point = pair.getPublicKey();
  const half = (point.length - 1) / 2;
  const part = (from: number): string => point.subarray(from, from + half).toString('base64url');
  return derOf({ kty: 'EC', crv, x: part(1), y: part(1 + half) });
}

const PRIME_BYTES = 128;
/** 65537 in a JSON Web Key. */
const EXPONENT = 'AQAB';

function rsaKey(secret: string): Uint8Array {
  const modulus = primeOf(`${secret}/p`) * primeOf(`${secret}/q`);
  const n = Buffer.from(modulus.toString(16), 'hex').toString('base64url');
  return derOf({ kty: 'RSA', n, e: EXPONENT });
}

/** The first prime above a number that is derived from the text. */
function primeOf(text: string): bigint {
  const bytes = createHash('shake256', { outputLength: PRIME_BYTES }).update(text).digest();
  // Sets the highest bits, so that the product of two primes has all its bits, and makes the number odd.
  bytes[0]! |= 0xc0;
  bytes[PRIME_BYTES - 1]! |= 1;
  let candidate = BigInt(`0x${bytes.toString('hex')}`);
  while (!checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

const derOf = (key: JsonWebKey): Uint8Array =>
  createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' });
