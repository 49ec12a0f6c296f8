/** A wallet that a page finds: see realms.test.ts. */
import { createCanticle } from 'canticle';
import { installWallet } from 'canticle/wallet';

const canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'] } });
afterAll(() => canticle.close());

const announced = () => {
  const seen = [];
  const see = ({ detail }) => seen.push(detail);
  window.addEventListener('canton:announceProvider', see);
  window.dispatchEvent(new CustomEvent('canton:requestProvider', { detail: {} }));
  window.removeEventListener('canton:announceProvider', see);
  return seen;
};

/** The next window message of a type. */
const message = (type) =>
  new Promise((resolve) => {
    const listener = ({ data }) => {
      if (data?.type !== type) return;
      window.removeEventListener('message', listener);
      resolve(data);
    };
    window.addEventListener('message', listener);
  });

async function askByMessage(request, target = 'canticle') {
  const answer = message('SPLICE_WALLET_RESPONSE');
  window.postMessage({ type: 'SPLICE_WALLET_REQUEST', target, request }, '*');
  return (await answer).response;
}

test('a page finds the wallet on its window', async () => {
  const wallet = installWallet({ canticle, discovery: ['window'] });
  const { provider } = wallet;
  expect(window.canton.canticle).toBe(provider);
  for (const name of ['request', 'on', 'emit', 'removeListener'])
    expect(typeof provider[name]).toBe('function');
  await provider.request({ method: 'connect' });
  const { hint } = await provider.request({ method: 'getPrimaryAccount' });
  expect(hint).toBe('alice');
  expect(announced()).toEqual([]);
  wallet.remove();
  expect(window.canton).toBeUndefined();
});

test('a wallet keeps the others on the window', () => {
  const other = {};
  window.canton = { other };
  const first = installWallet({ canticle, id: 'mine', discovery: ['window'] });
  const second = installWallet({ canticle, id: 'mine', discovery: ['window'] });
  expect(window.canton.mine).toBe(second.provider);
  first.remove();
  expect(window.canton.mine).toBe(second.provider);
  second.remove();
  expect(window.canton.other).toBe(other);
  window.canton = undefined;
});

test('a page finds the wallet as an extension', async () => {
  const wallet = installWallet({
    canticle,
    id: 'w1',
    name: 'Mine',
    icon: 'data:,',
    discovery: ['announcement'],
  });
  expect(window.canton).toBeUndefined();
  expect(announced()).toEqual([{ id: 'w1', name: 'Mine', target: 'w1', icon: 'data:,' }]);
  const ready = message('SPLICE_WALLET_EXT_ACK');
  window.postMessage({ type: 'SPLICE_WALLET_EXT_READY', target: 'another' }, '*');
  window.postMessage({ type: 'SPLICE_WALLET_EXT_READY', target: 'w1' }, '*');
  expect((await ready).target).toBe('w1');
  const connect = { jsonrpc: '2.0', id: 'r1', method: 'connect' };
  const { id, jsonrpc, result } = await askByMessage(connect, 'w1');
  expect({ id, jsonrpc, isConnected: result.isConnected }).toEqual({
    id: 'r1',
    jsonrpc: '2.0',
    isConnected: true,
  });
  const refused = await askByMessage({ jsonrpc: '2.0', id: 'r2', method: 'none' }, 'w1');
  expect(refused.error).toEqual({ code: -32601, message: 'Method none not found' });
  wallet.remove();
  expect(announced()).toEqual([]);
});
