/**
 * A wallet in the page of a dApp under test: a CIP-0103 provider that pages discover, and whose calls a Wallet Gateway of Canticle
 * answers. For jsdom, happy-dom, Storybook and real browsers: it needs no Node.
 *
 * @module
 */
export type { Discovery } from './announce.js';
export { installWallet, type Wallet, type WalletOptions } from './install.js';
export type { InstanceWithGateway } from './in-process-link.js';
export type { Provider } from './provider.js';
export { RpcError, type RpcErrorBody } from './rpc-error.js';
export type {
  Account,
  ConnectResult,
  ExecutedEvent,
  LedgerApiParams,
  PrepareExecuteParams,
  TxChangedEvent,
  WalletMethods,
  WalletNetwork,
  WalletStatus,
} from './methods.js';
