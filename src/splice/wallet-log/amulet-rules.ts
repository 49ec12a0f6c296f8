/** Log rules for choices of the Amulet package, which create, archive and transfer amulets. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, DamlRecord, Party, Some } from '../../daml/model/values.js';
import type { BalanceChangeEntry } from './entries.js';
import { argumentOf, resultOf, subtype, type Rule, type Rules } from './rules.js';
import {
  amuletCreated,
  changeTransfers,
  purchase,
  transferOf,
  ZERO,
  type TransferOutput,
  type TransferResult,
  type TransferSummary,
} from './transfers.js';
import { descendants, entityOf, isExercise } from './visible-tree.js';

const RULES = 'Splice.AmuletRules:AmuletRules';
const PREAPPROVAL = 'Splice.AmuletRules:TransferPreapproval';
export const AMULET = 'Splice.Amulet:Amulet';
const LOCKED = 'Splice.Amulet:LockedAmulet';
export const FUND_COUPON = 'Splice.Amulet:DevelopmentFundCoupon';
const TRANSFER = subtype(RULES, 'AmuletRules_Transfer');
const REASON = 'splice.lfdecentralizedtrust.org/reason';

/** If a transfer mints coupons of the development fund, the coupons' own history has the entries. */
const transfer: Rule = (visible, { tree, parse }) => {
  const { transfer: made } = argumentOf<{
    readonly transfer: { readonly sender: Party; readonly outputs: readonly TransferOutput[] };
  }>(visible);
  const coupons = [...descendants(visible)].filter(
    (each) => isExercise(each) && each.node.choice === 'Archive' && entityOf(each) === FUND_COUPON,
  );
  return [
    transferOf(tree, visible, TRANSFER, made, resultOf<TransferResult>(visible)),
    ...parse(coupons),
  ];
};

/**
 * @param choice the choice in the entry: that of the first version
 * @param amuletIn reads the amulet from the result
 */
const created =
  (entity: string, choice: string, amuletIn: (result: DamlRecord) => ContractId): Rule =>
  (visible, { tree }) => [
    amuletCreated(tree, visible, subtype(entity, choice), amuletIn(resultOf(visible))),
  ];

const summed = ({ amuletSum }: DamlRecord): ContractId =>
  (amuletSum as DamlRecord).amulet as ContractId;
const alone = ({ amuletCid }: DamlRecord): ContractId => amuletCid as ContractId;

/** Expiry of worthless amulets. */
const expired =
  (entity: string, choice: string): Rule =>
  (visible, { tree }): readonly BalanceChangeEntry[] => {
    const { owner } = resultOf<{ readonly expireSum: { readonly owner: Party } }>(
      visible,
    ).expireSum;
    const { eventId } = visible;
    return [
      {
        kind: 'balanceChange',
        eventId,
        subtype: subtype(entity, choice),
        date: tree.date,
        receiver: owner,
        amount: ZERO,
      },
    ];
  };

const buyTraffic: Rule = (visible, { tree }) => {
  const { provider } = argumentOf<{ readonly provider: Party }>(visible);
  const { summary } = resultOf<{ readonly summary: TransferSummary }>(visible);
  // Receivers are the DSO, with an amount of zero because the payment is burnt.
  const others = summary.balanceChanges.map(([party]) => party).filter((each) => each !== provider);
  const receivers = others.map((party) => ({ party, amount: ZERO }));
  const bought = subtype(RULES, 'AmuletRules_BuyMemberTraffic');
  return [purchase(tree, visible, bought, provider, summary, receivers)];
};

const preapproved =
  (entity: string, choice: string, payer: 'argument' | 'result', field: string): Rule =>
  (visible, { tree }) => {
    const source = payer === 'argument' ? argumentOf<DamlRecord>(visible) : resultOf(visible);
    const { summary } = resultOf<{ readonly transferResult: TransferResult }>(
      visible,
    ).transferResult;
    return [purchase(tree, visible, subtype(entity, choice), source[field] as Party, summary)];
  };

const SEND = subtype(PREAPPROVAL, 'TransferPreapproval_Send');

const send: Rule = (visible, { parse }) => {
  const { meta } = resultOf<{
    readonly meta: Some<{ readonly values: ReadonlyMap<string, string> }> | null;
  }>(visible);
  const description = meta?.value.values.get(REASON) ?? '';
  return changeTransfers(parse(visible.children), { subtype: SEND, description });
};

const sendV2: Rule = (visible, { tree }) => {
  const { sender, amount, description } = argumentOf<{
    readonly sender: Party;
    readonly amount: Numeric;
    readonly description: Some<string> | null;
  }>(visible);
  const { result } = resultOf<{ readonly result: TransferResult }>(visible);
  const parties = result.summary.balanceChanges.map(([party]) => party);
  const receiver = parties.find((each) => each !== sender) ?? sender;
  const outputs = [{ receiver, receiverFeeRatio: ZERO, amount, lock: null }];
  const entry = transferOf(tree, visible, SEND, { sender, outputs }, result);
  return [{ ...entry, description: description?.value ?? '' }];
};

export const amuletRules: Rules = {
  [`${RULES} AmuletRules_Transfer`]: transfer,
  [`${RULES} AmuletRules_DevNet_Tap`]: created(RULES, 'AmuletRules_DevNet_Tap', summed),
  [`${RULES} AmuletRules_Mint`]: created(RULES, 'AmuletRules_Mint', summed),
  [`${RULES} AmuletRules_BuyMemberTraffic`]: buyTraffic,
  [`${RULES} AmuletRules_CreateExternalPartySetupProposal`]: preapproved(
    RULES,
    'AmuletRules_CreateTransferPreapproval',
    'result',
    'validator',
  ),
  [`${RULES} AmuletRules_CreateTransferPreapproval`]: preapproved(
    RULES,
    'AmuletRules_CreateTransferPreapproval',
    'argument',
    'provider',
  ),
  [`${PREAPPROVAL} TransferPreapproval_Renew`]: preapproved(
    PREAPPROVAL,
    'TransferPreapproval_Renew',
    'result',
    'provider',
  ),
  [`${PREAPPROVAL} TransferPreapproval_Send`]: send,
  [`${PREAPPROVAL} TransferPreapproval_SendV2`]: sendV2,
  [`${LOCKED} LockedAmulet_Unlock`]: created(LOCKED, 'LockedAmulet_Unlock', summed),
  [`${LOCKED} LockedAmulet_UnlockV2`]: created(LOCKED, 'LockedAmulet_Unlock', alone),
  [`${LOCKED} LockedAmulet_OwnerExpireLock`]: created(
    LOCKED,
    'LockedAmulet_OwnerExpireLock',
    summed,
  ),
  [`${LOCKED} LockedAmulet_OwnerExpireLockV2`]: created(
    LOCKED,
    'LockedAmulet_OwnerExpireLock',
    alone,
  ),
  [`${LOCKED} LockedAmulet_ExpireAmulet`]: expired(LOCKED, 'LockedAmulet_ExpireAmulet'),
  [`${LOCKED} LockedAmulet_ExpireAmuletV2`]: expired(LOCKED, 'LockedAmulet_ExpireAmulet'),
  [`${AMULET} Amulet_Expire`]: expired(AMULET, 'Amulet_Expire'),
  [`${AMULET} Amulet_ExpireV2`]: expired(AMULET, 'Amulet_Expire'),
};
