/**
 * Wraps each operation of a wallet's user: it finds the user's wallet, and converts the wallet's errors to responses (WA-GEN-001,
 * WA-TRE-012).
 */
import type { Input, Result } from '../../spec/operations.js';
import type { ServedIds } from '../../spec/served.js';
import { WalletRefusal, type RefusalKind } from '../../splice/wallet/refusals.js';
import { OperationFailed } from '../../splice/wallet/treasury.js';
import { walletOf, type Wallet } from '../../splice/wallet/wallet.js';
import { HttpRefusal, type Handlers, type Reply, type WalletContext } from '../handler.js';
import { UNEXPECTED } from '../scan/formats/contracts.js';

type WalletHandler<Id extends ServedIds<'wallet'>> = (
  wallet: Wallet,
  input: Input<'wallet', Id>,
) => Result<'wallet', Id> | Reply;

type WalletHandlers = { readonly [Id in ServedIds<'wallet'>]?: WalletHandler<Id> };

/** Converts functions of the caller's wallet to handlers of the API. */
export function forWalletUsers<H extends WalletHandlers>(
  handlers: H,
): { readonly [Id in keyof H & ServedIds<'wallet'>]: Handlers<'wallet'>[Id] } {
  const made = Object.entries(handlers).map(([operationId, handle]) => [
    operationId,
    (context: WalletContext, input: never) =>
      withHttpRefusals(() =>
        (handle as WalletHandler<never>)(callerWallet(context, operationId), input),
      ),
  ]);
  return Object.fromEntries(made) as never;
}

/** @throws HttpRefusal 404 for a user without a wallet */
export function callerWallet(
  { splice, validator, userId }: WalletContext,
  operationId: string,
): Wallet {
  const wallet = walletOf(splice, validator, userId);
  if (wallet === undefined)
    throw new HttpRefusal(
      404,
      `No wallet found for user '${userId}' for operation '${operationId}'`,
    );
  return wallet;
}

const STATUS: Readonly<Record<RefusalKind, HttpRefusal['status']>> = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  FAILED_PRECONDITION: 400,
  ABORTED: 429,
  INTERNAL: 500,
  UNEXPECTED: 500,
};

/** Converts errors of the wallet to responses. Errors of the ledger pass through. */
export function withHttpRefusals<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof OperationFailed)
      throw new HttpRefusal(
        400,
        `the amulet operation failed with a Daml exception: ${error.message}.`,
      );
    if (!(error instanceof WalletRefusal)) throw error;
    const { kind, message } = error;
    throw new HttpRefusal(STATUS[kind], kind === 'UNEXPECTED' ? UNEXPECTED : message);
  }
}
