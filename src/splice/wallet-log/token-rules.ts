/** Log rules for transfers and allocations of the token standard, which move amulets without a transfer of AmuletRules. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, DamlVariant, Party, Some } from '../../daml/model/values.js';
import type { BalanceChangeEntry, LogEntry, TransferEntry } from './entries.js';
import { isAbout } from './entries.js';
import { argumentOf, resultOf, subtype, type Rule, type RuleContext, type Rules } from './rules.js';
import { hasTransfer, mergedIntoTransfer, plainTransfer, ZERO } from './transfers.js';
import type { Visible, VisibleExercise, VisibleTree } from './visible-tree.js';

const FACTORY = 'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules';
const INSTRUCTION = 'Splice.AmuletTransferInstruction:AmuletTransferInstruction';
const ALLOCATION = 'Splice.AmuletAllocation:AmuletAllocation';
const META = 'splice.lfdecentralizedtrust.org';
const TRANSFER = subtype('Splice.AmuletRules:AmuletRules', 'AmuletRules_Transfer');
const TRANSFER_V1 =
  'splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
const OFFERED = subtype(FACTORY, 'TransferFactory_Transfer', {
  interfaceName: `${TRANSFER_V1}:TransferFactory`,
});
const of = (choice: string) =>
  subtype(INSTRUCTION, choice, { interfaceName: `${TRANSFER_V1}:TransferInstruction` });

/** Version 2 has accounts in place of parties. An account without an owner belongs to the admin. */
type Holder = Party | { readonly owner: Some<Party> | null };

interface Transfer {
  readonly sender: Holder;
  readonly receiver: Holder;
  readonly amount: Numeric;
  readonly instrumentId: { readonly admin: Party };
  readonly meta: { readonly values: ReadonlyMap<string, string> };
}

interface Result {
  readonly output: DamlVariant;
  readonly meta: { readonly values: ReadonlyMap<string, string> };
}

function partyOf(holder: Holder, { instrumentId }: Transfer): Party {
  return typeof holder === 'string' ? holder : (holder.owner?.value ?? instrumentId.admin);
}

const reasonIn = ({ meta }: Pick<Transfer, 'meta'>): string =>
  meta.values.get(`${META}/reason`) ?? '';

const transferFactory: Rule = (visible, context) => {
  const { transfer } = argumentOf<{ readonly transfer: Transfer }>(visible);
  const { output } = resultOf<Result>(visible);
  const entries = context.parse(visible.children, true);
  const { eventId } = visible;
  const party = partyOf(transfer.sender, transfer);
  const isPending = output.tag === 'TransferInstructionResult_Pending';
  if (!isPending && output.tag !== 'TransferInstructionResult_Completed') return entries;
  const entrySubtype = isPending ? OFFERED : TRANSFER;
  const amount = isPending ? ZERO.subtract(transfer.amount) : ZERO;
  const plain = plainTransfer(context.tree, visible, entrySubtype, { party, amount });
  const withTransfer = hasTransfer(entries) ? entries : [...entries, plain];
  const instruction: Partial<TransferEntry> = isPending
    ? {
        instructionReceiver: partyOf(transfer.receiver, transfer),
        instructionAmount: transfer.amount,
        instructionCid: (output.value as { readonly transferInstructionCid: ContractId })
          .transferInstructionCid,
      }
    : {};
  return mergedIntoTransfer(withTransfer, {
    ...{ eventId, subtype: entrySubtype, description: reasonIn(transfer) },
    ...instruction,
  });
};

const accept: Rule = (visible, context) => {
  const entries = context.parse(visible.children, true);
  const entrySubtype = of('TransferInstruction_Accept');
  const { eventId, node } = visible;
  const withTransfer = hasTransfer(entries)
    ? entries
    : [...entries, completed(context.tree, visible, entrySubtype, receiverHoldings(visible))];
  const instructionCid = node.contract.contractId;
  return mergedIntoTransfer(withTransfer, { eventId, subtype: entrySubtype, instructionCid });
};

function receiverHoldings(visible: VisibleExercise): readonly ContractId[] {
  const { output } = resultOf<Result>(visible);
  if (output.tag !== 'TransferInstructionResult_Completed')
    throw new Error(`Unexpected result of a transfer: ${output.tag}`);
  return (output.value as { readonly receiverHoldingCids: readonly ContractId[] })
    .receiverHoldingCids;
}

/** A completed transfer: from the sender in the result's metadata to the owner of the single created amulet. */
function completed(
  tree: VisibleTree,
  visible: VisibleExercise,
  entrySubtype: TransferEntry['subtype'],
  [amulet, ...others]: readonly ContractId[],
): TransferEntry {
  if (amulet === undefined || others.length > 0) throw new Error('There is not one amulet.');
  const { owner, amount } = tree.created(amulet) as unknown as {
    readonly owner: Party;
    readonly amount: { readonly initialAmount: Numeric };
  };
  const sender = resultOf<Result>(visible).meta.values.get(`${META}/sender`)!;
  const { initialAmount } = amount;
  const paid = { party: sender, amount: ZERO.subtract(initialAmount) };
  return plainTransfer(tree, visible, entrySubtype, paid, [
    { party: owner, amount: initialAmount },
  ]);
}

/**
 * An aborted transfer changes no balance of the receiver. If the lock was removed before, it changes no balance of the sender either.
 * Both cases have an entry with an amount of zero.
 */
const aborted =
  (choice: string): Rule =>
  (visible, context) => {
    const { party, tree } = context;
    const found = context.parse(visible.children);
    const isNothing = !found.some((entry) => isAbout(entry, party));
    const entries: readonly LogEntry[] = isNothing ? [nothing(visible, tree, party)] : found;
    if (entries.filter(({ kind }) => kind === 'balanceChange').length !== 1)
      throw new Error('There is not one change of a balance.');
    const { eventId, node } = visible;
    const change = { subtype: of(choice), eventId, instructionCid: node.contract.contractId };
    return entries.map((entry) =>
      entry.kind === 'balanceChange' ? { ...entry, ...change } : entry,
    );
  };

function nothing({ eventId }: Visible, { date }: VisibleTree, receiver: Party): BalanceChangeEntry {
  return {
    kind: 'balanceChange',
    eventId,
    subtype: of(''),
    date,
    receiver,
    amount: ZERO,
  };
}

/** An allocation locks an amount that has no receiver yet. */
const allocate: Rule = (visible, context) => {
  const entries = context.parse(visible.children, true);
  if (hasTransfer(entries)) return entries;
  const { allocation } = argumentOf<{
    readonly allocation: {
      readonly transferLeg: { readonly sender: Party; readonly amount: Numeric };
    };
  }>(visible);
  const { sender, amount } = allocation.transferLeg;
  const locked = { party: sender, amount: ZERO.subtract(amount) };
  return [...entries, plainTransfer(context.tree, visible, TRANSFER, locked)];
};

const executeAllocation: Rule = (visible, context) => {
  const entries = context.parse(visible.children, true);
  if (hasTransfer(entries)) return entries;
  const { receiverHoldingCids } = resultOf<{
    readonly receiverHoldingCids: readonly ContractId[];
  }>(visible);
  return [...entries, completed(context.tree, visible, TRANSFER, receiverHoldingCids)];
};

interface Leg {
  readonly transferLegId: string;
  readonly sender: { readonly owner: Some<Party> | null };
  readonly receiver: { readonly owner: Some<Party> | null };
  readonly amount: Numeric;
  readonly instrumentId: string;
}

/** One entry for each leg of the party. The locking before it has no entry. */
const settle: Rule = (visible, { tree, party }: RuleContext) =>
  argumentOf<{ readonly transferLegs: readonly Leg[] }>(visible).transferLegs.flatMap((leg) => {
    const [sender, receiver] = [leg.sender.owner?.value, leg.receiver.owner?.value];
    if (leg.instrumentId !== 'Amulet' || (sender !== party && receiver !== party)) return [];
    if (sender === undefined || receiver === undefined) throw new Error('An account has no owner.');
    const paid = { party: sender, amount: ZERO.subtract(leg.amount) };
    const entry = plainTransfer(tree, visible, TRANSFER, paid, [
      { party: receiver, amount: leg.amount },
    ]);
    return [{ ...entry, eventId: `${visible.eventId}:${leg.transferLegId}` }];
  });

/** The receiver of an offer sees the instruction, but not the choice that created it. The entry is a transfer of amount zero. */
export function instructionCreated(
  tree: VisibleTree,
  visible: Visible,
  party: Party,
): readonly LogEntry[] {
  const { contractId, payload } = visible.node.contract;
  const transfer = payload.transfer as unknown as Transfer;
  const [sender, receiver] = [transfer.sender, transfer.receiver] as [Party, Party];
  if (receiver !== party) return [];
  return [
    {
      ...plainTransfer(tree, visible, OFFERED, { party: sender, amount: ZERO }, [
        { party: receiver, amount: ZERO },
      ]),
      description: reasonIn(transfer),
      instructionReceiver: receiver,
      instructionAmount: transfer.amount,
      instructionCid: contractId,
    },
  ];
}

export const INSTRUCTION_ENTITY = INSTRUCTION;

const api = (name: string): string => `Splice.Api.Token.${name}`;

export const tokenRules: Rules = {
  [`${api('TransferInstructionV1:TransferFactory')} > ${FACTORY} TransferFactory_Transfer`]:
    transferFactory,
  [`${api('TransferInstructionV2:TransferFactory')} > ${FACTORY} TransferFactory_Transfer`]:
    transferFactory,
  [`${api('TransferInstructionV1:TransferInstruction')} > ${INSTRUCTION} TransferInstruction_Accept`]:
    accept,
  [`${api('TransferInstructionV1:TransferInstruction')} > ${INSTRUCTION} TransferInstruction_Withdraw`]:
    aborted('TransferInstruction_Withdraw'),
  [`${api('TransferInstructionV1:TransferInstruction')} > ${INSTRUCTION} TransferInstruction_Reject`]:
    aborted('TransferInstruction_Reject'),
  [`${api('AllocationInstructionV1:AllocationFactory')} > ${FACTORY} AllocationFactory_Allocate`]:
    allocate,
  // Allocated amounts have an entry only at their settlement.
  [`${api('AllocationInstructionV2:AllocationFactory')} > ${FACTORY} AllocationFactory_Allocate`]:
    () => [],
  [`${api('AllocationV2:SettlementFactory')} > ${FACTORY} SettlementFactory_SettleBatch`]: settle,
  [`${api('AllocationV1:Allocation')} > ${ALLOCATION} Allocation_ExecuteTransfer`]:
    executeAllocation,
};
