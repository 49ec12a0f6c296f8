/** Reports of holdings changes: one nonconsuming EventLog choice on the rules per account that is affected. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { EMPTY_METADATA, ownerOf } from './conversions.js';
import type { Account } from '../standard/holding-v2.js';
import type { Metadata } from '../standard/metadata-v1.js';
import { EventLog, type TransferLegSide } from '../standard/transfer-events-v2.js';

/** Where minted tokens come from: the other side of a mint. */
export const MINT_ACCOUNT: Account = { owner: null, provider: null, id: 'cip-112/mint' };

export interface HoldingsChange {
  readonly admin: Party;
  readonly account: Account;
  readonly inputs: readonly ContractId[];
  readonly outputs: readonly ContractId[];
  /** Empty for splits, merges, locks and unlocks. */
  readonly legs: readonly TransferLegSide[];
  readonly meta: Metadata;
}

export function leg(
  side: TransferLegSide['side'],
  otherside: Account,
  amount: Numeric,
  instrumentId: string,
): TransferLegSide {
  return { transferLegId: '', side, otherside, amount, instrumentId, meta: EMPTY_METADATA };
}

/** Without a change, there is no event. */
export function logHoldingsChange(
  update: Update,
  rulesCid: ContractId,
  change: HoldingsChange,
): void {
  if ([change.inputs, change.legs, change.outputs].every(({ length }) => length === 0)) return;
  update.exercise(EventLog, rulesCid, 'EventLog_HoldingsChange', {
    admin: change.admin,
    account: change.account,
    inputHoldingCids: change.inputs,
    transferLegSides: change.legs,
    outputHoldingCids: change.outputs,
    observers: [ownerOf(change.account)],
    extraArgs: { context: { values: new Map() }, meta: change.meta },
  });
}
