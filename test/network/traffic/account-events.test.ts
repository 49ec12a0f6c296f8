/** The events of traffic accounts: each is stored until it is pruned, up to a limit (B-TRF-013). */
import { Journal } from '../../../src/network/journal/journal.js';
import { MAX_EVENTS, TrafficAccounts } from '../../../src/network/traffic/accounts.js';

const LATEST = BigInt(MAX_EVENTS) * 2n;

/** An account with this number of events, of which every second one is a debit. */
function accountsWith(count: number): TrafficAccounts {
  const accounts = new TrafficAccounts(new Journal(), { name: 'p', id: 'p::1' }, 'count');
  for (let n = 0; n < count; n++)
    if (n % 2 === 0) accounts.update({ account: 'alice', delta: 1n, id: `id-${n}` }, BigInt(n));
    else accounts.debit(['alice'], 1, n, BigInt(n));
  return accounts;
}

const repeated = (accounts: TrafficAccounts, n: number): bigint | undefined =>
  accounts.update({ account: 'alice', delta: 100n, id: `id-${n}` }, LATEST);

it('are all stored up to the limit', () => {
  const accounts = accountsWith(MAX_EVENTS);
  expect(repeated(accounts, 0)).toBe(0n);
  expect(accounts.prune(LATEST)).toBe(MAX_EVENTS);
  expect(accounts.balance('alice')).toBe(0n);
});

it('lose the oldest tenth beyond the limit, but not their effect', () => {
  const accounts = accountsWith(MAX_EVENTS + 1);
  expect(accounts.balance('alice')).toBe(1n);
  const oldest = MAX_EVENTS / 10;
  expect(repeated(accounts, oldest)).toBe(1n);
  expect(repeated(accounts, oldest - 2)).toBe(101n);
  expect(accounts.prune(LATEST)).toBe(MAX_EVENTS - oldest + 2);
});
