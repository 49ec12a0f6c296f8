/** The Wallet Gateway: its methods, the schemas of their messages, and its documents. */
export { paramsError } from './check-params.js';
export { REMOTE_DAPP_API } from './dapp-api.js';
export { OPENRPC_DOCUMENTS, openRpcDocument } from './documents.js';
export type { RpcApi } from './method.js';
export type { DappMethod, UserMethod } from './operations.js';
export { USER_API } from './user-api.js';
