/** What code of transfers has to know of its instruments: what their holdings are, and how it words what it refuses. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { HoldingsChange } from '../holdings/events.js';
import type { InstrumentId, Lock } from '../standard/holding-v2.js';
import type { ChoiceContext } from '../standard/metadata-v1.js';
import type { Transfer, TransferInstructionResult } from '../standard/transfer-instruction-v2.js';

/** `Like` is what a new holding takes from those that were archived for it. */
export interface TransferCode<Like> {
  readonly words: TransferWords;
  /** The key of a choice's context that tells whether what is locked is still there. */
  readonly expireLockKey: string;
  /** Whether the admin's code moves it. */
  moves(instrumentId: InstrumentId, admin: Party): boolean;
  /** Takes from the context what a choice needs. @returns what reports changes of holdings */
  begin(update: Update, admin: Party, context: ChoiceContext): Report;
  /** Archives the inputs. @returns what they sum up to */
  spend(update: Update, transfer: Transfer): { readonly total: Numeric; readonly like: Like };
  /** Archives what is locked for the transfer. */
  take(update: Update, locked: ContractId, transfer: Transfer): Like;
  create(update: Update, like: Like, owner: Party, amount: Numeric, lock?: Lock): ContractId;
  /** Makes the contract that waits for the receiver. @param transfer its input is what is locked */
  offer(update: Update, transfer: Transfer, locked: ContractId): ContractId;
  /** Ends the transaction where the total is less. */
  checkFunds(update: Update, total: Numeric, amount: Numeric): void;
  /** Pays at once whoever preapproved; undefined where nobody did. */
  payPreapproved?(
    update: Update,
    transfer: Transfer,
    context: ChoiceContext,
  ): TransferInstructionResult | undefined;
}

export type Report = (change: Omit<HoldingsChange, 'admin'>) => void;

/** Messages of failed assertions. */
export interface TransferWords {
  admin(expected: Party, actual: Party): string;
  actor(choice: string, party: Party): string;
  instrument(transfer: Transfer, admin: Party): string;
  account(field: 'sender' | 'receiver'): string;
  amount(amount: Numeric): string;
  readonly requestedAt: string;
  readonly executeBefore: string;
  readonly inputs: string;
  /** Of accepting too late. */
  readonly expired: string;
  /** Of a lock that is said to be gone before its time. */
  readonly locked: string;
  readonly noUpdate: string;
  /** The context of a lock. */
  lock(receiver: Party): string;
}
