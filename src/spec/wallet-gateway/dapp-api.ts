/**
 * The API that a dApp calls: of the gateway, and of a provider in the page (CIP-0103). They differ in how a transaction
 * is approved: the gateway returns the URL of a page, and a provider opens it.
 */
import {
  anyObject,
  list,
  object,
  oneOf,
  ref,
  text,
  uri,
  flag,
  type RpcApi,
  type RpcMethods,
  type RpcSchema,
  type RpcSchemas,
} from './method.js';
import type { DappMethod } from './operations.js';

const NULL: RpcSchema = { type: 'null' };

const walletMembers = {
  primary: flag,
  partyId: text,
  status: oneOf('initialized', 'allocated', 'removed'),
  hint: text,
  publicKey: text,
  namespace: text,
  networkId: text,
  signingProviderId: text,
};

const laterWalletMembers = {
  externalTxId: text,
  topologyTransactions: text,
  disabled: flag,
  reason: text,
};

/** A wallet as users see it also has its rights. */
export const userWallet = object(
  {
    ...walletMembers,
    rights: list({ enum: ['CanActAs', 'CanReadAs', 'CanExecuteAs'] }),
  },
  laterWalletMembers,
);

const txChanged = (status: string, payload?: string): RpcSchema =>
  object({
    status: oneOf(status),
    commandId: ref('CommandId'),
    ...(payload !== undefined && { payload: ref(payload) }),
  });

const dappSchemas: RpcSchemas = {
  Null: NULL,
  UserUrl: uri,
  CommandId: text,
  AccessToken: text,
  Provider: {
    ...object(
      { id: text },
      {
        version: text,
        providerType: oneOf('browser', 'desktop', 'mobile', 'remote'),
        url: text,
        userUrl: ref('UserUrl'),
      },
    ),
    // NOTE: the official document requires a member that it does not have, and the gateway sends `providerType`.
    required: ['id', 'clientType'],
  },
  ConnectResult: object(
    { isConnected: flag, isNetworkConnected: flag },
    { reason: text, networkReason: text, userUrl: ref('UserUrl') },
  ),
  Network: object({ networkId: text }, { ledgerApi: uri, accessToken: ref('AccessToken') }),
  Session: object({ accessToken: ref('AccessToken'), userId: text }),
  StatusEvent: object(
    { provider: ref('Provider'), connection: ref('ConnectResult') },
    { network: ref('Network'), session: ref('Session') },
  ),
  Wallet: object(walletMembers, laterWalletMembers),
  ListAccountsResult: list(ref('Wallet')),
  AccountsChangedEvent: list(ref('Wallet')),
  /** NOTE: clients also send a list, as the Ledger API has it. */
  JsCommands: anyObject,
  DisclosedContract: object(
    { createdEventBlob: text },
    { templateId: text, contractId: text, synchronizerId: text },
  ),
  JsPrepareSubmissionRequest: object(
    { commands: ref('JsCommands') },
    {
      commandId: ref('CommandId'),
      actAs: list(text),
      readAs: list(text),
      disclosedContracts: list(ref('DisclosedContract')),
      synchronizerId: text,
      packageIdSelectionPreference: list(text),
    },
  ),
  LedgerApiRequest: object(
    { requestMethod: oneOf('get', 'post', 'patch', 'put', 'delete'), resource: text },
    { body: anyObject, query: anyObject, path: anyObject },
  ),
  LedgerApiResult: anyObject,
  SignMessageRequest: object({ message: text }),
  SignMessageResult: object({ signature: text }),
  TxChangedPendingEvent: txChanged('pending'),
  TxChangedSignedPayload: object({ signature: text, signedBy: text, party: text }),
  TxChangedSignedEvent: txChanged('signed', 'TxChangedSignedPayload'),
  TxChangedExecutedPayload: object({ updateId: text, completionOffset: { type: 'integer' } }),
  TxChangedExecutedEvent: txChanged('executed', 'TxChangedExecutedPayload'),
  TxChangedFailedEvent: txChanged('failed'),
  TxChangedEvent: {
    oneOf: [
      ref('TxChangedPendingEvent'),
      ref('TxChangedSignedEvent'),
      ref('TxChangedExecutedEvent'),
      ref('TxChangedFailedEvent'),
    ],
  },
};

const before = {
  status: {
    description: 'The provider, its connection, and the network and session if there are any.',
    result: ref('StatusEvent'),
  },
  connect: {
    description: 'Connects, or names the page where the user logs in.',
    result: ref('ConnectResult'),
  },
  disconnect: { description: 'Ends the session.', result: ref('Null') },
  isConnected: {
    description: 'Whether there is a session and a network, without a change.',
    result: ref('ConnectResult'),
  },
  getActiveNetwork: { description: 'The network of the session.', result: ref('Network') },
} satisfies RpcMethods;

const signing = {
  signMessage: {
    description: 'Signs a text with the key of the primary wallet.',
    params: ref('SignMessageRequest'),
    result: ref('SignMessageResult'),
  },
  ledgerApi: {
    description: 'Sends a request to the JSON Ledger API with the token of the session.',
    params: ref('LedgerApiRequest'),
    result: ref('LedgerApiResult'),
  },
} satisfies RpcMethods;

const accounts = {
  accountsChanged: {
    description: 'An event: the wallets after a change.',
    result: ref('AccountsChangedEvent'),
  },
  getPrimaryAccount: { description: 'The primary wallet.', result: ref('Wallet') },
  listAccounts: {
    description: 'The wallets of the network of the session.',
    result: ref('ListAccountsResult'),
  },
  txChanged: {
    description: 'An event: a transaction has another status.',
    result: ref('TxChangedEvent'),
  },
} satisfies RpcMethods;

/** The API of the gateway. */
export const REMOTE_DAPP_API = {
  title: 'dApp API of the Wallet Gateway',
  version: '0.1.0',
  methods: {
    ...before,
    prepareExecute: {
      description: 'Prepares a transaction, and names the page where the user approves it.',
      params: ref('JsPrepareSubmissionRequest'),
      result: object({ userUrl: ref('UserUrl') }),
    },
    ...signing,
    connected: {
      description: 'An event: the user has connected to a network.',
      result: ref('StatusEvent'),
    },
    onStatusChanged: {
      description: 'An event, whose name on the stream is statusChanged.',
      result: ref('StatusEvent'),
    },
    ...accounts,
    // Its wallet is that of the user API.
    getPrimaryAccount: { ...accounts.getPrimaryAccount, result: ref('UserWallet') },
  },
  schemas: { ...dappSchemas, UserWallet: userWallet },
} as const satisfies RpcApi<DappMethod>;

/** The API of a provider in the page. */
export const DAPP_API = {
  title: 'dApp API of a wallet provider',
  version: '0.5.0',
  methods: {
    ...before,
    prepareExecute: {
      description: 'Prepares a transaction, and asks the user to approve it.',
      params: ref('JsPrepareSubmissionRequest'),
      result: ref('Null'),
    },
    prepareExecuteAndWait: {
      description: 'The same, and waits until the transaction is executed.',
      params: ref('JsPrepareSubmissionRequest'),
      result: object({ tx: ref('TxChangedExecutedEvent') }),
    },
    ...signing,
    ...accounts,
  },
  schemas: dappSchemas,
} as const satisfies RpcApi;
