/**
 * Minting by delegation, for a party that signs externally and has a wallet at its validator (MintingDelegation). The delegate mints the
 * party's coupons, and merges its smallest amulets if there are too many. It runs at each poll of the validator.
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Timestamp } from '../../daml/model/values.js';
import { roundNumber, roundsOf } from '../dso/amulet-contracts.js';
import { assignment, sharedFrom, type RewardSharing } from '../reward-sharing.js';
import {
  amountOf,
  ownCouponsV2,
  unassignedCoupons,
  valueOf,
  type TransferInput,
} from './inputs.js';
import { amuletRules, disclosed, issuingRounds, latestOpenRound, roundOf } from './rounds.js';
import { exercise } from './submit.js';
import { templateName, type WalletTemplate } from './templates.js';
import type { Wallet } from './wallet.js';

/** The number of coupons without a round that one transaction mints. */
const MOST_V2_COUPONS = 100;

/** Coupons that belong to a mining round, with the field of their owner, in the order in which they are minted. */
const OF_ROUNDS = [
  ['livenessRecord', 'validator', 'InputValidatorLivenessActivityRecord'],
  ['validatorRewardCoupon', 'user', 'InputValidatorRewardCoupon'],
  // NOTE: like the real wallet, this includes coupons for other beneficiaries, and omits those of other providers.
  ['appRewardCoupon', 'provider', 'InputAppRewardCoupon'],
  ['svRewardCoupon', 'beneficiary', 'InputSvRewardCoupon'],
] as const;

/** Coupons with a fixed amount. */
const OTHERS = [
  ['unclaimedActivityRecord', 'beneficiary', 'InputUnclaimedActivityRecord'],
  ['developmentFundCoupon', 'beneficiary', 'InputDevelopmentFundCoupon'],
] as const;

/** The party's first delegation; undefined if there is none, or if the participant does not host the delegate. */
export function delegationOf(wallet: Wallet): ContractInstance | undefined {
  const [first] = named(wallet, 'mintingDelegation', 'beneficiary');
  return first && wallet.validator.participant.hosts(first.payload.delegate as Party)
    ? first
    : undefined;
}

/** The moment from which there is something to mint or merge; undefined if there is nothing. */
export function delegatedSince(
  wallet: Wallet,
  { payload, createdAt }: ContractInstance,
): Timestamp | undefined {
  const rounds = new Map(
    roundsOf(wallet.splice, 'issuingRound').map((round) => [roundNumber(round), round]),
  );
  const { mintable, toShare } = couponsV2(wallet);
  const times = [...otherCoupons(wallet, mintable)].map((each) => each.contract.createdAt);
  if (toShare !== undefined) times.push(sharedFrom(toShare.coupons, toShare.sharing));
  for (const [template, field] of OF_ROUNDS)
    if (mints(wallet, template))
      for (const coupon of named(wallet, template, field)) {
        const opensAt = rounds.get(roundOf(coupon.payload))?.payload.opensAt as
          | Timestamp
          | undefined;
        // A round counts once the time is past its opening.
        if (opensAt !== undefined) times.push(later(opensAt + 1n, coupon.createdAt));
      }
  const amulets = [...named(wallet, 'amulet', 'owner')];
  if (amuletsToMerge(amulets, payload).length > 1) times.push(amulets.at(-1)!.createdAt);
  if (times.length === 0) return undefined;
  return later(
    times.reduce((a, b) => (a < b ? a : b)),
    createdAt,
  );
}

/** @throws LedgerError; WalletRefusal if no Amulet runs or no round is open */
export function mintAsDelegate(wallet: Wallet, delegation: ContractInstance): void {
  const { splice, validator } = wallet;
  const rules = amuletRules(splice);
  const round = latestOpenRound(splice);
  const issuing = issuingRounds(splice);
  const kinds = OF_ROUNDS.map(([template, field, tag]) => {
    if (!mints(wallet, template)) return [];
    const coupons = [...named(wallet, template, field)].filter(({ payload }) =>
      issuing.has(roundOf(payload)),
    );
    if (template === 'appRewardCoupon') coupons.sort(byValue(issuing));
    else coupons.sort((a, b) => Number(roundOf(a.payload) - roundOf(b.payload)));
    return coupons.map((contract) => ({ contract, input: inputOf(tag, contract), template }));
  });
  const amulets = amuletsToMerge([...named(wallet, 'amulet', 'owner')], delegation.payload);
  const { maxNumInputs } = round.payload.transferConfigUsd as unknown as {
    readonly maxNumInputs: bigint;
  };
  const coupons = kinds.flat();
  const rounds = usedRounds(coupons, issuing);
  const hasValidatorRewards = coupons.some(({ template }) => template === 'validatorRewardCoupon');
  const context = {
    openMiningRound: round.contractId,
    issuingMiningRounds: rounds.map((each) => [
      { number: String(roundNumber(each)) },
      each.contractId,
    ]),
    validatorRights: hasValidatorRewards ? [[wallet.party, ownRight(wallet)!.contractId]] : [],
    featuredAppRight: null,
  };
  const { mintable, toShare } = couponsV2(wallet);
  const inputs = [
    ...coupons.map(({ input }) => input),
    ...[...otherCoupons(wallet, mintable)].map(({ input }) => input),
    ...amulets.map((each) => inputOf('InputAmulet', each)),
  ].slice(0, Number(maxNumInputs));
  const delegate = delegation.payload.delegate as Party;
  const argument = { inputs, context: { amuletRules: rules.contractId, context } };
  // A merge also shares the coupons that are to be shared, even before they are due.
  const isShared =
    toShare !== undefined &&
    (amulets.length > 0 ||
      sharedFrom(toShare.coupons, toShare.sharing) <= splice.network.clock.now());
  const choice = isShared ? 'MintingDelegation_AssignAndMint' : 'MintingDelegation_Mint';
  const whole = isShared ? { ...argument, ...assigning(wallet.party, toShare) } : argument;
  const reference = `#${templateName('mintingDelegation')}`;
  exercise(validator, reference, delegation.contractId, choice, whole, {
    actAs: [delegate],
    readAs: [delegate, wallet.party],
    disclosedContracts: disclosed(splice, [rules, round, ...rounds]),
  });
}

interface ToShare {
  readonly coupons: readonly ContractInstance[];
  readonly sharing: RewardSharing;
}

function assigning(party: Party, { coupons: [first, ...others], sharing }: ToShare): object {
  return {
    couponCid: first!.contractId,
    assignBeneficiaries: assignment(party, others, sharing),
  };
}

/** Activity coupons, sorted by expiry: those that the party mints, and those that its validator shares first. */
function couponsV2(wallet: Wallet): {
  readonly mintable: readonly ContractInstance[];
  readonly toShare?: ToShare;
} {
  const sharing = wallet.splice.rewardSharing.get(wallet.party);
  const unassigned = sharing === undefined ? [] : [...unassignedCoupons(wallet)];
  const all = [...ownCouponsV2(wallet), ...unassigned]
    .sort((a, b) => Number((a.payload.expiresAt as Timestamp) - (b.payload.expiresAt as Timestamp)))
    .slice(0, sharing?.batchSize ?? MOST_V2_COUPONS);
  const coupons = all.filter((each) => unassigned.includes(each));
  const mintable = all.filter((each) => !unassigned.includes(each));
  return sharing === undefined || sharing.beneficiaries.length === 0 || coupons.length === 0
    ? { mintable }
    : { mintable, toShare: { coupons, sharing } };
}

interface Coupon {
  readonly contract: ContractInstance;
  readonly input: TransferInput;
}

const inputOf = (tag: string, { contractId: value }: ContractInstance): TransferInput => ({
  tag,
  value,
});

/** Activity coupons, followed by the other kinds. */
function* otherCoupons(
  wallet: Wallet,
  ofActivity: readonly ContractInstance[],
): Generator<Coupon, void, undefined> {
  for (const contract of ofActivity)
    yield { contract, input: inputOf('InputRewardCouponV2', contract) };
  for (const [template, field, tag] of OTHERS)
    for (const contract of named(wallet, template, field))
      yield { contract, input: inputOf(tag, contract) };
}

/** Whether the delegate mints coupons of this kind. */
function mints(wallet: Wallet, template: (typeof OF_ROUNDS)[number][0]): boolean {
  if (template === 'validatorRewardCoupon') return ownRight(wallet) !== undefined;
  const { splice, validator } = wallet;
  const { delegatesMintSvCoupons } = splice.releaseAt(validator.participant.name);
  return template !== 'svRewardCoupon' || delegatesMintSvCoupons;
}

/** The validator right of a party that is its own validator. */
function ownRight(wallet: Wallet): ContractInstance | undefined {
  for (const right of named(wallet, 'validatorRight', 'validator'))
    if (right.payload.user === wallet.party) return right;
  return undefined;
}

/**
 * The smallest amulets, once the party has at least twice the delegation's limit; merging them leaves the limit. NOTE: with a limit of 0, a
 * real delegate merges single amulets endlessly; this one does not merge a single amulet.
 */
function amuletsToMerge(
  amulets: readonly ContractInstance[],
  delegation: DamlRecord,
): readonly ContractInstance[] {
  const limit = Number(delegation.amuletMergeLimit as bigint);
  if (amulets.length < 2 * limit) return [];
  return [...amulets]
    .sort((a, b) => amountOf(a).compare(amountOf(b)))
    .slice(0, amulets.length - limit + 1);
}

function byValue(issuing: ReadonlyMap<bigint, ContractInstance>) {
  return (a: ContractInstance, b: ContractInstance): number => {
    const [first, second] = [a, b].map(({ payload }) => roundOf(payload)) as [bigint, bigint];
    if (first !== second) return first < second ? -1 : 1;
    const [one, other] = [a, b].map(({ payload }) =>
      valueOf('appRewardCoupon', payload, issuing.get(first)!.payload)!,
    );
    return other!.compare(one!);
  };
}

function usedRounds(
  coupons: readonly Coupon[],
  issuing: ReadonlyMap<bigint, ContractInstance>,
): readonly ContractInstance[] {
  const used = new Set(coupons.map(({ contract }) => roundOf(contract.payload)));
  return [...issuing].filter(([number]) => used.has(number)).map(([, round]) => round);
}

/** Contracts of this DSO in which a field names the party, in order of activation. */
function* named(
  { validator, party, dsoParty }: Wallet,
  template: WalletTemplate,
  field: string,
): Generator<ContractInstance, void, undefined> {
  const { activeContracts } = validator.participant;
  for (const { contract } of activeContracts.now([{ party, templates: [templateName(template)] }]))
    if (contract.payload.dso === dsoParty && contract.payload[field] === party) yield contract;
}

const later = (a: Timestamp, b: Timestamp): Timestamp => (a > b ? a : b);
