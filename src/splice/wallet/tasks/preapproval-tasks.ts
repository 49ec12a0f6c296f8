/** The validator's wallet creates preapprovals for parties of its participant, and renews them (A-WAL-008 to A-WAL-010). */
import { formatTimestamp } from '../../../daml/model/time.js';
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { templateName } from '../templates.js';
import { executeOperation } from '../treasury.js';
import type { Wallet } from '../wallet.js';
import { CLOCK_SKEW, subjectTask, type Subject } from './subject-task.js';

const DAY = 86_400_000_000n;
const LIFETIME = 90n * DAY;
/** So long before its end a preapproval is renewed. */
const RENEWAL = 30n * DAY;

interface OfContract extends Subject {
  readonly contract: ContractInstance;
}

export function preapprovalTasks(splice: Splice): readonly Task[] {
  const { clock } = splice.network;
  return [
    subjectTask<OfContract>(splice, {
      name: 'AcceptTransferPreapprovalProposal',
      watches: [templateName('preapprovalProposal'), templateName('transferPreapproval')],
      *subjects(wallet) {
        if (wallet.party !== wallet.validatorParty) return;
        for (const contract of wallet.contracts('preapprovalProposal')) {
          const { contractId: id, payload, createdAt: due } = contract;
          const receiver = payload.receiver as Party;
          if (!wallet.validator.participant.hosts(receiver)) continue;
          const end = latestEnd(wallet, receiver);
          if (end === undefined || end < due) yield { wallet, id, contract, due };
          else yield { wallet, id, contract, due: end };
        }
      },
      act({ wallet, id }) {
        const expiresAt = formatTimestamp(clock.now() + LIFETIME);
        const value = { preapprovalProposalCid: id, expiresAt };
        executeOperation(wallet, { tag: 'CO_AcceptTransferPreapprovalProposal', value });
      },
    }),
    subjectTask<OfContract>(splice, {
      name: 'RenewTransferPreapproval',
      watches: [templateName('transferPreapproval')],
      *subjects(wallet) {
        if (wallet.party !== wallet.validatorParty) return;
        for (const contract of wallet.contracts('transferPreapproval')) {
          const due = (contract.payload.expiresAt as Timestamp) - RENEWAL + CLOCK_SKEW;
          yield { wallet, id: contract.contractId, contract, due };
        }
      },
      act({ wallet, contract }) {
        const { contractId, payload } = contract;
        const newExpiresAt = formatTimestamp((payload.expiresAt as Timestamp) + LIFETIME);
        const value = { previousApprovalCid: contractId, newExpiresAt };
        executeOperation(wallet, { tag: 'CO_RenewTransferPreapproval', value });
      },
    }),
  ];
}

/** Until when the receiver has been approved for by this validator. */
function latestEnd(wallet: Wallet, receiver: Party): Timestamp | undefined {
  let latest: Timestamp | undefined;
  for (const { payload } of wallet.contracts('transferPreapproval')) {
    const end = payload.expiresAt as Timestamp;
    if (payload.receiver === receiver && (latest === undefined || end > latest)) latest = end;
  }
  return latest;
}
