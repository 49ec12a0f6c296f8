/** Worlds of 100,000 contracts: loaded from a file, forked over HTTP, and a choice that is simulated on the fork. */
import { createCanticle, startCanticle } from '../src/index.js';
import { figure, machine } from './measure/report.js';

const CONTRACTS = 100_000;
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const SIMULATIONS = 50;

const seconds = (since: bigint): number => Number(process.hrtime.bigint() - since) / 1e9;
const inText = (count: number): string => count.toLocaleString('en');

async function measure(): Promise<void> {
  const live = await startCanticle({ seed: 1 });
  const { participant } = live;
  const [bank, alice] = ['bank', 'alice'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const iou = { issuer: bank, owner: alice, currency: 'EUR', amount: '4.0', observers: [] };
  for (let i = 0; i < CONTRACTS; i += 1) participant.create(IOU, iou, { actAs: [bank, alice] });
  let start = process.hrtime.bigint();
  const file = live.dump();
  figure(`save ${inText(CONTRACTS)} contracts`, seconds(start), 's');
  figure('bytes of the file for each', file.length / CONTRACTS, 'B');
  globalThis.gc?.();
  const loading = process.cpuUsage();
  start = process.hrtime.bigint();
  createCanticle({ load: file });
  figure(`load ${inText(CONTRACTS)} contracts (goal: at most 2)`, seconds(start), 's');
  figure('of which time on a core', process.cpuUsage(loading).user / 1e6, 's');
  globalThis.gc?.();
  start = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  const fork = await startCanticle({ fork: { url: live.url, cache: false } });
  figure(
    `fork ${inText(CONTRACTS)} over HTTP, both in this process (goal: at most 20)`,
    seconds(start),
    's',
  );
  figure('of which time on a core', process.cpuUsage(cpu).user / 1e6, 's');
  const [first] = fork.participant.activeContracts({ party: alice, template: IOU });
  const { contractId } = first!;
  const split = { choice: 'Iou_Split', choiceArgument: { splitAmount: '1.0' } };
  const command = { ExerciseCommand: { templateId: IOU, contractId, ...split } };
  for (let i = 0; i < SIMULATIONS; i += 1) fork.simulate(command, { actAs: alice });
  start = process.hrtime.bigint();
  for (let i = 0; i < SIMULATIONS; i += 1) fork.simulate(command, { actAs: alice });
  figure(
    'simulate a choice on the fork (goal: at most 10)',
    (seconds(start) * 1000) / SIMULATIONS,
    'ms',
  );
  start = process.hrtime.bigint();
  for (let i = 0; i < SIMULATIONS; i += 1) {
    const body = { steps: [{ commands: [command], actAs: [alice] }] };
    await fork.handle({ path: '/canticle/v1/simulate', body });
  }
  figure('the same by its control', (seconds(start) * 1000) / SIMULATIONS, 'ms');
  await Promise.all([live, fork].map((each) => each.close()));
}

machine();
await measure();
