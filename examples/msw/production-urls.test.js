import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { canticleHandlers } from 'canticle/msw';
import { expect, useCanticle } from 'canticle/node-test';
import { setupServer } from 'msw/node';

const LEDGER = 'https://participant.example';
const SCAN = 'https://scan.sv-1.global.canton.network.sync.global/api/scan';

const canticle = useCanticle({ seed: 7, listen: false });
const alice = canticle.participant.allocateParty('alice');
const server = setupServer(...canticleHandlers(canticle, [LEDGER, SCAN]));
before(() => server.listen({ onUnhandledRequest: 'error' }));
after(() => server.close());

test('each API is at the address that it has in production', async () => {
  canticle.token.mint(alice, '100.0');
  const end = await fetch(`${LEDGER}/v2/state/ledger-end`);
  assert.equal((await end.json()).offset, canticle.participant.ledgerEnd);
  const dso = await fetch(`${SCAN}/v0/dso-party-id`);
  assert.match((await dso.json()).dso_party_id, /^DSO::/);
  expect(canticle).toHaveAnswered('getDsoPartyId', 1);
});
