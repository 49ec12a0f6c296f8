/** A wallet's history, the latest first (WA-HIS-001, WA-HIS-004 to WA-HIS-006). */
import type { PackageLookup } from '../../daml/model/package.js';
import { formatInstant } from '../../daml/model/time.js';
import type {
  ListTransactionsResponseItem,
  PartyAndAmount as PartyAndAmountJson,
  TransactionSubtype,
} from '../../spec/generated/wallet.js';
import type { HistoryEntry, PartyAndAmount, Subtype } from '../../splice/wallet-log/entries.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { checkPageSize } from '../scan/formats/requests.js';
import { forWalletUsers } from './wallet-handler.js';

export const historyHandlers = forWalletUsers({
  listTransactions: (wallet, { body }) => {
    checkPageSize(body.page_size);
    const log = wallet.splice.walletLogs.of(wallet.party);
    const entries = log.page(body.page_size, body.begin_after_id || undefined);
    return { items: entries.map((entry) => itemOf(wallet, entry)) };
  },
});

function itemOf(wallet: Wallet, entry: HistoryEntry): ListTransactionsResponseItem {
  const { eventId: event_id } = entry;
  if (entry.kind === 'unknown')
    return {
      transaction_type: 'unknown',
      transaction_subtype: { template_id: 'unknown', choice: 'unknown' },
      event_id,
      // As in the real wallet, nothing is known about the transaction, not even its time: this is the current time.
      date: formatInstant(wallet.splice.network.clock.now()),
    };
  const common = {
    transaction_subtype: subtypeJson(wallet.validator.participant.packagesFor(), entry.subtype),
    event_id,
    date: formatInstant(entry.date),
  };
  switch (entry.kind) {
    case 'notification':
      return { transaction_type: 'notification', ...common, details: entry.details };
    case 'balanceChange': {
      const { receiver: party, amount, instructionCid } = entry;
      return {
        transaction_type: 'balance_change',
        ...common,
        receivers: [amountJson({ party, amount })],
        transfer_instruction_cid: instructionCid,
      };
    }
    default:
      return {
        transaction_type: 'transfer',
        ...common,
        sender: amountJson(entry.sender),
        receivers: entry.receivers.map(amountJson),
        holding_fees: entry.holdingFees.toString(),
        app_rewards_used: entry.appRewardsUsed.toString(),
        validator_rewards_used: entry.validatorRewardsUsed.toString(),
        sv_rewards_used: entry.svRewardsUsed.toString(),
        development_fund_coupons_used: entry.developmentFundCouponsUsed.toString(),
        transfer_instruction_receiver: entry.instructionReceiver,
        transfer_instruction_amount: entry.instructionAmount?.toString(),
        transfer_instruction_cid: entry.instructionCid,
        description: entry.description || undefined,
      };
  }
}

const amountJson = ({ party, amount }: PartyAndAmount): PartyAndAmountJson => ({
  party,
  amount: amount.toString(),
});

/**
 * Packages have the ids of the newest versions, because the real wallet has the ids of the packages that its code was
 * compiled with.
 */
function subtypeJson(packages: PackageLookup, subtype: Subtype): TransactionSubtype {
  const { template, choice, interfaceName, amuletOperation } = subtype;
  return {
    template_id: withPackageId(packages, template),
    choice,
    amulet_operation: amuletOperation,
    interface_id: interfaceName && withPackageId(packages, interfaceName),
  };
}

function withPackageId(packages: PackageLookup, name: string): string {
  const [packageName, ...rest] = name.split(':');
  return [packages.packageIdForName(packageName!) ?? packageName, ...rest].join(':');
}
