/** The metadata from which wallets read the kind of a transaction. */
import type { Party } from '../../daml/model/values.js';
import { metadata } from './conversions.js';
import type { Metadata } from '../standard/metadata-v1.js';

const PREFIX = 'splice.lfdecentralizedtrust.org/';

export type TransactionKind = 'transfer' | 'merge-split' | 'unlock' | 'mint';

/** Kind, sender, and the reason in the instruction's metadata if there is one. */
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

/** The reason of a change of holdings, if a wallet sets none. */
export function reasonMetadata(reason: string): Metadata {
  return metadata([[`${PREFIX}reason`, reason]]);
}

/** Marks the settlement of an allocation for readers of version 1's history. */
export const SETTLEMENT_METADATA: Metadata = metadata([
  [`${PREFIX}tx-kind`, 'settle-V2-allocation'],
  [`${PREFIX}reason`, 'settle V2 allocation'],
]);
