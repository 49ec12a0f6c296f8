/**
 * Updates over WebSockets to 1 and to 1,000 subscribers. The server is a separate process, which commits on demand.
 * The time ends when each subscriber has each update. The first rounds are a warm-up and do not count.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startCanticle } from 'canticle';
import { WebSocket } from 'ws';
import { IOU } from './measure/iou.js';
import { figure, machine, middle, milliseconds } from './measure/report.js';

const LOADS = [
  { subscribers: 1, updates: 20_000 },
  { subscribers: 1_000, updates: 100 },
];

const ROUNDS = 5;
const WARM_UP = 2;

interface Ready {
  readonly url: string;
  readonly bank: string;
  readonly end: number;
}

async function serve(): Promise<void> {
  const canticle = await startCanticle({
    seed: 1,
    checkpoints: { first: 1e9, interval: 1e9, idle: 1e9 },
  });
  const { participant } = canticle;
  const bank = participant.allocateParty('bank');
  const payload = { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [] };
  const ready = (): void =>
    void process.send!({ url: canticle.url, bank, end: participant.ledgerEnd } satisfies Ready);
  process.on('message', (updates: number) => {
    for (let n = 0; n < updates; n++) participant.create(IOU, payload, { actAs: [bank] });
  });
  ready();
}

async function subscribe({ url, bank, end }: Ready): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/updates`, ['daml.ws.auth']);
  await once(socket, 'open');
  const eventFormat = { filtersByParty: { [bank]: {} }, verbose: false };
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  socket.send(JSON.stringify({ beginExclusive: end, updateFormat: { includeTransactions } }));
  return socket;
}

async function measure(subscribers: number, updates: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['serve']);
  const [ready] = (await once(server, 'message')) as [Ready];
  const sockets = await Promise.all(Array.from({ length: subscribers }, () => subscribe(ready)));
  let missing = 0;
  let over = (): void => undefined;
  for (const socket of sockets)
    socket.on('message', () => {
      if (--missing === 0) over();
    });
  const rates: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    missing = subscribers * updates;
    const time = await milliseconds(
      () =>
        new Promise<void>((resolve) => {
          over = resolve;
          server.send(updates);
        }),
    );
    if (round >= 0) rates.push((subscribers * updates * 1000) / time);
  }
  const name = `${subscribers} subscriber${subscribers === 1 ? '' : 's'}, ${updates} updates each`;
  figure(name, middle(rates), 'updates/s');
  for (const socket of sockets) socket.terminate();
  server.kill();
}

if (process.argv[2] === 'serve') await serve();
else {
  machine();
  for (const { subscribers, updates } of LOADS) await measure(subscribers, updates);
}
