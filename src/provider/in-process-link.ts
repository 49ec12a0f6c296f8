/** A gateway in this process or page. It needs no `fetch`: jsdom has none. */
import { DAPP_PATH, type GatewayLink, type LinkAnswer, type OnEvent } from './gateway-link.js';

/** An instance with the option `walletGateway`, in this process or page. */
export interface InstanceWithGateway {
  /** Answers a request without a port. */
  handle(request: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }): Promise<{ readonly status: number; readonly body: Uint8Array }>;
  readonly walletGateway: {
    /** Opens a session of the wallet's user. */
    connect(): Promise<{ readonly token: string }>;
    /** Calls a listener with each event of the session. */
    listen(listener: OnEvent, ended: () => void): () => void;
  };
}

export class InProcessLink implements GatewayLink {
  constructor(private readonly canticle: InstanceWithGateway) {}

  async logIn(): Promise<string> {
    const { token } = await this.canticle.walletGateway.connect();
    return token;
  }

  async send(body: string, token: string | undefined): Promise<LinkAnswer> {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const answer = await this.canticle.handle({ path: DAPP_PATH, headers, body });
    // The bytes of an instance know their text, and jsdom has no TextDecoder.
    return { status: answer.status, text: answer.body.toString() };
  }

  async subscribe(_token: string, onEvent: OnEvent, onEnd: () => void): Promise<() => void> {
    return this.canticle.walletGateway.listen(onEvent, onEnd);
  }
}
