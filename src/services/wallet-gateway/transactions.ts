/** Transactions that dApps ask for: prepared, signed, executed, deleted. */
import type { Caller, GatewayCore, User } from './gateway-core.js';
import { prepareBody, type Json } from './ledger-port.js';
import type { GatewayTransaction, PrepareRequest, Wallet } from './records.js';
import { describedError, rejectedByUser } from './rpc-error.js';

/** @returns the stored transaction, which is pending @throws Error without a primary wallet */
export async function prepareTransaction(
  core: GatewayCore,
  user: User,
  { origin }: Caller,
  params: PrepareRequest,
): Promise<GatewayTransaction> {
  const { store, events } = core;
  const { userId, accessToken } = user;
  const network = store.networkOf(userId);
  const wallet = store.primaryWallet(userId);
  if (wallet === undefined) throw new Error('No primary wallet found');
  const ledger = core.ledgerOf(network, accessToken);
  const commandId = params.commandId || store.newId();
  const id = store.newId();
  events.emit(userId, 'txChanged', { status: 'pending', commandId });
  const synchronizerId = await core.synchronizerOf(network, ledger);
  const request = { ...params, commandId };
  const prepared = await ledger.prepare(
    prepareBody(userId, wallet.partyId, synchronizerId, request),
  );
  const transaction: GatewayTransaction = {
    id,
    userId,
    networkId: network.id,
    commandId,
    status: 'pending',
    preparedTransaction: prepared.preparedTransaction,
    preparedTransactionHash: prepared.preparedTransactionHash,
    payload: request,
    request,
    partyId: wallet.partyId,
    ...(origin !== undefined && { origin }),
    createdAt: core.time,
  };
  store.transactions.set(id, transaction);
  return transaction;
}

/** A transaction as the user API shows it. */
export function shownTransaction({
  userId: _,
  networkId: __,
  request: ___,
  partyId: ____,
  isDecided: _____,
  payload,
  ...rest
}: GatewayTransaction) {
  return { ...rest, payload: payload === undefined ? '' : JSON.stringify(payload) };
}

/** The event of a transaction. */
function emitChange(core: GatewayCore, transaction: GatewayTransaction, payload?: Json): void {
  const { userId, id, commandId, status, preparedTransaction, preparedTransactionHash } =
    transaction;
  const { origin = null, createdAt, signedAt } = transaction;
  core.events.emit(userId, 'txChanged', {
    id,
    commandId,
    status,
    preparedTransaction,
    preparedTransactionHash,
    ...(payload !== undefined && { payload }),
    origin,
    createdAt,
    ...(signedAt !== undefined && { signedAt }),
  });
}

/** @throws Error for an unknown wallet */
function walletOf({ store }: GatewayCore, { userId }: User, partyId: string): Wallet {
  const wallet = store.walletsOf(userId).find((each) => each.partyId === partyId);
  if (wallet === undefined) throw new Error('No primary wallet found');
  return wallet;
}

/** The signature of a transaction. */
export interface Signed {
  readonly status: 'signed';
  /** Base64; `none` if the participant signs. */
  readonly signature: string;
  readonly signedBy: string;
  readonly partyId: string;
}

/** @throws Error for an unknown wallet or transaction, or of the signing provider */
export function signTransaction(
  core: GatewayCore,
  user: User,
  { transactionId, partyId }: { readonly transactionId: string; readonly partyId: string },
): Signed {
  const { store } = core;
  const { publicKey, namespace, signingProviderId } = walletOf(core, user, partyId);
  const signed = { status: 'signed', signedBy: namespace, partyId } as const;
  failIfTold(core);
  if (signingProviderId === 'participant') return { ...signed, signature: 'none' };
  const transaction = store.transaction(user.userId, transactionId);
  if (transaction === undefined) throw new Error(`Transaction not found with id: ${transactionId}`);
  const hash = Buffer.from(transaction.preparedTransactionHash, 'base64');
  const signature = core.keys.sign(publicKey, hash);
  emitChange(
    core,
    store.updateTransaction(transactionId, { status: 'signed', signedAt: core.time }),
  );
  return { ...signed, signature };
}

/** @throws Error if the test makes the signing provider fail */
export function failIfTold({ settings }: GatewayCore): void {
  if (settings.fail !== undefined) throw new Error(`Error from signing driver: ${settings.fail}`);
}

export interface ExecuteRequest {
  readonly transactionId: string;
  readonly signature: string;
  readonly partyId: string;
  readonly signedBy: string;
}

/**
 * @param isLost whether the gateway loses the answer of the participant
 * @returns the answer of the participant @throws LedgerRefused if it rejects the transaction
 */
export async function executeTransaction(
  core: GatewayCore,
  user: User,
  { transactionId, partyId, signature, signedBy }: ExecuteRequest,
  isLost = false,
): Promise<Json> {
  const { store } = core;
  const { userId, accessToken } = user;
  const { signingProviderId } = walletOf(core, user, partyId);
  const network = store.networkOf(userId);
  const transaction = store.transaction(userId, transactionId);
  if (transaction === undefined) throw new Error('No transaction found');
  const ledger = core.ledgerOf(network, accessToken);
  try {
    const result =
      signingProviderId === 'participant'
        ? await ledger.submit(
            prepareBody(userId, partyId, await core.synchronizerOf(network, ledger), {
              ...transaction.request,
              commandId: transaction.commandId,
            }),
          )
        : await ledger.execute(userId, partyId, transaction, { signature, signedBy });
    // A revert may have removed it meanwhile.
    if (isLost || store.transactions.get(transactionId) === undefined)
      throw new TypeError('fetch failed');
    const executed = store.updateTransaction(transactionId, {
      status: 'executed',
      payload: result,
    });
    emitChange(core, executed, result);
    return result;
  } catch (error) {
    if (!isLost) emitFailed(core, transaction, error);
    throw error;
  }
}

/** @throws Error if it is not pending, or unknown */
export function deleteTransaction(core: GatewayCore, { userId }: User, id: string): void {
  const transaction = core.store.transaction(userId, id);
  if (transaction === undefined) throw new Error(`Transaction not found with id: ${id}`);
  const { status } = transaction;
  if (status !== 'pending')
    throw new Error(
      `Cannot delete transaction with status '${status}'. Only pending transactions can be deleted.`,
    );
  core.store.transactions.delete(id);
  emitFailed(core, transaction, rejectedByUser());
}

/** NOTE: the gateway emits nothing then, unless the test asks for it. */
function emitFailed(core: GatewayCore, transaction: GatewayTransaction, error: unknown): void {
  emitFailure(core, transaction, error);
  const { userId, commandId } = transaction;
  if (core.settings.failedEvents)
    core.events.emit(userId, 'txChanged', { status: 'failed', commandId });
}

/** Tells providers in pages why a transaction failed. */
export function emitFailure(
  core: GatewayCore,
  { userId, commandId }: Pick<GatewayTransaction, 'userId' | 'commandId'>,
  error: unknown,
): void {
  core.events.emit(userId, 'failure', { commandId, error: describedError(error) });
}
