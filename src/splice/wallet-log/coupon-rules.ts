/** Coupons of the development fund: their contents, and how they ended. */
import type { DamlRecord, Party, Timestamp } from '../../daml/model/values.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { FUND_COUPON } from './amulet-rules.js';
import type { FundCouponArchived, LogEntry } from './entries.js';
import { argumentOf, type Rule, type Rules } from './rules.js';
import type { Visible, VisibleTree } from './visible-tree.js';

const ended =
  (status: FundCouponArchived['status']): Rule =>
  (visible, { tree }) => {
    const { contractId } = visible.node.contract;
    const { reason } = argumentOf<{ readonly reason?: string }>(visible);
    const why = status === 'withdrawn' || status === 'rejected' ? { reason: reason! } : {};
    return [{ kind: 'couponArchived', contractId, status, ...why, archivedAt: tree.date }];
  };

export const couponRules: Rules = {
  [`${FUND_COUPON} DevelopmentFundCoupon_Withdraw`]: ended('withdrawn'),
  [`${FUND_COUPON} DevelopmentFundCoupon_Reject`]: ended('rejected'),
  [`${FUND_COUPON} DevelopmentFundCoupon_DsoExpire`]: ended('expired'),
  [`${FUND_COUPON} Archive`]: ended('claimed'),
};

export function couponCreated({ date }: VisibleTree, { node }: Visible): readonly LogEntry[] {
  const { contractId, payload } = node.contract;
  const { beneficiary, fundManager, amount, expiresAt, reason } = payload as DamlRecord & {
    readonly beneficiary: Party;
    readonly fundManager: Party;
    readonly amount: Numeric;
    readonly expiresAt: Timestamp;
    readonly reason: string;
  };
  return [
    {
      kind: 'couponCreated',
      contractId,
      beneficiary,
      fundManager,
      amount,
      expiresAt,
      reason,
      createdAt: date,
    },
  ];
}
