/** The methods that a dApp calls, one function each. */
import type { DappMethod } from '../../spec/wallet-gateway/index.js';
import type { Caller, GatewayCore } from './gateway-core.js';
import type { WalletRequests } from './wallet-requests.js';
import { filledPath } from './ledger-port.js';
import type { PrepareRequest } from './records.js';
import { connectionOf, removeSession, statusOf } from './sessions.js';

export interface MethodContext {
  readonly core: GatewayCore;
  readonly requests: WalletRequests;
  readonly caller: Caller;
}

/** A method. Its parameters have the form of its document. */
export type Method = (context: MethodContext, params: never) => unknown;

interface LedgerApiRequest {
  readonly requestMethod: string;
  readonly resource: string;
  readonly body?: unknown;
  readonly query?: unknown;
  readonly path?: unknown;
}

/** The document lists events as methods. */
const onlyForEvents = (): never => {
  throw new Error('Only for events.');
};

export const dappMethods = {
  status: ({ core, caller }) => statusOf(core, caller),
  connect: ({ core, caller }) => connectionOf(core, caller, true),
  isConnected: ({ core, caller }) => connectionOf(core, caller, false),

  async disconnect({ core, caller }) {
    const user = await core.userOf(caller);
    if (user !== undefined) removeSession(core, caller, user.userId, 'disconnect');
    return null;
  },

  async getActiveNetwork({ core, caller }) {
    const { userId, accessToken } = await core.requireUser(caller);
    const network = core.store.networkOf(userId);
    return { networkId: network.id, ledgerApi: core.ledgerUrl(network, caller), accessToken };
  },

  async prepareExecute({ core, requests, caller }, params: PrepareRequest) {
    const user = await core.requireUser(caller);
    const { id, commandId } = await requests.prepare(user, caller, params);
    const query = `transactionId=${id}&commandId=${encodeURIComponent(commandId)}`;
    return { userUrl: `${caller.root}/approve/index.html?${query}&closeafteraction` };
  },

  async signMessage({ core, requests, caller }, { message }: { readonly message: string }) {
    const user = await core.requireUser(caller);
    return { signature: await requests.signMessage(user, caller, message) };
  },

  async ledgerApi({ core, caller }, params: LedgerApiRequest) {
    const { userId, accessToken } = await core.requireUser(caller);
    const ledger = core.ledgerOf(core.store.networkOf(userId), accessToken);
    const { requestMethod, resource, body, query, path } = params;
    const target = filledPath(resource, path, query);
    if (requestMethod === 'get') return ledger.get(target);
    if (requestMethod === 'post') return ledger.post(target, body);
    throw new Error(`Unsupported request method: ${requestMethod}`);
  },

  async getPrimaryAccount({ core, caller }) {
    const { userId } = await core.requireUser(caller);
    const wallet = core.store.primaryWallet(userId);
    if (wallet === undefined) throw new Error('No primary wallet found');
    return wallet;
  },

  async listAccounts({ core, caller }) {
    return core.store.walletsOf((await core.requireUser(caller)).userId);
  },

  connected: onlyForEvents,
  onStatusChanged: onlyForEvents,
  accountsChanged: onlyForEvents,
  txChanged: onlyForEvents,
} as const satisfies Readonly<Record<DappMethod, Method>>;
