/** Entries of a wallet's log: its history, and the state of transfer offers, traffic requests and development fund coupons. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type { UpdateId } from '../../network/model/ids.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';

/** The template and choice that caused an entry, and the interface if the choice belongs to one. */
export interface Subtype {
  readonly template: TemplateName;
  readonly choice: string;
  /** Name of the interface without the version of its package. */
  readonly interfaceName?: string;
  /** In a batch: the operation. */
  readonly amuletOperation?: string;
}

export interface PartyAndAmount {
  readonly party: Party;
  /** The change of the party's balance. */
  readonly amount: Numeric;
}

export interface TransferEntry {
  readonly kind: 'transfer';
  /** `#<update id>:<node id>`. */
  readonly eventId: string;
  readonly subtype: Subtype;
  readonly date: Timestamp;
  readonly sender: PartyAndAmount;
  /** Without the sender. */
  readonly receivers: readonly PartyAndAmount[];
  readonly holdingFees: Numeric;
  readonly appRewardsUsed: Numeric;
  readonly validatorRewardsUsed: Numeric;
  readonly svRewardsUsed: Numeric;
  readonly developmentFundCouponsUsed: Numeric;
  readonly instructionReceiver?: Party;
  readonly instructionAmount?: Numeric;
  readonly instructionCid?: ContractId;
  readonly description?: string;
}

export interface BalanceChangeEntry {
  readonly kind: 'balanceChange';
  readonly eventId: string;
  readonly subtype: Subtype;
  readonly date: Timestamp;
  readonly receiver: Party;
  readonly amount: Numeric;
  readonly instructionCid?: ContractId;
}

export interface NotificationEntry {
  readonly kind: 'notification';
  readonly eventId: string;
  readonly subtype: Subtype;
  readonly date: Timestamp;
  readonly details: string;
}

/** A transaction that moves amulets by choices that wallets do not recognize. */
export interface UnknownEntry {
  readonly kind: 'unknown';
  readonly eventId: string;
}

/** Entries that the transaction history shows. */
export type HistoryEntry = TransferEntry | BalanceChangeEntry | NotificationEntry | UnknownEntry;

export type OfferStatus =
  | {
      readonly kind: 'created' | 'accepted' | 'completed';
      readonly contractId: ContractId;
      readonly updateId: UpdateId;
    }
  | { readonly kind: 'rejected' | 'expired' }
  | { readonly kind: 'withdrawn'; readonly reason: string };

export interface OfferEntry {
  readonly kind: 'offer';
  readonly trackingId: string;
  readonly status: OfferStatus;
  readonly sender: Party;
  readonly receiver: Party;
}

export type TrafficStatus =
  | { readonly kind: 'created' | 'expired' }
  | { readonly kind: 'completed'; readonly updateId: UpdateId }
  | { readonly kind: 'rejected'; readonly reason: string };

export interface TrafficEntry {
  readonly kind: 'traffic';
  readonly trackingId: string;
  readonly status: TrafficStatus;
  readonly buyer: Party;
}

export interface FundCouponCreated {
  readonly kind: 'couponCreated';
  readonly contractId: ContractId;
  readonly beneficiary: Party;
  readonly fundManager: Party;
  readonly amount: Numeric;
  readonly expiresAt: Timestamp;
  readonly reason: string;
  readonly createdAt: Timestamp;
}

export interface FundCouponArchived {
  readonly kind: 'couponArchived';
  readonly contractId: ContractId;
  readonly status: 'withdrawn' | 'rejected' | 'claimed' | 'expired';
  /** The reason for withdrawing or rejecting it. */
  readonly reason?: string;
  readonly archivedAt: Timestamp;
}

export type LogEntry =
  | HistoryEntry
  | OfferEntry
  | TrafficEntry
  | FundCouponCreated
  | FundCouponArchived;

/** Whether an entry concerns the party. */
export function isAbout(entry: LogEntry, party: Party): boolean {
  switch (entry.kind) {
    case 'transfer':
      return entry.sender.party === party || entry.receivers.some((each) => each.party === party);
    case 'balanceChange':
      return entry.receiver === party;
    case 'offer':
      return entry.sender === party || entry.receiver === party;
    case 'traffic':
      return entry.buyer === party;
    case 'couponCreated':
      return entry.fundManager === party || entry.beneficiary === party;
    default:
      return true;
  }
}
