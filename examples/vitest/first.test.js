/** The first test of docs/guides/vitest.md. */
import { useCanticle } from 'canticle/vitest';
import { beforeEach, expect, test } from 'vitest';

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
  token.accept(instruction, bob);
  expect(bob).toHold('30.0');
});
