/** Many readers and slow readers. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { canticleRouter, canticleUpgrade } from '../../../src/express.js';
import { connection } from '../../../src/http/in-process/connection.js';
import { StreamClient } from '../../support/stream-client.js';
import { model } from '../../support/daml/model-package.js';
import { HIGH_WATER } from '../../../src/http/streams/session.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';

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

/**
 * A reader at the other end of a connection in memory: what it does not take waits with the server. Between ports, the system takes
 * as much as it likes, from 4 MB to 36 MB as it tunes its buffers.
 */
async function slowReader({ canticle }: LedgerApi): Promise<StreamClient> {
  const server = createServer(canticleRouter(canticle));
  server.on('upgrade', canticleUpgrade(canticle));
  const root = 'http://localhost';
  const ends = connection(root);
  server.emit('connection', ends.server);
  const createConnection = () => ends.client as Socket;
  const client = await new StreamClient(`${root}/v2/updates`, { createConnection }).opened();
  client.socket.pause();
  return client;
}

it('reads only as far as a slow client does', async () => {
  api = await startLedgerApi();
  const [alice] = await api.parties('alice');
  const begin = await api.ledgerEnd();
  const client = await slowReader(api);
  await client.send(request(alice!, begin));
  const coin = { owner: alice!, label: 'x'.repeat(HIGH_WATER / 16) };
  const count = 40;
  const options = { actAs: [alice!] };
  const most: number[] = [];
  for (let coins = 0; coins < count; coins += 1) {
    api.canticle.participant.create(model('Coin'), coin, options);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    most.push(api.canticle.streams[0]!.bufferedBytes);
  }
  // Up to the limit all of it waits, behind it nothing more comes.
  const [first, last] = [most[10]!, most.at(-1)!];
  expect(first).toBeGreaterThan(10 * coin.label.length);
  expect(last).toBeGreaterThan(HIGH_WATER);
  expect(last).toBeLessThan(HIGH_WATER * 1.2);
  client.socket.resume();
  await client.take(count);
  client.socket.terminate();
  await client.closed;
});
