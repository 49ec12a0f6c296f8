/** Builtins of Daml-LF for bytes as hexadecimal text: hashes, signatures, conversions. */
import { fromHex, sha256Hex, toHex } from '../../model/hash.js';
import { malformedBytes, malformedKey, malformedSignature } from '../runtime/exceptions.js';
import { KeyError, readEcKey, type EcKey } from './ec-key.js';
import { sha3 } from './noble.js';
import { areInField, isOnCurve, readSignature, verifyDigest } from './secp256k1.js';

/** Only lower-case digits, two per byte. */
export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]*$/.test(text);
}

function bytesOf(hex: string, error = 'can not parse hex string'): Uint8Array {
  if (!isHex(hex)) throw malformedBytes(hex, error);
  return fromHex(hex);
}

export function sha256Text(text: string): string {
  return sha256Hex(text);
}

export function sha256OfHex(hex: string): string {
  return sha256Hex(bytesOf(hex));
}

export function keccak256Text(hex: string): string {
  return toHex(sha3().keccak_256(bytesOf(hex)));
}

/** The start of a surrogate in UTF-8, which is invalid. A JVM replaces it with one character, JavaScript with several. */
const SURROGATE = /\xed[\xa0-\xbf][\x80-\xbf]?/g;

/** Invalid UTF-8 becomes replacement characters, as many as on a JVM. */
export function hexToText(hex: string): string {
  const bytes = Buffer.from(bytesOf(hex, 'can not parse hex string argument'));
  const singled = bytes.toString('latin1').replace(SURROGATE, '\xff');
  return Buffer.from(singled, 'latin1').toString('utf8');
}

export function textToHex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

const NO_KEY = 'can not parse DER encoded public key hex string';

function keyOf(hex: string): EcKey {
  try {
    return readEcKey(Buffer.from(bytesOf(hex, NO_KEY)));
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw malformedKey(hex, `java.security.InvalidKeyException: ${error.message}`);
  }
}

/** Hashes the message first. */
export function secp256k1(signature: string, message: string, key: string): boolean {
  bytesOf(message, 'can not parse message hex string');
  return secp256k1OfDigest(signature, sha256OfHex(message), key);
}

export function secp256k1OfDigest(signature: string, digest: string, key: string): boolean {
  const signatureBytes = bytesOf(signature, 'can not parse signature hex string');
  const digestBytes = bytesOf(digest, 'can not parse message hex string');
  const { curve, ...point } = keyOf(key);
  if (curve !== undefined && !isOnCurve(point, curve)) throw malformedBytes(key, NO_KEY);
  const parsed = readSignature(signatureBytes, curve);
  if (parsed === undefined) throw malformedSignature(signature, 'error decoding signature bytes.');
  // NOTE: signatures on unsupported curves count as invalid.
  return curve !== undefined && verifyDigest(parsed, digestBytes, point, curve);
}

/** The coordinates of a key on another curve are checked as points of secp256k1. */
export function validateKey(key: string): boolean {
  const point = keyOf(key);
  if (!areInField(point)) throw malformedBytes(key, NO_KEY);
  return isOnCurve(point);
}
