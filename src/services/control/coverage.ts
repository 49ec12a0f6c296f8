/** Choice coverage: starts it, reports it, stops it. */
import {
  coverageText,
  totalsOf,
  type CoverageReport,
} from '../../network/coverage/coverage-report.js';
import type { Coverage } from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

export const coverage = {
  startCoverage: ({ network }) => {
    network.coverage.start();
    return { counting: true };
  },
  getCoverage: (context, { query }) => {
    const report = reportOf(context, query.packages);
    return { ...report, totals: totalsOf(report.packages) } as Coverage;
  },
  getCoverageAsText: (context, { query }) => coverageText(reportOf(context, query.packages)),
  stopCoverage: ({ network }) => {
    network.coverage.stop();
    return { counting: false };
  },
} satisfies SomeHandlers<'control'>;

/** @param names of packages, with commas between them */
export function reportOf({ network }: ControlContext, names: string | undefined): CoverageReport {
  if (!network.coverage.isCounting)
    throw new HttpRefusal(409, 'Nothing is counted: begin with POST /canticle/v1/coverage.');
  return network.coverage.report(names ? { packages: names.split(',') } : {});
}
