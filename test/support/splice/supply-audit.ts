/**
 * Audits the supply of Amulet. It computes the issuance of each round independently, by the formula of
 * Splice.Issuance. For each transaction, it checks that holdings and unclaimed amounts changed only by tapped,
 * minted, burnt or remaining amounts. Amounts are integers of 1e-10 amulets.
 */
import type { ExerciseNode } from '../../../src/daml/index.js';
import type { Network } from '../../../src/network/index.js';
import { over, times, units, type Units } from './amulet-fees.js';

/** The facts about a contract or a choice, as plain texts. */
type Fields = Readonly<Record<string, any>>;

/** Sums of the coupons of a round, before its issuance. */
interface Coupons {
  readonly validator: Units;
  readonly featured: Units;
  readonly unfeatured: Units;
  readonly svWeight: bigint;
  readonly alive: bigint;
}

const NO_COUPONS: Coupons = {
  validator: 0n,
  featured: 0n,
  unfeatured: 0n,
  svWeight: 0n,
  alive: 0n,
};

/** The value of one coupon of a round, and the unclaimed rest. */
interface Issuance {
  readonly validator: Units;
  readonly featured: Units;
  readonly unfeatured: Units;
  readonly sv: Units;
  readonly faucet: Units;
  readonly unclaimed: Units;
  readonly development: Units;
}

/** The price of a name, and of an amulet, in dollars. */
const NAME_FEE_USD = units('1.0');
const PRICE = units('0.005');
const ONE = units('1.0');
const MICROSECONDS_A_YEAR = 365n * 86_400_000_000n;

const HELD = new Set(['Amulet', 'LockedAmulet']);
const COUPONS = new Set([
  ...['ValidatorRewardCoupon', 'AppRewardCoupon', 'SvRewardCoupon'],
  'ValidatorLivenessActivityRecord',
]);
const NOBODYS = new Set(['UnclaimedReward', 'UnclaimedDevelopmentFundCoupon']);
const COUNTED = new Set([
  ...[...HELD, ...COUPONS, ...NOBODYS],
  ...['SummarizingMiningRound', 'IssuingMiningRound'],
]);
const NAME_COLLECTIONS = /^AnsEntryContext_Collect(InitialEntry|EntryRenewal)Payment$/;
/** The choices whose results contain the burnt amount. */
const BURNING = new Set([
  'AmuletRules_BuyMemberTraffic',
  'AmuletRules_CreateTransferPreapproval',
  'AmuletRules_CreateExternalPartySetupProposal',
  'TransferPreapproval_Renew',
]);

export interface Books {
  readonly held: Units;
  readonly nobodys: Units;
  readonly tapped: Units;
  readonly minted: Units;
  readonly burnt: Units;
  /** By round number: its total issuance, and its coupons. */
  readonly issued: ReadonlyMap<string, { readonly issuance: Issuance; readonly coupons: Coupons }>;
  /** The exercised choices. */
  readonly choices: ReadonlySet<string>;
}

/** Audits all updates of a network. @throws the differences from the ledger, with the update's location */
export function audit({ updates }: Network): Books {
  const coupons = new Map<string, Coupons>();
  const issued = new Map<string, { issuance: Issuance; coupons: Coupons }>();
  const allChoices = new Set<string>();
  const sums = { held: 0n, nobodys: 0n, tapped: 0n, minted: 0n, burnt: 0n };
  for (let place = 0; place < updates.length; place++) {
    const update = updates.at(place)!;
    if (update.kind !== 'transaction') continue;
    const { nodes } = update.transaction;
    const change = { held: 0n, nobodys: 0n, tapped: 0n, minted: 0n, burnt: 0n, left: 0n };
    const choices = new Set(nodes.flatMap((node) => (node.kind === 'exercise' ? node.choice : [])));
    for (const choice of choices) allChoices.add(choice);
    for (const node of nodes) {
      if (node.kind !== 'create' && node.kind !== 'exercise') continue;
      const name = node.contract.templateId.replace(/^.*:/, '');
      if (node.kind === 'exercise') noteChoice(node, change);
      if (!COUNTED.has(name)) continue;
      const payload = plain(node.contract.payload) as Fields;
      const sign = node.kind === 'create' ? 1n : node.consuming ? -1n : 0n;
      if (HELD.has(name)) change.held += sign * heldIn(payload);
      if (NOBODYS.has(name)) change.nobodys += sign * units(payload.amount);
      const round = payload.round?.number as string;
      if (node.kind === 'create') {
        const more = countedIn(name, payload);
        if (more !== undefined) coupons.set(round, plus(coupons.get(round) ?? NO_COUPONS, more));
        if (name === 'IssuingMiningRound')
          expectSame(
            place,
            `round ${round}`,
            ratesOf(payload),
            ratesBy(issued.get(round)!.issuance),
          );
        continue;
      }
      if (node.consuming && name === 'SummarizingMiningRound') {
        const all = coupons.get(round) ?? NO_COUPONS;
        const issuance = issuanceOf(payload, all);
        issued.set(round, { issuance, coupons: all });
        change.left += issuance.unclaimed + issuance.development;
      }
      if (node.consuming && countedIn(name, payload) !== undefined) {
        const value = valueOf(name, payload, issued.get(round)!.issuance);
        change[node.choice.endsWith('_DsoExpire') ? 'left' : 'minted'] += value;
      }
    }
    expectSame(place, 'held', change.held, change.tapped + change.minted - change.burnt);
    expectSame(place, 'nobody’s', change.nobodys, change.left);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += change[key];
  }
  return { ...sums, issued, choices: allChoices };
}

function noteChoice(
  { choice, argument, result }: ExerciseNode,
  change: { tapped: Units; burnt: Units },
): void {
  if (choice === 'AmuletRules_DevNet_Tap')
    change.tapped += units((plain(argument) as Fields).amount);
  if (BURNING.has(choice)) change.burnt += units((plain(result) as Fields).amuletPaid);
  if (NAME_COLLECTIONS.test(choice)) change.burnt += over(NAME_FEE_USD, PRICE);
}

function expectSame(place: number, what: string, found: unknown, expected: unknown): void {
  expect({ place, [what]: found }).toEqual({ place, [what]: expected });
}

/** Daml values as texts, lists and records; an optional is its value or null. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  const isRecord =
    Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;
  if (!isRecord) return 'value' in value ? plain(value.value) : String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

const heldIn = ({ amulet, amount }: Fields): Units =>
  units((amulet?.amount ?? amount).initialAmount);

/** The weight of a contract in its round, if it is a coupon. */
function countedIn(name: string, { amount, featured, weight }: Fields): Coupons | undefined {
  switch (name) {
    case 'ValidatorRewardCoupon':
      return { ...NO_COUPONS, validator: units(amount) };
    case 'AppRewardCoupon':
      return { ...NO_COUPONS, [featured ? 'featured' : 'unfeatured']: units(amount) };
    case 'SvRewardCoupon':
      return { ...NO_COUPONS, svWeight: BigInt(weight) };
    case 'ValidatorLivenessActivityRecord':
      return { ...NO_COUPONS, alive: 1n };
    default:
      return undefined;
  }
}

const plus = (a: Coupons, b: Coupons): Coupons => ({
  validator: a.validator + b.validator,
  featured: a.featured + b.featured,
  unfeatured: a.unfeatured + b.unfeatured,
  svWeight: a.svWeight + b.svWeight,
  alive: a.alive + b.alive,
});

function valueOf(name: string, { amount, featured, weight }: Fields, rates: Issuance): Units {
  switch (name) {
    case 'ValidatorRewardCoupon':
      return times(units(amount), rates.validator);
    case 'AppRewardCoupon':
      return times(units(amount), featured ? rates.featured : rates.unfeatured);
    case 'SvRewardCoupon':
      return BigInt(weight) * rates.sv;
    default:
      return rates.faucet;
  }
}

/** computeIssuingRoundParameters of the source. */
function issuanceOf(
  { tickDuration, amuletPrice, issuanceConfig: config }: Fields,
  { validator, featured, unfeatured, svWeight, alive }: Coupons,
): Issuance {
  const of = (field: string, otherwise?: string) => units(config[field] ?? otherwise);
  const roundsAYear = over(MICROSECONDS_A_YEAR * ONE, BigInt(tickDuration.microseconds) * ONE);
  const inRound = over(of('amuletToIssuePerYear'), roundsAYear);
  const development = times(inRound, of('optDevelopmentFundPercentage', '0.05'));
  const adjusted = inRound - development;
  const forValidators = times(adjusted, of('validatorRewardPercentage'));
  const forApps = times(adjusted, of('appRewardPercentage'));
  const ofValidators = tranche(forValidators, of('validatorRewardCap'), validator);
  const faucetCap = over(of('optValidatorFaucetCap', '2.85'), units(amuletPrice));
  const faucets = tranche(ofValidators.unclaimed, faucetCap, alive * ONE);
  const plainCap = of('unfeaturedAppRewardCap');
  const apps = tranche(forApps, plainCap, featured + unfeatured);
  const featuredApps = tranche(apps.unclaimed, of('featuredAppRewardCap') - plainCap, featured);
  const forSvs = adjusted - forValidators - forApps;
  const sv = svWeight === 0n ? forSvs : over(forSvs, svWeight * ONE);
  return {
    validator: ofValidators.each,
    featured: apps.each + featuredApps.each,
    unfeatured: apps.each,
    sv,
    faucet: faucets.each,
    unclaimed: faucets.unclaimed + featuredApps.unclaimed + atLeastNone(forSvs - sv * svWeight),
    development,
  };
}

/** computeIssuanceTranche of the source. */
function tranche(rewards: Units, cap: Units, coupons: Units): { each: Units; unclaimed: Units } {
  if (coupons <= 0n) return { each: cap, unclaimed: rewards };
  if (cap <= 0n) return { each: 0n, unclaimed: rewards };
  const scaled = times(cap, coupons);
  const capped = rewards < scaled ? rewards : scaled;
  const each = over(times(capped, cap), scaled);
  return { each, unclaimed: atLeastNone(rewards - times(each, coupons)) };
}

/** The total issuance of a round: the value of the curve, except for rounding. */
export function inAll(
  { unclaimed, development, sv, faucet, ...rates }: Issuance,
  { featured, unfeatured, validator, svWeight, alive }: Coupons,
): Units {
  const apps = times(featured, rates.featured) + times(unfeatured, rates.unfeatured);
  const validators = times(validator, rates.validator) + alive * faucet;
  return unclaimed + development + svWeight * sv + apps + validators;
}

const atLeastNone = (amount: Units): Units => (amount > 0n ? amount : 0n);

const ratesBy = ({ validator, featured, unfeatured, sv, faucet }: Issuance) => [
  ...[validator, featured, unfeatured, sv],
  faucet,
];

const ratesOf = (round: Fields) =>
  [
    round.issuancePerValidatorRewardCoupon,
    round.issuancePerFeaturedAppRewardCoupon,
    round.issuancePerUnfeaturedAppRewardCoupon,
    round.issuancePerSvRewardCoupon,
    round.optIssuancePerValidatorFaucetCoupon,
  ].map(units);
