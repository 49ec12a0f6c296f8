/** Transfers of the built-in test token, and a client that reads them over HTTP. */
import { useCanticle } from 'canticle/vitest';
import { beforeEach, expect, test } from 'vitest';
import { balances } from './token-client.js';

const canticle = useCanticle({ seed: 7 });
const { participant, token } = canticle;
const alice = participant.allocateParty('alice');
const bob = participant.allocateParty('bob');

beforeEach(() => {
  token.mint(alice, '100.0');
});

test('a transfer waits for its receiver', () => {
  const { instruction } = token.transfer({ from: alice, to: bob, amount: '30.0' });
  expect(instruction).toBeActive();
  token.accept(instruction!, bob);
  expect(instruction).toBeArchived();
  expect(bob).toHold('30.0');
});

test('the client reads what a party holds', async () => {
  expect(await balances(canticle.urls.ledgerApi, alice)).toEqual([
    { owner: alice, amount: '100.0000000000' },
  ]);
  expect(await balances(canticle.urls.ledgerApi, bob)).toEqual([]);
});

test('a refusal is the real one', async () => {
  const stranger = balances(canticle.urls.ledgerApi, 'no/party');
  await expect(stranger).rejects.toBeCantonError('INVALID_ARGUMENT');
});
