/**
 * Public keys on elliptic curves: X.509 SubjectPublicKeyInfo, read in the order of a JDK. Bytes after the key are ignored. Errors have the
 * texts of JDK 17.
 */
import { createPublicKey } from 'node:crypto';
import { namedCurve, type NamedCurve } from './noble.js';

export interface EcKey {
  /** The key's curve; undefined for a curve without an implementation here. */
  readonly curve: NamedCurve | undefined;
  readonly x: bigint;
  readonly y: bigint;
}

/** The JDK's error for a key. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;

const ioError = (reason: string) => new KeyError(`IOException: ${reason}`);
/** An unexpected end of the bytes: a Java exception without a text. */
const endOfBytes = () => ioError('null');

interface Element {
  readonly tag: number;
  readonly body: Buffer;
  readonly rest: Buffer;
}

/** @param isInside whether it is inside another element, whose end is known */
function element(bytes: Buffer, isInside = true): Element {
  if (isInside && bytes.length < 2) throw ioError('Too short');
  const tag = bytes[0] ?? 0xff;
  if ((tag & 0x1f) === 0x1f) throw ioError('Tag number over 30 is not supported');
  const { length, start } = lengthOf(bytes);
  const end = start + length;
  if (end > bytes.length) throw endOfBytes();
  return { tag, body: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

function lengthOf(bytes: Buffer): { readonly length: number; readonly start: number } {
  const first = bytes[1];
  if (first === undefined) throw ioError('Short read of DER length');
  if (first < 0x80) return { length: first, start: 2 };
  const count = first & 0x7f;
  const error = (what: string) => ioError(`DerInputStream.getLength(): ${what}`);
  if (count > 4) throw error(`lengthTag=${count}, too big.`);
  const start = 2 + count;
  if (count === 0 || start > bytes.length) throw endOfBytes();
  if (bytes[2] === 0) throw error('Redundant length bytes found');
  const length = bytes.readUIntBE(2, count);
  if (length <= 0x7f) throw error('Should use short form for length');
  return { length, start };
}

/** @throws KeyError */
export function readEcKey(bytes: Buffer): EcKey {
  const key = element(bytes, false);
  if (key.tag !== SEQUENCE) throw new KeyError('invalid key format');
  const algorithm = element(key.body);
  if (algorithm.tag !== SEQUENCE) throw ioError('algid parse error, not a sequence');
  const id = element(algorithm.body);
  const point = element(algorithm.rest);
  if (point.tag !== BIT_STRING || point.body.length === 0)
    throw ioError(`DerValue.getBitString, not a bit string ${point.tag}`);
  const curveId = id.rest.length === 0 ? undefined : element(id.rest);
  if (curveId?.tag !== OBJECT_ID)
    throw new KeyError('EC domain parameters must be encoded in the algorithm identifier');
  const curve = namedCurve(curveId.body.toString('hex'));
  const coordinates =
    curve === undefined
      ? coordinatesOfOther(bytes, curveId.body)
      : coordinatesOn(curve, point.body.subarray(1));
  if (coordinates === undefined) throw new KeyError('Invalid EC key');
  if (point.rest.length > 0) throw new KeyError('excess key data');
  return { curve, ...coordinates };
}

type Coordinates = Pick<EcKey, 'x' | 'y'>;

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** An uncompressed point need not be on the curve. */
function coordinatesOn(curve: NamedCurve, point: Buffer): Coordinates | undefined {
  const { Fp } = curve.Point;
  const size = Fp.BYTES;
  if (point[0] === 0x04 && Math.floor((point.length - 1) / 2) === size)
    return {
      x: number(point.subarray(1, 1 + size)),
      y: number(point.subarray(1 + size, 1 + 2 * size)),
    };
  try {
    return curve.Point.fromBytes(point).toAffine();
  } catch {
    return undefined;
  }
}

/**
 * The coordinates of a key on a curve that Node.js supports.
 * @throws KeyError for any other curve
 */
function coordinatesOfOther(bytes: Buffer, curveId: Buffer): Coordinates {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    const { x = '', y = '' } = key.export({ format: 'jwk' });
    return { x: number(Buffer.from(x, 'base64url')), y: number(Buffer.from(y, 'base64url')) };
  } catch {
    throw ioError(`Unknown named curve: ${objectId(curveId)}`);
  }
}

/**
 * In dotted notation.
 * @throws KeyError
 */
function objectId(bytes: Buffer): string {
  const error = (what: string) => ioError(`ObjectIdentifier() -- Invalid DER encoding, ${what}`);
  if (bytes.length === 0 || bytes.at(-1)! >= 0x80) throw error('not ended');
  const begins = (at: number): boolean => at === 0 || bytes[at - 1]! < 0x80;
  if (bytes.some((byte, at) => byte === 0x80 && begins(at)))
    throw error('useless extra octet detected');
  const parts: number[] = [];
  let part = 0;
  for (const byte of bytes) {
    part = part * 0x80 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    parts.push(part);
    part = 0;
  }
  const [first, ...more] = parts as [number, ...number[]];
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - 40 * root, ...more].join('.');
}
