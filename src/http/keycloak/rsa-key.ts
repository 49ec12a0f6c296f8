/**
 * An RSA key derived from a seed, so that the same start gives the same tokens. For tests only: anyone with
 * the seed can derive it.
 */
import { checkPrimeSync, createHash, type JsonWebKey } from 'node:crypto';
import { remembered } from '../../daml/model/remembered.js';

const PRIME_BYTES = 128;
const EXPONENT = 65_537n;
/** Their product is checked once, which replaces most of the rejections of the full test. */
const SMALL_PRIMES = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n];

interface RsaKey {
  readonly publicKey: JsonWebKey & { readonly kid: string };
  readonly privateKey: JsonWebKey;
}

/** 2048 bits, for RS256. Tests start many networks of one seed, and the search for primes takes 50 milliseconds. */
export const rsaKey = remembered((seed): RsaKey => {
  const [p, q] = [prime(`${seed}/p`), prime(`${seed}/q`)];
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const n = encoded(p * q);
  const kid = createHash('sha256').update(n).digest('base64url');
  const publicKey = { kty: 'RSA', n, e: encoded(EXPONENT), kid, alg: 'RS256', use: 'sig' };
  const secret = { d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const parts = Object.entries(secret).map(([name, value]) => [name, encoded(value)]);
  return { publicKey, privateKey: { ...publicKey, ...Object.fromEntries(parts) } };
});

/** The first prime from a number that the seed gives; its two highest bits are set. */
function prime(seed: string): bigint {
  const blocks = Array.from({ length: PRIME_BYTES / 32 }, (_, index) =>
    createHash('sha256').update(`${seed}/${index}`).digest(),
  );
  const start = Buffer.concat(blocks);
  start[0]! |= 0xc0;
  start[PRIME_BYTES - 1]! |= 1;
  let candidate = BigInt(`0x${start.toString('hex')}`);
  while (!isPrime(candidate)) candidate += 2n;
  return candidate;
}

const isPrime = (candidate: bigint): boolean =>
  SMALL_PRIMES.every((small) => candidate % small !== 0n) &&
  candidate % EXPONENT !== 1n &&
  checkPrimeSync(candidate);

/** By the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, value % modulus, 0n, 1n];
  while (b > 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

function encoded(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
