/**
 * How a page finds a wallet: a provider in a namespace of `window`, and an announcement whose wallet then speaks through window messages,
 * as a browser extension does. Sources: splice-wallet-kernel, `sdk/dapp-sdk` and the content script of its extension; for events, the
 * published `core-rpc-transport` from 1.11 on.
 */
import { thisPage, type Page } from './page.js';
import type { Provider } from './provider.js';
import { asRpcError } from './rpc-error.js';

const REQUEST_PROVIDER = 'canton:requestProvider';
const ANNOUNCE_PROVIDER = 'canton:announceProvider';

/** The name and icon of a wallet in a picker. */
export interface Announced {
  /** The property of `window.canton`, and the id in announcements. */
  readonly id: string;
  readonly name: string;
  /** A `data:` or `https:` URL. */
  readonly icon?: string;
}

/** A way in which a page finds the wallet. */
export type Discovery = 'window' | 'announcement';

/** @returns a function that takes it all back */
export function announce(
  provider: Provider,
  wallet: Announced,
  ways: readonly Discovery[],
  page: Page = thisPage,
): () => void {
  const undo: (() => void)[] = [];
  if (ways.includes('window')) undo.push(putOnWindow(page, provider, wallet.id));
  if (ways.includes('announcement'))
    undo.push(answerRequests(page, wallet), answerMessages(page, provider, wallet.id));
  return () => {
    for (const each of undo) each();
  };
}

function putOnWindow(page: Page, provider: Provider, id: string): () => void {
  const namespace = (page.canton ??= {});
  const before = namespace[id];
  namespace[id] = provider;
  return () => {
    if (namespace[id] !== provider) return;
    if (before === undefined) delete namespace[id];
    else namespace[id] = before;
    if (Object.keys(namespace).length === 0 && page.canton === namespace) delete page.canton;
  };
}

function answerRequests(page: Page, { id, name, icon }: Announced): () => void {
  const send = (): void => {
    const detail = { id, name, target: id, ...(icon !== undefined && { icon }) };
    page.dispatchEvent(new page.CustomEvent(ANNOUNCE_PROVIDER, { detail }));
  };
  page.addEventListener(REQUEST_PROVIDER, send);
  // A page may have asked before.
  send();
  return () => page.removeEventListener(REQUEST_PROVIDER, send);
}

interface Message {
  readonly type?: unknown;
  readonly target?: unknown;
  readonly request?: { readonly id?: unknown; readonly method: string; readonly params?: unknown };
}

/** A message without a target is for each wallet. A request without an id is an event, of this wallet or another. */
function answerMessages(page: Page, provider: Provider, id: string): () => void {
  const onMessage = (event: Event): void => {
    const { data } = event as Event & { readonly data: Message | null };
    if (data?.target !== undefined && data.target !== id) return;
    if (data?.type === 'SPLICE_WALLET_EXT_READY')
      page.postMessage({ type: 'SPLICE_WALLET_EXT_ACK', target: data.target }, '*');
    if (data?.type === 'SPLICE_WALLET_REQUEST' && data.request?.id != null)
      void answer(page, provider, data.request);
  };
  page.addEventListener('message', onMessage);
  const stopEvents = sendEvents(page, provider, id);
  return () => {
    page.removeEventListener('message', onMessage);
    stopEvents();
  };
}

const EVENTS = ['connected', 'statusChanged', 'accountsChanged', 'txChanged'];

function sendEvents(page: Page, provider: Provider, id: string): () => void {
  const undo = EVENTS.map((method) => {
    const listener = (params: unknown): void =>
      page.postMessage(
        { type: 'SPLICE_WALLET_REQUEST', target: id, request: { jsonrpc: '2.0', method, params } },
        '*',
      );
    provider.on(method, listener);
    return () => provider.removeListener(method, listener);
  });
  return () => {
    for (const each of undo) each();
  };
}

async function answer(
  page: Page,
  provider: Provider,
  { id, method, params }: NonNullable<Message['request']>,
): Promise<void> {
  const outcome = await provider.request({ method, params } as never).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: asRpcError(error) }),
  );
  page.postMessage(
    { type: 'SPLICE_WALLET_RESPONSE', response: { jsonrpc: '2.0', id, ...outcome } },
    '*',
  );
}
