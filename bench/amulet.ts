/** Splice's Amulet from its DAR: from the file to the first transaction, taps and two-step transfers per second. */
import { AMULET_RULES, amuletWorld, realDar } from '../test/support/amulet-world.js';
import { figure, machine } from './measure/report.js';

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

machine();
const dar = realDar('splice-amulet-0.1.14.dar');
if (dar !== undefined) {
  const empty = process.memoryUsage().heapUsed;
  const start = now();
  const world = amuletWorld(dar);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const { rules, factory, round } = amulet;
  const tap = (): string => {
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
  tap();
  const first = now() - start;
  figure('file to first tap (goal: at most 1000)', first, 'ms');
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
