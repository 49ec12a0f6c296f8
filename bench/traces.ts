/**
 * Traces of transfers of Splice's Amulet, and their steps by function. Also measures the cost of submissions before
 * and after the first trace, in turns.
 */
import { AMULET_RULES, amuletWorld } from '../test/support/splice/amulet-world.js';
import { realDar } from '../test/support/foreign-files.js';
import { figure, machine, middle } from './measure/report.js';

const AMULET_DAR = 'splice-amulet-0.1.14.dar';
const [TRACES, TURNS, TAPS] = [50, 60, 400];

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const lowerQuartile = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)]!;

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
  // Times each tap separately. Other load affects some of them: the ratio compares lower quartiles, which exclude
  // these.
  const taps = (into: number[] = []): void => {
    for (let n = 0; n < TAPS; n += 1) {
      const start = now();
      tap();
      into.push(now() - start);
    }
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
  // A trace has no cost after it was read. Taps without a trace run twice per turn: their difference is the error of
  // the measurement. It does not force garbage collection: V8 would drop the shapes of traces, and the optimized code
  // for them. A suite does not do that after each trace.
  const [plain, again, traced]: [number[], number[], number[]] = [[], [], []];
  const kinds = [plain, again, traced];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let place = 0; place < kinds.length; place += 1) {
      const kind =
        kinds[(turn + (Math.floor(turn / 3) % 2 === 0 ? place : 2 - place)) % kinds.length]!;
      if (kind === traced) canticle.trace(updateId);
      taps(kind);
    }
  }
  const over = (kind: number[]): number => (lowerQuartile(kind) / lowerQuartile(plain) - 1) * 100;
  const all = took(() => canticle.trace(updateId), TRACES);
  figure('first trace of a transfer', all[0]!, 'ms');
  figure('trace of a transfer (goal: at most 20)', middle(all), 'ms');
  figure('where its steps went', middle(took(() => canticle.profile(updateId), 5)), 'ms');
  figure('taps after a trace, against taps without (goal: under 2)', over(traced), '% more time');
  figure(
    'taps without, against taps without: what the measure cannot tell',
    over(again),
    '% more time',
  );
}

const dar = realDar(AMULET_DAR);
if (dar === undefined) console.log(`skipped: ${AMULET_DAR} is not here`);
else bench(dar);
