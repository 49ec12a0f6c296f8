/** What validators are configured to do for wallets, beside what every wallet does: said once, when a network is set up, and saved with it. */
import type { Party } from '../daml/model/values.js';
import type { RewardSharing } from './reward-sharing.js';

/** Of a party: whose offers to it are accepted. */
export interface AutoAccept {
  readonly party: Party;
  readonly fromParties: readonly Party[];
}

/** Of a party: above a balance, all but some of it goes to another one. In dollars. */
export interface Sweep {
  readonly party: Party;
  readonly maxBalanceUsd: string;
  readonly minBalanceUsd: string;
  readonly receiver: Party;
  /** By the receiver's preapproval; else by an offer. */
  readonly useTransferPreapproval: boolean;
}

export interface WalletConfiguration {
  readonly accepts: readonly AutoAccept[];
  readonly sweeps: readonly Sweep[];
  /** By party. */
  readonly sharing: ReadonlyMap<Party, RewardSharing>;
}
