/** The token-specific code of transfers: its holdings and its error texts. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { HoldingsChange } from '../holdings/events.js';
import type { InstrumentId, Lock } from '../standard/holding-v2.js';
import type { ChoiceContext } from '../standard/metadata-v1.js';
import type { Transfer, TransferInstructionResult } from '../standard/transfer-instruction-v2.js';

/** `Like` is the data of archived holdings that a new holding inherits. */
export interface TransferCode<Like> {
  readonly words: TransferWords;
  /** The key in a choice's context that says whether the locked holding still exists. */
  readonly expireLockKey: string;
  /** Whether the admin's code can transfer the instrument. */
  moves(instrumentId: InstrumentId, admin: Party): boolean;
  /**
   * Reads the data that a choice needs from the context.
   * @returns a function that reports changes of holdings
   */
  begin(update: Update, admin: Party, context: ChoiceContext): Report;
  /**
   * Archives the inputs.
   * @returns their total
   */
  spend(update: Update, transfer: Transfer): { readonly total: Numeric; readonly like: Like };
  /** Archives the holding that is locked for the transfer. */
  take(update: Update, locked: ContractId, transfer: Transfer): Like;
  create(update: Update, like: Like, owner: Party, amount: Numeric, lock?: Lock): ContractId;
  /**
   * Creates the contract that waits for the receiver.
   * @param transfer its input is the locked holding
   */
  offer(update: Update, transfer: Transfer, locked: ContractId): ContractId;
  /** Fails the transaction if the total is less than the amount. */
  checkFunds(update: Update, total: Numeric, amount: Numeric): void;
  /** Pays at once if the receiver preapproved; undefined otherwise. */
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
  /** If the receiver accepts too late. */
  readonly expired: string;
  /** If the context wrongly says that the lock is gone. */
  readonly locked: string;
  readonly noUpdate: string;
  /** The lock's context text. */
  lock(receiver: Party): string;
}
