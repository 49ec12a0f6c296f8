/** The test's control of the wallet. */
import { isJsonObject } from '../../daml/model/own-members.js';
import { durationOf, type Duration } from '../../network/model/time-texts.js';
import type {
  ApproveOptions,
  DecidedRequest,
  RejectOptions,
  WalletAccount,
  WalletControl,
  WalletRequest,
  WalletSession,
} from '../wallet-control.js';
import type { WalletSettings } from '../../wallet/dapp-wallet.js';
import type { User } from './gateway-core.js';
import type { Wallet } from './records.js';
import { addSession, emitStatusOf, moveSession, removeSession } from './sessions.js';
import type { WalletGateway } from './wallet-gateway.js';
import { actionsOf, type WalletRequestInfo } from './wallet-requests.js';
import { chooseAccount } from './wallets.js';

export class GatewayControl implements WalletControl {
  /** @internal The gateway itself. NOTE: not public, may change at any time. */
  readonly gateway: WalletGateway;

  constructor(gateway: WalletGateway) {
    this.gateway = gateway;
    this.core.wallet.session = this;
  }

  /** @internal A scenario gave an order. The next call has its error. */
  ordered(): void {
    this.gateway.carryOut();
  }

  get mode(): WalletSettings['mode'] {
    return this.core.settings.mode;
  }

  set mode(mode: WalletSettings['mode']) {
    this.set({ mode });
  }

  get delay(): bigint {
    return this.core.settings.delay;
  }

  set delay(delay: Duration) {
    this.set({ delay: durationOf(delay) });
  }

  get fail(): string | undefined {
    return this.core.settings.fail;
  }

  set fail(fail: string | undefined) {
    this.set({ fail });
  }

  get failedEvents(): boolean {
    return this.core.settings.failedEvents;
  }

  set failedEvents(failedEvents: boolean) {
    this.set({ failedEvents });
  }

  get replayEvents(): boolean {
    return this.core.settings.replayEvents;
  }

  set replayEvents(replayEvents: boolean) {
    this.set({ replayEvents });
  }

  get isLocked(): boolean {
    return this.core.settings.isLocked;
  }

  get pending(): readonly WalletRequest[] {
    return this.gateway.requests.pending.map(shown);
  }

  get session(): WalletSession | undefined {
    const { session, start } = this.core;
    if (session === undefined) return undefined;
    const { userId } = start;
    const { id, accessToken: token, network } = session;
    return { id, user: userId, token, network };
  }

  get wallets(): readonly WalletAccount[] {
    const { store, start } = this.core;
    if (this.session === undefined) return [];
    return store.walletsOf(start.userId).map(account);
  }

  async approve(options: ApproveOptions = {}): Promise<DecidedRequest> {
    const decided = await this.gateway.requests.approve(options);
    const { updateId, completionOffset, signature } = decided;
    return {
      ...shown(decided),
      ...(updateId !== undefined && { updateId }),
      ...(completionOffset !== undefined && { completionOffset }),
      ...(signature !== undefined && { signature }),
    };
  }

  async reject(options: RejectOptions = {}): Promise<WalletRequest> {
    return shown(await this.gateway.requests.reject(options));
  }

  async request(): Promise<WalletRequest> {
    return shown(await this.gateway.requests.awaited());
  }

  listen(
    listener: (name: string, args: readonly unknown[]) => void,
    ended?: () => void,
  ): () => void {
    const { events, start } = this.core;
    return events.subscribe(start.userId, ({ name, args }) => listener(name, args), ended);
  }

  async connect(): Promise<WalletSession> {
    const { ports, start, store } = this.core;
    const token = await ports.tokenOf(start.userId);
    if (token === undefined)
      throw new Error(
        `The wallet cannot sign a token of ${start.userId}: its key belongs to another issuer.`,
      );
    const network = store.sessions.get(start.userId)?.network ?? start.networks[0]!.id;
    await addSession(this.core, { token, root: this.root }, network);
    return this.session!;
  }

  async as(party: string): Promise<WalletAccount> {
    const user = await this.user();
    return account(await chooseAccount(this.core, user, party));
  }

  lock(): void {
    if (this.isLocked) return;
    this.set({ isLocked: true });
    this.core.emitDisconnected(this.core.start.userId, this.caller, 'locked');
  }

  async unlock(): Promise<void> {
    if (!this.isLocked) return;
    this.set({ isLocked: false });
    await emitStatusOf(this.core, this.caller);
  }

  async network(id: string): Promise<void> {
    await moveSession(this.core, await this.user(), id, this.root);
  }

  disconnect(): void {
    if (this.session === undefined) return;
    removeSession(this.core, this.caller, this.core.start.userId, 'removed session');
  }

  dropSession(): void {
    const { store, start, events } = this.core;
    store.sessions.delete(start.userId);
    events.end(start.userId);
  }

  private get core() {
    return this.gateway.core;
  }

  /** The address at which the last caller found the gateway. */
  private get root(): string {
    return this.gateway.root;
  }

  private get caller() {
    return { root: this.root, token: this.session?.token };
  }

  private set(settings: Partial<WalletSettings>): void {
    this.core.settings = { ...this.core.settings, ...settings };
  }

  /** The wallet's user. Logs it in if it has no session. */
  private async user(): Promise<User> {
    await this.gateway.settled();
    const { token, user } = this.session ?? (await this.connect());
    return { userId: user, accessToken: token };
  }
}

const account = ({ partyId, hint, primary, signingProviderId }: Wallet): WalletAccount => ({
  partyId,
  hint,
  primary,
  signingProviderId,
});

function shown(info: WalletRequestInfo): WalletRequest {
  const { id, kind, commandId, party, userId, origin, request, message } = info;
  return {
    id,
    kind,
    ...(commandId !== undefined && { commandId }),
    party,
    user: userId,
    ...(origin !== undefined && { origin }),
    actions: actionsOf(request?.commands),
    ...(request !== undefined && isJsonObject(request) && { request }),
    ...(message !== undefined && { message }),
  };
}
