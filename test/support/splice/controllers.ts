/**
 * The controllers of each choice of the real packages: the `controller` clauses of their Daml sources, as paths
 * into the payload, or with `@` into the argument. A path covers each item of a list.
 */
export type Controllers = Readonly<Record<string, Readonly<Record<string, string>>>>;

const LEG = 'allocation.transferLeg';
const SETTLING = `allocation.settlement.executor ${LEG}.sender ${LEG}.receiver`;
const SUBSCRIBERS = ['sender', 'receiver', 'provider']
  .map((role) => `subscriptionData.${role}`)
  .join(' ');

/** By template, in the packages that define it. */
export const CONTROLLERS: Readonly<Record<string, Controllers>> = {
  'splice-amulet': {
    'Splice.Amulet:Amulet': { Amulet_Expire: 'dso' },
    'Splice.Amulet:LockedAmulet': {
      LockedAmulet_Unlock: 'amulet.owner lock.holders',
      LockedAmulet_OwnerExpireLock: 'amulet.owner',
      LockedAmulet_ExpireAmulet: 'amulet.dso',
    },
    'Splice.Amulet:ValidatorRight': {
      ValidatorRight_ArchiveAsValidator: 'validator',
      ValidatorRight_ArchiveAsUser: 'user',
    },
    'Splice.Amulet:FeaturedAppRight': {
      FeaturedAppRight_Withdraw: 'dso',
      FeaturedAppRight_Cancel: 'provider',
      FeaturedAppRight_CreateActivityMarker: 'provider',
    },
    'Splice.Amulet:AppRewardCoupon': { AppRewardCoupon_DsoExpire: 'dso' },
    'Splice.Amulet:ValidatorRewardCoupon': {
      ValidatorRewardCoupon_DsoExpire: 'dso',
      ValidatorRewardCoupon_ArchiveAsValidator: 'dso @validator',
    },
    'Splice.Amulet:SvRewardCoupon': {
      SvRewardCoupon_DsoExpire: 'dso',
      SvRewardCoupon_ArchiveAsBeneficiary: 'beneficiary',
    },
    'Splice.Amulet:UnclaimedActivityRecord': { UnclaimedActivityRecord_DsoExpire: 'dso' },
    'Splice.AmuletAllocation:AmuletAllocation': {
      Allocation_ExecuteTransfer: SETTLING,
      Allocation_Cancel: SETTLING,
      Allocation_Withdraw: `${LEG}.sender`,
    },
    'Splice.AmuletRules:AmuletRules': {
      AmuletRules_ComputeFees: '@sender',
      AmuletRules_Transfer:
        '@transfer.sender @transfer.provider @transfer.outputs.receiver @transfer.outputs.lock.holders',
      AmuletRules_CreateExternalPartySetupProposal: '@validator',
      AmuletRules_CreateTransferPreapproval: '@provider @receiver',
      AmuletRules_BuyMemberTraffic: '@provider',
      AmuletRules_MergeMemberTrafficContracts: 'dso',
      AmuletRules_Mint: 'dso @receiver',
      AmuletRules_DevNet_Tap: '@receiver',
      AmuletRules_DevNet_FeatureApp: '@provider',
      AmuletRules_Bootstrap_Rounds: 'dso',
      AmuletRules_AdvanceOpenMiningRounds: 'dso',
      AmuletRules_MiningRound_StartIssuing: 'dso',
      AmuletRules_MiningRound_Close: 'dso',
      AmuletRules_MiningRound_Archive: 'dso',
      AmuletRules_ClaimExpiredRewards: 'dso',
      AmuletRules_MergeUnclaimedRewards: 'dso',
      AmuletRules_Fetch: '@p',
      AmuletRules_SetConfig: 'dso',
      AmuletRules_AddFutureAmuletConfigSchedule: 'dso',
      AmuletRules_RemoveFutureAmuletConfigSchedule: 'dso',
      AmuletRules_UpdateFutureAmuletConfigSchedule: 'dso',
      AmuletRules_ConvertFeaturedAppActivityMarkers: 'dso',
    },
    'Splice.AmuletRules:ExternalPartySetupProposal': {
      ExternalPartySetupProposal_Accept: 'user',
      ExternalPartySetupProposal_Reject: 'user',
      ExternalPartySetupProposal_Withdraw: 'validator',
    },
    'Splice.AmuletRules:TransferPreapproval': {
      TransferPreapproval_Fetch: '@p',
      TransferPreapproval_Send: '@sender',
      TransferPreapproval_Renew: 'provider',
      TransferPreapproval_Expire: 'dso',
      TransferPreapproval_Cancel: '@p',
    },
    'Splice.AmuletTransferInstruction:AmuletTransferInstruction': {
      TransferInstruction_Accept: 'transfer.receiver',
      TransferInstruction_Reject: 'transfer.receiver',
      TransferInstruction_Withdraw: 'transfer.sender',
      TransferInstruction_Update: 'transfer.instrumentId.admin @extraActors',
    },
    'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules': {
      ExternalPartyAmuletRules_CreateTransferCommand: '@sender',
      TransferFactory_Transfer: '@transfer.sender',
      TransferFactory_PublicFetch: '@actor',
      AllocationFactory_Allocate: `@${LEG}.sender`,
      AllocationFactory_PublicFetch: '@actor',
    },
    'Splice.ExternalPartyAmuletRules:TransferCommand': {
      TransferCommand_Send: 'delegate',
      TransferCommand_Withdraw: 'sender',
      TransferCommand_Expire: '@p',
    },
    'Splice.Round:OpenMiningRound': { OpenMiningRound_Fetch: '@p' },
    'Splice.ValidatorLicense:ValidatorLicense': {
      ValidatorLicense_ReceiveFaucetCoupon: 'validator',
      ValidatorLicense_RecordValidatorLivenessActivity: 'validator',
      ValidatorLicense_Withdraw: 'dso',
      ValidatorLicense_Cancel: 'validator',
      ValidatorLicense_UpdateMetadata: 'validator',
      ValidatorLicense_ReportActive: 'validator',
    },
    'Splice.ValidatorLicense:ValidatorFaucetCoupon': { ValidatorFaucetCoupon_DsoExpire: 'dso' },
    'Splice.ValidatorLicense:ValidatorLivenessActivityRecord': {
      ValidatorLivenessActivityRecord_DsoExpire: 'dso',
    },
  },
  'splice-wallet': {
    'Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest': {
      BuyTrafficRequest_Complete: 'endUserParty @walletProvider',
      BuyTrafficRequest_Cancel: 'endUserParty',
      BuyTrafficRequest_Expire: 'endUserParty',
    },
    'Splice.Wallet.Install:WalletAppInstall': Object.fromEntries(
      [
        ...['ExecuteBatch', 'AppPaymentRequest_Reject', 'AppPaymentRequest_Expire'],
        ...['SubscriptionRequest_Reject', 'SubscriptionIdleState_CancelSubscription'],
        ...['CreateTransferOffer', 'TransferOffer_Accept', 'TransferOffer_Reject'],
        ...['TransferOffer_Withdraw', 'TransferOffer_Expire', 'AcceptedTransferOffer_Abort'],
        ...['AcceptedTransferOffer_Withdraw', 'AcceptedTransferOffer_Expire'],
        ...['CreateBuyTrafficRequest', 'BuyTrafficRequest_Cancel', 'BuyTrafficRequest_Expire'],
        ...['FeaturedAppRights_Cancel', 'FeaturedAppRights_SelfGrant'],
        ...['TransferFactory_Transfer', 'TransferInstruction_Accept'],
        ...['TransferInstruction_Reject', 'TransferInstruction_Withdraw'],
        ...['AllocationFactory_Allocate', 'Allocation_Withdraw'],
      ].map((choice) => [`WalletAppInstall_${choice}`, 'validatorParty']),
    ),
    'Splice.Wallet.TransferOffer:TransferOffer': {
      TransferOffer_Accept: 'receiver',
      TransferOffer_Reject: 'receiver',
      TransferOffer_Withdraw: 'sender',
      TransferOffer_Expire: '@actor',
    },
    'Splice.Wallet.TransferOffer:AcceptedTransferOffer': {
      AcceptedTransferOffer_Complete: 'sender @walletProvider',
      AcceptedTransferOffer_Withdraw: 'receiver',
      AcceptedTransferOffer_Abort: 'sender',
      AcceptedTransferOffer_Expire: '@actor',
    },
    'Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal': {
      TransferPreapprovalProposal_Accept: 'provider',
    },
  },
  'splice-wallet-payments': {
    'Splice.Wallet.Payment:AppPaymentRequest': {
      AppPaymentRequest_Expire: '@actor',
      AppPaymentRequest_Accept: 'sender @walletProvider',
      AppPaymentRequest_Withdraw: 'receiverAmounts.receiver',
      AppPaymentRequest_Reject: 'sender',
    },
    'Splice.Wallet.Payment:AcceptedAppPayment': {
      AcceptedAppPayment_Collect: 'sender provider amuletReceiverAmounts.receiver',
      AcceptedAppPayment_Reject: 'amuletReceiverAmounts.receiver',
      AcceptedAppPayment_Expire: 'sender',
    },
    'Splice.Wallet.Subscriptions:Subscription': { Subscription_Archive: SUBSCRIBERS },
    'Splice.Wallet.Subscriptions:SubscriptionRequest': {
      SubscriptionRequest_AcceptAndMakePayment: 'subscriptionData.sender @walletProvider',
      SubscriptionRequest_Withdraw: 'subscriptionData.receiver',
      SubscriptionRequest_Reject: 'subscriptionData.sender',
    },
    'Splice.Wallet.Subscriptions:SubscriptionInitialPayment': {
      SubscriptionInitialPayment_Collect: SUBSCRIBERS,
      SubscriptionInitialPayment_Reject: 'subscriptionData.receiver',
      SubscriptionInitialPayment_Expire: '@actor',
    },
    'Splice.Wallet.Subscriptions:SubscriptionIdleState': {
      SubscriptionIdleState_MakePayment: 'subscriptionData.sender @walletProvider',
      SubscriptionIdleState_ExpireSubscription: '@actor',
      SubscriptionIdleState_CancelSubscription: 'subscriptionData.sender',
    },
    'Splice.Wallet.Subscriptions:SubscriptionPayment': {
      SubscriptionPayment_Collect: SUBSCRIBERS,
      SubscriptionPayment_Reject: 'subscriptionData.receiver',
      SubscriptionPayment_Expire: '@actor',
    },
  },
  'canton-builtin-admin-workflow-ping': {
    'Canton.Internal.Ping:Ping': { Respond: 'responder', AbortPing: '@anyone' },
    'Canton.Internal.Bong:BongProposal': { Accept: '@validator', AbortBongProposal: '@anyone' },
    'Canton.Internal.Bong:Bong': { Ack: 'initiator', AbortBong: '@anyone' },
    'Canton.Internal.Bong:Explode': { ProcessExplode: '@winner', AbortExplode: '@anyone' },
    'Canton.Internal.Bong:Merge': { ProcessMerge: '@winner', AbortMerge: '@anyone' },
    'Canton.Internal.Bong:Collapse': { ProcessCollapse: '@winner', AbortCollapse: '@anyone' },
  },
  'canton-builtin-admin-workflow-party-replication-alpha': {
    'Canton.Internal.PartyReplication:PartyReplicationProposal': {
      Accept: 'sourceParticipant',
      Reject: 'sourceParticipant',
    },
    'Canton.Internal.PartyReplication:PartyReplicationAgreement': { Done: '@participant' },
  },
};

/** The parties at the paths, sorted, without duplicates. */
export function partiesAt(paths: string, payload: unknown, argument: unknown): string[] {
  const found = paths
    .split(' ')
    .flatMap((path) => at(path.startsWith('@') ? argument : payload, path.replace('@', '')));
  return [...new Set(found)].sort();
}

function at(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => at(item, path));
  if (path === '') return [String(value)];
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  return at((value as Record<string, unknown>)[name], rest.join('.'));
}
