/**
 * Faults: schedules per second for a client with ten requests, over HTTP with `fetch` and `node:http`, and in this
 * process. Also measures the cost of rules that never match, and the time to find each planted bug of a payment
 * client.
 */
import { Agent, request } from 'node:http';
import { startCanticle } from 'canticle';
import { faultSchedules, survives, SurvivalFailed } from '../src/testing/fast-check.js';
import { BUGS, payingWorld } from '../test/support/survival/paying-client.js';
import { figure, machine, middle } from './measure/report.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const PATH = '/v2/commands/submit-and-wait';
const SCHEDULES = 300;
const CALLS = 2_000;
const ROUNDS = 9;

const canticle = await startCanticle({ seed: 1 });
const { participant } = canticle;
const alice = participant.allocateParty('alice');
const iou = { issuer: alice, owner: alice, currency: 'CHF', amount: '1.0', observers: [] };
const commands = [{ CreateCommand: { templateId: IOU, createArguments: iou } }];
const submission = (commandId: string) => ({ commands, commandId, userId: 'u', actAs: [alice] });

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

async function pay(commandId: string): Promise<boolean> {
  try {
    const answer = await fetch(canticle.url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(submission(commandId)),
    });
    await answer.text();
    return answer.ok || answer.status === 409;
  } catch {
    return false;
  }
}

const agent = new Agent({ keepAlive: true });

function payByHttp(commandId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(canticle.url + PATH, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
      answer.on('error', () => resolve(false));
    });
    sent.on('error', () => resolve(false));
    sent.end(JSON.stringify(submission(commandId)));
  });
}

async function payHere(commandId: string): Promise<boolean> {
  try {
    return (await canticle.handle({ path: PATH, body: submission(commandId) })).status === 200;
  } catch {
    return false;
  }
}

type Pay = (commandId: string) => Promise<boolean>;

const tenPayments = (paying: Pay) => async (): Promise<void> => {
  for (let payment = 0; payment < 10; payment += 1) await paying(`payment-${payment}`);
};

/** With the processor's time of client and server together, in milliseconds each. */
async function schedulesPerSecond(paying: Pay): Promise<readonly [number, number]> {
  const schedules = faultSchedules({ calls: 10 });
  const run = (runs: number) =>
    survives(tenPayments(paying), { canticle, runs, schedules, invariant: () => [] });
  // Warm-up, until the hot code is compiled.
  await run(SCHEDULES);
  const before = process.cpuUsage();
  const start = now();
  await run(SCHEDULES);
  const took = now() - start;
  const { user, system } = process.cpuUsage(before);
  return [(SCHEDULES * 1000) / took, (user + system) / 1000 / SCHEDULES];
}

/** The time to find and shrink each planted bug of a payment client. */
async function millisecondsToFind(bug: (typeof BUGS)[number]): Promise<readonly [number, number]> {
  const ledger = await startCanticle({ seed: 18, synchronizers: ['global', 'private'] });
  const { clientWith, invariantOf, schedules } = payingWorld(ledger);
  const options = { canticle: ledger, invariant: invariantOf(bug), runs: 200, schedules };
  const start = now();
  const failure: unknown = await survives(clientWith(bug), options).catch(
    (error: unknown) => error,
  );
  const took = now() - start;
  if (!(failure instanceof SurvivalFailed)) throw new Error(`${bug} is not found.`);
  await ledger.close();
  return [took, failure.found.run];
}

/** In this process, so that nothing but the calls is measured. */
async function callsPerSecond(): Promise<number> {
  const snapshot = canticle.snapshot();
  const start = now();
  for (let call = 0; call < CALLS; call += 1)
    await canticle.handle({ path: PATH, body: submission(`c${call}`) });
  const took = now() - start;
  canticle.revert(snapshot);
  return (CALLS * 1000) / took;
}

const without: number[] = [];
const beside: number[] = [];
await callsPerSecond();
for (let round = 0; round < ROUNDS; round += 1) {
  without.push(await callsPerSecond());
  const rule = canticle.faults.add({ on: 'getV2Version', do: { refuse: 503 }, optional: true });
  beside.push(await callsPerSecond());
  rule.remove();
}

machine();
for (const [how, paying] of [
  ['over HTTP by fetch', pay],
  ['over HTTP by node:http', payByHttp],
  ['in this process', payHere],
] as const) {
  const [schedules, processor] = await schedulesPerSecond(paying);
  figure(`schedules, a client of ten requests ${how}`, schedules, '/s');
  figure(`processor time of one, client and server, ${how}`, processor, 'ms');
}
for (const bug of BUGS) {
  const [took, run] = await millisecondsToFind(bug);
  figure(`to find and shrink: ${bug} (run ${run})`, took, 'ms');
}
figure('commands in this process, without rules', middle(without), '/s');
figure('commands in this process, beside a rule for another operation', middle(beside), '/s');
agent.destroy();
await canticle.close();
