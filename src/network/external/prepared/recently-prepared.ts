/**
 * Transactions that were prepared of late, by their text in base64. Whoever executes one gives that text back, which then need not be
 * read and hashed again: both follow from the text alone, so that another text, be it of one other byte, is none of them.
 */
import type { HashingVersion } from '../../protocol.js';
import { hashPrepared } from './hashing.js';
import { Prepared, type ProtoPrepared } from './messages.js';

/** How many are kept, and how many characters of their texts; then all are forgotten. */
const MAX_PREPARED = 1_000;
const MAX_CHARACTERS = 2 ** 22;

interface KnownHash {
  readonly version: HashingVersion;
  readonly hash: Uint8Array;
}

const known = new Map<string, ProtoPrepared>();
let characters = 0;
const hashes = new WeakMap<ProtoPrepared, KnownHash>();

/** @param prepared what the text is read as */
export function rememberPrepared(text: string, prepared: ProtoPrepared, hash: KnownHash): void {
  if (text.length > MAX_CHARACTERS) return;
  characters += text.length;
  if (known.size >= MAX_PREPARED || characters > MAX_CHARACTERS) {
    known.clear();
    characters = text.length;
  }
  known.set(text, prepared);
  hashes.set(prepared, hash);
}

/** @param bytesOf what a text that is not known is read from @throws ProtoFault */
export function readPrepared(text: string, bytesOf: (text: string) => Uint8Array): ProtoPrepared {
  return known.get(text) ?? Prepared.decode(bytesOf(text));
}

/** Whether it was prepared here, as it stands. */
export function isOurs(prepared: ProtoPrepared): boolean {
  return hashes.has(prepared);
}

/** @throws ProtoFault where something that is hashed is missing */
export function hashOfPrepared(prepared: ProtoPrepared, version: HashingVersion): Uint8Array {
  const found = hashes.get(prepared);
  return found?.version === version ? found.hash : hashPrepared(prepared, version);
}
