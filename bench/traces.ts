/**
 * Traces of transfers of Splice's Amulet, and where their steps went; what submitting costs before anybody asked for a trace and after,
 * in turns.
 */
import { AMULET_RULES, amuletWorld } from '../test/support/splice/amulet-world.js';
import { realDar } from '../test/support/foreign-files.js';
import { figure, machine, middle } from './measure/report.js';

const AMULET_DAR = 'splice-amulet-0.1.14.dar';
const [TRACES, TURNS, TAPS] = [50, 21, 200];

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

function bench(dar: Uint8Array): void {
  machine();
  const { canticle, dso, alice, bob } = amuletWorld(dar, undefined, [], false);
  const { participant, amulet } = canticle;
  const { rules, round } = amulet;
  const tap = () =>
    participant.exercise(
      AMULET_RULES,
      rules,
      'AmuletRules_DevNet_Tap',
      { receiver: alice, amount: '100.0', openRound: round },
      { actAs: [alice], readAs: [dso] },
    );
  const taps = (): number => {
    const start = processor();
    for (let n = 0; n < TAPS; n += 1) tap();
    return processor() - start;
  };
  tap();
  const { instruction } = amulet.transfer({ from: alice, to: bob, amount: '10.0' });
  amulet.accept(instruction, bob);
  const { updates } = canticle.network;
  const { updateId } = updates.at(updates.length - 1)!;
  for (let n = 0; n < 5; n += 1) taps();
  const took = (action: () => unknown, times: number): number[] =>
    Array.from({ length: times }, () => {
      const start = now();
      action();
      return now() - start;
    });
  // What was asked for costs nothing any more once it was told.
  const [plain, traced]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const isTraced of turn % 2 === 0 ? [false, true] : [true, false]) {
      if (isTraced) canticle.trace(updateId);
      globalThis.gc?.();
      (isTraced ? traced : plain).push(taps());
    }
  }
  const all = took(() => canticle.trace(updateId), TRACES);
  figure('first trace of a transfer', all[0]!, 'ms');
  figure('trace of a transfer (goal: at most 20)', middle(all), 'ms');
  figure('where its steps went', middle(took(() => canticle.profile(updateId), 5)), 'ms');
  const more = (middle(traced) / middle(plain) - 1) * 100;
  figure('taps after a trace, against taps without (goal: under 2)', more, '% more processor time');
}

const dar = realDar(AMULET_DAR);
if (dar === undefined) console.log(`skipped: ${AMULET_DAR} is not here`);
else bench(dar);
