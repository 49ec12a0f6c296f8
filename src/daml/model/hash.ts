/** SHA-256 over bytes and texts, and hexadecimal both ways. */
// The module as a whole, for `hash`, which Node has since 20.12: importing what is not there by its name fails at once.
import crypto from 'node:crypto';

const { createHash } = crypto;
const hashAtOnce = crypto.hash as typeof crypto.hash | undefined;

/** Texts count as UTF-8. Parts are joined as they are: separate them where their lengths vary. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const [only] = parts;
  // Most of what is hashed is short, and then making a running hash takes longer than hashing.
  if (parts.length === 1 && hashAtOnce !== undefined)
    return new Uint8Array(hashAtOnce('sha256', only!, 'buffer'));
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

export function sha256Hex(...parts: readonly (Uint8Array | string)[]): string {
  const [only] = parts;
  if (parts.length === 1 && hashAtOnce !== undefined) return hashAtOnce('sha256', only!, 'hex');
  return toHex(sha256(...parts));
}

/** Lower-case. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** For text that is known to be hexadecimal. */
export function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
