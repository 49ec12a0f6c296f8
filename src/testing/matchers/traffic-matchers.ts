/** The matcher on the traffic cost of an update. */
import { lazy } from '../../daml/errors/lazy.js';
import type * as CostReports from '../../network/budgets/cost-report.js';
import { verdict, type MatcherState, type Verdict } from './matcher.js';
import type * as SeenModule from './seen.js';
import { shortList } from './shortened.js';

// Few tests use them.
const costReports = lazy(
  () => require('../../network/budgets/cost-report.js') as typeof CostReports,
);
const seenModule = lazy(() => require('./seen.js') as typeof SeenModule);

/** @param bytes the most traffic of the update, whether or not traffic control is on */
export function toCostAtMost(this: MatcherState, subject: unknown, bytes: number): Verdict {
  const call = { subject: 'update', text: `toCostAtMost(${bytes})` };
  const fail = (...lines: string[]): Verdict =>
    verdict(this, call, this.isNot === true, () => lines);
  if (!Number.isFinite(bytes)) return fail(`Not a number of bytes: ${String(bytes)}.`);
  const located = seenModule().locateUpdate(subject);
  if (typeof located === 'string') return fail(located);
  const report = costReports().costReport(located.canticle.network, located.update);
  if (report === undefined)
    return fail('The network itself made the update, so it costs no traffic.');
  const { views, inputs } = report;
  return verdict(this, call, report.bytes <= bytes, () => [
    `It costs ${report.bytes} bytes.`,
    '',
    `It uses ${inputs} contracts that it did not create, and has ${views.length} views:`,
    ...views.map(
      ({ action, informees, participants, depth }) =>
        `${'  '.repeat(depth + 1)}${action}, for ${shortList(informees)} on ${participants.join(', ')}`,
    ),
  ]);
}
