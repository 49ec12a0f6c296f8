/** A front end in a browser, and a Canticle on a separate port: see realms.test.ts. */
import { expect, inject, test } from 'vitest';

const open = inject('open');

test('a page of an allowed origin calls the Ledger API, with requests that need a preflight too', async () => {
  const made = await fetch(`${open}/v2/parties`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ partyIdHint: 'alice', identityProviderId: '' }),
  });
  const { partyDetails } = await made.json();
  expect(partyDetails.party).toMatch(/^alice::/);
  const users = await fetch(`${open}/v2/users`, { headers: { authorization: 'Bearer none' } });
  expect(users.status).toBe(200);
  const removed = await fetch(`${open}/v2/users/nobody`, { method: 'DELETE' });
  expect([removed.status, (await removed.json()).code]).toEqual([404, 'USER_NOT_FOUND']);
});

test('it has its streams', async () => {
  const socket = new WebSocket(`${open.replace(/^http/, 'ws')}/v2/updates`, ['daml.ws.auth']);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  socket.close();
});

test('without an allowed origin, the requests of a page fail', async () => {
  await expect(fetch(`${inject('closed')}/v2/state/ledger-end`)).rejects.toThrow('Failed to fetch');
});
