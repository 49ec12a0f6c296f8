/**
 * Faults: schedules a second for a client of ten requests over HTTP, what looking for rules costs where there are none that meet, and
 * how long it takes to find a client that pays again with a new command id.
 */
import { startCanticle } from 'canticle';
import { faultSchedules, survives, SurvivalFailed } from '../src/testing/fast-check.js';
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

async function tenPayments(): Promise<void> {
  for (let payment = 0; payment < 10; payment += 1) await pay(`payment-${payment}`);
}

async function buggy(): Promise<void> {
  for (let attempt = 0; attempt < 8; attempt += 1) if (await pay(`payment-${attempt}`)) return;
}

/** With the processor's time of client and server together, in milliseconds each. */
async function schedulesPerSecond(): Promise<readonly [number, number]> {
  const before = process.cpuUsage();
  const schedules = faultSchedules({ calls: 10 });
  const start = now();
  await survives(tenPayments, { canticle, runs: SCHEDULES, schedules, invariant: () => [] });
  const took = now() - start;
  const { user, system } = process.cpuUsage(before);
  return [(SCHEDULES * 1000) / took, (user + system) / 1000 / SCHEDULES];
}

async function millisecondsToFind(): Promise<number> {
  const start = now();
  const invariant = () => {
    const count = participant.activeContracts({ template: IOU }).length;
    return count > 1 ? [`${count} payments`] : [];
  };
  await survives(buggy, { canticle, invariant }).catch((error: unknown) => {
    if (!(error instanceof SurvivalFailed)) throw error;
  });
  return now() - start;
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
const [schedules, processor] = await schedulesPerSecond();
figure('schedules, a client of ten requests over HTTP', schedules, '/s');
figure('processor time of one, client and server', processor, 'ms');
figure('to find and shrink a retry with a new command id', await millisecondsToFind(), 'ms');
figure('commands in this process, without rules', middle(without), '/s');
figure('commands in this process, beside a rule for another operation', middle(beside), '/s');
await canticle.close();
