/**
 * ECDSA over secp256k1 on a digest that is given: Node's own verification hashes what it is given. Keys are X.509
 * SubjectPublicKeyInfo, signatures DER, as Java reads them.
 */
import { createPublicKey } from 'node:crypto';

const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** SEQUENCE { SEQUENCE { id-ecPublicKey, secp256k1 }, BIT STRING }, up to the point. */
const KEY_PREFIX = '3056301006072a8648ce3d020106052b8104000a034200';
const COMPRESSED_KEY_PREFIX = '3036301006072a8648ce3d020106052b8104000a032200';

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square, rest] = [1n, mod(base, modulus), exponent];
  while (rest > 0n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
    rest >>= 1n;
  }
  return result;
}

function add(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a.x === b.x && mod(a.y + b.y, P) === 0n) return undefined;
  const slope =
    a.x === b.x
      ? 3n * a.x * a.x * power(2n * a.y, P - 2n, P)
      : (b.y - a.y) * power(mod(b.x - a.x, P), P - 2n, P);
  const x = mod(slope * slope - a.x - b.x, P);
  return { x, y: mod(slope * (a.x - x) - a.y, P) };
}

function multiply(point: Point, factor: bigint): Point | undefined {
  let result: Point | undefined;
  let doubled: Point | undefined = point;
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
}

/** The key's point, whether on the curve or not; undefined where the bytes are no such key. */
export function readPublicKey(hex: string): Point | undefined {
  if (hex.startsWith(COMPRESSED_KEY_PREFIX) && hex.length === COMPRESSED_KEY_PREFIX.length + 66) {
    const point = hex.slice(COMPRESSED_KEY_PREFIX.length);
    const x = BigInt(`0x${point.slice(2)}`);
    const y = power(x * x * x + 7n, (P + 1n) / 4n, P);
    if (mod(y * y - x * x * x - 7n, P) !== 0n) return undefined;
    if (point.startsWith('02')) return { x, y: y % 2n === 0n ? y : P - y };
    return point.startsWith('03') ? { x, y: y % 2n === 0n ? P - y : y } : undefined;
  }
  if (!hex.startsWith(`${KEY_PREFIX}04`) || hex.length !== KEY_PREFIX.length + 130)
    return undefined;
  const point = hex.slice(KEY_PREFIX.length + 2);
  return { x: BigInt(`0x${point.slice(0, 64)}`), y: BigInt(`0x${point.slice(64)}`) };
}

/** Whether it is an elliptic-curve key of any curve that has a name. */
export function isEllipticKey(hex: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

export function isOnCurve({ x, y }: Point): boolean {
  return x < P && y < P && mod(y * y - x * x * x - 7n, P) === 0n;
}

/** The two numbers of a DER signature; undefined where it is none. */
export function readSignature(bytes: Uint8Array): { r: bigint; s: bigint } | undefined {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return undefined;
  const integer = (at: number): { value: bigint; end: number } | undefined => {
    const length = bytes[at + 1];
    if (bytes[at] !== 0x02 || length === undefined || length === 0) return undefined;
    const end = at + 2 + length;
    if (end > bytes.length) return undefined;
    const hex = Buffer.from(bytes.slice(at + 2, end)).toString('hex');
    return { value: BigInt.asIntN(8 * length, BigInt(`0x${hex}`)), end };
  };
  const r = integer(2);
  const s = r && integer(r.end);
  return s === undefined || s.end !== bytes.length ? undefined : { r: r!.value, s: s.value };
}

export function verifyDigest(
  { r, s }: { r: bigint; s: bigint },
  digest: Uint8Array,
  key: Point,
): boolean {
  if (r <= 0n || r >= N || s <= 0n || s >= N) return false;
  const whole = BigInt(`0x${Buffer.from(digest).toString('hex') || '0'}`);
  const surplus = Math.max(0, digest.length * 8 - 256);
  const inverse = power(s, N - 2n, N);
  const point = add(
    multiply(G, mod((whole >> BigInt(surplus)) * inverse, N)),
    multiply(key, mod(r * inverse, N)),
  );
  return point !== undefined && mod(point.x, N) === r;
}
