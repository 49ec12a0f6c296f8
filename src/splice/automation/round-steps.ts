/**
 * What Splice's super-validators do about mining rounds, as steps: each is a choice of AmuletRules, exercised by the DSO. When they
 * are done says {@link ./rounds.ts}.
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord } from '../../daml/model/values.js';
import { roundNumber, roundsOf, usableOpenRound } from '../dso/amulet-contracts.js';
import { numericText, type DsoNode } from './dso-node.js';

/** What rewards of a round are claimed with. */
const COUPONS = {
  validator: 'validatorRewardCoupon',
  app: 'appRewardCoupon',
  sv: 'svRewardCoupon',
  faucet: 'validatorFaucetCoupon',
  liveness: 'livenessRecord',
} as const;

interface Coupon {
  readonly contractId: ContractId;
  readonly amount: Numeric;
  readonly featured: boolean;
}

type Coupons = Readonly<Record<keyof typeof COUPONS, readonly Coupon[]>>;

/**
 * A new round for the oldest open one.
 * @param price in USD, of the new round; that of the newest one where absent
 */
export function advanceRound(node: DsoNode, price?: string): void {
  const [oldest, middle, newest] = roundsOf(node.dso, 'openRound').slice(-3);
  node.exerciseAmuletRules('AmuletRules_AdvanceOpenMiningRounds', {
    amuletPrice: price ?? numericText(newest!.payload.amuletPrice),
    roundToArchiveCid: oldest!.contractId,
    middleRoundCid: middle!.contractId,
    latestRoundCid: newest!.contractId,
  });
}

/** Activity of featured apps becomes coupons of the open round. */
export function convertMarkers(node: DsoNode): void {
  const markerCids = idsOf(node.contracts('activityMarker'));
  const open = usableOpenRound(node.dso);
  if (markerCids.length > 0 && open !== undefined)
    node.exerciseAmuletRules('AmuletRules_ConvertFeaturedAppActivityMarkers', {
      markerCids,
      openMiningRoundCid: open.contractId,
    });
}

export function startIssuing(node: DsoNode, round: ContractInstance): void {
  const { validator, app, sv, faucet, liveness } = coupons(node, round);
  node.exerciseAmuletRules('AmuletRules_MiningRound_StartIssuing', {
    miningRoundCid: round.contractId,
    summary: {
      totalValidatorRewardCoupons: sumOf(validator),
      totalFeaturedAppRewardCoupons: sumOf(app.filter(({ featured }) => featured)),
      totalUnfeaturedAppRewardCoupons: sumOf(app.filter(({ featured }) => !featured)),
      totalSvRewardWeight: sumOf(sv).replace(/\..*$/, ''),
      optTotalValidatorFaucetCoupons: String(faucet.length + liveness.length),
    },
  });
}

/** What nobody collected expires with the round, which is then no more. */
export function closeRound(node: DsoNode, round: ContractInstance): void {
  const { result } = node.exerciseAmuletRules('AmuletRules_MiningRound_Close', {
    issuingRoundCid: round.contractId,
  });
  const { closedRoundCid } = result as { closedRoundCid: ContractId };
  const { validator, app, sv, faucet, liveness } = coupons(node, round);
  if ([validator, app, sv, faucet, liveness].some(({ length }) => length > 0))
    node.exerciseAmuletRules('AmuletRules_ClaimExpiredRewards', {
      closedRoundCid,
      validatorRewardCouponCids: idsOf(validator),
      appCouponCids: idsOf(app),
      svRewardCouponCids: idsOf(sv),
      optValidatorFaucetCouponCids: idsOf(faucet),
      optValidatorLivenessActivityRecordCids: idsOf(liveness),
    });
  node.exerciseAmuletRules('AmuletRules_MiningRound_Archive', { closedRoundCid });
}

function coupons(node: DsoNode, round: ContractInstance): Coupons {
  const number = roundNumber(round);
  const of = (kind: keyof typeof COUPONS): readonly Coupon[] =>
    node.contracts(COUPONS[kind]).flatMap(({ contractId, payload }) => {
      if ((payload.round as DamlRecord).number !== number) return [];
      const { amount, weight = 1n, featured } = payload;
      const counted = amount === undefined ? Numeric.of(weight as bigint) : (amount as Numeric);
      return [{ contractId, amount: counted, featured: featured === true }];
    });
  return {
    validator: of('validator'),
    app: of('app'),
    sv: of('sv'),
    faucet: of('faucet'),
    liveness: of('liveness'),
  };
}

function sumOf(coupons: readonly Coupon[]): string {
  return coupons.reduce((sum, { amount }) => sum.add(amount), Numeric.of('0')).toString();
}

function idsOf(coupons: readonly { readonly contractId: ContractId }[]): ContractId[] {
  return coupons.map(({ contractId }) => contractId);
}
