/** How a provider reaches its gateway. */

/** Called with the name of an event, and the arguments for its listeners. */
export type OnEvent = (name: string, args: readonly unknown[]) => void;

/** The answer to a request. */
export interface LinkAnswer {
  readonly status: number;
  readonly text: string;
}

/** A way to a gateway: over HTTP, or in this process. */
export interface GatewayLink {
  /** Opens a session of the wallet's user. @returns its token */
  logIn(): Promise<string>;
  /** Sends a JSON-RPC request to the API of dApps. */
  send(body: string, token: string | undefined): Promise<LinkAnswer>;
  /**
   * Calls a listener with each event of the session.
   * @param onEnd is called once, if the gateway ends the subscription
   * @returns a function that ends it
   * @throws Error if the gateway does not accept it
   */
  subscribe(token: string, onEvent: OnEvent, onEnd: () => void): Promise<() => void>;
}

/** The path of the API of dApps. */
export const DAPP_PATH = '/api/v0/dapp';
