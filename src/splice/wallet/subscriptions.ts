/** Subscriptions of a wallet with the state that each is in: waiting for its next payment, or with one that is not collected yet. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Wallet } from './wallet.js';

export interface SubscriptionWithState {
  readonly subscription: ContractInstance;
  readonly state: ContractInstance;
  readonly kind: 'idle' | 'payment';
}

/** In the order of their states; without those whose payment is overdue (WA-PAY-007). */
export function subscriptions(wallet: Wallet): readonly SubscriptionWithState[] {
  const now = wallet.splice.network.clock.now();
  const idle = wallet
    .list('subscriptionIdleState')
    .filter(({ payload }) => (payload.nextPaymentDueAt as Timestamp) >= now)
    .map((state) => ({ state, kind: 'idle' as const }));
  const paid = wallet
    .list('subscriptionPayment')
    .map((state) => ({ state, kind: 'payment' as const }));
  return [...idle, ...paid].flatMap((each) => {
    const subscription = wallet.find('subscription', each.state.payload.subscription as string);
    return subscription === undefined ? [] : [{ subscription, ...each }];
  });
}
