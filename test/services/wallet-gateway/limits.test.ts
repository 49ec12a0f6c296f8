/** The limits of the gateway's state. */
import { createCanticle } from 'canticle';
import {
  Events,
  MAX_EVENT_STREAMS,
  MAX_KEPT_EVENTS,
} from '../../../src/services/wallet-gateway/events.js';
import {
  GatewayStore,
  MAX_NETWORKS,
  MAX_SESSIONS,
  MAX_TRANSACTIONS,
  MAX_WALLETS,
} from '../../../src/services/wallet-gateway/store.js';

const { network } = createCanticle({ seed: 1 });
const { journal, random } = network;
const store = new GatewayStore(journal, random);

it.each([
  ['identity providers', store.idps, MAX_NETWORKS],
  ['networks', store.networks, MAX_NETWORKS],
  ['sessions', store.sessions, MAX_SESSIONS],
  ['transactions', store.transactions, MAX_TRANSACTIONS],
  ['messages', store.messages, MAX_TRANSACTIONS],
  ['keys', store.keys, MAX_WALLETS],
] as const)('%s', (what, table, limit) => {
  for (let index = 0; index < limit; index += 1) table.set(String(index), {} as never);
  expect(table.all()).toHaveLength(limit);
  expect(() => table.set('another', {} as never)).toThrow(`stores at most ${limit} ${what}`);
  // A known entry can change, and a removed one makes room.
  table.set('0', {} as never);
  table.delete('1');
  table.set('another', {} as never);
  expect(table.all()).toHaveLength(limit);
});

it('wallets', () => {
  const fresh = new GatewayStore(createCanticle({ seed: 2 }).network.journal, random);
  fresh.networks.set('n', { id: 'n' } as never);
  fresh.sessions.set('u', { network: 'n' } as never);
  const wallets = (fresh as any).wallets;
  for (let index = 0; index < MAX_WALLETS; index += 1) wallets.set(String(index), {});
  expect(() => fresh.addWallet('u', { partyId: 'p', networkId: 'n' } as never)).toThrow(
    `stores at most ${MAX_WALLETS} wallets`,
  );
});

it('has no wallet twice', () => {
  const fresh = new GatewayStore(createCanticle({ seed: 4 }).network.journal, random);
  fresh.networks.set('n', { id: 'n' } as never);
  fresh.sessions.set('u', { network: 'n' } as never);
  const wallet = { partyId: 'p', networkId: 'n' } as never;
  fresh.addWallet('u', wallet);
  expect(() => fresh.addWallet('u', wallet)).toThrow(
    'Wallet with partyId "p" networkId "n" userId "u" already exists',
  );
});

it('are these numbers', () => {
  expect([MAX_NETWORKS, MAX_SESSIONS, MAX_TRANSACTIONS, MAX_WALLETS]).toEqual([
    100, 10_000, 10_000, 10_000,
  ]);
  expect([MAX_KEPT_EVENTS, MAX_EVENT_STREAMS]).toEqual([1000, 1000]);
});

it('events', () => {
  const events = new Events(createCanticle({ seed: 3 }).network.journal);
  for (let index = 0; index <= MAX_KEPT_EVENTS; index += 1) events.emit('u', 'txChanged', index);
  const kept = events.of('u');
  expect(kept).toHaveLength(MAX_KEPT_EVENTS);
  expect(kept.at(0)!.args).toEqual([1]);
  expect(kept.at(-1)!.args).toEqual([MAX_KEPT_EVENTS]);
});

it('streams of events', async () => {
  const canticle = createCanticle({ walletGateway: true });
  const { events } = (canticle.walletGateway as any).gateway.core as { events: Events };
  const { token } = await canticle.walletGateway.connect();
  const open = async () => {
    const url = `http://localhost/api/v0/dapp/events?token=${token}`;
    const { status, body } = await canticle.fetch(new Request(url));
    await body!.cancel();
    return status;
  };
  for (let index = 1; index < MAX_EVENT_STREAMS; index += 1) events.subscribe('u', () => undefined);
  expect(await open()).toBe(200);
  events.subscribe('u', () => undefined);
  expect(await open()).toBe(429);
});
