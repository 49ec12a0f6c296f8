/**
 * Selects inputs of a payment like Splice's treasury: unlocked amulets, and coupons that can be minted now (WA-TRE-004, WA-TRE-005). So
 * each payment also mints due coupons and merges the rest into one amulet.
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Some, Timestamp } from '../../daml/model/values.js';
import { roundNumber, roundsOf } from '../dso/amulet-contracts.js';
import type { WalletTemplate } from './templates.js';
import { issuingRounds, roundOf } from './rounds.js';
import { Wallet } from './wallet.js';

/** A TransferInput of AmuletRules, as Ledger API JSON. */
export interface TransferInput {
  readonly tag: string;
  readonly value: unknown;
}

export interface ChosenInputs {
  readonly inputs: readonly TransferInput[];
  /** Rounds of all candidate coupons, including coupons that are not selected. */
  readonly rounds: readonly ContractInstance[];
  /** Users whose activity rewards this validator. */
  readonly couponUsers: readonly Party[];
  readonly validatorRights: readonly ContractInstance[];
  /** Whether the inputs justify a transaction that only merges (WA-TRE-014). */
  readonly isWorthMerging: boolean;
}

interface Candidate {
  readonly round: bigint;
  readonly value: Numeric;
  readonly input: TransferInput;
}

type Issuance = (coupon: DamlRecord, round: DamlRecord) => Numeric | undefined;

const faucetIssuance: Issuance = (_, round) =>
  (round.optIssuancePerValidatorFaucetCoupon as Some<Numeric> | null)?.value;

/** For each kind of coupon: its input, and its value in a round. */
const COUPONS: readonly (readonly [WalletTemplate, string, Issuance])[] = [
  [
    'appRewardCoupon',
    'InputAppRewardCoupon',
    ({ amount, featured }, round) =>
      (amount as Numeric).multiply(
        round[
          featured === true
            ? 'issuancePerFeaturedAppRewardCoupon'
            : 'issuancePerUnfeaturedAppRewardCoupon'
        ] as Numeric,
      ),
  ],
  ['validatorFaucetCoupon', 'ExtTransferInput', faucetIssuance],
  ['livenessRecord', 'InputValidatorLivenessActivityRecord', faucetIssuance],
  [
    'svRewardCoupon',
    'InputSvRewardCoupon',
    ({ weight }, round) =>
      (round.issuancePerSvRewardCoupon as Numeric).multiply(Numeric.of(weight as bigint)),
  ],
];

/** The value of a coupon in its round; undefined if the round issues no reward for its kind. */
export function valueOf(
  template: WalletTemplate,
  coupon: DamlRecord,
  round: DamlRecord,
): Numeric | undefined {
  const [, , issuance] = COUPONS.find(([kind]) => kind === template)!;
  return issuance(coupon, round);
}

/** The largest amulets come first: at least this number of them, and at most this share of all candidates. */
const FIRST_AMULETS = 2;
const PART_OF_FIRST_AMULETS = 0.1;

/**
 * @param most the maximum number of inputs
 * @param taps how many of them are reserved for amulets that the batch taps
 */
export function chooseInputs(wallet: Wallet, most: number, taps: number): ChosenInputs {
  const amulets = sortedAmulets(wallet).slice(0, most);
  const issuing = issuingRounds(wallet.splice);
  const rights = [...wallet.contracts('validatorRight')];
  const ofUsers = validatorCoupons(wallet, issuing).slice(0, most);
  const mintable = [
    ...ofUsers.map(({ candidate }) => candidate),
    ...mintableCoupons(wallet, issuing, most),
  ].sort(firstDue);
  const others = [
    ...otherInputs(wallet, 'unclaimedActivityRecord', 'InputUnclaimedActivityRecord'),
    ...otherInputs(wallet, 'developmentFundCoupon', 'InputDevelopmentFundCoupon'),
  ];
  const candidates = Math.max(amulets.length + mintable.length, most);
  const first = Math.round(Math.max(FIRST_AMULETS, candidates * PART_OF_FIRST_AMULETS));
  const users = new Set(ofUsers.map(({ user }) => user));
  const used = new Set(mintable.map(({ round }) => round));
  return {
    inputs: [
      ...amulets.slice(0, first),
      ...mintable.map(({ input }) => input),
      ...amulets.slice(first),
      ...others,
    ].slice(0, Math.max(0, most - taps)),
    rounds: [...issuing].filter(([number]) => used.has(number)).map(([, round]) => round),
    couponUsers: [...users],
    validatorRights: rights.filter(({ payload }) => users.has(payload.user as Party)),
    isWorthMerging:
      amulets.length > 1 || others.length > 0 || mintable.some(({ value }) => value.sign() > 0),
  };
}

/** The moment from which the wallet has coupons to mint; undefined if there are none. */
export function mintableSince(wallet: Wallet): Timestamp | undefined {
  const issuing = new Map(
    roundsOf(wallet.splice, 'issuingRound').map((round) => [roundNumber(round), round]),
  );
  let first: Timestamp | undefined;
  const note = (since: Timestamp): void => {
    if (first === undefined || since < first) first = since;
  };
  const noteCoupon = ({ payload, createdAt }: ContractInstance, value?: Numeric): void => {
    const opensAt = issuing.get(roundOf(payload))?.payload.opensAt as Timestamp | undefined;
    if (opensAt === undefined || value?.sign() !== 1) return;
    // A round counts once the time is past its opening.
    note(opensAt >= createdAt ? opensAt + 1n : createdAt);
  };
  if (issuing.size > 0) {
    for (const [template, , issuance] of COUPONS)
      for (const coupon of wallet.contracts(template)) {
        const round = issuing.get(roundOf(coupon.payload));
        noteCoupon(coupon, round && issuance(coupon.payload, round.payload));
      }
    for (const coupon of couponsOfUsers(wallet))
      noteCoupon(coupon, coupon.payload.amount as Numeric);
  }
  for (const template of ['unclaimedActivityRecord', 'developmentFundCoupon'] as const)
    for (const each of wallet.contracts(template))
      if (each.payload.beneficiary === wallet.party) note(mintAfterOf(each) ?? each.createdAt);
  for (const { createdAt } of ownCouponsV2(wallet)) note(createdAt);
  return first;
}

/** Coupons for other users' activity, if this is the validator's wallet (WA-COU-003). */
export function couponsOfUsers(wallet: Wallet): readonly ContractInstance[] {
  const users = [...wallet.contracts('validatorRight')].map(({ payload }) => payload.user as Party);
  return [...new Set(users)].flatMap((user) => [
    ...new Wallet(wallet.splice, wallet.validator, user).contracts('validatorRewardCoupon'),
  ]);
}

/** The amulets as inputs, largest first. */
function sortedAmulets(wallet: Wallet): readonly TransferInput[] {
  return [...wallet.contracts('amulet')]
    .sort((a, b) => amountOf(b).compare(amountOf(a)))
    .map(({ contractId }) => ({ tag: 'InputAmulet', value: contractId }));
}

export function amountOf({ payload }: ContractInstance): Numeric {
  const amulet = (payload.amulet ?? payload) as DamlRecord;
  return (amulet.amount as { readonly initialAmount: Numeric }).initialAmount;
}

function validatorCoupons(
  wallet: Wallet,
  issuing: ReadonlyMap<bigint, ContractInstance>,
): readonly { readonly user: Party; readonly candidate: Candidate }[] {
  if (issuing.size === 0) return [];
  return couponsOfUsers(wallet).flatMap(({ contractId, payload }) => {
    const round = roundOf(payload);
    const issuance = issuing.get(round)?.payload.issuancePerValidatorRewardCoupon as
      | Numeric
      | undefined;
    if (issuance === undefined) return [];
    const value = (payload.amount as Numeric).multiply(issuance);
    const input = { tag: 'InputValidatorRewardCoupon', value: contractId };
    return [{ user: payload.user as Party, candidate: { round, value, input } }];
  });
}

function mintableCoupons(
  wallet: Wallet,
  issuing: ReadonlyMap<bigint, ContractInstance>,
  most: number,
): readonly Candidate[] {
  const found: Candidate[] = [];
  if (issuing.size > 0)
    for (const [template, tag, issuance] of COUPONS) {
      const ofKind: Candidate[] = [];
      for (const { contractId, payload } of wallet.contracts(template)) {
        const round = roundOf(payload);
        const issuingRound = issuing.get(round);
        const value = issuingRound && issuance(payload, issuingRound.payload);
        if (value !== undefined) ofKind.push({ round, value, input: couponInput(tag, contractId) });
      }
      found.push(...ofKind.sort(firstDue).slice(0, most));
    }
  for (const { contractId, payload } of ownCouponsV2(wallet))
    found.push({
      round: roundOf(payload),
      value: payload.amount as Numeric,
      input: { tag: 'InputRewardCouponV2', value: contractId },
    });
  return found;
}

/** The party's coupons without a beneficiary. */
export function* unassignedCoupons(wallet: Wallet): Generator<ContractInstance, void, undefined> {
  for (const coupon of wallet.contracts('rewardCouponV2'))
    if ((coupon.payload.beneficiary ?? null) === null && coupon.payload.provider === wallet.party)
      yield coupon;
}

/**
 * Coupons that the party may mint: as the beneficiary, or as the provider if no beneficiary is set and the party does not share rewards.
 * NOTE: a real wallet also selects coupons for other beneficiaries. Its transfers then fail.
 */
export function* ownCouponsV2(wallet: Wallet): Generator<ContractInstance, void, undefined> {
  for (const coupon of wallet.contracts('rewardCouponV2')) {
    const beneficiary = (coupon.payload.beneficiary as Some<Party> | null | undefined)?.value;
    const isOwn =
      beneficiary === undefined
        ? !wallet.splice.rewardSharing.has(wallet.party)
        : beneficiary === wallet.party;
    if (isOwn) yield coupon;
  }
}

/** After an upgrade, the oldest kind of faucet coupon has a constructor with a different shape. */
function couponInput(tag: string, contractId: string): TransferInput {
  if (tag !== 'ExtTransferInput') return { tag, value: contractId };
  return { tag, value: { dummyUnitField: {}, optInputValidatorFaucetCoupon: contractId } };
}

/** NOTE: a real wallet also selects coupons that its party granted as fund manager. Its transfers then fail. */
function* otherInputs(
  wallet: Wallet,
  template: 'unclaimedActivityRecord' | 'developmentFundCoupon',
  tag: string,
): Generator<TransferInput, void, undefined> {
  const now = wallet.splice.network.clock.now();
  for (const each of wallet.contracts(template))
    if (each.payload.beneficiary === wallet.party && (mintAfterOf(each) ?? now) <= now)
      yield { tag, value: each.contractId };
}

/** The time before which a coupon of the development fund cannot be minted; newer versions of Amulet have it. */
const mintAfterOf = ({ payload }: ContractInstance): Timestamp | undefined =>
  (payload.mintAfter as Some<Timestamp> | null | undefined)?.value;

/** The earliest expiry first; for equal expiry, the highest value first. */
function firstDue(a: Candidate, b: Candidate): number {
  if (a.round !== b.round) return a.round < b.round ? -1 : 1;
  return b.value.compare(a.value);
}
