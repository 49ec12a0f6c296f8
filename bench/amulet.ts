/**
 * Splice's Amulet from its DAR: from the file to the first transaction, in processes of their own with an empty cache and
 * with a filled one; taps and two-step transfers per second.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AMULET_RULES,
  amuletWorld,
  type AmuletWorld,
} from '../test/support/splice/amulet-world.js';
import { realDar } from '../test/support/foreign-files.js';
import { figure, machine, middle } from './measure/report.js';

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
const RUNS = 5;

function tapOf({ canticle, dso, alice }: AmuletWorld): () => string {
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

/** Milliseconds from the file to the first tap, in this process. */
async function firstTap(cache: string): Promise<number> {
  const start = now();
  const world = amuletWorld(realDar(AMULET_DAR)!, undefined, [], cache);
  tapOf(world)();
  const took = now() - start;
  // What was compiled is kept then.
  await world.canticle.close();
  return took;
}

function inProcesses(cache: (run: number) => string): number {
  const script = process.argv[1]!;
  const figures = Array.from({ length: RUNS }, (_, run) =>
    Number(execFileSync(process.execPath, [script, cache(run)], { encoding: 'utf8' })),
  );
  return middle(figures);
}

function coldAndWarm(): void {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-bench-'));
  try {
    const cold = inProcesses((run) => join(folder, `${run}`));
    figure('file to first tap, cold (goal: at most 1000)', cold, 'ms');
    // The second process has V8 compile what it finds, and keeps that.
    inProcesses(() => join(folder, '0'));
    const warm = inProcesses(() => join(folder, '0'));
    figure('file to first tap, cache filled (goal: at most 150)', warm, 'ms');
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

const [, , cache] = process.argv;
const dar = realDar(AMULET_DAR);
if (cache !== undefined) console.log(await firstTap(cache));
else if (dar !== undefined) bench(dar);
