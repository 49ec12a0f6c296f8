import { useCanticle } from 'canticle/vitest';
import { installWallet, type Wallet } from 'canticle/wallet';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from './App';

const canticle = useCanticle({ clock: 'wall', walletGateway: { mode: 'ask' } });
const bob = canticle.participant.allocateParty('bob');
let alice: string;
let wallet: Wallet;
let root: Root;

const find = <E extends HTMLElement>(selector: string) =>
  vi.waitUntil(() => document.querySelector<E>(selector));
const click = async (selector: string) => (await find(selector)).click();
const status = () => document.querySelector('[role=status]')?.textContent;

beforeEach(async () => {
  ({ partyId: alice } = await canticle.walletGateway.as('alice'));
  canticle.token.mint(alice, '100.0');
  wallet = installWallet({ canticle });
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
  root.render(<App registry={canticle.urls.registry} />);
});
afterEach(() => {
  root.unmount();
  wallet.remove();
});

const pay = async (amount: string) => {
  await click('button');
  (await find<HTMLInputElement>('[name=receiver]')).value = bob;
  (await find<HTMLInputElement>('[name=amount]')).value = amount;
  await click('form button');
};

test('offers a payment that the user approves', async () => {
  await pay('30.0');
  const { actions } = await canticle.walletGateway.request();
  expect(actions).toEqual(['TransferFactory_Transfer']);
  await canticle.walletGateway.approve();
  await expect.poll(status).toBe('Offered 30.0 to bob');
  expect(document.querySelector('b')?.textContent).toBe('70');
});

test('sends nothing when the user rejects', async () => {
  await pay('30.0');
  await canticle.walletGateway.reject();
  await expect.poll(status).toBe('You rejected the payment');
  expect(alice).toHold('100.0');
});

test('says that there is no wallet', async () => {
  wallet.remove();
  await click('button');
  await expect.poll(status).toBe('No wallet found');
});
