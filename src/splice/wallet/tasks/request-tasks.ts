/** Wallet automation for offers, requests and subscriptions: it completes, pays, cancels and expires them (A-WAL-001 to A-WAL-006). */
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { DamlRecord, Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { exercise } from '../submit.js';
import { templateName, type WalletTemplate } from '../templates.js';
import { executeOperation, exerciseInstall, OperationFailed } from '../treasury.js';
import type { Wallet } from '../wallet.js';
import { CLOCK_SKEW, subjectTask, type Subject } from './subject-task.js';

interface OfContract extends Subject {
  readonly contract: ContractInstance;
}

/**
 * A task for the contracts of a template.
 * @param due when a contract is due; undefined if it does not concern the task
 */
function contractTask(
  splice: Splice,
  name: string,
  template: WalletTemplate,
  due: (contract: ContractInstance, wallet: Wallet) => Timestamp | undefined,
  act: (wallet: Wallet, contract: ContractInstance) => void,
): Task {
  return subjectTask<OfContract>(splice, {
    name,
    watches: [templateName(template)],
    *subjects(wallet) {
      for (const contract of wallet.contracts(template)) {
        const { contractId: id } = contract;
        const at = due(contract, wallet);
        const isThere = () => wallet.find(template, id) !== undefined;
        if (at !== undefined) yield { wallet, id, contract, due: at, isThere };
      }
    },
    act: ({ wallet, contract }) => act(wallet, contract),
  });
}

/** @param expiresAt reads the expiry time from a payload */
function expiry(
  splice: Splice,
  name: string,
  template: WalletTemplate,
  act: (wallet: Wallet, contract: ContractInstance) => void,
  expiresAt = (payload: DamlRecord): Timestamp => payload.expiresAt as Timestamp,
): Task {
  return contractTask(
    splice,
    name,
    template,
    ({ payload }) => expiresAt(payload) + CLOCK_SKEW,
    act,
  );
}

const byInstall =
  (choice: string, field = 'cid') =>
  (wallet: Wallet, { contractId }: ContractInstance): void => {
    exerciseInstall(wallet, choice, { [field]: contractId });
  };

export function requestTasks(splice: Splice): readonly Task[] {
  return [
    expiry(splice, 'ExpireTransferOffer', 'transferOffer', byInstall('TransferOffer_Expire')),
    expiry(
      splice,
      'ExpireAcceptedTransferOffer',
      'acceptedTransferOffer',
      byInstall('AcceptedTransferOffer_Expire'),
    ),
    expiry(
      splice,
      'ExpireBuyTrafficRequests',
      'buyTrafficRequest',
      byInstall('BuyTrafficRequest_Expire', 'requestCid'),
    ),
    expiry(
      splice,
      'ExpireAppPaymentRequests',
      'appPaymentRequest',
      byInstall('AppPaymentRequest_Expire'),
    ),
    contractTask(
      splice,
      'SubscriptionReadyForPayment',
      'subscriptionIdleState',
      ({ payload }) => payableFrom(payload) + CLOCK_SKEW,
      (wallet, { contractId }) => {
        executeOperation(wallet, { tag: 'CO_SubscriptionMakePayment', value: contractId });
      },
    ),
    contractTask(
      splice,
      'AcceptedTransferOffer',
      'acceptedTransferOffer',
      ({ payload, createdAt }, { party }) => (payload.sender === party ? createdAt : undefined),
      completeOffer,
    ),
    contractTask(
      splice,
      'CompleteBuyTrafficRequest',
      'buyTrafficRequest',
      ({ payload, createdAt }) =>
        (payload.expiresAt as Timestamp) < splice.network.clock.now() ? undefined : createdAt,
      completeTraffic,
    ),
    expiry(splice, 'ExpireMintingDelegation', 'mintingDelegation', (wallet, contract) =>
      endDelegation(wallet, contract, 'MintingDelegation'),
    ),
    expiry(
      splice,
      'ExpireMintingDelegationProposal',
      'mintingDelegationProposal',
      (wallet, contract) => endDelegation(wallet, contract, 'MintingDelegationProposal'),
      ({ delegation }) => (delegation as DamlRecord).expiresAt as Timestamp,
    ),
  ];
}

function payableFrom(payload: DamlRecord): Timestamp {
  const { paymentDuration } = payload.payData as unknown as {
    readonly paymentDuration: { readonly microseconds: bigint };
  };
  return (payload.nextPaymentDueAt as Timestamp) - paymentDuration.microseconds;
}

function completeOffer(wallet: Wallet, { contractId }: ContractInstance): void {
  try {
    executeOperation(wallet, { tag: 'CO_CompleteAcceptedTransfer', value: contractId });
  } catch (error) {
    if (!(error instanceof OperationFailed) || error.reason !== 'ITR_InsufficientFunds')
      throw error;
    const reason = `out of funds (missing ${error.values[0]} CC)`;
    exerciseInstall(wallet, 'AcceptedTransferOffer_Abort', { cid: contractId, reason });
  }
}

function completeTraffic(wallet: Wallet, { contractId }: ContractInstance): void {
  const value = { trafficRequestCid: contractId };
  try {
    executeOperation(wallet, { tag: 'CO_CompleteBuyTrafficRequest', value });
  } catch (error) {
    const reason = error instanceof OperationFailed ? whyNoTraffic(error) : undefined;
    if (reason === undefined) throw error;
    exerciseInstall(wallet, 'BuyTrafficRequest_Cancel', { requestCid: contractId, reason });
  }
}

function whyNoTraffic({ reason, values }: OperationFailed): string | undefined {
  const [first, second] = values;
  switch (reason) {
    case 'ITR_InsufficientFunds':
      return `out of funds (missing ${first} CC)`;
    case 'ITR_UnknownSynchronizer':
      return `unknown synchronizerId ${first}`;
    case 'ITR_InsufficientTopupAmount':
      return `not enough traffic requested (trafficAmount ${first} < minTopupAmount ${second})`;
    default:
      return undefined;
  }
}

function endDelegation(
  { validator, party }: Wallet,
  { contractId }: ContractInstance,
  template: 'MintingDelegation' | 'MintingDelegationProposal',
): void {
  const reference = `#splice-wallet:Splice.Wallet.MintingDelegation:${template}`;
  exercise(validator, reference, contractId, `${template}_Reject`, {}, { actAs: [party] });
}
