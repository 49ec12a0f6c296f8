/**
 * The line at the end of a test run about calls that use what the next release disables or removes. A run without such calls prints
 * nothing. Each test file of jest loads these files again, so the process has the counts. Vitest ends its processes without an event,
 * so each of its test files prints a line.
 */
import { runInThisContext } from 'node:vm';
import { fromEnvironment } from '../../options/environment.js';
import { UpcomingCalls } from '../../services/upcoming-calls.js';

type Change = UpcomingCalls['counts'][number];

/** The counts of a process, as data: its test files have their own copies of the class. */
type Counts = Map<string, Change>;

const COUNTS = Symbol.for('canticle.upcoming-calls');

interface Holder {
  [COUNTS]?: Counts;
}

/** A test file of jest has a copy of `process`, whose events never come. */
const realProcess = (): NodeJS.Process & Holder =>
  runInThisContext('process') as NodeJS.Process & Holder;

export const isQuiet = (given = false): boolean =>
  given || Boolean(fromEnvironment('CANTICLE_QUIET_DEPRECATIONS'));

/** Prints the line of a test file, or adds it to that of the process. @param now whether the file prints its own line */
export function reportUpcoming(calls: UpcomingCalls, now: boolean): void {
  if (calls.counts.length === 0) return;
  const real = realProcess();
  if (now) return void real.stderr.write(textOf(calls));
  const counts = (real[COUNTS] ??= atExit(real));
  for (const { change, calls: more } of calls.counts) {
    const key = JSON.stringify(change);
    counts.set(key, { change, calls: more + (counts.get(key)?.calls ?? 0) });
  }
}

function atExit(real: NodeJS.Process): Counts {
  const counts: Counts = new Map();
  real.once('exit', () => {
    const all = new UpcomingCalls();
    for (const { change, calls } of counts.values()) all.add(change, calls);
    real.stderr.write(textOf(all));
  });
  return counts;
}

const textOf = ({ line }: UpcomingCalls): string => `canticle: ${line}\n`;
