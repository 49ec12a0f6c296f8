/** The metadata by which wallets tell what a transaction did. */
import type { Party } from '../daml/values.js';
import { metadata } from './conversions.js';
import type { Metadata } from './standard/metadata-v1.js';

const PREFIX = 'splice.lfdecentralizedtrust.org/';

export type TransactionKind = 'transfer' | 'merge-split' | 'unlock' | 'mint';

/** Kind, sender, and the reason that the instruction's own metadata gives, where there is one. */
export function resultMetadata(
  kind: TransactionKind,
  sender: Party | undefined,
  from: Metadata,
): Metadata {
  const reason = from.values.get(`${PREFIX}reason`);
  return metadata([
    [`${PREFIX}tx-kind`, kind],
    ...(sender === undefined ? [] : [[`${PREFIX}sender`, sender] as const]),
    ...(reason === undefined ? [] : [[`${PREFIX}reason`, reason] as const]),
  ]);
}
