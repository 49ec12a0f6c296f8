/**
 * The names of the gateway's methods, and of its operations in fault rules. The schemas are in other files, which only a
 * gateway loads.
 */

export const DAPP_METHODS = [
  'status',
  'connect',
  'disconnect',
  'isConnected',
  'getActiveNetwork',
  'prepareExecute',
  'signMessage',
  'ledgerApi',
  'connected',
  'onStatusChanged',
  'accountsChanged',
  'getPrimaryAccount',
  'listAccounts',
  'txChanged',
] as const;

export const USER_METHODS = [
  'addNetwork',
  'removeNetwork',
  'listNetworks',
  'addIdp',
  'removeIdp',
  'listIdps',
  'createWallet',
  'allocatePartyForWallet',
  'setPrimaryWallet',
  'removeWallet',
  'listWallets',
  'syncWallets',
  'isWalletSyncNeeded',
  'sign',
  'execute',
  'addSession',
  'removeSession',
  'listSessions',
  'getTransaction',
  'listTransactions',
  'deleteTransaction',
  'getUser',
] as const;

export type DappMethod = (typeof DAPP_METHODS)[number];
export type UserMethod = (typeof USER_METHODS)[number];

/** A method of the Wallet Gateway, or its stream of events. */
export type GatewayOperation = `DappApi/${DappMethod | 'events'}` | `UserApi/${UserMethod}`;

export const GATEWAY_OPERATIONS: readonly GatewayOperation[] = [
  ...DAPP_METHODS.map((name) => `DappApi/${name}` as const),
  'DappApi/events',
  ...USER_METHODS.map((name) => `UserApi/${name}` as const),
];
