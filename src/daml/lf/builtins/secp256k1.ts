/**
 * ECDSA on a digest. Node.js cannot do this, because its verification hashes its input. Keys and signatures are in DER, as Java reads them.
 */
import type { EcKey } from './ec-key.js';
import { curve, type NamedCurve } from './noble.js';

type Point = Pick<EcKey, 'x' | 'y'>;

/** Whether both coordinates are in the field of secp256k1. */
export function areInField({ x, y }: Point): boolean {
  const { Fp } = curve().Point;
  return x < Fp.ORDER && y < Fp.ORDER;
}

/** @param on the curve; secp256k1 by default */
export function isOnCurve({ x, y }: Point, on: NamedCurve = curve()): boolean {
  try {
    on.Point.fromAffine({ x, y }).assertValidity();
    return true;
  } catch {
    return false;
  }
}

export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
}

/** The two numbers of a signature. Undefined if it is invalid, not canonical DER, or if a number is not below the order. */
export function readSignature(
  bytes: Uint8Array,
  { Point }: NamedCurve = curve(),
): EcdsaSignature | undefined {
  const isLong = bytes[1] === 0x81;
  const start = isLong ? 3 : 2;
  const length = bytes[start - 1];
  if (bytes[0] !== 0x30 || length !== bytes.length - start || length < (isLong ? 0x80 : 0))
    return undefined;
  const r = integerAt(bytes, start);
  const s = r && integerAt(bytes, r.end);
  if (s?.end !== bytes.length) return undefined;
  const isBelow = (value: bigint) => value < Point.Fn.ORDER;
  return isBelow(r!.value) && isBelow(s.value) ? { r: r!.value, s: s.value } : undefined;
}

/** A non-negative integer in its shortest form. */
function integerAt(bytes: Uint8Array, at: number): { value: bigint; end: number } | undefined {
  const [tag, length = 0, first = 0, second = 0] = bytes.subarray(at, at + 4);
  const end = at + 2 + length;
  if (tag !== 0x02 || length === 0 || length >= 0x80 || end > bytes.length) return undefined;
  if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80)) return undefined;
  const hex = Buffer.from(bytes.subarray(at + 2, end)).toString('hex');
  return { value: BigInt(`0x${hex}`), end };
}

/** If the digest is longer than the curve's numbers, only its beginning counts. High values of `s` are valid, as in Java. */
export function verifyDigest(
  { r, s }: EcdsaSignature,
  digest: Uint8Array,
  key: Point,
  on: NamedCurve = curve(),
): boolean {
  const { Point, Signature, verify } = on;
  const { Fn } = Point;
  if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false;
  const signature = new Signature(r, s).toBytes('compact');
  const point = Point.fromAffine(key).toBytes();
  const options = { lowS: false, prehash: false, format: 'compact' } as const;
  return verify(signature, digest.subarray(0, Fn.BYTES), point, options);
}
