/** Payments that apps request, once or as a subscription. */
import { notFound } from '../../splice/wallet/refusals.js';
import { subscriptions } from '../../splice/wallet/subscriptions.js';
import { onceADay } from '../../splice/wallet/tap.js';
import { executeOperation, exerciseInstall } from '../../splice/wallet/treasury.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { contractJson, contractWithState } from '../scan/formats/contracts.js';
import { contracts, contractsWithState } from './lists.js';
import { forWalletUsers } from './wallet-handler.js';

export const paymentHandlers = forWalletUsers({
  listAppPaymentRequests: (wallet) => ({
    payment_requests: contractsWithState(wallet, 'appPaymentRequest'),
  }),
  getAppPaymentRequest: (wallet, { path }) =>
    contractWithState(wallet.splice, wallet.get('appPaymentRequest', path.contract_id)),
  acceptAppPaymentRequest: (wallet, { path }) => ({
    accepted_payment_contract_id: acceptPayment(wallet, path.contract_id),
  }),
  rejectAppPaymentRequest: (wallet, { path }) => {
    exerciseInstall(wallet, 'AppPaymentRequest_Reject', { cid: path.contract_id });
  },
  listAcceptedAppPayments: (wallet) => ({
    accepted_app_payments: contractsWithState(wallet, 'acceptedAppPayment'),
  }),
  listSubscriptionRequests: (wallet) => ({
    subscription_requests: contracts(wallet, 'subscriptionRequest'),
  }),
  getSubscriptionRequest: (wallet, { path }) =>
    contractJson(wallet.splice, wallet.get('subscriptionRequest', path.contract_id)),
  acceptSubscriptionRequest: (wallet, { path: { contract_id: id } }) => {
    const method = 'org.lfdecentralizedtrust.splice.wallet.acceptSubscriptionRequest';
    const operation = { tag: 'CO_SubscriptionAcceptAndMakeInitialPayment', value: id };
    const deduplicated = onceADay(wallet, method, id);
    return {
      initial_payment_contract_id: executeOperation(wallet, operation, { deduplicated }) as string,
    };
  },
  rejectSubscriptionRequest: (wallet, { path }) => {
    exerciseInstall(wallet, 'SubscriptionRequest_Reject', { cid: path.contract_id });
  },
  /** The id is that of the subscription's idle state, despite the path (WA-PAY-006). */
  cancelSubscriptionRequest: (wallet, { path }) => {
    const choice = 'SubscriptionIdleState_CancelSubscription';
    exerciseInstall(wallet, choice, { cid: path.contract_id });
  },
  listSubscriptionInitialPayments: (wallet) => ({
    initial_payments: contracts(wallet, 'subscriptionInitialPayment'),
  }),
  listSubscriptions: (wallet) => ({
    subscriptions: subscriptions(wallet).map(({ subscription, state, kind }) => {
      const stateJson = contractJson(wallet.splice, state);
      return {
        subscription: contractJson(wallet.splice, subscription),
        state: kind === 'idle' ? { idle: stateJson } : { payment: stateJson },
      };
    }),
  }),
});

/** For a request that was accepted before, returns the earlier result (WA-PAY-003). */
function acceptPayment(wallet: Wallet, id: string): string {
  if (wallet.find('appPaymentRequest', id) !== undefined)
    return executeOperation(wallet, { tag: 'CO_AppPayment', value: id }) as string;
  for (const { contractId, payload } of wallet.contracts('acceptedAppPayment'))
    if (payload.reference === id) return contractId;
  throw notFound(
    `AppPaymentRequest ${id} not found, and no matching AcceptedAppPayment could be located.`,
  );
}
