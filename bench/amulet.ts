/**
 * Splice's Amulet from its DAR. Measures the time from the file to the first transaction, and until the governance
 * DAR is uploaded. The figures are processor time of the built package in separate processes, with an empty and
 * with a filled cache. Also measures taps and two-step transfers per second.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Canticle, createCanticle } from 'canticle';
import {
  AMULET_RULES,
  amuletWorld,
  type AmuletWorld,
} from '../test/support/splice/amulet-world.js';
import { realDar } from '../test/support/foreign-files.js';
import { figure, machine, spread } from './measure/report.js';

const FACTORY =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory';
const INSTRUCTION = FACTORY.replace('TransferFactory', 'TransferInstruction');

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

function perSecond(count: number, action: () => void): number {
  for (let n = 0; n < count; n += 1) action();
  const start = now();
  for (let n = 0; n < count; n += 1) action();
  return (count * 1000) / (now() - start);
}

const AMULET_DAR = 'splice-amulet-0.1.14.dar';
const NEWEST = 'splice-amulet-0.1.22.dar';
const GOVERNANCE = 'splice-dso-governance-0.1.28.dar';
const RUNS = 5;

function tapOf({
  canticle,
  dso,
  alice,
}: Pick<AmuletWorld, 'canticle' | 'dso' | 'alice'>): () => string {
  const { amulet, participant } = canticle;
  const { rules, round } = amulet;
  return () => {
    const argument = { receiver: alice, amount: '100.0', openRound: round };
    const submit = { actAs: [alice], readAs: [dso] };
    const { result } = participant.exercise(
      AMULET_RULES,
      rules,
      'AmuletRules_DevNet_Tap',
      argument,
      submit,
    );
    return (result as { amuletSum: { amulet: string } }).amuletSum.amulet;
  };
}

/** Milliseconds that an action takes in this process: of processor time, of all threads, and by the clock. */
interface Cost {
  readonly processor: number;
  readonly clock: number;
}

async function cost(action: () => unknown): Promise<Cost> {
  const [begun, start] = [now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(start);
  return { processor: (user + system) / 1000, clock: now() - begun };
}

/** The measurements that run in separate processes, by the name in the arguments. */
const STEPS: Readonly<Record<string, (create: typeof createCanticle) => Promise<Cost>>> = {
  async tap(create) {
    let canticle: Canticle | undefined;
    const took = await cost(() => {
      canticle = create({ seed: 1, amulet: { dar: realDar(NEWEST)! } });
      const alice = canticle.participant.allocateParty('alice');
      tapOf({ canticle, dso: canticle.amulet.admin, alice })();
    });
    // The process then stores the compiled code.
    await canticle!.close();
    return took;
  },
  async governance(create) {
    const { participant } = create();
    return cost(() => participant.uploadDar(realDar(GOVERNANCE)!));
  },
};

const builtPackage = () =>
  createRequire(join(process.cwd(), 'package.json'))(
    './dist/cjs/index.js',
  ) as typeof import('canticle');

function inProcesses(step: string, cache: (run: number) => string): Record<keyof Cost, number[]> {
  const script = process.argv[1]!;
  const costs = Array.from({ length: RUNS }, (_, run) => {
    const env = { ...process.env, CANTICLE_CACHE: cache(run) };
    return JSON.parse(
      execFileSync(process.execPath, [script, step], { encoding: 'utf8', env }),
    ) as Cost;
  });
  const all = (what: keyof Cost) => costs.map((each) => each[what]);
  return { processor: all('processor'), clock: all('clock') };
}

function coldAndWarm(): void {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
  try {
    const empty = (run: number): string => join(folder, `${run}`);
    const cold = inProcesses('tap', empty);
    spread(
      'newest, file to first tap, cold, processor time (goal: at most 800)',
      cold.processor,
      'ms',
    );
    const filled = (): string => empty(0);
    // The second process lets V8 compile the cached sources, and stores the result.
    inProcesses('tap', filled);
    const warm = inProcesses('tap', filled);
    spread('the same, cache filled (goal: at most 80)', warm.processor, 'ms');
    spread('the same by the clock', warm.clock, 'ms');
    const uploaded = inProcesses('governance', empty);
    spread(
      'governance uploaded, cold, processor time (goal: at most 1200)',
      uploaded.processor,
      'ms',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function bench(dar: Uint8Array): void {
  machine();
  coldAndWarm();
  const empty = process.memoryUsage().heapUsed;
  const world = amuletWorld(dar, undefined, [], false);
  const { canticle, dso, alice, bob } = world;
  const { participant } = canticle;
  const { rules, factory, round } = canticle.amulet;
  const tap = tapOf(world);
  tap();
  globalThis.gc?.();
  figure('heap above an empty process', (process.memoryUsage().heapUsed - empty) / 1e6, 'MB');

  const taps = perSecond(3_000, tap);
  figure('taps (goal: at least 2000)', taps, 'per second');

  const contract = (value: string) => ({ tag: 'AV_ContractId', value });
  const values = { 'amulet-rules': contract(rules), 'open-round': contract(round) };
  const extraArgs = { context: { values }, meta: { values: {} } };
  const inputs = Array.from({ length: 4_000 }, tap);
  const transfers = perSecond(2_000, () => {
    const transfer = {
      sender: alice,
      receiver: bob,
      amount: '10.0',
      instrumentId: { admin: dso, id: 'Amulet' },
      requestedAt: '2026-01-01T00:00:00Z',
      executeBefore: '2026-01-02T00:00:00Z',
      inputHoldingCids: [inputs.pop()],
      meta: { values: {} },
    };
    const offered = participant.exercise(
      FACTORY,
      factory,
      'TransferFactory_Transfer',
      { expectedAdmin: dso, transfer, extraArgs },
      { actAs: [alice], readAs: [dso] },
    ).result as { output: { value: { transferInstructionCid: string } } };
    const offer = offered.output.value.transferInstructionCid;
    const accept = { actAs: [bob], readAs: [dso] };
    participant.exercise(INSTRUCTION, offer, 'TransferInstruction_Accept', { extraArgs }, accept);
  });
  figure('two-step transfers (goal: at least 500)', transfers, 'per second');
}

const [, , step] = process.argv;
const dar = realDar(AMULET_DAR);
if (step !== undefined)
  console.log(JSON.stringify(await STEPS[step]!(builtPackage().createCanticle)));
else if (dar !== undefined) bench(dar);
