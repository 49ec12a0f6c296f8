/** Preapprovals that a wallet's validator provides, and paying by those of others (WA-PRE-001 to WA-PRE-006). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { featuredAppRight, transferPreapproval } from '../dso/amulet-contracts.js';
import { onceFromNow } from './offers.js';
import { WalletRefusal } from './refusals.js';
import { amuletRules, disclosed } from './rounds.js';
import { create } from './submit.js';
import { onceADay } from './tap.js';
import { templateName } from './templates.js';
import { executeOperation } from './treasury.js';
import type { Wallet } from './wallet.js';

const TIMED_OUT =
  'Transfer preapproval creation request timed out because validator automation did not complete it in time. ' +
  'This is most likely because the validator has insufficient funds to cover the transfer preapproval creation fee. ' +
  'Please contact your validator administrator or retry in some time.';

export interface Preapproved {
  readonly contractId: ContractId;
  /** It was there before. */
  readonly isOld: boolean;
}

/**
 * Proposes one, unless that is pending, for the validator's automation to accept.
 * NOTE: a real wallet waits for that for ten seconds; here it is done at once, or not at all.
 * @throws WalletRefusal ABORTED if it fails, LedgerError
 */
export function preapprove(wallet: Wallet): Preapproved {
  const { validator, validatorParty: provider, party: receiver, dsoParty, splice } = wallet;
  amuletRules(splice);
  const old = approvalFor(wallet);
  if (old !== undefined) return { contractId: old.contractId, isOld: true };
  if (ofReceiver(wallet, 'preapprovalProposal') === undefined) {
    const method = 'org.lfdecentralizedtrust.splice.wallet.createTransferPreapprovalProposal';
    create(
      validator,
      `#${templateName('preapprovalProposal')}`,
      { receiver, provider, expectedDso: dsoParty },
      {
        actAs: [...new Set([provider, receiver])],
        deduplicated: onceFromNow(wallet, method, [receiver, provider]),
      },
    );
  }
  const made = approvalFor(wallet);
  if (made === undefined) throw new WalletRefusal('ABORTED', TIMED_OUT);
  return { contractId: made.contractId, isOld: false };
}

const approvalFor = (wallet: Wallet) => ofReceiver(wallet, 'transferPreapproval');

/** The validator's wallet also sees the preapprovals that it provides for others. */
function ofReceiver(
  wallet: Wallet,
  template: 'preapprovalProposal' | 'transferPreapproval',
): ContractInstance | undefined {
  for (const contract of wallet.contracts(template))
    if (contract.payload.receiver === wallet.party) return contract;
  return undefined;
}

export interface Payment {
  readonly receiver: Party;
  /** Decimal. */
  readonly amount: string;
  readonly description: string | undefined;
  readonly deduplicationId: string;
}

/** @throws WalletRefusal, OperationFailed, LedgerError */
export function sendPreapproved(wallet: Wallet, payment: Payment): void {
  const { splice } = wallet;
  const { receiver, amount, description = null, deduplicationId } = payment;
  const preapproval = transferPreapproval(splice, receiver);
  if (preapproval === undefined)
    throw new WalletRefusal(
      'INVALID_ARGUMENT',
      `Receiver ${receiver} does not have a TransferPreapproval`,
    );
  const right = featuredAppRight(splice, preapproval.payload.provider as Party);
  const value = {
    transferPreapprovalCid: preapproval.contractId,
    providerFeaturedAppRightCid: right?.contractId ?? null,
    amount,
    description,
  };
  executeOperation(
    wallet,
    { tag: 'CO_TransferPreapprovalSend', value },
    {
      deduplicated: onceADay(wallet, 'transferPreapprovalSend', deduplicationId),
      alsoDisclosed: disclosed(splice, [preapproval, right]),
    },
  );
}
