/** Handlers that are put before Canticle's, for a test or for all: a gateway that fails, an answer that is slow. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { canticleHandlers } from 'canticle/msw';
import { useCanticle } from 'canticle/node-test';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';

const LEDGER = 'https://participant.example';

const canticle = useCanticle({ seed: 7, listen: false });
const server = setupServer(...canticleHandlers(canticle, LEDGER));
before(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
after(() => server.close());

test('a gateway fails once', async () => {
  const badGateway = () => new HttpResponse('Bad Gateway', { status: 502 });
  server.use(http.get(`${LEDGER}/v2/version`, badGateway, { once: true }));
  const statuses = [];
  for (let call = 0; call < 2; call += 1)
    statuses.push((await fetch(`${LEDGER}/v2/version`)).status);
  assert.deepEqual(statuses, [502, 200]);
});

test('an unknown path fails and names the nearest operation', async () => {
  const refused = await fetch(`${LEDGER}/v2/verzion`).catch((error) => error);
  assert.match((refused.cause ?? refused).message, /Did you mean GET \/v2\/version\?/);
});
