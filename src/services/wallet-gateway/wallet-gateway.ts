/**
 * The Wallet Gateway without a transport: it answers methods of its two APIs, and emits events. Requests over HTTP, in
 * this process and of a provider in a page use the same object.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import {
  paramsError,
  REMOTE_DAPP_API,
  USER_API,
  type RpcApi,
} from '../../spec/wallet-gateway/index.js';
import type { DappWallet } from '../../wallet/dapp-wallet.js';
import { dappMethods, type Method } from './dapp-methods.js';
import { GatewayCore, type Caller, type GatewayPorts, type GatewayStart } from './gateway-core.js';
import { RPC_CODES, RpcError } from './rpc-error.js';
import { carryOutOrders } from './sessions.js';
import { userMethods } from './user-methods.js';
import { WalletRequests } from './wallet-requests.js';

/** The API of the dApp, and that of the user's pages. */
export type GatewayApi = 'dapp' | 'user';

const APIS: Readonly<
  Record<GatewayApi, { readonly api: RpcApi; readonly methods: Readonly<Record<string, Method>> }>
> = {
  dapp: { api: REMOTE_DAPP_API, methods: dappMethods },
  user: { api: USER_API, methods: userMethods },
};

/** The methods of the user API for which a caller needs no session. */
const WITHOUT_SESSION: ReadonlySet<string> = new Set([
  'addSession',
  'listNetworks',
  'listIdps',
  'getUser',
]);

/** The address in events that the test causes, if the wallet has had no caller yet. */
const NO_ROOT = 'http://localhost';

export class WalletGateway {
  readonly core: GatewayCore;
  readonly requests: WalletRequests;
  /** The address at which the last caller found the gateway. It is not part of the state. */
  lastRoot: string | undefined;
  private carrying: Promise<void> | undefined;
  /** The error of an order that no caller has seen. */
  private failed: unknown;

  constructor(ports: GatewayPorts, start: GatewayStart, wallet: DappWallet) {
    this.core = new GatewayCore(ports, start, wallet);
    this.requests = new WalletRequests(this.core);
  }

  /** Begins to carry out the orders of scenarios, if there is a session. */
  carryOut(): void {
    const { core } = this;
    if (!core.wallet.hasOrders || core.session === undefined) return;
    this.carrying ??= carryOutOrders(core, this.root)
      .catch((error: unknown) => {
        this.failed = error;
      })
      .finally(() => {
        this.carrying = undefined;
      });
  }

  /** Waits until the orders are carried out. @throws the error of one, once */
  async settled(): Promise<void> {
    this.carryOut();
    while (this.carrying !== undefined) {
      await this.carrying;
      this.carryOut();
    }
    const { failed } = this;
    this.failed = undefined;
    if (failed !== undefined) throw failed;
  }

  /** The address at which the last caller found the gateway. */
  get root(): string {
    return this.lastRoot ?? NO_ROOT;
  }

  /** Whether an API has a method. */
  has(api: GatewayApi, method: string): boolean {
    return Object.hasOwn(APIS[api].methods, method);
  }

  /**
   * Why the caller may not call a method: there is no token, or no session.
   * @returns undefined if it may
   */
  async refusal(
    api: GatewayApi,
    method: unknown,
    caller: Caller,
  ): Promise<'no token' | 'no session' | undefined> {
    if (api === 'dapp' || WITHOUT_SESSION.has(String(method))) return undefined;
    const user = await this.core.userOf(caller);
    if (user === undefined) return 'no token';
    return this.core.store.sessions.get(user.userId) === undefined ? 'no session' : undefined;
  }

  /**
   * Calls a method.
   * @param params one object
   * @throws RpcError for an unknown method, invalid parameters or a missing token; LedgerRefused with the error of the
   *   participant; Error
   */
  async call(api: GatewayApi, name: string, params: unknown, caller: Caller): Promise<unknown> {
    const { api: described, methods } = APIS[api];
    if (!this.has(api, name))
      throw new RpcError(RPC_CODES.methodNotFound, `Method ${name} not found`);
    const error = paramsError(described, name, params);
    if (error !== undefined)
      throw new RpcError(RPC_CODES.invalidParams, `Invalid parameters of ${name}: ${error}.`);
    this.lastRoot = caller.root;
    await this.settled();
    const { core, requests } = this;
    const given = isJsonObject(params) ? params : {};
    return methods[name]!({ core, requests, caller }, given as never);
  }
}
