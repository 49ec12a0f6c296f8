/**
 * Private keys of secp256k1 as Java writes them (PKCS#8), and signatures with them.
 * NOTE: the real runner takes the random numbers of signatures from a Java generator with a fixed seed. Canticle
 * derives them from the key and the digest (RFC 6979). Both are the same in each run, and all of the signatures are
 * valid.
 */
import { curve } from '../daml/lf/builtins/noble.js';
import { fromHex, toHex } from '../daml/model/hash.js';
import { ScriptRefusal } from './failures.js';

/** AlgorithmIdentifier: id-ecPublicKey, secp256k1. */
const ALGORITHM = '301006072a8648ce3d020106052b8104000a';
/** The length of a digest. */
const BYTES = 32;

const header = (tag: string, hex: string): string => {
  const length = hex.length / 2;
  const size = length.toString(16).padStart(2, '0');
  return `${tag}${length < 0x80 ? '' : '81'}${size}${hex}`;
};

/** @param secret 32 bytes, a number of the curve @returns DER, hexadecimal */
export function derKeys(secret: Uint8Array): {
  readonly privateKey: string;
  readonly publicKey: string;
} {
  const point = toHex(curve().getPublicKey(secret, false));
  const bits = header('03', `00${point}`);
  const parameters = header('a0', '06052b8104000a');
  const key = header('30', `0201010420${toHex(secret)}${parameters}${header('a1', bits)}`);
  return {
    privateKey: header('30', `020100${ALGORITHM}${header('04', key)}`),
    publicKey: header('30', ALGORITHM + bits),
  };
}

const PRIVATE_KEY = new RegExp(
  `^30(?:81)?..020100${ALGORITHM}04(?:81)?..30(?:81)?..0201010420([0-9a-f]{64})`,
);

/** The secret in a private key. @throws ScriptRefusal if it has no secret */
export function readPrivateKey(hex: string): Uint8Array {
  const secret = PRIVATE_KEY.exec(hex)?.[1];
  if (secret === undefined || !curve().utils.isValidSecretKey(fromHex(secret)))
    throw new ScriptRefusal('invalid key format', 'InvalidKeySpecException');
  return fromHex(secret);
}

/** The signature in DER. Only the beginning of a digest counts if it is longer than the curve's numbers. */
export function sign(secret: Uint8Array, digest: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BYTES);
  const truncated = digest.subarray(0, BYTES);
  padded.set(truncated, BYTES - truncated.length);
  return curve().sign(padded, secret, { prehash: false }).toBytes('der');
}
