/** A gateway at a URL. It needs the `fetch` of a browser or of Node. */
import { DAPP_PATH, type GatewayLink, type LinkAnswer, type OnEvent } from './gateway-link.js';
import { RpcError } from './rpc-error.js';
import { serverEvents } from './server-events.js';

export class HttpLink implements GatewayLink {
  private readonly url: string;

  /** @param open opens a session */
  constructor(
    url: string,
    private readonly open: () => Promise<{ readonly token: string }>,
  ) {
    this.url = url.replace(/\/+$/, '') + DAPP_PATH;
  }

  async logIn(): Promise<string> {
    const { token } = await this.open();
    return token;
  }

  async send(body: string, token: string | undefined): Promise<LinkAnswer> {
    const headers = { ...authorization(token), 'content-type': 'application/json' };
    const response = await fetchOf()(this.url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  }

  async subscribe(token: string, onEvent: OnEvent, onEnd: () => void): Promise<() => void> {
    const { signal, abort } = aborting();
    const headers = authorization(token);
    const response = await fetchOf()(`${this.url}/events?failures`, { headers, signal });
    const { ok, status: code, body } = response;
    if (!ok || body === null) throw new RpcError({ code, message: await response.text() });
    void forward(body, onEvent).finally(() => {
      if (!signal.aborted) onEnd();
    });
    return abort;
  }
}

/** That of the page. */
function fetchOf(): (url: string, init: RequestInit) => Promise<Response> {
  const { fetch } = globalThis;
  if (typeof fetch !== 'function')
    throw new TypeError(
      'This environment has no fetch. Pass canticle instead of url to installWallet.',
    );
  return fetch;
}

function aborting(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const authorization = (token: string | undefined): { readonly authorization?: string } =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** The stream ends with the connection, or with a bad event. */
async function forward(body: ReadableStream<Uint8Array>, onEvent: OnEvent): Promise<void> {
  try {
    for await (const { name, data } of serverEvents(body)) {
      const args = JSON.parse(data) as unknown;
      onEvent(name, Array.isArray(args) ? args : [args]);
    }
  } catch {
    // The caller hears of the end.
  }
}
