/** The seed of each node of a transaction, from the seed of the transaction. Ids of created contracts begin with a hash of it. */
import { sha256Hex } from '../model/hash.js';

/** 32 bytes, hexadecimal, as the seed of the transaction is. */
export function nodeSeed(seed: string, nodeId: number): string {
  return sha256Hex(`canticle node seed\n${seed}\n${nodeId}`);
}
