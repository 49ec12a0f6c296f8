/** Many readers and slow readers. */
import { StreamClient } from '../support/stream-client.js';
import { model } from '../support/daml/model-package.js';
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
  const coin = { owner: alice!, label: 'x'.repeat(HIGH_WATER / 16) };
  const client = await new StreamClient(`${api.canticle.url}/v2/updates`).opened();
  client.socket.pause();
  await client.send(request(alice!, begin));
  let count = 0;
  const addCoin = async () => {
    api.canticle.participant.create(model('Coin'), coin, { actAs: [alice!] });
    count += 1;
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  const buffered = () => api.canticle.streams[0]?.bufferedBytes ?? 0;
  // First the system's own buffers fill, however large they are.
  while (buffered() < HIGH_WATER && count < 1000) await addCoin();
  expect(buffered()).toBeGreaterThanOrEqual(HIGH_WATER);
  for (let more = 0; more < 40; more += 1) await addCoin();
  expect(buffered()).toBeLessThan(HIGH_WATER * 1.2);
  client.socket.resume();
  await client.take(count);
  await client.close();
});
