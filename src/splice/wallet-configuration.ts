/**
 * Wallet automation that validators configure in addition to the default. It is set when a network is set up, and saved with the network.
 */
import type { Party } from '../daml/model/values.js';
import type { RewardSharing } from './reward-sharing.js';

/** Accepts offers to a party automatically, from these senders. */
export interface AutoAccept {
  readonly party: Party;
  readonly fromParties: readonly Party[];
}

/** When a party's balance exceeds the maximum, transfers all above the minimum to the receiver. Balances are in USD. */
export interface Sweep {
  readonly party: Party;
  readonly maxBalanceUsd: string;
  readonly minBalanceUsd: string;
  readonly receiver: Party;
  /** If true, it transfers by the receiver's preapproval; otherwise, it makes an offer. */
  readonly useTransferPreapproval: boolean;
}

export interface WalletConfiguration {
  readonly accepts: readonly AutoAccept[];
  readonly sweeps: readonly Sweep[];
  /** By party. */
  readonly sharing: ReadonlyMap<Party, RewardSharing>;
}
