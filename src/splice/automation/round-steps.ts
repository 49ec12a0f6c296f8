/**
 * The steps of Splice's super-validators for mining rounds: each exercises a choice of AmuletRules as the DSO. {@link ./rounds.ts} decides
 * when each step is due.
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Some } from '../../daml/model/values.js';
import { roundNumber, roundsOf, usableOpenRound } from '../dso/amulet-contracts.js';
import { idsOf, type DsoNode } from './dso-node.js';

/** Contracts that claim rewards of a round. */
export const COUPONS = {
  validator: 'validatorRewardCoupon',
  app: 'appRewardCoupon',
  sv: 'svRewardCoupon',
  faucet: 'validatorFaucetCoupon',
  liveness: 'livenessRecord',
} as const;

/** The argument fields in which choices take expiring coupons, by kind. */
export const COUPON_FIELDS = {
  validator: 'validatorRewardCouponCids',
  app: 'appCouponCids',
  sv: 'svRewardCouponCids',
  faucet: 'optValidatorFaucetCouponCids',
  liveness: 'optValidatorLivenessActivityRecordCids',
} as const satisfies Record<keyof typeof COUPONS, string>;

export const KINDS = Object.keys(COUPON_FIELDS) as readonly (keyof typeof COUPON_FIELDS)[];

interface Coupon {
  readonly contractId: ContractId;
  readonly amount: Numeric;
  readonly featured: boolean;
}

interface Coupons extends Readonly<Record<keyof typeof COUPONS, readonly Coupon[]>> {
  /** Total of all kinds. */
  readonly count: number;
}

/**
 * Opens a new round in place of the oldest open one.
 * @param price price of the new round in USD; by default, that of the newest round
 */
export function advanceRound(node: DsoNode, price?: string): void {
  const [oldest, middle, newest] = roundsOf(node.dso, 'openRound').slice(-3);
  node.exerciseAmuletRules('AmuletRules_AdvanceOpenMiningRounds', {
    amuletPrice: price ?? (newest!.payload.amuletPrice as Numeric).toString(),
    roundToArchiveCid: oldest!.contractId,
    middleRoundCid: middle!.contractId,
    latestRoundCid: newest!.contractId,
  });
}

/** Converts activity markers of featured apps into coupons of the open round. */
export function convertMarkers(node: DsoNode): void {
  const markerCids = idsOf(node.contracts('activityMarker'));
  const open = usableOpenRound(node.dso);
  if (markerCids.length > 0 && open !== undefined)
    node.exerciseAmuletRules('AmuletRules_ConvertFeaturedAppActivityMarkers', {
      markerCids,
      openMiningRoundCid: open.contractId,
    });
}

/** The rewards earned in a round, as the argument of the choice that starts its issuing. */
export function summaryOf(node: DsoNode, round: ContractInstance): object {
  const { validator, app, sv, faucet, liveness } = couponsOf(node, round);
  const { optValidatorFaucetCap: cap } = round.payload.issuanceConfig as {
    readonly optValidatorFaucetCap?: Some<Numeric> | null;
  };
  const isPaid = !cap || cap.value.compare(Numeric.of('0')) > 0;
  return {
    totalValidatorRewardCoupons: sumOf(validator),
    totalFeaturedAppRewardCoupons: sumOf(app.filter(({ featured }) => featured)),
    totalUnfeaturedAppRewardCoupons: sumOf(app.filter(({ featured }) => !featured)),
    totalSvRewardWeight: sumOf(sv).replace(/\..*$/, ''),
    optTotalValidatorFaucetCoupons: String(isPaid ? faucet.length + liveness.length : 0),
  };
}

/** Starts issuing by AmuletRules, without DsoRules. */
export function startIssuing(node: DsoNode, round: ContractInstance): void {
  node.exerciseAmuletRules('AmuletRules_MiningRound_StartIssuing', {
    miningRoundCid: round.contractId,
    summary: summaryOf(node, round),
  });
}

/** Closes a round by AmuletRules, without DsoRules: uncollected coupons expire, and the closed round is archived. */
export function closeRound(node: DsoNode, round: ContractInstance): void {
  const { result } = node.exerciseAmuletRules('AmuletRules_MiningRound_Close', {
    issuingRoundCid: round.contractId,
  });
  const { closedRoundCid } = result as { closedRoundCid: ContractId };
  const coupons = couponsOf(node, round);
  if (coupons.count > 0)
    node.exerciseAmuletRules('AmuletRules_ClaimExpiredRewards', {
      closedRoundCid,
      ...Object.fromEntries(KINDS.map((kind) => [COUPON_FIELDS[kind], idsOf(coupons[kind])])),
    });
  node.exerciseAmuletRules('AmuletRules_MiningRound_Archive', { closedRoundCid });
}

export function couponsOf(node: DsoNode, round: ContractInstance): Coupons {
  const number = roundNumber(round);
  const of = (kind: keyof typeof COUPONS): readonly Coupon[] =>
    node.contracts(COUPONS[kind]).flatMap(({ contractId, payload }) => {
      if ((payload.round as DamlRecord).number !== number) return [];
      const { amount, weight = 1n, featured } = payload;
      const counted = amount === undefined ? Numeric.of(weight as bigint) : (amount as Numeric);
      return [{ contractId, amount: counted, featured: featured === true }];
    });
  const all = {
    validator: of('validator'),
    app: of('app'),
    sv: of('sv'),
    faucet: of('faucet'),
    liveness: of('liveness'),
  };
  return { ...all, count: Object.values(all).reduce((sum, { length }) => sum + length, 0) };
}

function sumOf(coupons: readonly Coupon[]): string {
  return coupons.reduce((sum, { amount }) => sum.add(amount), Numeric.of('0')).toString();
}
