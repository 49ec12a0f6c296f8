/**
 * The seed of each node of a transaction, by that of the transaction: what the ids of the contracts begin with that it creates.
 * Seeds of different nodes, and of one node by different seeds, are different; nobody is kept from guessing them.
 */
import { sha256 } from '../model/hash.js';
import { mix, readWord, writeWord } from './mixing.js';

const SEED_BYTES = 32;
const GOLDEN_RATIO = 0x9e3779b9;

export function nodeSeed(seed: Uint8Array, nodeId: number): Uint8Array {
  const target = new Uint8Array(SEED_BYTES);
  writeNodeSeed(target, 0, seed, nodeId);
  return target;
}

/** The same, into a place of its own. Each word by a bijection of the seed's word, which is another one for each node. */
export function writeNodeSeed(
  target: Uint8Array,
  start: number,
  given: Uint8Array,
  nodeId: number,
): void {
  const seed = given.length === SEED_BYTES ? given : sha256(given);
  for (let at = 0; at < SEED_BYTES; at += 4) {
    const step = mix((Math.imul(nodeId + 1, GOLDEN_RATIO) + at) >>> 0);
    writeWord(target, start + at, mix((readWord(seed, at) + step) >>> 0));
  }
}
