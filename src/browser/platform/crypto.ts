/** The part of `node:crypto` that the engine uses, for browsers: all of it is synchronous. */
import { bytesIn, PageBytes, shared, type Encoding } from './bytes.js';
import { curveBy, ed25519, hashBy, hmac, shake256, type Curve } from './curves.js';
import {
  ellipticPair,
  PageKey,
  privateKeyOf,
  publicKeyOf,
  type KeyInput,
  type Parts,
} from './keys.js';
import { isPrime } from './primes.js';

type Data = Uint8Array | string;

const dataOf = (data: Data, encoding?: Encoding): Uint8Array =>
  typeof data === 'string' ? bytesIn(data, encoding) : data;

interface Hashing {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** A hash in progress. */
class PageHash {
  constructor(private readonly hashing: Hashing) {}

  update(data: Data, encoding?: Encoding): this {
    this.hashing.update(dataOf(data, encoding));
    return this;
  }

  digest(encoding?: Encoding): PageBytes | string {
    const digest = shared(this.hashing.digest());
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

export function createHash(
  name: string,
  options: { readonly outputLength?: number } = {},
): PageHash {
  if (name === 'shake256') return new PageHash(shake256.create({ dkLen: options.outputLength }));
  return new PageHash(hashBy(name).create());
}

export const createHmac = (name: string, key: Data): PageHash =>
  new PageHash(hmac.create(hashBy(name), dataOf(key)));

/** Hashes at once. */
export function hash(name: string, data: Data, encoding: Encoding | 'buffer' = 'hex'): unknown {
  const digest = shared(hashBy(name)(dataOf(data)));
  return encoding === 'buffer' ? digest : digest.toString(encoding);
}

export { PageKey as KeyObject };
export const createPublicKey = publicKeyOf;
export const createPrivateKey = privateKeyOf;

export function createECDH(name: string) {
  const curve = curveBy('name', name);
  let point: Uint8Array = new Uint8Array();
  return {
    setPrivateKey: (secret: Uint8Array) => void ({ point } = ellipticPair(curve, secret)),
    getPublicKey: () => shared(point),
  };
}

/** A key, or one with the form of its signatures. */
type Signing = KeyInput & { readonly dsaEncoding?: 'der' | 'ieee-p1363' };

const keyIn = (given: Signing): PageKey => {
  if (given instanceof PageKey) return given;
  const { key } = given as { readonly key: unknown };
  return key instanceof PageKey ? key : publicKeyOf(given);
};

const formOf = (given: Signing) =>
  typeof given === 'object' && given.dsaEncoding === 'ieee-p1363' ? 'compact' : 'der';

/** Signatures of elliptic curves are deterministic here (RFC 6979). */
export function sign(name: string | null, data: Uint8Array, given: Signing): PageBytes {
  const { parts } = keyIn(given);
  if (parts.kind === 'rsa') throw new Error('This build does not sign with keys of RSA.');
  const secret = parts.secret!;
  if (parts.kind === 'ed25519') return shared(ed25519.sign(data, secret));
  const signature = parts.curve.noble.sign(hashBy(name!)(data), secret, { lowS: false });
  return shared(signature.toBytes(formOf(given)));
}

export function verify(
  name: string | null,
  data: Uint8Array,
  given: Signing,
  signature: Uint8Array,
): boolean {
  const { parts } = keyIn(given);
  switch (parts.kind) {
    case 'ed25519':
      return isTrue(() => ed25519.verify(signature, data, parts.point, { zip215: false }));
    case 'ec':
      return verifiesOn(parts.curve, hashBy(name!)(data), parts.point, signature, formOf(given));
    case 'rsa':
      return verifiesRsa(name!, data, parts, signature);
  }
}

function verifiesOn(
  { noble }: Curve,
  digest: Uint8Array,
  point: Uint8Array,
  signature: Uint8Array,
  format: 'compact' | 'der',
): boolean {
  return isTrue(() => noble.verify(signature, digest, point, { lowS: false, format }));
}

/** False for a malformed signature. */
function isTrue(verified: () => boolean): boolean {
  try {
    return verified();
  } catch {
    return false;
  }
}

/** DER of the algorithm and the start of the digest in a signature (RFC 8017, 9.2). */
const DIGEST_INFO: Readonly<Record<string, string>> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};

function verifiesRsa(
  name: string,
  data: Uint8Array,
  { modulus, exponent }: Parts & { readonly kind: 'rsa' },
  signature: Uint8Array,
): boolean {
  const n = numberOf(modulus);
  const size = Math.ceil(n.toString(16).length / 2);
  if (signature.length !== size) return false;
  const opened = powerOf(numberOf(signature), numberOf(exponent), n);
  const info = DIGEST_INFO[name]! + shared(hashBy(name)(data)).toString('hex');
  const padding = 'ff'.repeat(size - 3 - info.length / 2);
  return opened === BigInt(`0x01${padding}00${info}`);
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${shared(bytes).toString('hex')}`);

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

export const checkPrimeSync = (candidate: bigint): boolean => isPrime(candidate, powerOf);

export const timingSafeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.reduce((difference, byte, at) => difference | (byte ^ right[at]!), 0) === 0;

export const randomBytes = (length: number): PageBytes =>
  globalThis.crypto.getRandomValues(new PageBytes(length));
