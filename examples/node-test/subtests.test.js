/** Each subtest is reverted to its start, and the parent test continues from there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect, useCanticle } from 'canticle/node-test';

const canticle = useCanticle({ seed: 7 });
const alice = canticle.participant.allocateParty('alice');

test('what a test mints', async (context) => {
  canticle.token.mint(alice, '10.0');
  for (const amount of ['1.0', '2.0'])
    await context.test(`with ${amount} more`, () => {
      canticle.token.mint(alice, amount);
      expect(alice).not.toHold('10.0');
    });
  expect(alice).toHold('10.0');
});

describe('the next one', () => {
  test('finds none of it', () => expect(alice).toHold('0'));

  test('shows the state of the ledger when it fails', async () => {
    assert.throws(() => expect(alice).toHold('1.0'), /toHold/);
    const refused = await fetch(`${canticle.urls.ledgerApi}/v2/parties/no!party`);
    await expect(refused).toBeCantonError('INVALID_ARGUMENT', { status: 400 });
  });
});
