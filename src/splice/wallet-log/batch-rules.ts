/**
 * Log rules for a batch of the treasury. They combine each operation with its outcome, because a merge by the wallet is not a transfer to
 * oneself.
 */
import type { DamlRecord, DamlVariant, Party, Some } from '../../daml/model/values.js';
import type { LogEntry, Subtype } from './entries.js';
import { argumentOf, resultOf, subtype, type Rule, type Rules } from './rules.js';
import { changeTransfers } from './transfers.js';
import { isExercise, type Visible, type VisibleExercise } from './visible-tree.js';

const INSTALL = 'Splice.Wallet.Install:WalletAppInstall';
const CHOICE = 'WalletAppInstall_ExecuteBatch';
const BATCH = subtype(INSTALL, CHOICE);

/** Operations whose failure makes a notification. */
const NOTIFIED = ['CO_CompleteAcceptedTransfer', 'CO_SubscriptionMakePayment'];

const executeBatch: Rule = (visible, context) => {
  const { operations } = argumentOf<{ readonly operations: readonly DamlVariant[] }>(visible);
  const result = resultOf<{
    readonly outcomes: readonly DamlVariant[];
    readonly optEndUserParty?: Some<Party> | null;
  }>(visible);
  const owner = result.optEndUserParty?.value;
  const left = [...visible.children];
  return operations.flatMap((operation, index): readonly LogEntry[] => {
    const outcome = result.outcomes[index]!;
    if (outcome.tag === 'COO_Error') {
      const isOthers = owner !== undefined && owner !== context.party;
      if (isOthers || !NOTIFIED.includes(operation.tag)) return [];
      return [
        {
          kind: 'notification',
          eventId: `${visible.eventId.slice(1)}_err_${index}`,
          subtype: subtype(INSTALL, CHOICE, { amuletOperation: operation.tag }),
          date: context.tree.date,
          details: failureDetails(outcome.value as DamlVariant),
        },
      ];
    }
    if (operation.tag === 'CO_BuyMemberTraffic') return context.parse(purchaseOf(left));
    const child = left.shift();
    if (child === undefined || !isExercise(child))
      throw new Error('What a batch does are choices.');
    const entries = context.parse([child]);
    const isMerge = outcome.tag === 'COO_MergeTransferInputs';
    return isMerge ? changeTransfers(entries, { subtype: BATCH satisfies Subtype }) : entries;
  });
};

/** The purchase, and the tap before it that pays for it on a DevNet. The history omits the other nodes. */
function purchaseOf(left: Visible[]): readonly VisibleExercise[] {
  const isChoice = (each: Visible, choice: string): each is VisibleExercise =>
    isExercise(each) && each.node.choice === choice;
  const end = left.findIndex((each) => isChoice(each, 'AmuletRules_BuyMemberTraffic'));
  if (end < 0) return [];
  const taken = left.splice(0, end + 1);
  const taps = taken.filter((each) => isChoice(each, 'AmuletRules_DevNet_Tap'));
  return [...taps, taken.at(-1)!] as VisibleExercise[];
}

function failureDetails({ tag, value }: DamlVariant): string {
  const { missingAmount, synchronizerId, requestedTopupAmount, minTopupAmount, description } =
    value as DamlRecord as Readonly<Record<string, string>>;
  switch (tag) {
    case 'ITR_InsufficientFunds':
      return `${tag}: missing ${String(missingAmount)} CC`;
    case 'ITR_UnknownSynchronizer':
      return `${tag}: synchronizerId ${synchronizerId}`;
    case 'ITR_InsufficientTopupAmount':
      return `${tag}: requested ${requestedTopupAmount}, minimum required ${minTopupAmount}`;
    default:
      return `${tag}: ${description}`;
  }
}

export const batchRules: Rules = { [`${INSTALL} ${CHOICE}`]: executeBatch };
