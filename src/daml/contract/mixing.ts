/** A bijection of 32 bits that changes about half of them for each one changed: the finalizer of MurmurHash3. Not for secrets. */
export function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Undoes {@link mix}: each factor is multiplied by its inverse modulo 2³². */
export function unmix(mixed: number): number {
  let word = Math.imul(mixed ^ (mixed >>> 16), 0x7ed1b41d);
  word = Math.imul(word ^ (word >>> 13) ^ (word >>> 26), 0xa5cb9243);
  return (word ^ (word >>> 16)) >>> 0;
}

export function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

/** Without a sign. */
export function readWord(bytes: Uint8Array, at: number): number {
  const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return word >>> 0;
}
