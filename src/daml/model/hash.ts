/** SHA-256 over bytes and texts, and hexadecimal both ways. */
// Imports the whole module for `hash`, which Node has since 20.12: a named import of a missing export would fail.
import crypto from 'node:crypto';

const { createHash } = crypto;
const hashAtOnce = crypto.hash as typeof crypto.hash | undefined;

/** Texts count as UTF-8. Parts are joined as they are: separate them where their lengths vary. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const [only] = parts;
  // Most inputs are short, and creating a hash object takes longer than hashing them.
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
