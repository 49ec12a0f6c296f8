/**
 * submit-and-wait over HTTP beside a default Express route and a bare node:http server that answer a constant. Each server is a
 * process of its own; the client, its bodies and the number of connections are the same for all.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createCanticle, startCanticle } from 'canticle';
import express from 'express';
import { run } from './measure/load.js';
import { figure, machine, milliseconds, ratio } from './measure/report.js';

const REQUESTS = 6000;
const CONCURRENCY = 8;
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const CONSTANT = JSON.stringify({ updateId: `1220${'0'.repeat(64)}`, completionOffset: 1 });

type Kind = 'canticle' | 'express' | 'node';

async function serve(kind: Kind): Promise<void> {
  const ready = (message: object): void => void process.send!(message);
  if (kind === 'canticle') {
    const canticle = await startCanticle({ seed: 1 });
    const [bank, alice] = ['bank', 'alice'].map((hint) => canticle.participant.allocateParty(hint));
    return ready({ port: canticle.port, bank, alice });
  }
  const listening = (server: Server): void =>
    void server.on('listening', () => ready({ port: (server.address() as AddressInfo).port }));
  if (kind === 'express') {
    const app = express();
    app.use(express.json());
    app.post(
      '/v2/commands/submit-and-wait',
      (_request, response) => void response.json(JSON.parse(CONSTANT)),
    );
    return listening(app.listen(0, '127.0.0.1'));
  }
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.setHeader('content-type', 'application/json').end(CONSTANT));
  });
  listening(server.listen(0, '127.0.0.1'));
}

interface Ready {
  readonly port: number;
  readonly bank: string;
  readonly alice: string;
}

function start(kind: Kind): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = fork(fileURLToPath(import.meta.url), [kind], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('message', (ready) => resolve({ child, ready: ready as Ready }));
    child.once('error', reject);
  });
}

function commands(
  { bank, alice }: Pick<Ready, 'bank' | 'alice'>,
  commandId: string,
  command: object,
): string {
  return JSON.stringify({ commands: [command], commandId, userId: 'bench', actAs: [bank, alice] });
}

function create(ready: Pick<Ready, 'bank' | 'alice'>, n: number): string {
  const createArguments = {
    issuer: ready.bank,
    owner: ready.alice,
    currency: 'EUR',
    amount: '100.0',
    observers: [],
  };
  return commands(ready, `create-${n}`, { CreateCommand: { templateId: IOU, createArguments } });
}

async function rate(kind: Kind): Promise<{ create: number; createAndExercise: number }> {
  const { child, ready } = await start(kind);
  const parties = { bank: ready.bank ?? 'bank', alice: ready.alice ?? 'alice' };
  const load = (requests: number, body: (n: number) => string): Promise<number> =>
    run({
      port: ready.port,
      path: '/v2/commands/submit-and-wait',
      requests,
      concurrency: CONCURRENCY,
      body,
    });
  try {
    await load(1000, (n) => create(parties, -n - 1));
    const created = await load(REQUESTS, (n) => create(parties, n));
    const createAndExercise = await load(REQUESTS, (n) =>
      commands(parties, `both-${n}`, {
        CreateAndExerciseCommand: {
          templateId: IOU,
          createArguments: {
            issuer: parties.bank,
            owner: parties.alice,
            currency: 'EUR',
            amount: '9.0',
            observers: [],
          },
          choice: 'Iou_Split',
          choiceArgument: { splitAmount: '4.0' },
        },
      }),
    );
    return { create: created, createAndExercise };
  } finally {
    child.kill();
  }
}

/** Creates and exercises in-process, per second. */
async function inProcess(): Promise<number> {
  const { participant } = createCanticle({ seed: 1 });
  const [bank, alice] = ['bank', 'alice'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '100.0', observers: [] };
  const round = (): void => {
    const iou = participant.create(IOU, payload, { actAs: [bank, alice] });
    participant.exercise(IOU, iou, 'Iou_Split', { splitAmount: '1.0' }, { actAs: [alice, bank] });
  };
  for (let n = 0; n < 1000; n++) round();
  const rounds = 5000;
  const elapsed = await milliseconds(() => {
    for (let n = 0; n < rounds; n++) round();
  });
  return (rounds * 2 * 1000) / elapsed;
}

async function main(): Promise<void> {
  machine();
  const canticle = await rate('canticle');
  const expressRoute = await rate('express');
  const node = await rate('node');
  const local = await inProcess();
  figure('submit-and-wait, create', canticle.create, 'requests/s');
  figure('submit-and-wait, create and exercise', canticle.createAndExercise, 'requests/s');
  figure('express.json() and a constant', expressRoute.create, 'requests/s');
  figure('node:http and a constant', node.create, 'requests/s');
  figure('in-process, create then exercise', local, 'commands/s');
  ratio('HTTP create to Express', canticle.create / expressRoute.create, { min: 1 });
  ratio(
    'HTTP create and exercise to Express',
    canticle.createAndExercise / expressRoute.createAndExercise,
    { min: 1 },
  );
  ratio('HTTP create to node:http', canticle.create / node.create);
  ratio('in-process to HTTP', local / canticle.create, { min: 10 });
}

const kind = process.argv[2] as Kind | undefined;
await (kind === undefined ? main() : serve(kind));
