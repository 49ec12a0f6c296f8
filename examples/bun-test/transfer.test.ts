import { beforeEach, expect, test } from 'bun:test';
import { useCanticle } from 'canticle/bun-test';

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
  expect(bob).toHold('0');

  token.accept(instruction, bob);
  expect(bob).toHold('30.0');
  expect(() => token.accept(instruction, bob)).toBeCantonError('INVALID_ARGUMENT');
});

test('a real client reads it over HTTP', async () => {
  const answer = await fetch(`${canticle.urls.ledgerApi}/v2/parties?filter-party=${alice}`);
  const { partyDetails } = (await answer.json()) as { partyDetails: { isLocal: boolean }[] };
  expect(partyDetails[0]?.isLocal).toBe(true);
});
