/** The CIP-0103 provider of a wallet, in the page of the dApp. A Wallet Gateway answers its calls. */
import { Emitter, type Listener } from './emitter.js';
import { GatewayClient } from './gateway-client.js';
import type { GatewayLink } from './gateway-link.js';
import type { ExecutedEvent, TxChangedEvent, WalletMethods } from './methods.js';
import { RpcError, type RpcErrorBody } from './rpc-error.js';

type MethodName = keyof WalletMethods;

/** A provider as dApps use it (CIP-0103). */
export interface Provider {
  /**
   * Calls a method of the wallet.
   * @throws RpcError with the code of the wallet, such as 4001 if the user rejects
   */
  request<M extends MethodName>(args: {
    readonly method: M;
    readonly params?: WalletMethods[M]['params'];
  }): Promise<WalletMethods[M]['result']>;
  /** Adds a listener for `statusChanged`, `connected`, `accountsChanged` or `txChanged`. */
  on<E>(event: string, listener: (...args: E[]) => void): Provider;
  /** Calls the listeners of an event. @returns whether there are any */
  emit<E>(event: string, ...args: E[]): boolean;
  /** Removes a listener. */
  removeListener<E>(event: string, listener: (...args: E[]) => void): Provider;
}

/** Codes of JSON-RPC 2.0 and EIP-1193. */
const METHOD_NOT_FOUND = -32601;
const DISCONNECTED = 4900;

/** The number of commands whose outcome a provider remembers. */
const MAX_SETTLED = 1000;

/** Methods that the gateway answers as it is. */
const FORWARDED: ReadonlySet<string> = new Set([
  'isConnected',
  'getActiveNetwork',
  'listAccounts',
  'getPrimaryAccount',
  'ledgerApi',
  'signMessage',
]);

/** The event of a gateway of Canticle about a command that the user rejected, or that failed. */
interface Failure {
  readonly commandId: string;
  readonly error: RpcErrorBody;
}

type Outcome = Failure | { readonly commandId: string; readonly tx: ExecutedEvent };

/** The code of EIP-1474 for a rejected transaction. A gateway's event gives no reason. */
const FAILED: RpcErrorBody = { code: -32003, message: 'The transaction failed.' };

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: RpcError) => void;
}

type Answers = {
  readonly [M in MethodName]?: (params?: WalletMethods[M]['params']) => Promise<unknown>;
};

export class WalletProvider implements Provider {
  private readonly emitter = new Emitter();
  private readonly client: GatewayClient;
  /** By the command id, because an outcome may arrive before the answer of its call. */
  private readonly settled = new Map<string, Outcome>();
  private readonly waiting = new Map<string, Waiting>();

  /** @param id of this wallet, as `status` shows it */
  constructor(
    link: GatewayLink,
    private readonly id: string,
  ) {
    this.client = new GatewayClient(link);
  }

  async request<M extends MethodName>({
    method,
    params,
  }: {
    readonly method: M;
    readonly params?: WalletMethods[M]['params'];
  }): Promise<WalletMethods[M]['result']> {
    const answer = Object.hasOwn(this.answers, method) ? this.answers[method] : undefined;
    if (answer !== undefined) return answer(params as never) as Promise<WalletMethods[M]['result']>;
    if (!FORWARDED.has(method))
      throw new RpcError({ code: METHOD_NOT_FOUND, message: `Method ${method} not found` });
    return this.client.call(method, params) as Promise<WalletMethods[M]['result']>;
  }

  on<E>(event: string, listener: (...args: E[]) => void): this {
    this.emitter.add(event, listener as Listener);
    return this;
  }

  emit<E>(event: string, ...args: E[]): boolean {
    return this.emitter.emit(event, args);
  }

  removeListener<E>(event: string, listener: (...args: E[]) => void): this {
    this.emitter.remove(event, listener as Listener);
    return this;
  }

  /** Ends the session of the page. */
  close(): void {
    this.client.close();
    this.lost();
  }

  private readonly answers: Answers = {
    status: async () => {
      const status = (await this.client.call('status')) as WalletMethods['status']['result'];
      return { ...status, provider: { ...status.provider, id: this.id, providerType: 'browser' } };
    },
    connect: async () => {
      if (!this.client.isSubscribed) await this.client.open(this.received, () => this.lost());
      return this.client.call('connect');
    },
    disconnect: async () => {
      await this.client.call('disconnect');
      this.close();
      return null;
    },
    prepareExecute: async (params) => {
      await this.client.call('prepareExecute', params);
      return null;
    },
    prepareExecuteAndWait: async (params) => {
      const { userUrl } = (await this.client.call('prepareExecute', params)) as {
        readonly userUrl: string;
      };
      const commandId = params?.commandId ?? new URL(userUrl).searchParams.get('commandId') ?? '';
      const outcome = await this.outcome(commandId);
      if ('error' in outcome) throw new RpcError(outcome.error);
      return { tx: outcome.tx };
    },
  };

  /** Without events, no call learns of its outcome. */
  private lost(): void {
    for (const { reject } of this.waiting.values())
      reject(new RpcError({ code: DISCONNECTED, message: 'The wallet has ended the session.' }));
    this.waiting.clear();
  }

  private readonly received = (name: string, args: readonly unknown[]): void => {
    if (name === 'failure') return this.settle(args[0] as Failure);
    if (name === 'txChanged') this.changed(args[0] as TxChangedEvent);
    this.emitter.emit(name, args);
  };

  private changed(event: TxChangedEvent): void {
    if (event.status === 'executed') this.settle({ commandId: event.commandId, tx: event });
    if (event.status === 'failed') this.settle({ commandId: event.commandId, error: FAILED });
  }

  /** The first outcome of a command counts: it has the reason of a failure. */
  private settle(outcome: Outcome): void {
    const { commandId } = outcome;
    this.waiting.get(commandId)?.resolve(outcome);
    this.waiting.delete(commandId);
    if (this.settled.has(commandId)) return;
    this.settled.set(commandId, outcome);
    const [oldest] = this.settled.keys();
    if (this.settled.size > MAX_SETTLED) this.settled.delete(oldest!);
  }

  private async outcome(commandId: string): Promise<Outcome> {
    const known = this.settled.get(commandId);
    if (known !== undefined) return known;
    return new Promise<Outcome>((resolve, reject) =>
      this.waiting.set(commandId, { resolve, reject }),
    );
  }
}
