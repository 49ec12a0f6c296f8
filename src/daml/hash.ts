/** SHA-256 over bytes and texts, and hexadecimal both ways. */
import { createHash, hash } from 'node:crypto';

/** Texts count as UTF-8. Parts are joined as they are: separate them where their lengths vary. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const running = createHash('sha256');
  for (const part of parts) running.update(part);
  return new Uint8Array(running.digest());
}

export function sha256Hex(...parts: readonly (Uint8Array | string)[]): string {
  const [only] = parts;
  // One part in one call, where Node has it (20.12 and newer): most of what is hashed is short.
  if (parts.length === 1 && typeof hash === 'function') return hash('sha256', only!, 'hex');
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
