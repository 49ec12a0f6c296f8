/**
 * A simulated week of a founded DSO under virtual time: its rounds, and the automation of the DSO and three
 * validators.
 */
import { realDar } from '../test/support/foreign-files.js';
import { DSO_DARS, foundedWorld } from '../test/support/splice/founded-world.js';
import { figure, machine } from './measure/report.js';

const GOAL = 10;

function week(dars: readonly Uint8Array[]): void {
  const { canticle } = foundedWorld(dars);
  const before = canticle.network.updates.length;
  const start = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  canticle.advanceTime({ days: 7 });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const { user } = process.cpuUsage(cpu);
  const updates = canticle.network.updates.length - before;
  figure(`1,008 rounds, ${updates} updates (goal: at most ${GOAL})`, seconds, 's');
  figure('of which its own time on a core', user / 1e6, 's');
}

const dars = DSO_DARS.map((name) => realDar(name));
machine();
if (dars.some((dar) => dar === undefined))
  console.log(`skipped, as it needs ${DSO_DARS.join(', ')}`);
else week(dars as Uint8Array[]);
