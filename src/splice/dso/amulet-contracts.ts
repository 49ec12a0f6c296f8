/** Finds contracts of the amulet packages among those that the DSO party sees, by template name. There are none if no Amulet runs. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party, Some, Timestamp } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';
import type { Activation } from '../../network/model/updates.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { Participant } from '../../network/participant.js';
import type { Dso } from './dso.js';

const AMULET = 'splice-amulet';
const GOVERNANCE = 'splice-dso-governance';
const NAME_SERVICE = 'splice-amulet-name-service';
const PAYMENTS = 'splice-wallet-payments';
const LIFECYCLE = 'splice-validator-lifecycle';

/** Templates of Amulet and of the DSO, by the package names that reads filter by, for all versions of a package. */
const AMULET_TEMPLATES = {
  amulet: `${AMULET}:Splice.Amulet:Amulet`,
  lockedAmulet: `${AMULET}:Splice.Amulet:LockedAmulet`,
  rules: `${AMULET}:Splice.AmuletRules:AmuletRules`,
  externalPartyRules: `${AMULET}:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules`,
  externalPartyConfigState: `${AMULET}:Splice.ExternalPartyConfigState:ExternalPartyConfigState`,
  openRound: `${AMULET}:Splice.Round:OpenMiningRound`,
  summarizingRound: `${AMULET}:Splice.Round:SummarizingMiningRound`,
  issuingRound: `${AMULET}:Splice.Round:IssuingMiningRound`,
  closedRound: `${AMULET}:Splice.Round:ClosedMiningRound`,
  featuredAppRight: `${AMULET}:Splice.Amulet:FeaturedAppRight`,
  transferPreapproval: `${AMULET}:Splice.AmuletRules:TransferPreapproval`,
  transferInstruction: `${AMULET}:Splice.AmuletTransferInstruction:AmuletTransferInstruction`,
  allocation: `${AMULET}:Splice.AmuletAllocation:AmuletAllocation`,
  allocationV2: `${AMULET}:Splice.AmuletAllocationV2:AmuletAllocationV2`,
  transferCommandCounter: `${AMULET}:Splice.ExternalPartyAmuletRules:TransferCommandCounter`,
  transferCommand: `${AMULET}:Splice.ExternalPartyAmuletRules:TransferCommand`,
  memberTraffic: `${AMULET}:Splice.DecentralizedSynchronizer:MemberTraffic`,
  validatorLicense: `${AMULET}:Splice.ValidatorLicense:ValidatorLicense`,
  activityMarker: `${AMULET}:Splice.Amulet:FeaturedAppActivityMarker`,
  appRewardCoupon: `${AMULET}:Splice.Amulet:AppRewardCoupon`,
  validatorRewardCoupon: `${AMULET}:Splice.Amulet:ValidatorRewardCoupon`,
  rewardCouponV2: `${AMULET}:Splice.Amulet:RewardCouponV2`,
  svRewardCoupon: `${AMULET}:Splice.Amulet:SvRewardCoupon`,
  validatorFaucetCoupon: `${AMULET}:Splice.ValidatorLicense:ValidatorFaucetCoupon`,
  livenessRecord: `${AMULET}:Splice.ValidatorLicense:ValidatorLivenessActivityRecord`,
  developmentFundCoupon: `${AMULET}:Splice.Amulet:UnclaimedDevelopmentFundCoupon`,
  allocatedDevelopmentFundCoupon: `${AMULET}:Splice.Amulet:DevelopmentFundCoupon`,
  unclaimedReward: `${AMULET}:Splice.Amulet:UnclaimedReward`,
  unclaimedActivityRecord: `${AMULET}:Splice.Amulet:UnclaimedActivityRecord`,
  dsoRules: `${GOVERNANCE}:Splice.DsoRules:DsoRules`,
  svNodeState: `${GOVERNANCE}:Splice.DSO.SvState:SvNodeState`,
  amuletPriceVote: `${GOVERNANCE}:Splice.DSO.AmuletPrice:AmuletPriceVote`,
  voteRequest: `${GOVERNANCE}:Splice.DsoRules:VoteRequest`,
  svRewardState: `${GOVERNANCE}:Splice.DSO.SvState:SvRewardState`,
  svStatusReport: `${GOVERNANCE}:Splice.DSO.SvState:SvStatusReport`,
  confirmation: `${GOVERNANCE}:Splice.DsoRules:Confirmation`,
  unallocatedActivityRecord: `${GOVERNANCE}:Splice.DsoRules:UnallocatedUnclaimedActivityRecord`,
  topUpState: 'splice-wallet:Splice.Wallet.TopUpState:ValidatorTopUpState',
  validatorOnboarding: `${LIFECYCLE}:Splice.ValidatorOnboarding:ValidatorOnboarding`,
  usedSecret: `${LIFECYCLE}:Splice.ValidatorOnboarding:UsedSecret`,
  svOnboardingRequest: `${GOVERNANCE}:Splice.SvOnboarding:SvOnboardingRequest`,
  svOnboardingConfirmed: `${GOVERNANCE}:Splice.SvOnboarding:SvOnboardingConfirmed`,
  calculateRewards: `${AMULET}:Splice.Amulet.RewardAccountingV2:CalculateRewardsV2`,
  processRewards: `${AMULET}:Splice.Amulet.RewardAccountingV2:ProcessRewardsV2`,
  initialPayment: `${PAYMENTS}:Splice.Wallet.Subscriptions:SubscriptionInitialPayment`,
  subscriptionPayment: `${PAYMENTS}:Splice.Wallet.Subscriptions:SubscriptionPayment`,
  subscriptionIdleState: `${PAYMENTS}:Splice.Wallet.Subscriptions:SubscriptionIdleState`,
  terminatedSubscription: `${PAYMENTS}:Splice.Wallet.Subscriptions:TerminatedSubscription`,
  ansEntryContext: `${NAME_SERVICE}:Splice.Ans:AnsEntryContext`,
  ansRules: `${NAME_SERVICE}:Splice.Ans:AnsRules`,
  ansEntry: `${NAME_SERVICE}:Splice.Ans:AnsEntry`,
} as const;

export type AmuletTemplate = keyof typeof AMULET_TEMPLATES;
export type RoundKind = 'openRound' | 'summarizingRound' | 'issuingRound' | 'closedRound';

/** The participant that hosts the DSO party. */
export function dsoHost({ network, dsoParty }: Dso): Participant | undefined {
  return network.participants.find((each) => each.hosts(dsoParty));
}

/** Active contracts of a template in order of activation, as the DSO or another party of its participant sees them. */
export function* contractsOf(
  dso: Dso,
  template: AmuletTemplate,
  party = dso.dsoParty,
): Generator<ContractInstance, void, undefined> {
  for (const { contract } of activationsOf(dso, template, party)) yield contract;
}

/** The same contracts, each with its activation. */
export function activationsOf(
  dso: Dso,
  template: AmuletTemplate,
  party = dso.dsoParty,
): Iterable<Activation> {
  const host = dsoHost(dso);
  if (host === undefined) return [];
  const key = { party, templates: [AMULET_TEMPLATES[template]] };
  const { activeContracts, log } = host;
  const { knownUpTo } = dso;
  if (knownUpTo === undefined) return activeContracts.now([key]);
  return activeContracts.at(knownUpTo, log.between(knownUpTo, log.end), [key]);
}

/** The active contract with this id, if it has that template and the DSO is a stakeholder. */
export function contractById(
  dso: Dso,
  template: AmuletTemplate,
  contractId: ContractId,
): ContractInstance | undefined {
  if (dso.knownUpTo !== undefined)
    return [...contractsOf(dso, template)].find((each) => each.contractId === contractId);
  const { dsoParty } = dso;
  const contract = dsoHost(dso)?.activeContracts.get(contractId)?.contract;
  if (contract === undefined || !isOf(contract, template)) return undefined;
  return [...contract.signatories, ...contract.observers].includes(dsoParty) ? contract : undefined;
}

/** `<package name>:<Module>:<Entity>`. */
export function templateName(template: AmuletTemplate): TemplateName {
  return AMULET_TEMPLATES[template];
}

export function isOf(
  { packageName, templateId }: Pick<ContractInstance, 'packageName' | 'templateId'>,
  template: AmuletTemplate,
): boolean {
  const [owner, module, entity] = AMULET_TEMPLATES[template].split(':');
  return packageName === owner && templateId.endsWith(`:${module}:${entity}`);
}

/** The latest active contract of a template that normally has one; undefined if no Amulet runs. */
export function latestOf(dso: Dso, template: AmuletTemplate): ContractInstance | undefined {
  return [...contractsOf(dso, template)].at(-1);
}

/** Rounds of a kind, sorted by number. */
export function roundsOf(dso: Dso, kind: RoundKind): readonly ContractInstance[] {
  return [...contractsOf(dso, kind)].sort((a, b) => (roundNumber(a) < roundNumber(b) ? -1 : 1));
}

export function roundNumber({ payload }: ContractInstance): bigint {
  return (payload.round as { readonly number: bigint }).number;
}

/** The open round with the highest number whose opening time has come (S-RND-009). */
export function usableOpenRound(dso: Dso): ContractInstance | undefined {
  const now = dso.network.clock.now();
  return roundsOf(dso, 'openRound').findLast(
    ({ payload }) => (payload.opensAt as Timestamp) <= now,
  );
}

/** The configuration in force: the last future value whose time has come, or the initial one. */
export function amuletConfig(dso: Dso, { payload }: ContractInstance): DamlRecord {
  const now = dso.network.clock.now();
  const { initialValue, futureValues } = payload.configSchedule as unknown as {
    initialValue: DamlRecord;
    futureValues: readonly { _1: Timestamp; _2: DamlRecord }[];
  };
  return futureValues.findLast(({ _1: from }) => from <= now)?._2 ?? initialValue;
}

/** The synchronizer that the configuration names for Amulet's transactions (R-GEN-008). */
export function activeSynchronizer(dso: Dso, rules: ContractInstance): string {
  const { decentralizedSynchronizer } = amuletConfig(dso, rules);
  return (decentralizedSynchronizer as { readonly activeSynchronizer: string }).activeSynchronizer;
}

/** The provider's first right; a provider may have several (S-FEAT-003). */
export function featuredAppRight(dso: Dso, provider: Party): ContractInstance | undefined {
  for (const contract of contractsOf(dso, 'featuredAppRight'))
    if (contract.payload.provider === provider) return contract;
  return undefined;
}

/** The key of the time from which choice contexts have no featured app rights. */
const WITHOUT_FEATURED_APPS = 'no-featured-app-choice-context';

/** The provider's right for a choice context: none from the time on that DsoRules set for the switch-over. */
export function featuredAppRightInContext(dso: Dso, provider: Party): ContractInstance | undefined {
  const { svOperationsSwitchOverTimes: times } = (latestOf(dso, 'dsoRules')?.payload.config ??
    {}) as { readonly svOperationsSwitchOverTimes?: Some<ReadonlyMap<string, Timestamp>> | null };
  const from = times?.value.get(WITHOUT_FEATURED_APPS);
  if (from !== undefined && from <= dso.network.clock.now()) return undefined;
  return featuredAppRight(dso, provider);
}

/** The receiver's preapproval with the latest `validFrom`. An expired one counts, too (S-PRE-002). */
export function transferPreapproval(dso: Dso, receiver: Party): ContractInstance | undefined {
  let latest: ContractInstance | undefined;
  for (const contract of contractsOf(dso, 'transferPreapproval'))
    if (
      contract.payload.receiver === receiver &&
      (latest === undefined || validFrom(contract) >= validFrom(latest))
    )
      latest = contract;
  return latest;
}

/** The synchronizer of an active contract; undefined while it is between synchronizers (S-ENC-003). */
export function synchronizerOf(
  { network, knownUpTo }: Dso,
  contractId: ContractId,
): SynchronizerId | undefined {
  const state = network.contracts.state(contractId);
  // For a reader behind the ledger end, the contract may still be active: return the synchronizer of its creation.
  if (knownUpTo !== undefined && state?.kind === 'archived')
    return network.contracts.get(contractId)?.createdIn.synchronizerId;
  return state?.kind === 'active' ? state.synchronizerId : undefined;
}

function validFrom({ payload }: ContractInstance): Timestamp {
  return payload.validFrom as Timestamp;
}
