/** MSW, in the environments of a page that have a `fetch`: see realms.test.ts. */
import { canticleHandlers } from 'canticle/msw';
import { setupServer } from 'msw/node';
import { useCanticle } from 'runner';

const LEDGER = 'https://participant.example';
const canticle = useCanticle({ seed: 7, listen: false });
const server = setupServer(...canticleHandlers(canticle, LEDGER));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test('a production address is answered in this process', async () => {
  const end = await fetch(`${LEDGER}/v2/state/ledger-end`);
  expect((await end.json()).offset).toBe(canticle.participant.ledgerEnd);
});

test('bodies come whole', async () => {
  const alice = canticle.participant.allocateParty('alice');
  const made = await fetch(`${LEDGER}/v2/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: { id: 'u', primaryParty: alice, isDeactivated: false } }),
  });
  expect(await made.json()).toMatchObject({ user: { id: 'u', primaryParty: alice } });
});

test('an XMLHttpRequest is answered, too', async () => {
  const request = new XMLHttpRequest();
  request.open('GET', `${LEDGER}/v2/version`);
  const ended = new Promise((resolve) => request.addEventListener('loadend', resolve));
  request.send();
  await ended;
  expect([request.status, JSON.parse(request.responseText).version]).toEqual([
    200,
    expect.stringMatching(/^3\./),
  ]);
});
