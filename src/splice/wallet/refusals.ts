/** Errors that the wallet reports before it submits to the ledger, with the status of the real wallet. */

/** Status names of gRPC. */
export type RefusalKind =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'INTERNAL'
  /** An unexpected exception. Clients do not get its text. */
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
