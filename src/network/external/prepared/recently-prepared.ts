/**
 * Recently prepared transactions by their base64 text. A client executes a transaction with the same text, which then
 * need not be decoded, hashed and translated again. A text with any other byte is not found.
 */
import type { Command } from '../../../daml/model/transaction.js';
import type { HashingVersion } from '../../model/protocol.js';
import { hashPrepared } from './hashing.js';
import { Prepared, type ProtoPrepared } from './messages.js';

/** The most transactions, and the most characters of their texts; beyond that, all are forgotten. */
const MAX_PREPARED = 1_000;
const MAX_CHARACTERS = 2 ** 22;

/** The known facts of a transaction besides its message. */
interface Known {
  readonly version: HashingVersion;
  readonly hash: Uint8Array;
  /** The command of its first root. */
  readonly command: Command | undefined;
}

const known = new Map<string, ProtoPrepared>();
let characters = 0;
const facts = new WeakMap<ProtoPrepared, Known>();

/** @param prepared the decoded text */
export function rememberPrepared(text: string, prepared: ProtoPrepared, more: Known): void {
  if (text.length > MAX_CHARACTERS) return;
  characters += text.length;
  if (known.size >= MAX_PREPARED || characters > MAX_CHARACTERS) {
    known.clear();
    characters = text.length;
  }
  known.set(text, prepared);
  facts.set(prepared, more);
}

/**
 * @param bytesOf decodes an unknown text
 * @throws ProtobufError
 */
export function readPrepared(text: string, bytesOf: (text: string) => Uint8Array): ProtoPrepared {
  return known.get(text) ?? Prepared.decode(bytesOf(text));
}

/** Whether this network prepared exactly this transaction. */
export function isOurs(prepared: ProtoPrepared): boolean {
  return facts.has(prepared);
}

/** The command of the first root; undefined for a transaction that this network did not prepare. */
export function commandOfPrepared(prepared: ProtoPrepared): Command | undefined {
  return facts.get(prepared)?.command;
}

/** @throws ProtobufError if a hashed part is missing */
export function hashOfPrepared(prepared: ProtoPrepared, version: HashingVersion): Uint8Array {
  const found = facts.get(prepared);
  return found?.version === version ? found.hash : hashPrepared(prepared, version);
}
