/**
 * The requests that wait for the user's decision, and the decisions: of the user page, of the test, or of the wallet
 * itself. The wallet decides only after the dApp has its answer, so that the dApp can listen for events.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import { durationOf } from '../../network/model/time-texts.js';
import type { ApproveOptions, RejectOptions } from '../wallet-control.js';
import type { Caller, GatewayCore, User } from './gateway-core.js';
import type { GatewayTransaction, PrepareRequest } from './records.js';
import { rejectedByUser, unauthorized } from './rpc-error.js';
import type { MessageToSign } from './store.js';
import {
  deleteTransaction,
  emitFailure,
  executeTransaction,
  failIfTold,
  prepareTransaction,
  signTransaction,
} from './transactions.js';

/** A request of a dApp that waits for a decision. */
export interface WalletRequestInfo {
  /** A UUID: the transaction's id, or the message's. */
  readonly id: string;
  readonly kind: 'transaction' | 'message';
  readonly commandId?: string;
  /** The party that signs. */
  readonly party: string;
  readonly userId: string;
  /** The origin of the page that asks. */
  readonly origin?: string;
  /** The parameters of `prepareExecute`. */
  readonly request?: PrepareRequest;
  /** The text to sign. */
  readonly message?: string;
}

/** The decision of the wallet, with the answer of the participant. */
export interface Decided extends WalletRequestInfo {
  readonly updateId?: string;
  readonly completionOffset?: number;
  /** Base64, of a message. */
  readonly signature?: string;
}

/** Milliseconds of this machine that a dApp has to listen for events, unless it opens the page of the request. */
const LISTENING_TIME_MS = 50;

interface Settled {
  readonly resolve: (signature: string) => void;
  readonly reject: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (request: WalletRequestInfo) => void;
  readonly reject: (error: Error) => void;
  /** Whether a client of the controls waits for its answer. */
  readonly isOfClient: boolean;
}

export class WalletRequests {
  /** Dapps that wait for the signature of a message, by its id. */
  private readonly signing = new Map<string, Settled>();
  /** Tests that wait for the next request. */
  private waiting: Waiting[] = [];
  /** Decisions that start when the page of the request is opened, or after a while. */
  private readonly ready = new Map<string, () => Promise<unknown>>();

  constructor(private readonly core: GatewayCore) {
    const { network } = core.ports;
    network.clock.onJump(() => this.decideDue());
    network.onRevert(() => this.abandon());
  }

  /** The requests that wait for a decision, oldest first. */
  get pending(): readonly WalletRequestInfo[] {
    const { transactions, messages } = this.core.store;
    return [
      ...transactions
        .all()
        .filter(({ status, isDecided }) => status === 'pending' && isDecided !== true)
        .map(ofTransaction),
      ...messages.all().map(ofMessage),
    ];
  }

  /** A request that waits, or that failed after the wallet had decided. */
  find(id: string): WalletRequestInfo | undefined {
    const transaction = this.core.store.transactions.get(id);
    if (transaction?.status === 'pending' || transaction?.status === 'signed')
      return ofTransaction(transaction);
    const message = this.core.store.messages.get(id);
    return message && ofMessage(message);
  }

  async prepare(user: User, caller: Caller, params: PrepareRequest): Promise<GatewayTransaction> {
    const transaction = await prepareTransaction(this.core, user, caller, params);
    this.arrived(ofTransaction(transaction));
    return transaction;
  }

  /** @returns base64 of the signature of its UTF-8 bytes, when the wallet has decided */
  async signMessage(user: User, { origin }: Caller, message: string): Promise<string> {
    const { store } = this.core;
    const wallet = store.primaryWallet(user.userId);
    if (wallet === undefined) throw new Error('No primary wallet found');
    if (wallet.signingProviderId === 'participant')
      throw new Error(`The participant signs no messages for ${wallet.partyId}.`);
    const id = store.newId();
    const stored: MessageToSign = {
      id,
      userId: user.userId,
      partyId: wallet.partyId,
      message,
      ...(origin !== undefined && { origin }),
    };
    store.messages.set(id, stored);
    const signature = new Promise<string>((resolve, reject) =>
      this.signing.set(id, { resolve, reject }),
    );
    this.arrived(ofMessage(stored));
    return signature;
  }

  /** The page of the request was opened, so that the dApp listens by now. Resolves when the wallet has decided, if it does. */
  async opened(id: string): Promise<void> {
    await this.ready.get(id)?.();
  }

  /** Waits for a request if there is none. @throws Error for an unknown id, or of the execution */
  async approve(options: ApproveOptions = {}): Promise<Decided> {
    // Decides at once, before an automatic decision.
    const waiting = this.chosen(options);
    return this.approved(waiting ?? (await this.next(options.signal)), options);
  }

  /** Waits for a request if there is none. @throws Error for an unknown id */
  async reject(options: RejectOptions = {}): Promise<WalletRequestInfo> {
    return this.rejected(this.chosen(options) ?? (await this.next(options.signal)));
  }

  /** The oldest request that waits, or else the next one. */
  async awaited(): Promise<WalletRequestInfo> {
    return this.chosen({}) ?? this.next(undefined);
  }

  /** Ends the waits of tests and dApps, because the state has changed or the gateway closes. */
  abandon(): void {
    const withdrawn = new Error('The wallet has closed, or its state was reverted.');
    for (const { reject } of this.signing.values()) reject(withdrawn);
    // A wait of a test that is over has no one to tell.
    for (const { reject, isOfClient } of this.waiting) if (isOfClient) reject(withdrawn);
    this.signing.clear();
    this.waiting = [];
    this.ready.clear();
  }

  /** @returns undefined if no request waits */
  private chosen({ id }: RejectOptions): WalletRequestInfo | undefined {
    if (id === undefined) return this.pending[0];
    const found = this.find(id);
    if (found === undefined) throw new Error(`No request with the id ${id} waits for a decision.`);
    return found;
  }

  private next(signal: AbortSignal | undefined): Promise<WalletRequestInfo> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { resolve, reject, isOfClient: signal !== undefined };
      this.waiting.push(waiting);
      const leave = (): void => {
        this.waiting = this.waiting.filter((each) => each !== waiting);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private arrived(request: WalletRequestInfo): void {
    const { mode, delay } = this.core.settings;
    const [test] = this.waiting;
    if (test !== undefined) {
      this.waiting = this.waiting.slice(1);
      return this.soon(request.id, async () => test.resolve(request));
    }
    if (mode === 'ask') return;
    if (delay === 0n) return this.soon(request.id, () => this.decide(request));
    const due = this.core.now + delay;
    this.core.store.due.set(request.id, due);
    this.core.ports.network.clock.onTime(due, () => this.decideDue());
  }

  private soon(id: string, then: () => Promise<unknown>): void {
    let decision: Promise<unknown> | undefined;
    const once = (): Promise<unknown> => {
      decision ??= then().finally(() => this.ready.get(id) === once && this.ready.delete(id));
      return decision;
    };
    this.ready.set(id, once);
    this.core.later(LISTENING_TIME_MS, () => {
      // A later request with the same id, after a revert, has its own time.
      if (this.ready.get(id) === once) void once();
    });
  }

  private decideDue(): void {
    const { store, now } = this.core;
    for (const request of this.pending) {
      const due = store.due.get(request.id);
      if (due === undefined || due > now) continue;
      store.due.delete(request.id);
      void this.decide(request);
    }
  }

  /** The automatic decision of the wallet. An error stays in the wallet: the dApp does not see it. */
  private async decide({ id }: WalletRequestInfo): Promise<void> {
    // The test or the user may have decided meanwhile.
    const request = this.pending.find((each) => each.id === id);
    if (request === undefined) return;
    const { mode } = this.core.settings;
    const decision = mode === 'reject' ? this.rejected(request) : this.approved(request, {});
    await decision.catch(() => undefined);
  }

  private async approved(
    request: WalletRequestInfo,
    { after, loseAnswer = false }: ApproveOptions,
  ): Promise<Decided> {
    const { core } = this;
    core.store.due.delete(request.id);
    if (after !== undefined) core.ports.network.clock.advance(durationOf(after));
    if (request.kind === 'message') return { ...request, signature: this.signed(request.id) };
    const user = this.userOf(request);
    const { id: transactionId, party: partyId } = request;
    core.store.updateTransaction(transactionId, { isDecided: true });
    const { signature, signedBy } = this.signedBy(request, { transactionId, partyId });
    const result = await executeTransaction(
      core,
      user,
      { transactionId, partyId, signature, signedBy },
      loseAnswer,
    );
    return { ...request, ...result };
  }

  private signedBy(request: WalletRequestInfo, ids: Parameters<typeof signTransaction>[2]) {
    const { commandId = '' } = request;
    const user = this.userOf(request);
    try {
      return signTransaction(this.core, user, ids);
    } catch (error) {
      emitFailure(this.core, { ...user, commandId }, error);
      throw error;
    }
  }

  private signed(id: string): string {
    const { store, keys } = this.core;
    const { userId, partyId, message } = store.messages.get(id)!;
    const wallet = store.walletsOf(userId).find((each) => each.partyId === partyId);
    const settled = this.signing.get(id);
    try {
      failIfTold(this.core);
      if (wallet === undefined) throw new Error('No primary wallet found');
      const signature = keys.sign(wallet.publicKey, Buffer.from(message));
      settled?.resolve(signature);
      return signature;
    } catch (error) {
      settled?.reject(error as Error);
      throw error;
    } finally {
      this.forget(id);
    }
  }

  private async rejected(request: WalletRequestInfo): Promise<WalletRequestInfo> {
    this.core.store.due.delete(request.id);
    if (request.kind === 'transaction') {
      deleteTransaction(this.core, this.userOf(request), request.id);
      return request;
    }
    this.signing.get(request.id)?.reject(rejectedByUser());
    this.forget(request.id);
    return request;
  }

  private forget(id: string): void {
    this.signing.delete(id);
    this.core.store.messages.delete(id);
  }

  /** The user whose session asked. @throws RpcError if the session has ended */
  private userOf({ userId }: WalletRequestInfo): User {
    const session = this.core.store.sessions.get(userId);
    if (session === undefined) throw unauthorized();
    return { userId, accessToken: session.accessToken };
  }
}

const ofTransaction = (given: GatewayTransaction): WalletRequestInfo => ({
  id: given.id,
  kind: 'transaction',
  commandId: given.commandId,
  party: given.partyId,
  userId: given.userId,
  ...(given.origin !== undefined && { origin: given.origin }),
  request: given.request,
});

const ofMessage = ({ id, partyId, userId, origin, message }: MessageToSign): WalletRequestInfo => ({
  id,
  kind: 'message',
  party: partyId,
  userId,
  ...(origin !== undefined && { origin }),
  message,
});

/** The names of the exercised choices and created templates of commands, in order. */
export function actionsOf(commands: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(commands) ? commands : [commands];
  return list.flatMap((each) =>
    isJsonObject(each) ? Object.entries(each).map(([kind, body]) => actionOf(kind, body)) : [],
  );
}

function actionOf(kind: string, body: unknown): string {
  const members = isJsonObject(body) ? body : {};
  const name =
    members['choice'] ??
    String(members['templateId'] ?? kind)
      .split(':')
      .at(-1);
  return String(name);
}
