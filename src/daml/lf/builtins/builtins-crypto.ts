/** Builtins of Daml-LF on bytes, which it writes as hexadecimal text: hashes, signatures, conversions. */
import { fromHex, sha256Hex, toHex } from '../../model/hash.js';
import { malformedBytes, malformedKey, malformedSignature } from '../runtime/exceptions.js';
import { sha3 } from './noble.js';
import {
  isEllipticKey,
  isOnCurve,
  readPublicKey,
  readSignature,
  verifyDigest,
} from './secp256k1.js';

/** Only lower-case digits, two for each byte. */
export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]*$/.test(text);
}

function bytesOf(hex: string, fault = 'can not parse hex string'): Uint8Array {
  if (!isHex(hex)) throw malformedBytes(hex, fault);
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

/** The beginning of a surrogate in UTF-8, which is none: a JVM takes it for one wrong character, JavaScript for several. */
const SURROGATE = /\xed[\xa0-\xbf][\x80-\xbf]?/g;

/** Bytes that are no UTF-8 become replacement characters, as many as on a JVM. */
export function hexToText(hex: string): string {
  const bytes = Buffer.from(bytesOf(hex, 'can not parse hex string argument'));
  const singled = bytes.toString('latin1').replace(SURROGATE, '\xff');
  return Buffer.from(singled, 'latin1').toString('utf8');
}

export function textToHex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

function keyOf(hex: string): { readonly x: bigint; readonly y: bigint } {
  bytesOf(hex, 'can not parse DER encoded public key hex string');
  const key = readPublicKey(hex);
  if (key === undefined) throw malformedKey(hex, 'encoded key spec not recognized');
  return key;
}

/** The message is hashed first. */
export function secp256k1(signature: string, message: string, key: string): boolean {
  bytesOf(message, 'can not parse message hex string');
  return secp256k1OfDigest(signature, sha256OfHex(message), key);
}

export function secp256k1OfDigest(signature: string, digest: string, key: string): boolean {
  const signatureBytes = bytesOf(signature, 'can not parse signature hex string');
  const digestBytes = bytesOf(digest, 'can not parse message hex string');
  const point = keyOf(key);
  const parsed = readSignature(signatureBytes);
  if (parsed === undefined) throw malformedSignature(signature, 'error decoding signature bytes.');
  return verifyDigest(parsed, digestBytes, point);
}

/** A key of another curve is one, but not of this. */
export function validateKey(key: string): boolean {
  if (readPublicKey(key) === undefined && isEllipticKey(key)) return false;
  return isOnCurve(keyOf(key));
}
