/** Many readers and slow readers. */
import { StreamClient } from '../support/stream-client.js';
import { model } from '../support/model-package.js';
import { HIGH_WATER } from '../../src/http/streams/session.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
let api: LedgerApi;
afterEach(() => api.client.close());

const dummy = (operator: string) => api.submit(create(DUMMY, { operator }), { actAs: operator });
const request = (party: string, beginExclusive: number) => ({
  beginExclusive,
  updateFormat: updateFormat('ACS_DELTA', eventFormat([party], wildcard())),
});

it('serves 1,000 subscribers on one instance', async () => {
  api = await startLedgerApi();
  const [alice, bob] = await api.parties('alice', 'bob');
  const begin = await api.ledgerEnd();
  const clients = Array.from(
    { length: 1000 },
    () => new StreamClient(`${api.canticle.url}/v2/updates`),
  );
  await Promise.all(
    clients.map((client, i) => client.send(request(i % 10 === 0 ? alice! : bob!, begin))),
  );
  await dummy(alice!);
  await Promise.all(clients.filter((_, i) => i % 10 === 0).map((client) => client.take(1)));
  await dummy(bob!);
  await Promise.all(clients.filter((_, i) => i % 10 !== 0).map((client) => client.take(1)));
  expect(clients.map(({ elements }) => elements.length)).toEqual(clients.map(() => 1));
  await Promise.all(clients.map((client) => client.close()));
});

it('reads no further than a slow reader takes', async () => {
  api = await startLedgerApi();
  const [alice] = await api.parties('alice');
  const begin = await api.ledgerEnd();
  // Together more than the system's own buffers take for a connection, by far.
  const count = 256;
  const coin = { owner: alice!, label: 'x'.repeat(HIGH_WATER / 16) };
  for (let i = 0; i < count; i++)
    api.canticle.participant.create(model('Coin'), coin, { actAs: [alice!] });
  const client = await new StreamClient(`${api.canticle.url}/v2/updates`).opened();
  client.socket.pause();
  await client.send(request(alice!, begin));
  const buffered = () => api.canticle.streams[0]?.bufferedBytes ?? 0;
  // Turns of the loop, as many as it takes until the server has nothing to do for this reader.
  let before = -1;
  for (let still = 0; still < 50;) {
    await new Promise(setImmediate);
    still = buffered() === before && before > 0 ? still + 1 : 0;
    before = buffered();
  }
  expect(before).toBeGreaterThan(HIGH_WATER / 2);
  expect(before).toBeLessThan(HIGH_WATER * 1.2);
  client.socket.resume();
  await client.take(count);
  await client.close();
});
