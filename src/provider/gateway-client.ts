/** Calls the Wallet Gateway as JSON-RPC. */
import type { GatewayLink, OnEvent } from './gateway-link.js';
import { RpcError, type RpcErrorBody } from './rpc-error.js';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: RpcErrorBody;
}

export class GatewayClient {
  /** Of the session; undefined without one. */
  private token: string | undefined;
  private calls = 0;
  private leave: (() => void) | undefined;

  constructor(private readonly link: GatewayLink) {}

  /** Whether it gets events. */
  get isSubscribed(): boolean {
    return this.leave !== undefined;
  }

  /**
   * Calls a method of the API of dApps.
   * @throws RpcError for an error in the answer, and for an answer that is not JSON-RPC
   */
  async call(method: string, params?: unknown): Promise<unknown> {
    this.calls += 1;
    const body = {
      jsonrpc: '2.0',
      id: this.calls,
      method,
      ...(params !== undefined && { params }),
    };
    const { status, text } = await this.link.send(JSON.stringify(body), this.token);
    const { result, error } = answerIn(text) ?? { error: { code: status, message: text } };
    if (error !== undefined) throw new RpcError(error);
    return result;
  }

  /** Opens a session, and subscribes to its events. @param onEnd is called if the gateway ends the subscription */
  async open(onEvent: OnEvent, onEnd: () => void): Promise<void> {
    this.token = await this.link.logIn();
    const ended = (): void => {
      this.leave = undefined;
      onEnd();
    };
    this.leave = await this.link.subscribe(this.token, onEvent, ended);
  }

  /** Ends the subscription, and forgets the session. */
  close(): void {
    this.leave?.();
    this.leave = undefined;
    this.token = undefined;
  }
}

function answerIn(text: string): RpcAnswer | undefined {
  try {
    const answer = JSON.parse(text) as RpcAnswer | null;
    const isAnswer = typeof answer === 'object' && answer !== null;
    return isAnswer && ('result' in answer || hasCode(answer.error)) ? answer : undefined;
  } catch {
    return undefined;
  }
}

const hasCode = (error: RpcErrorBody | undefined): boolean => typeof error?.code === 'number';
