/** The seed of each node of a transaction, by that of the transaction: what the ids of the contracts begin with that it creates. */
import { sha256Hex } from '../model/hash.js';

/** 32 bytes, hexadecimal, as the seed of the transaction is. */
export function nodeSeed(seed: string, nodeId: number): string {
  return sha256Hex(`canticle node seed\n${seed}\n${nodeId}`);
}
