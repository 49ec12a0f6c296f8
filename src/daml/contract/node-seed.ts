/** The seed of each node of a transaction, by that of the transaction: what the ids of the contracts begin with that it creates. */
import { HashWriter } from './hash-writer.js';

const WRITER = new HashWriter();

/** 32 bytes, hexadecimal. */
export function nodeSeed(seed: Uint8Array, nodeId: number): string {
  return WRITER.begin().bytes(seed).int32(nodeId).sha256();
}
