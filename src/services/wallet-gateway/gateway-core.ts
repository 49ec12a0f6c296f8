/** The parts of the gateway that its methods share: its state, its ledgers, and the users that call it. */
import { lazy } from '../../daml/errors/lazy.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SimulatedStep } from '../../network/simulation/simulation-types.js';
import type { Network } from '../../network/network.js';
import type { DappWallet, WalletSettings } from '../../wallet/dapp-wallet.js';
import { parseJwt } from '../authorization/jwt.js';
import { Events } from './events.js';
import { WalletKeys } from './keys.js';
import { LedgerCalls, type LedgerPort } from './ledger-port.js';
import type { GatewayNetwork, Idp, NetworkAuth } from './records.js';
import { unauthorized } from './rpc-error.js';
import { GatewayStore } from './store.js';
import type * as Timers from '../faults/delays.js';

const timers = lazy(() => require('../faults/delays.js') as typeof Timers);

/** The gateway's view of its instance. */
export interface GatewayPorts {
  readonly network: Network;
  /** The participant at the address of a network; that of this instance without an address. */
  ledgerAt(url: string | undefined): LedgerPort;
  /** The address of the own participant, for clients. @param root the address at which the client found the gateway */
  ledgerUrl(root: string): string;
  /** A token of a user; undefined if this instance cannot sign one. */
  tokenOf(userId: string): Promise<string | undefined>;
  /** Simulates a submission, and commits nothing. Undefined if it cannot be simulated. */
  simulate(submission: object): SimulatedStep | undefined;
  /** Whether a token of an identity provider with its own keys is valid. */
  isValid(token: string): Promise<boolean>;
}

/** The networks and identity providers from the start, and the user. */
export interface GatewayStart {
  readonly idps: readonly Idp[];
  readonly networks: readonly GatewayNetwork[];
  /** The user whose wallets the gateway keeps, and its administrator. */
  readonly userId: string;
  /** Hints of the parties for which the first session creates wallets. */
  readonly wallets: readonly string[];
}

/** The caller of a method. */
export interface Caller {
  /** The bearer token, without the scheme. */
  readonly token?: string | undefined;
  /** The page that calls. */
  readonly origin?: string | undefined;
  /** The address at which the client found the gateway, without a slash at its end. */
  readonly root: string;
}

/** A caller with a valid token. */
export interface User {
  readonly userId: string;
  readonly accessToken: string;
}

/** The release of the gateway whose behaviour this is. */
export const GATEWAY_VERSION = '1.1.0';
const PROVIDER_ID = 'canticle';

export class GatewayCore {
  readonly store: GatewayStore;
  readonly keys: WalletKeys;
  readonly events: Events;

  constructor(
    readonly ports: GatewayPorts,
    readonly start: GatewayStart,
    readonly wallet: DappWallet,
  ) {
    const { journal, random } = ports.network;
    this.store = new GatewayStore(journal, random);
    this.keys = new WalletKeys(random, this.store);
    this.events = new Events(journal);
    // A saved world may have changed them.
    for (const idp of start.idps)
      if (this.store.idps.get(idp.id) === undefined) this.store.idps.set(idp.id, idp);
    for (const network of start.networks)
      if (this.store.networks.get(network.id) === undefined)
        this.store.networks.set(network.id, network);
  }

  get settings(): WalletSettings {
    return this.wallet.settings;
  }

  set settings(settings: WalletSettings) {
    this.wallet.settings = settings;
  }

  /** The time of the network, as the gateway writes times: RFC 3339, UTC, milliseconds. */
  get time(): string {
    return new Date(Number(this.now / 1000n)).toISOString();
  }

  get now(): Timestamp {
    return this.ports.network.clock.now();
  }

  /**
   * The user of a token. NOTE: like the gateway, it does not check the signature of a token that users sign
   * themselves: the participant does.
   * @returns undefined without a valid token
   */
  async userOf({ token }: Pick<Caller, 'token'>): Promise<User | undefined> {
    if (token === undefined || this.settings.isLocked) return undefined;
    const claims = claimsOf(token);
    const idp = this.store.idps.all().find(({ issuer }) => issuer === claims['iss']);
    const { sub, scope } = claims;
    if (idp === undefined || !scope || typeof sub !== 'string' || sub === '') return undefined;
    if (idp.type === 'oauth' && !(await this.ports.isValid(token))) return undefined;
    return { userId: sub, accessToken: token };
  }

  /** @throws RpcError without a valid token */
  async requireUser(caller: Pick<Caller, 'token'>): Promise<User> {
    const user = await this.userOf(caller);
    if (user === undefined) throw unauthorized();
    return user;
  }

  /** The session of the wallet's user. */
  get session() {
    return this.store.sessions.get(this.start.userId);
  }

  isAdmin(userId: string): boolean {
    return userId === this.start.userId;
  }

  /** The participant of a network, with the token of a user. */
  ledgerOf(network: GatewayNetwork, token: string | undefined): LedgerCalls {
    return new LedgerCalls(this.ports.ledgerAt(network.ledgerApi), token);
  }

  /** The participant, with the token of the administrator of a network. @throws Error if it has none */
  async adminOf(network: GatewayNetwork): Promise<LedgerCalls> {
    const { adminAuth } = network;
    if (adminAuth === undefined) throw new Error('No admin auth configured');
    return this.ledgerOf(network, await this.ports.tokenOf(adminAuth.clientId));
  }

  ledgerUrl(network: GatewayNetwork, { root }: Pick<Caller, 'root'>): string {
    return network.ledgerApi ?? this.ports.ledgerUrl(root);
  }

  async synchronizerOf(network: GatewayNetwork, ledger: LedgerCalls): Promise<string> {
    return network.synchronizerId ?? ledger.synchronizerId();
  }

  provider({ root }: Pick<Caller, 'root'>) {
    return {
      id: PROVIDER_ID,
      version: GATEWAY_VERSION,
      providerType: 'remote',
      url: `${root}${DAPP_PATH}`,
      userUrl: loginUrl(root),
    };
  }

  emitAccounts(userId: string): void {
    this.events.emit(userId, 'accountsChanged', this.store.walletsOf(userId));
  }

  /** Emits that the user is not connected. */
  emitDisconnected(userId: string, caller: Pick<Caller, 'root'>, networkReason: string): void {
    this.events.emit(userId, 'statusChanged', {
      provider: this.provider(caller),
      connection: {
        isConnected: false,
        reason: 'disconnect',
        isNetworkConnected: false,
        networkReason,
      },
    });
  }

  /** Calls a function after a time of this machine, so that a client can read its answer before. */
  later(milliseconds: number, then: () => void): void {
    void timers().pause(milliseconds).then(then);
  }
}

export const DAPP_PATH = '/api/v0/dapp';
export const USER_PATH = '/api/v0/user';

export const loginUrl = (root: string): string => `${root}/login/`;

/** The claims of a token; none if it is not a token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const { payload } = parseJwt(token);
    return isJsonObject(payload) ? payload : {};
  } catch {
    return {};
  }
}

/** How users of the own network get tokens: they sign them with the secret that LocalNet uses. */
export const selfSigned = (clientId: string, audience: string): NetworkAuth => ({
  method: 'self_signed',
  issuer: 'self-signed',
  audience,
  scope: SCOPE,
  clientId,
  clientSecret: 'unsafe',
});

export const SCOPE = 'openid daml_ledger_api offline_access';
