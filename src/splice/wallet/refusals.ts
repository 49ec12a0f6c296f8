/** What the wallet's own code refuses before the ledger is asked, by the status that the real one's code gives it. */

/** As gRPC names them. */
export type RefusalKind =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'INTERNAL'
  /** An exception that nobody foresaw: its text is told to nobody. */
  | 'UNEXPECTED';

export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal';
  constructor(
    readonly kind: RefusalKind,
    text: string,
  ) {
    super(text);
  }
}

export const notFound = (text: string): WalletRefusal => new WalletRefusal('NOT_FOUND', text);
