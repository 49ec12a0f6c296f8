/**
 * ECDSA over secp256k1 on a digest that is given: Node's own verification hashes what it is given. Keys are X.509
 * SubjectPublicKeyInfo, signatures DER, as Java reads them.
 */
import { createPublicKey } from 'node:crypto';
import { curve } from './noble.js';

/** Of a digest. */
const BYTES = 32;

/** Of a key, on the curve or not. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** SEQUENCE { SEQUENCE { id-ecPublicKey, secp256k1 }, BIT STRING }, up to the point. */
const KEY_PREFIX = '3056301006072a8648ce3d020106052b8104000a034200';
const COMPRESSED_KEY_PREFIX = '3036301006072a8648ce3d020106052b8104000a032200';

/** What the square of y is where x is of a point on the curve. */
function squareAt(x: bigint): bigint {
  const { Fp } = curve().Point;
  return Fp.add(Fp.pow(Fp.create(x), 3n), 7n);
}

/** The key's point, whether on the curve or not; undefined where the bytes are no such key. */
export function readPublicKey(hex: string): Point | undefined {
  if (hex.startsWith(COMPRESSED_KEY_PREFIX) && hex.length === COMPRESSED_KEY_PREFIX.length + 66) {
    const point = hex.slice(COMPRESSED_KEY_PREFIX.length);
    return decompressed(BigInt(`0x${point.slice(2)}`), point.slice(0, 2));
  }
  if (!hex.startsWith(`${KEY_PREFIX}04`) || hex.length !== KEY_PREFIX.length + 130)
    return undefined;
  const point = hex.slice(KEY_PREFIX.length + 2);
  return { x: BigInt(`0x${point.slice(0, 64)}`), y: BigInt(`0x${point.slice(64)}`) };
}

/** @param parity of y: 02 where it is even, 03 where it is odd */
function decompressed(x: bigint, parity: string): Point | undefined {
  const isOdd = { '02': false, '03': true }[parity];
  if (isOdd === undefined) return undefined;
  const { Fp } = curve().Point;
  try {
    const y = Fp.sqrt(squareAt(x));
    return { x, y: (y % 2n === 1n) === isOdd ? y : Fp.neg(y) };
  } catch {
    return undefined;
  }
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
  const { Fp } = curve().Point;
  return x < Fp.ORDER && y < Fp.ORDER && Fp.eql(Fp.sqr(y), squareAt(x));
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

/** Of a digest that is longer than the curve's numbers, its beginning counts. High values of `s` are taken, as Java takes them. */
export function verifyDigest(
  { r, s }: { r: bigint; s: bigint },
  digest: Uint8Array,
  key: Point,
): boolean {
  const { Point, Signature, verify } = curve();
  const { Fn } = Point;
  if (!isOnCurve(key) || !Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false;
  const signature = new Signature(r, s).toBytes('compact');
  const point = Point.fromAffine(key).toBytes();
  const options = { lowS: false, prehash: false, format: 'compact' } as const;
  return verify(signature, digest.subarray(0, BYTES), point, options);
}
