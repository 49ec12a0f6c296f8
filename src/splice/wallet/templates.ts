/**
 * The templates that a wallet reads, by the names that reads filter by, and for each the contracts that concern the wallet's party. It is
 * not enough that the party is a stakeholder.
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Some } from '../../daml/model/values.js';
import { templateNameOf, type TemplateName } from '../../network/ledger/active-contracts.js';

/** The wallet's party, its validator and the DSO of its amulets. */
export interface WalletKey {
  readonly party: Party;
  readonly validatorParty: Party;
  readonly dsoParty: Party;
}

interface Row {
  readonly name: TemplateName;
  readonly concerns: (payload: DamlRecord, key: WalletKey) => boolean;
}

const inner = (payload: DamlRecord, field: string): DamlRecord => payload[field] as DamlRecord;
const isSome = (value: unknown, party: Party): boolean =>
  ((value ?? undefined) as Some | undefined)?.value === party;

/** Contracts in which one of these fields names the party. */
const named =
  (...fields: readonly string[]) =>
  (payload: DamlRecord, { party, dsoParty }: WalletKey): boolean =>
    payload.dso === dsoParty && fields.some((field) => payload[field] === party);

const subscribed = (payload: DamlRecord, key: WalletKey): boolean =>
  named('sender')(inner(payload, 'subscriptionData'), key);

/** The provider pays for a preapproval and renews it. The provider must be this wallet's validator. */
const preapproves = (
  { provider, receiver }: DamlRecord,
  { party, validatorParty }: WalletKey,
): boolean => provider === validatorParty && (provider === party || receiver === party);

const amulet = (name: string): TemplateName => `splice-amulet:Splice.${name}`;
const wallet = (name: string): TemplateName => `splice-wallet:Splice.Wallet.${name}`;
const payments = (name: string): TemplateName => `splice-wallet-payments:Splice.Wallet.${name}`;

const ROWS = {
  install: {
    name: wallet('Install:WalletAppInstall'),
    concerns: ({ dsoParty, endUserParty }, key) =>
      dsoParty === key.dsoParty && endUserParty === key.party,
  },
  amulet: { name: amulet('Amulet:Amulet'), concerns: named('owner') },
  lockedAmulet: {
    name: amulet('Amulet:LockedAmulet'),
    concerns: (payload, key) => named('owner')(inner(payload, 'amulet'), key),
  },
  appRewardCoupon: {
    name: amulet('Amulet:AppRewardCoupon'),
    // The coupon concerns the beneficiary if there is one, otherwise the provider (WA-COU-002).
    concerns: (payload, key) =>
      (payload.beneficiary ?? null) === null
        ? named('provider')(payload, key)
        : payload.dso === key.dsoParty && isSome(payload.beneficiary, key.party),
  },
  validatorRewardCoupon: {
    name: amulet('Amulet:ValidatorRewardCoupon'),
    concerns: named('user'),
  },
  svRewardCoupon: { name: amulet('Amulet:SvRewardCoupon'), concerns: named('beneficiary') },
  rewardCouponV2: {
    name: amulet('Amulet:RewardCouponV2'),
    concerns: (payload, key) =>
      payload.dso === key.dsoParty &&
      (payload.provider === key.party || isSome(payload.beneficiary, key.party)),
  },
  unclaimedActivityRecord: {
    name: amulet('Amulet:UnclaimedActivityRecord'),
    concerns: named('beneficiary'),
  },
  validatorFaucetCoupon: {
    name: amulet('ValidatorLicense:ValidatorFaucetCoupon'),
    concerns: named('validator'),
  },
  livenessRecord: {
    name: amulet('ValidatorLicense:ValidatorLivenessActivityRecord'),
    concerns: named('validator'),
  },
  validatorRight: { name: amulet('Amulet:ValidatorRight'), concerns: named('validator') },
  featuredAppRight: { name: amulet('Amulet:FeaturedAppRight'), concerns: named('provider') },
  developmentFundCoupon: {
    name: amulet('Amulet:DevelopmentFundCoupon'),
    concerns: named('fundManager', 'beneficiary'),
  },
  transferOffer: {
    name: wallet('TransferOffer:TransferOffer'),
    concerns: named('sender', 'receiver'),
  },
  acceptedTransferOffer: {
    name: wallet('TransferOffer:AcceptedTransferOffer'),
    concerns: named('sender', 'receiver'),
  },
  buyTrafficRequest: {
    name: wallet('BuyTrafficRequest:BuyTrafficRequest'),
    concerns: named('endUserParty'),
  },
  preapprovalProposal: {
    name: wallet('TransferPreapproval:TransferPreapprovalProposal'),
    concerns: preapproves,
  },
  transferPreapproval: {
    name: amulet('AmuletRules:TransferPreapproval'),
    concerns: (payload, key) => payload.dso === key.dsoParty && preapproves(payload, key),
  },
  mintingDelegationProposal: {
    name: wallet('MintingDelegation:MintingDelegationProposal'),
    concerns: (payload, key) => named('delegate')(inner(payload, 'delegation'), key),
  },
  mintingDelegation: {
    name: wallet('MintingDelegation:MintingDelegation'),
    concerns: named('delegate'),
  },
  // Wallets ignore payments in which the party is the receiver: its app handles these.
  appPaymentRequest: { name: payments('Payment:AppPaymentRequest'), concerns: named('sender') },
  acceptedAppPayment: { name: payments('Payment:AcceptedAppPayment'), concerns: named('sender') },
  subscription: { name: payments('Subscriptions:Subscription'), concerns: subscribed },
  subscriptionRequest: {
    name: payments('Subscriptions:SubscriptionRequest'),
    concerns: subscribed,
  },
  subscriptionIdleState: {
    name: payments('Subscriptions:SubscriptionIdleState'),
    concerns: subscribed,
  },
  subscriptionInitialPayment: {
    name: payments('Subscriptions:SubscriptionInitialPayment'),
    concerns: subscribed,
  },
  subscriptionPayment: {
    name: payments('Subscriptions:SubscriptionPayment'),
    concerns: subscribed,
  },
  transferInstruction: {
    name: amulet('AmuletTransferInstruction:AmuletTransferInstruction'),
    concerns: (payload, { party, dsoParty }) => {
      const { instrumentId, sender, receiver } = inner(payload, 'transfer');
      const isOfDso = (instrumentId as DamlRecord).admin === dsoParty;
      return isOfDso && (sender === party || receiver === party);
    },
  },
  allocation: {
    name: amulet('AmuletAllocation:AmuletAllocation'),
    concerns: (payload, { party, dsoParty }) => {
      const { instrumentId, sender } = inner(inner(payload, 'allocation'), 'transferLeg');
      return (instrumentId as DamlRecord).admin === dsoParty && sender === party;
    },
  },
  allocationV2: {
    name: amulet('AmuletAllocationV2:AmuletAllocationV2'),
    concerns: (payload, { party, dsoParty }) => {
      const { admin, authorizer } = inner(payload, 'allocation');
      return admin === dsoParty && isSome((authorizer as DamlRecord).owner, party);
    },
  },
} as const satisfies Readonly<Record<string, Row>>;

export type WalletTemplate = keyof typeof ROWS;

export const templateName = (template: WalletTemplate): TemplateName => ROWS[template].name;

export function isOf(contract: ContractInstance, template: WalletTemplate): boolean {
  return templateNameOf(contract) === ROWS[template].name;
}

export function concerns(
  { payload }: ContractInstance,
  template: WalletTemplate,
  key: WalletKey,
): boolean {
  return ROWS[template].concerns(payload, key);
}
