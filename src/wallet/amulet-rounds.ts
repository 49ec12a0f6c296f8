/**
 * What Splice's super-validators do about mining rounds, as steps: each is a choice of AmuletRules, exercised by the DSO. When they
 * are done says {@link ./round-automation.ts}.
 */
import { Numeric } from '../daml/model/numeric.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { ContractId, Timestamp } from '../daml/model/values.js';
import {
  latestOf,
  roundNumber,
  roundsOf,
  usableOpenRound,
} from '../splice/dso/amulet-contracts.js';
import type { Splice } from '../splice/splice.js';
import { fittingChoice } from './amulet-versions.js';
import type { ParticipantView } from './participant-view.js';

const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const AMULET = '#splice-amulet:Splice.Amulet';
const LICENSE = '#splice-amulet:Splice.ValidatorLicense';

/** What rewards of a round are claimed with, by template. */
const COUPONS = {
  validator: `${AMULET}:ValidatorRewardCoupon`,
  app: `${AMULET}:AppRewardCoupon`,
  sv: `${AMULET}:SvRewardCoupon`,
  faucet: `${LICENSE}:ValidatorFaucetCoupon`,
  liveness: `${LICENSE}:ValidatorLivenessActivityRecord`,
} as const;

interface Coupon {
  readonly contractId: ContractId;
  readonly amount: Numeric;
  readonly featured: boolean;
}

type Coupons = Readonly<Record<keyof typeof COUPONS, readonly Coupon[]>>;

export class RoundSteps {
  constructor(
    private readonly splice: Splice,
    private readonly host: ParticipantView,
  ) {}

  /** When the oldest open round may make room for a new one; undefined where there are no three. */
  get advanceDue(): Timestamp | undefined {
    const [oldest, middle, newest] = roundsOf(this.splice, 'openRound').slice(-3);
    if (oldest === undefined || middle === undefined || newest === undefined) return undefined;
    return [
      timeOf(oldest, 'targetClosesAt'),
      timeOf(newest, 'opensAt'),
      timeOf(middle, 'opensAt') + tickOf(middle),
    ].reduce((a, b) => (a > b ? a : b));
  }

  /** When the first of the issuing rounds is over. */
  get closeDue(): Timestamp | undefined {
    const times = roundsOf(this.splice, 'issuingRound').map((each) =>
      timeOf(each, 'targetClosesAt'),
    );
    return times.length === 0 ? undefined : times.reduce((a, b) => (a < b ? a : b));
  }

  /**
   * A new round for the oldest open one, which is summarized and issued.
   * @param price in USD, of the new round; that of the newest one where absent
   */
  advance(price?: string): void {
    const [oldest, middle, newest] = roundsOf(this.splice, 'openRound').slice(-3);
    this.exercise('AmuletRules_AdvanceOpenMiningRounds', {
      amuletPrice: price ?? (newest!.payload.amuletPrice as Numeric).toString(),
      roundToArchiveCid: oldest!.contractId,
      middleRoundCid: middle!.contractId,
      latestRoundCid: newest!.contractId,
    });
    for (const round of roundsOf(this.splice, 'summarizingRound')) this.startIssuing(round);
  }

  /** Ends the issuing rounds that are over. */
  closeIssued(): void {
    const now = this.splice.network.clock.now();
    for (const round of roundsOf(this.splice, 'issuingRound'))
      if (timeOf(round, 'targetClosesAt') <= now) this.close(round);
  }

  /** Activity of featured apps becomes coupons of the open round. */
  convertMarkers(): void {
    const { dsoParty: party } = this.splice;
    const template = `${AMULET}:FeaturedAppActivityMarker`;
    const markerCids = this.host
      .activeContracts({ party, template })
      .map(({ contractId }) => contractId);
    const open = usableOpenRound(this.splice);
    if (markerCids.length > 0 && open !== undefined)
      this.exercise('AmuletRules_ConvertFeaturedAppActivityMarkers', {
        markerCids,
        openMiningRoundCid: open.contractId,
      });
  }

  private startIssuing(round: ContractInstance): void {
    const { validator, app, sv, faucet, liveness } = this.coupons(round);
    this.exercise('AmuletRules_MiningRound_StartIssuing', {
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
  private close(round: ContractInstance): void {
    const { result } = this.exercise('AmuletRules_MiningRound_Close', {
      issuingRoundCid: round.contractId,
    });
    const { closedRoundCid } = result as { closedRoundCid: ContractId };
    const { validator, app, sv, faucet, liveness } = this.coupons(round);
    if ([validator, app, sv, faucet, liveness].some(({ length }) => length > 0))
      this.exercise('AmuletRules_ClaimExpiredRewards', {
        closedRoundCid,
        validatorRewardCouponCids: idsOf(validator),
        appCouponCids: idsOf(app),
        svRewardCouponCids: idsOf(sv),
        optValidatorFaucetCouponCids: idsOf(faucet),
        optValidatorLivenessActivityRecordCids: idsOf(liveness),
      });
    this.exercise('AmuletRules_MiningRound_Archive', { closedRoundCid });
  }

  private coupons(round: ContractInstance): Coupons {
    const number = String(roundNumber(round));
    const of = (template: string): readonly Coupon[] =>
      this.host.activeContracts({ party: this.splice.dsoParty, template }).flatMap((contract) => {
        const { round, amount, weight, featured } = contract.payload as CouponPayload;
        if (round.number !== number) return [];
        const counted = Numeric.of(amount ?? weight ?? '1');
        return [{ contractId: contract.contractId, amount: counted, featured: featured === true }];
      });
    const { validator, app, sv, faucet, liveness } = COUPONS;
    return {
      validator: of(validator),
      app: of(app),
      sv: of(sv),
      faucet: of(faucet),
      liveness: of(liveness),
    };
  }

  private exercise(choice: string, argument: unknown) {
    const { contractId } = latestOf(this.splice, 'rules')!;
    const options = { actAs: [this.splice.dsoParty] };
    const { host } = this;
    return host.exercise(RULES, contractId, choice, fittingChoice(host, choice, argument), options);
  }
}

interface CouponPayload {
  readonly round: { readonly number: string };
  readonly amount?: string;
  readonly weight?: string;
  readonly featured?: boolean;
}

function sumOf(coupons: readonly Coupon[]): string {
  return coupons.reduce((sum, { amount }) => sum.add(amount), Numeric.of('0')).toString();
}

function idsOf(coupons: readonly Coupon[]): ContractId[] {
  return coupons.map(({ contractId }) => contractId);
}

function timeOf({ payload }: ContractInstance, field: 'opensAt' | 'targetClosesAt'): Timestamp {
  return payload[field] as Timestamp;
}

function tickOf({ payload }: ContractInstance): bigint {
  return (payload.tickDuration as { readonly microseconds: bigint }).microseconds;
}
