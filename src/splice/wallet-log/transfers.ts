/** Entries for transfers, from the results of their choices, and for amulets created or archived without a transfer. */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, DamlRecord, DamlVariant, Party, Some } from '../../daml/model/values.js';
import type {
  BalanceChangeEntry,
  LogEntry,
  PartyAndAmount,
  Subtype,
  TransferEntry,
} from './entries.js';
import type { Visible, VisibleTree } from './visible-tree.js';

export const ZERO = Numeric.of('0');

/** The TransferResult of AmuletRules. */
export interface TransferResult {
  readonly summary: TransferSummary;
  readonly createdAmulets: readonly DamlVariant[];
}

export interface TransferSummary {
  readonly inputAppRewardAmount: Numeric;
  readonly inputValidatorRewardAmount: Numeric;
  readonly inputSvRewardAmount: Numeric;
  readonly inputAmuletAmount: Numeric;
  readonly inputDevelopmentFundAmount?: Some<Numeric> | null;
  readonly balanceChanges: readonly (readonly [Party, DamlRecord])[];
  readonly holdingFees: Numeric;
  readonly outputFees: readonly Numeric[];
  readonly senderChangeAmount: Numeric;
}

export interface TransferOutput {
  readonly receiver: Party;
  readonly receiverFeeRatio: Numeric;
  readonly amount: Numeric;
  readonly lock: Some | null;
}

/** A transfer without fees that mints no coupons. */
export function plainTransfer(
  tree: VisibleTree,
  { eventId }: Visible,
  subtype: Subtype,
  sender: PartyAndAmount,
  receivers: readonly PartyAndAmount[] = [],
): TransferEntry {
  return {
    kind: 'transfer',
    eventId,
    subtype,
    date: tree.date,
    sender,
    receivers,
    holdingFees: ZERO,
    appRewardsUsed: ZERO,
    validatorRewardsUsed: ZERO,
    svRewardsUsed: ZERO,
    developmentFundCouponsUsed: ZERO,
  };
}

export function transferOf(
  tree: VisibleTree,
  visible: Visible,
  subtype: Subtype,
  { sender, outputs }: { readonly sender: Party; readonly outputs: readonly TransferOutput[] },
  { summary }: TransferResult,
): TransferEntry {
  const paid = outputs.map((output, index) => withFees(output, summary.outputFees[index]!));
  const own = paid
    .filter(({ output }) => output.receiver === sender && output.lock === null)
    .reduce((sum, { output, senderFee }) => sum.add(output.amount).subtract(senderFee), ZERO);
  const amount = own.add(changeOf(summary));
  return {
    ...plainTransfer(tree, visible, subtype, { party: sender, amount }, receiversOf(sender, paid)),
    ...rewardsOf(summary),
    svRewardsUsed: summary.inputSvRewardAmount,
  };
}

/** A purchase, with the change of the buyer's balance. */
export function purchase(
  tree: VisibleTree,
  visible: Visible,
  subtype: Subtype,
  buyer: Party,
  summary: TransferSummary,
  receivers: readonly PartyAndAmount[] = [],
): TransferEntry {
  const sender = { party: buyer, amount: changeOf(summary) };
  return { ...plainTransfer(tree, visible, subtype, sender, receivers), ...rewardsOf(summary) };
}

function rewardsOf(summary: TransferSummary) {
  return {
    holdingFees: summary.holdingFees,
    appRewardsUsed: summary.inputAppRewardAmount,
    validatorRewardsUsed: summary.inputValidatorRewardAmount,
    developmentFundCouponsUsed: summary.inputDevelopmentFundAmount?.value ?? ZERO,
  };
}

/** The change output minus the inputs. */
function changeOf({ senderChangeAmount, inputAmuletAmount, holdingFees }: TransferSummary) {
  return senderChangeAmount.subtract(inputAmuletAmount).add(holdingFees);
}

interface PaidOutput {
  readonly output: TransferOutput;
  readonly senderFee: Numeric;
  readonly receiverFee: Numeric;
}

function withFees(output: TransferOutput, fee: Numeric): PaidOutput {
  const { receiverFeeRatio: ratio } = output;
  return {
    output,
    senderFee: fee.multiply(Numeric.of('1').subtract(ratio)),
    receiverFee: fee.multiply(ratio),
  };
}

/** One entry per receiver, in the order of the outputs. A locked output counts as zero. */
function receiversOf(sender: Party, paid: readonly PaidOutput[]): readonly PartyAndAmount[] {
  const amounts = new Map<Party, Numeric>();
  for (const { output, receiverFee } of paid) {
    const { receiver, lock } = output;
    if (receiver === sender) continue;
    const amount = (lock === null ? output.amount : ZERO).subtract(receiverFee);
    amounts.set(receiver, (amounts.get(receiver) ?? ZERO).add(amount));
  }
  return [...amounts].map(([party, amount]) => ({ party, amount }));
}

/** A balance change for an amulet that the transaction created. */
export function amuletCreated(
  tree: VisibleTree,
  { eventId }: Visible,
  subtype: Subtype,
  amulet: ContractId,
): BalanceChangeEntry {
  const { owner, amount } = tree.created(amulet) as unknown as {
    readonly owner: Party;
    readonly amount: { readonly initialAmount: Numeric };
  };
  const { date } = tree;
  return {
    kind: 'balanceChange',
    eventId,
    subtype,
    date,
    receiver: owner,
    amount: amount.initialAmount,
  };
}

const isTransfer = (entry: LogEntry): entry is TransferEntry => entry.kind === 'transfer';

export const hasTransfer = (entries: readonly LogEntry[]): boolean => entries.some(isTransfer);

export function changeTransfers(
  entries: readonly LogEntry[],
  change: Partial<TransferEntry>,
): readonly LogEntry[] {
  return entries.map((entry) => (isTransfer(entry) ? { ...entry, ...change } : entry));
}

/**
 * Shows an amount that was unlocked and paid in one step as the payment alone.
 * @throws Error unless there is exactly one transfer, or if there is an entry that cannot be merged
 */
export function mergedIntoTransfer(
  entries: readonly LogEntry[],
  change: Partial<TransferEntry>,
): readonly LogEntry[] {
  if (entries.filter(isTransfer).length !== 1) throw new Error('There is not one transfer.');
  const changes = new Map<Party, Numeric>();
  for (const entry of entries)
    if (entry.kind === 'balanceChange')
      changes.set(entry.receiver, (changes.get(entry.receiver) ?? ZERO).add(entry.amount));
  const net = ({ party, amount }: PartyAndAmount): PartyAndAmount => ({
    party,
    amount: amount.add(changes.get(party) ?? ZERO),
  });
  return entries.flatMap((entry): LogEntry[] => {
    if (entry.kind === 'balanceChange') return [];
    if (entry.kind === 'couponCreated' || entry.kind === 'couponArchived')
      throw new Error('A coupon has no place beside a transfer.');
    if (!isTransfer(entry)) return [entry];
    const { sender, receivers } = entry;
    return [{ ...entry, sender: net(sender), receivers: receivers.map(net), ...change }];
  });
}
