/**
 * The delay from the answer of submit-and-wait to its update on 1 and 1,000 open WebSockets, in milliseconds. It is
 * negative if the update arrives first. On a participant it comes from 1 ms before to 6 ms after the answer
 * (B-WS-025); here at most 5 ms after it. Also measures the cost of a create with 0, 1 and 1,000 subscribers: the
 * throughput, and the processor time of the server. The server is a separate process. The client reads only the
 * command ids of frames.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startCanticle } from 'canticle';
import { WebSocket } from 'ws';
import { IOU, iou, SUBMIT_AND_WAIT } from './measure/iou.js';
import { Connection, run } from './measure/load.js';
import { figure, machine, middle, ratio, spread } from './measure/report.js';
import { announce, startServer, type Ready, type RunningServer } from './measure/server.js';

const SUBSCRIBERS = [0, 1, 1_000];
/** Sequential commands of each round. */
const COMMANDS = 20;
const ROUNDS = 5;
const WARM_UP = 2;
const CONCURRENCY = 8;
const GOAL_MS = 5;

interface Site extends Ready {
  readonly bank: string;
  readonly end: number;
}

async function serve(): Promise<void> {
  const checkpoints = { first: 1e9, interval: 1e9, idle: 1e9 };
  const { participant, port } = await startCanticle({ seed: 1, checkpoints });
  const bank = participant.allocateParty('bank');
  announce<Site>({ port, bank, end: participant.ledgerEnd });
}

let sent = 0;

function body(bank: string): { commandId: string; text: string } {
  const commandId = `lag-${(sent += 1)}`;
  const commands = [{ CreateCommand: { templateId: IOU, createArguments: iou(bank, bank) } }];
  return {
    commandId,
    text: JSON.stringify({ userId: 'bench', commandId, actAs: [bank], commands }),
  };
}

/** Runs a callback for each message. */
async function subscribe(
  { port, bank, end }: Site,
  onMessage: (data: Buffer) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v2/updates`, ['daml.ws.auth']);
  await once(socket, 'open');
  const eventFormat = { filtersByParty: { [bank]: {} }, verbose: false };
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  socket.send(JSON.stringify({ beginExclusive: end, updateFormat: { includeTransactions } }));
  socket.on('message', onMessage);
  return socket;
}

/** The awaited messages: their number, and a text that each contains. */
class Awaited {
  /** The time of the last message. */
  readonly last: Promise<number>;
  private resolve!: (at: number) => void;
  constructor(
    private readonly text: string,
    private missing: number,
  ) {
    this.last = new Promise((resolve) => (this.resolve = resolve));
  }
  readonly take = (data: Buffer): void => {
    if (data.includes(this.text) && --this.missing === 0) this.resolve(performance.now());
  };
}

async function measure(subscribers: number): Promise<void> {
  const server = await startServer<Site>(fileURLToPath(import.meta.url), ['serve']);
  try {
    const name = `${subscribers} subscriber${subscribers === 1 ? '' : 's'}`;
    let awaited: Awaited | undefined;
    const onMessage = (data: Buffer): void => awaited?.take(data);
    const sockets = await Promise.all(
      Array.from({ length: subscribers }, () => subscribe(server.ready, onMessage)),
    );
    if (subscribers > 0) {
      const lags = await lagsOf(server.ready, (text) => (awaited = new Awaited(text, subscribers)));
      spread(`the last update behind its answer, ${name}`, lags, 'ms');
      ratio(`  the worst to ${GOAL_MS} ms`, Math.max(...lags) / GOAL_MS, { max: 1 });
    }
    awaited = undefined;
    await throughput(name, server);
    for (const socket of sockets) socket.terminate();
  } finally {
    server.stop();
  }
}

async function lagsOf({ port, bank }: Site, expect: (text: string) => Awaited): Promise<number[]> {
  const connection = new Connection(port);
  await connection.opened;
  const lags: number[] = [];
  for (let n = -WARM_UP * COMMANDS; n < ROUNDS * COMMANDS; n += 1) {
    const { commandId, text } = body(bank);
    const { last } = expect(`"${commandId}"`);
    await connection.post(SUBMIT_AND_WAIT, text);
    const answered = performance.now();
    const lag = (await last) - answered;
    if (n >= 0) lags.push(lag);
  }
  connection.close();
  return lags;
}

async function throughput(name: string, { ready, cpu }: RunningServer<Site>): Promise<void> {
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const before = await cpu();
    const rate = await run({
      port: ready.port,
      path: SUBMIT_AND_WAIT,
      requests: COMMANDS * CONCURRENCY,
      concurrency: CONCURRENCY,
      body: () => body(ready.bank).text,
    });
    if (round < 0) continue;
    rates.push(rate);
    costs.push(((await cpu()) - before) / (COMMANDS * CONCURRENCY));
  }
  figure(`submit-and-wait, ${name}`, middle(rates), 'requests/s');
  figure('  processor time of the server', Math.min(...costs), 'µs/request');
}

if (process.argv[2] === 'serve') await serve();
else {
  machine();
  for (const subscribers of SUBSCRIBERS) await measure(subscribers);
}
