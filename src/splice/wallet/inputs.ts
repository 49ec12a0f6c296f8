/**
 * What a wallet pays with: its unlocked amulets and the coupons that can be minted now, as Splice's treasury chooses them
 * (WA-TRE-004, WA-TRE-005). So whatever is paid also mints what is due and makes one amulet of the rest.
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
  /** Of coupons among all candidates, those that are not taken this time too. */
  readonly rounds: readonly ContractInstance[];
  /** Whose use of this validator is rewarded. */
  readonly couponUsers: readonly Party[];
  readonly validatorRights: readonly ContractInstance[];
  /** Whether it is worth a transaction that does nothing else (WA-TRE-014). */
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

/** Of each kind of coupon: its input, and what it is worth in a round. */
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

/** What a coupon is worth in its round; undefined where that issues nothing for its kind. */
export function valueOf(
  template: WalletTemplate,
  coupon: DamlRecord,
  round: DamlRecord,
): Numeric | undefined {
  const [, , issuance] = COUPONS.find(([kind]) => kind === template)!;
  return issuance(coupon, round);
}

/** The least number of the largest amulets that come first, and the part of all candidates that they may be. */
const FIRST_AMULETS = 2;
const PART_OF_FIRST_AMULETS = 0.1;

/** @param most how many a transfer takes @param taps how many of these are amulets that the batch itself taps */
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

/** From when on the wallet has something to mint. */
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
    // A round counts once its time is past.
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
    for (const { payload, createdAt } of wallet.contracts(template))
      if (payload.beneficiary === wallet.party) note(createdAt);
  for (const { createdAt } of ownCouponsV2(wallet)) note(createdAt);
  return first;
}

/** Coupons for the use that others make of the validator that this wallet is of (WA-COU-003). */
export function couponsOfUsers(wallet: Wallet): readonly ContractInstance[] {
  const users = [...wallet.contracts('validatorRight')].map(({ payload }) => payload.user as Party);
  return [...new Set(users)].flatMap((user) => [
    ...new Wallet(wallet.splice, wallet.validator, user).contracts('validatorRewardCoupon'),
  ]);
}

/** The largest first. */
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

/** Those of the party that name nobody yet. */
export function* unassignedCoupons(wallet: Wallet): Generator<ContractInstance, void, undefined> {
  for (const coupon of wallet.contracts('rewardCouponV2'))
    if ((coupon.payload.beneficiary ?? null) === null && coupon.payload.provider === wallet.party)
      yield coupon;
}

/**
 * Those that the party may mint: as the beneficiary, or as the provider where none is named, unless those are to be shared first.
 * NOTE: a real wallet also takes those whose beneficiary is somebody else for inputs, with which no transfer comes off.
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

/** Upgrading left the oldest kind of faucet coupons a constructor of its own shape. */
function couponInput(tag: string, contractId: string): TransferInput {
  if (tag !== 'ExtTransferInput') return { tag, value: contractId };
  return { tag, value: { dummyUnitField: {}, optInputValidatorFaucetCoupon: contractId } };
}

/** NOTE: a real wallet's inputs also have the coupons that its party gave as manager of the fund, with which no transfer comes off. */
function* otherInputs(
  wallet: Wallet,
  template: 'unclaimedActivityRecord' | 'developmentFundCoupon',
  tag: string,
): Generator<TransferInput, void, undefined> {
  for (const { contractId, payload } of wallet.contracts(template))
    if (payload.beneficiary === wallet.party) yield { tag, value: contractId };
}

/** What expires first, and of that the most valuable. */
function firstDue(a: Candidate, b: Candidate): number {
  if (a.round !== b.round) return a.round < b.round ? -1 : 1;
  return b.value.compare(a.value);
}
