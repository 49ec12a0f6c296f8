/** How a page finds the wallet, in the window of jsdom. */
import { announce, type Announced, type Discovery } from '../../src/provider/announce.js';
import type { Page } from '../../src/provider/page.js';
import { RpcError, type Provider } from '../../src/provider/index.js';

// oxlint-disable-next-line typescript/no-require-imports -- its types would change those of other files
const { JSDOM } = require('jsdom') as {
  readonly JSDOM: new (
    html: string,
    options: { readonly url: string },
  ) => { readonly window: Page };
};

const calls: unknown[] = [];
const listeners = new Map<string, Set<(event: unknown) => void>>();
const provider = {
  on: (event: string, listener: () => void) =>
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
  removeListener: (event: string, listener: () => void) => listeners.get(event)!.delete(listener),
  request: async (args: { readonly method: string }) => {
    calls.push(args);
    if (args.method === 'connect') return { isConnected: true };
    if (args.method === 'crash') throw new TypeError('broken');
    throw new RpcError({ code: 4001, message: 'no', data: { why: 'user' } });
  },
} as unknown as Provider;

let page: Page;
beforeEach(() => {
  calls.length = 0;
  listeners.clear();
  page = new JSDOM('', { url: 'http://localhost' }).window;
});
const announced = (wallet: Announced, ...ways: Discovery[]) =>
  announce(provider, wallet, ways, page);

const answers = (): unknown[] => {
  const seen: unknown[] = [];
  page.addEventListener('canton:announceProvider', (event) =>
    seen.push((event as unknown as { readonly detail: unknown }).detail),
  );
  return seen;
};
const request = () =>
  page.dispatchEvent(new page.CustomEvent('canton:requestProvider', { detail: {} }));

/** The window messages after one is sent. */
const messagesAfter = async (sent: unknown): Promise<unknown[]> =>
  (await messagesOf(() => page.postMessage(sent, '*'))).slice(1);

async function messagesOf(action: () => void): Promise<unknown[]> {
  const seen: unknown[] = [];
  const see = (event: Event) => seen.push((event as unknown as { readonly data: unknown }).data);
  page.addEventListener('message', see);
  action();
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setTimeout(resolve));
  page.removeEventListener('message', see);
  return seen;
}

it.each(['connected', 'statusChanged', 'accountsChanged', 'txChanged'])(
  'sends the event %s as a notification, and does not answer it',
  async (method) => {
    const remove = announced({ id: 'w', name: 'Mine' }, 'announcement');
    const params = { status: 'pending' };
    const send = () => listeners.get(method)!.forEach((listener) => listener(params));
    expect(await messagesOf(send)).toEqual([
      { type: 'SPLICE_WALLET_REQUEST', target: 'w', request: { jsonrpc: '2.0', method, params } },
    ]);
    remove();
    expect(await messagesOf(send)).toEqual([]);
    expect(calls).toEqual([]);
  },
);

it('announces itself at once and on each request, until it is removed', () => {
  const seen = answers();
  const remove = announced({ id: 'w', name: 'Mine' }, 'announcement');
  expect(seen).toEqual([{ id: 'w', name: 'Mine', target: 'w' }]);
  request();
  expect(seen).toHaveLength(2);
  announced({ id: 'v', name: 'Other', icon: 'data:,' }, 'announcement');
  expect(seen.at(-1)).toEqual({ id: 'v', name: 'Other', target: 'v', icon: 'data:,' });
  remove();
  request();
  expect(seen).toHaveLength(4);
  expect(page.canton).toBeUndefined();
});

it.each([
  ['w', true],
  [undefined, true],
  ['another', false],
])('answers messages to the target %s: %s', async (target, isAnswered) => {
  announced({ id: 'w', name: 'Mine' }, 'announcement');
  expect(await messagesAfter({ type: 'SPLICE_WALLET_EXT_READY', target })).toEqual(
    isAnswered ? [{ type: 'SPLICE_WALLET_EXT_ACK', target }] : [],
  );
  const params = { a: 1 };
  const call = { jsonrpc: '2.0', id: 7, method: 'connect', params };
  expect(await messagesAfter({ type: 'SPLICE_WALLET_REQUEST', target, request: call })).toEqual(
    isAnswered
      ? [
          {
            type: 'SPLICE_WALLET_RESPONSE',
            response: { jsonrpc: '2.0', id: 7, result: { isConnected: true } },
          },
        ]
      : [],
  );
  expect(calls).toEqual(isAnswered ? [{ method: 'connect', params }] : []);
});

it.each([
  ['refuse', { code: 4001, message: 'no', data: { why: 'user' } }],
  ['crash', { code: -32603, message: 'broken' }],
])('answers with the error of the call: %s', async (method, error) => {
  announced({ id: 'w', name: 'Mine' }, 'announcement');
  const call = { jsonrpc: '2.0', id: 0, method };
  expect(await messagesAfter({ type: 'SPLICE_WALLET_REQUEST', request: call })).toEqual([
    { type: 'SPLICE_WALLET_RESPONSE', response: { jsonrpc: '2.0', id: 0, error } },
  ]);
});

it.each([
  null,
  'text',
  {},
  { type: 'SPLICE_WALLET_REQUEST' },
  { type: 'SPLICE_WALLET_REQUEST', request: { jsonrpc: '2.0', id: null, method: 'connect' } },
  { type: 'other', request: {} },
])('ignores the message %j', async (sent) => {
  announced({ id: 'w', name: 'Mine' }, 'announcement');
  expect(await messagesAfter(sent)).toEqual([]);
  expect(calls).toEqual([]);
});

it('ignores messages after it is removed, and without an announcement', async () => {
  announced({ id: 'w', name: 'Mine' }, 'announcement')();
  announced({ id: 'w', name: 'Mine' }, 'window');
  expect(await messagesAfter({ type: 'SPLICE_WALLET_EXT_READY', target: 'w' })).toEqual([]);
});

it('takes its place on the window, and gives it back', () => {
  const wallet = { id: 'w', name: 'Mine' };
  const remove = announced(wallet, 'window');
  expect(page.canton).toEqual({ w: provider });
  remove();
  expect(page.canton).toBeUndefined();
  const other = {};
  page.canton = { w: other, v: other };
  announced(wallet, 'window')();
  expect(page.canton).toEqual({ w: other, v: other });
  const stays = announced(wallet, 'window');
  const later = {};
  page.canton!['w'] = later;
  stays();
  expect(page.canton['w']).toBe(later);
  const namespace = {};
  page.canton = { w: namespace };
  const late = announced({ id: 'u', name: 'Late' }, 'window');
  page.canton = {};
  late();
  expect(page.canton).toEqual({});
});
