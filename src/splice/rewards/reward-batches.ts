/**
 * The tree of reward batches and its hashes, equal to the hashes of the Daml code that checks them on the ledger (Splice.Amulet.CryptoHash,
 * Splice.Amulet.RewardAccountingV2): SHA-256 of texts joined by `|`.
 */
import { createHash } from 'node:crypto';
import type { Numeric } from '../../daml/model/numeric.js';
import type { Party } from '../../daml/model/values.js';

export interface MintingAllowance {
  readonly provider: Party;
  readonly amount: Numeric;
}

export type RewardBatch =
  | { readonly kind: 'allowances'; readonly allowances: readonly MintingAllowance[] }
  | { readonly kind: 'batches'; readonly childHashes: readonly string[] };

export interface RewardTree {
  readonly rootHash: string;
  /** By hash. */
  readonly batches: ReadonlyMap<string, RewardBatch>;
}

/**
 * Builds leaves of up to `batchSize` allowances, then levels of up to `batchSize` batches, until one batch remains. A round without rewards
 * has one empty leaf.
 * @param allowances sorted by provider
 */
export function rewardTree(allowances: readonly MintingAllowance[], batchSize: number): RewardTree {
  const batches = new Map<string, RewardBatch>();
  let level = chunksOf(allowances, batchSize).map((chunk) => {
    const hash = variantHash('BatchOfMintingAllowances', [listHash(chunk.map(allowanceHash))]);
    batches.set(hash, { kind: 'allowances', allowances: chunk });
    return hash;
  });
  while (level.length > 1)
    level = chunksOf(level, batchSize).map((childHashes) => {
      const hash = variantHash('BatchOfBatches', [listHash(childHashes)]);
      batches.set(hash, { kind: 'batches', childHashes });
      return hash;
    });
  return { rootHash: level[0]!, batches };
}

/** The hash of a record is that of the list of its fields. A decimal hashes as Daml's `show` prints it: `10.0`. */
function allowanceHash({ provider, amount }: MintingAllowance): string {
  return listHash([textHash(provider), textHash(amount.toCompact())]);
}

function listHash(hashes: readonly string[]): string {
  return textHash([String(hashes.length), ...hashes].join('|'));
}

function variantHash(tag: string, fieldHashes: readonly string[]): string {
  return textHash([tag, String(fieldHashes.length), ...fieldHashes].join('|'));
}

function textHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** At least one chunk; the last may be shorter. */
function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < items.length || start === 0; start += size)
    chunks.push(items.slice(start, start + size));
  return chunks;
}
