/** Hashes as texts: hexadecimal digits of the algorithm, the length and the hash (B-ID-020, B-ID-022), in upper or lower case. */
import type { TextRule } from './identifiers.js';
import { isHexadecimal } from './scans.js';

const SHA_256 = { name: 'SHA-256', index: 0x12n, length: 32n };
/** The maximum number of bytes of a number. */
const LONGEST_NUMBER = 9;

/** The error for a text that is not a hash that Canton supports. */
export const multihashError: TextRule = (text) => {
  if (!isHexadecimal(text)) return `Failed to parse hex string: ${text}`;
  const bytes = Buffer.from(text, 'hex');
  const index = readNumber(bytes);
  if (typeof index === 'string') return index;
  const length = readNumber(index.rest);
  if (typeof length === 'string') return length;
  if (index.value !== SHA_256.index)
    return `Invalid hash algorithm: Unknown hash algorithm for index: ${index.value}`;
  if (length.value !== SHA_256.length)
    return `Invalid hash algorithm: Mismatch of lengths for ${SHA_256.name}: given ${length.value}, expected ${SHA_256.length}`;
  return BigInt(length.rest.length) === SHA_256.length
    ? undefined
    : `Size of given hash ${length.rest.length} does not match expected size ${SHA_256.length} for ${SHA_256.name}`;
};

/** Seven bits per byte, lowest first; or the error. */
function readNumber(bytes: Buffer): { value: bigint; rest: Buffer } | string {
  let value = 0n;
  for (let at = 0; at < LONGEST_NUMBER; at++) {
    const byte = bytes[at];
    if (byte === undefined)
      return 'Failed to decode unsigned var-int: Input bytes already consumed';
    value |= BigInt(byte & 0x7f) << BigInt(7 * at);
    if ((byte & 0x80) === 0) return { value, rest: bytes.subarray(at + 1) };
  }
  return 'Failed to decode unsigned var-int: Varint too long';
}
