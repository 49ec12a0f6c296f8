/** The API that the pages of the gateway call for its user. */
import { userWallet } from './dapp-api.js';
import {
  anyObject,
  dateTime,
  flag,
  list,
  object,
  oneOf,
  ref,
  text,
  type RpcApi,
  type RpcMethods,
  type RpcSchema,
  type RpcSchemas,
} from './method.js';
import type { UserMethod } from './operations.js';

const transactionId: RpcSchema = { type: 'string', format: 'uuid' };
const constant = (value: string): RpcSchema => ({ type: 'string', const: value });

/** The result of `sign` if the signing provider has not signed. */
const unsigned = (status: string): RpcSchema =>
  object({ status: constant(status), partyId: text, externalTxId: text });

const userSchemas: RpcSchemas = {
  Null: { type: 'null' },
  TransactionId: transactionId,
  CommandId: text,
  Auth: object(
    { method: text, audience: text, scope: text, clientId: text },
    { clientSecret: text, issuer: text },
  ),
  Network: object(
    {
      id: text,
      name: text,
      description: text,
      identityProviderId: text,
      auth: ref('Auth'),
      ledgerApi: text,
    },
    { synchronizerId: text, adminAuth: ref('Auth') },
  ),
  Idp: object(
    { id: text, type: { enum: ['oauth', 'self_signed'] }, issuer: text },
    { configUrl: text },
  ),
  Wallet: userWallet,
  WalletFilter: object({}, { networkIds: list(text), signingProviderIds: list(text) }),
  Session: object(
    {
      network: ref('Network'),
      idp: ref('Idp'),
      status: oneOf('connected', 'disconnected'),
      accessToken: text,
      id: text,
      rights: list({ enum: ['CanReadAsAnyParty', 'CanExecuteAsAnyParty'] }),
    },
    { reason: text },
  ),
  SigningProviderContext: object({
    partyId: text,
    externalTxId: text,
    topologyTransactions: text,
    namespace: text,
  }),
  Transaction: object(
    {
      id: ref('TransactionId'),
      commandId: ref('CommandId'),
      status: text,
      preparedTransaction: text,
      preparedTransactionHash: text,
    },
    { createdAt: dateTime, signedAt: dateTime, payload: text, origin: text, externalTxId: text },
  ),
  SignResult: {
    oneOf: [
      object(
        { status: constant('signed'), signature: text, partyId: text, signedBy: text },
        { externalTxId: text },
      ),
      unsigned('pending'),
      unsigned('rejected'),
      unsigned('failed'),
    ],
  },
};

const walletOnly = object({ wallet: ref('Wallet') });
const ofParty = object({ partyId: text });
const ofTransaction = object({ transactionId: ref('TransactionId') });

const methods = {
  addNetwork: {
    description: 'Adds a network, or replaces the one with its id. For the administrator.',
    params: object({ network: ref('Network') }),
    result: ref('Null'),
  },
  removeNetwork: {
    description: 'Removes a network that the user added. For the administrator.',
    params: object({ networkName: text }),
    result: ref('Null'),
  },
  listNetworks: {
    description: 'The networks.',
    result: object({ networks: list(ref('Network')) }),
  },
  addIdp: {
    description:
      'Adds an identity provider, or replaces the one with its id. For the administrator.',
    params: object({ idp: ref('Idp') }),
    result: ref('Null'),
  },
  removeIdp: {
    description: 'Removes an identity provider that no network uses. For the administrator.',
    params: object({ identityProviderId: text }),
    result: ref('Null'),
  },
  listIdps: { description: 'The identity providers.', result: object({ idps: list(ref('Idp')) }) },
  createWallet: {
    description: 'Creates a wallet, and allocates its party.',
    params: {
      ...object({ partyHint: text, signingProviderId: text }, { primary: flag }),
      // NOTE: the official document requires a member that it does not have, and the gateway does not read it.
      required: ['partyHint', 'networkId', 'signingProviderId'],
    },
    result: walletOnly,
  },
  allocatePartyForWallet: {
    description: 'Allocates the party of a wallet that has none.',
    params: ofParty,
    result: walletOnly,
  },
  setPrimaryWallet: {
    description: 'Makes a wallet the one that dApps use.',
    params: ofParty,
    result: ref('Null'),
  },
  removeWallet: {
    description: 'Has no effect in the gateway.',
    params: ofParty,
    result: anyObject,
  },
  listWallets: {
    description: 'The wallets of the network of the session.',
    params: object({}, { filter: ref('WalletFilter') }),
    result: list(ref('Wallet')),
  },
  syncWallets: {
    description: 'Adds wallets for the parties that the user may act for, and updates the others.',
    result: object({
      added: list(ref('Wallet')),
      updated: list(ref('Wallet')),
      disabled: list(ref('Wallet')),
    }),
  },
  isWalletSyncNeeded: {
    description: 'Whether syncWallets would change anything.',
    result: object({ walletSyncNeeded: flag }),
  },
  sign: {
    description: 'Signs a prepared transaction with the key of a wallet.',
    params: object({ transactionId: ref('TransactionId'), partyId: text }),
    result: ref('SignResult'),
  },
  execute: {
    description: 'Submits a signed transaction, and waits until it is executed.',
    params: object({
      transactionId: ref('TransactionId'),
      signature: text,
      partyId: text,
      signedBy: text,
    }),
    result: anyObject,
  },
  addSession: {
    description: 'Connects the user to a network.',
    params: object({ networkId: text }),
    result: ref('Session'),
  },
  removeSession: { description: 'Ends the session.', result: ref('Null') },
  listSessions: {
    description: 'The session of the user, or none.',
    result: object({ sessions: list(ref('Session')) }),
  },
  getTransaction: {
    description: 'A transaction that a dApp asked for.',
    params: ofTransaction,
    result: ref('Transaction'),
  },
  listTransactions: {
    description: 'All of them.',
    result: object({ transactions: list(ref('Transaction')) }),
  },
  deleteTransaction: {
    description: 'Rejects a pending transaction.',
    params: ofTransaction,
    result: ref('Null'),
  },
  getUser: {
    description: 'The id of the user, and whether it is the administrator.',
    result: object({ userId: text, isAdmin: flag }),
  },
} as const satisfies RpcMethods<UserMethod>;

export const USER_API = {
  title: 'User API of the Wallet Gateway',
  version: '0.1.0',
  methods,
  schemas: userSchemas,
} as const satisfies RpcApi;
