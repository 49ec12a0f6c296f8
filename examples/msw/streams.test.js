/** Streams over the global WebSocket, which Node has from release 22 on: MSW sees no other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { canticleHandlers } from 'canticle/msw';
import { useCanticle } from 'canticle/node-test';
import { setupServer } from 'msw/node';

const LEDGER = 'https://participant.example/json-api';

const canticle = useCanticle({ seed: 7, listen: false });
const alice = canticle.participant.allocateParty('alice');
const server = setupServer(...canticleHandlers(canticle, LEDGER));
before(() => server.listen({ onUnhandledRequest: 'error' }));
after(() => server.close());

const skip = typeof WebSocket === 'undefined' && 'this Node has no WebSocket';

const next = (socket, event) =>
  new Promise((resolve) => socket.addEventListener(event, resolve, { once: true }));

test('updates come as they happen', { skip }, async () => {
  const socket = new WebSocket('wss://participant.example/json-api/v2/updates', ['daml.ws.auth']);
  await next(socket, 'open');
  const { ledgerEnd } = canticle.participant;
  const eventFormat = { filtersByParty: { [alice]: { cumulative: [] } }, verbose: false };
  const includeTransactions = {
    eventFormat,
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  };
  socket.send(
    JSON.stringify({
      beginExclusive: ledgerEnd,
      verbose: false,
      updateFormat: { includeTransactions },
    }),
  );
  canticle.token.mint(alice, '5.0');
  const { data } = await next(socket, 'message');
  assert.equal(JSON.parse(data).update.Transaction.value.offset, ledgerEnd + 1);
  socket.close();
  await next(socket, 'close');
});

test('an unknown stream is closed', { skip }, async () => {
  const socket = new WebSocket('wss://participant.example/json-api/v2/version');
  const { code } = await next(socket, 'close');
  assert.equal(code, 1006);
});
