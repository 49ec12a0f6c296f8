/** MSW hands what clients ask of a production address to an instance: no port is opened. A gateway in front of it may fail. */
import { useCanticle } from 'canticle/vitest';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { balances } from './token-client.js';

const LEDGER_API = 'https://participant.example';

const canticle = useCanticle({ seed: 7, listen: false });
const alice = canticle.participant.allocateParty('alice');

// A gateway in front of a participant: the Express application of the instance.
let isDown = false;
canticle.app.use((_request, response, next) => {
  if (isDown) response.status(502).send('Bad Gateway');
  else next();
});

const server = setupServer(http.all(`${LEDGER_API}/*`, ({ request }) => canticle.fetch(request)));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => void (isDown = false));
afterAll(() => server.close());

test('the client reads what a party holds', async () => {
  canticle.token.mint(alice, '100.0');
  expect(await balances(LEDGER_API, alice)).toEqual([{ owner: alice, amount: '100.0000000000' }]);
});

test('a refusal is the real one', async () => {
  await expect(balances(LEDGER_API, 'no/party')).rejects.toBeCantonError('INVALID_ARGUMENT');
});

test('a failed gateway is not a response of a participant', async () => {
  isDown = true;
  await expect(balances(LEDGER_API, alice)).rejects.toThrow('Bad Gateway');
  expect(canticle.requests.list()).toEqual([]);
});
