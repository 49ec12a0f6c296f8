/** The test controls the ledger's time. It may fake the application's timers, too. */
import { useCanticle } from 'canticle/vitest';
import { afterEach, expect, test, vi } from 'vitest';

const canticle = useCanticle({ seed: 7 });
const { participant, token } = canticle;
const alice = participant.allocateParty('alice');
const bob = participant.allocateParty('bob');

afterEach(() => {
  vi.useRealTimers();
});

test('an unanswered offer expires', () => {
  token.mint(alice, '10.0');
  const { instruction } = token.transfer({ from: alice, to: bob, amount: '4.0' });
  canticle.advanceTime({ days: 2 });
  expect(() => token.accept(instruction!, bob)).toBeCantonError('DAML_FAILURE');
  expect(instruction).toBeActive();
});

test('every test starts at the same time, whatever the one before did', () => {
  expect(canticle.time).toMatch(/^2026-01-01T/);
});

test('fake timers leave the ledger alone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const answer = await fetch(`${canticle.urls.ledgerApi}/v2/state/ledger-end`);
  expect(await answer.json()).toEqual({ offset: expect.any(Number) });
});
