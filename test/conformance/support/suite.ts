/**
 * The frame of the conformance tests: a suite of the official tool (ledger-api-test-tool), whose cases are each shown by a test
 * of ours, or named with the reason why not. `node scripts/conformance-count.mjs` counts them by reading these calls, so case ids
 * are written out as literals. Of each suite whose ledger has gRPC, a sample is read over both transports.
 */

import { sampleOf } from '../../support/both-transports.js';
import { latestLedger } from '../../support/shared-ledger-api.js';

/** By case id, why there is no test, in a few words. */
type Reasons = Readonly<Record<string, string>>;

export interface LeftOut {
  /** What cannot be asked or seen over the JSON Ledger API. */
  readonly notApplicable?: Reasons;
  /** What Canticle does not show yet. */
  readonly missing?: Reasons;
}

type Show = (caseId: string) => void | Promise<void>;

/** Several ids: the same test for each of them. @param truth what must be true */
export type Reproduce = (caseIds: string | readonly string[], truth: string, show: Show) => void;

/**
 * A describe block named after the suite; a test's title begins with its case id.
 * @param cases with a verb for cases that hold as they are, one for those that have another answer here, which the test shows: since a
 * release for which the tool leaves them out; and one for those that JSON answers otherwise, but are shown over gRPC: here they do not count
 */
export function conformanceSuite(
  suite: string,
  leftOut: LeftOut,
  cases?: (reproduce: Reproduce, answerOtherwise: Reproduce, overJson: Reproduce) => void,
): void {
  const reasons = { ...leftOut.notApplicable, ...leftOut.missing };
  if (cases === undefined) return;
  const ledger = latestLedger();
  if (ledger === undefined) throw new Error(`${suite} has no ledger with gRPC to be sampled on.`);
  const sample = sampleOf(ledger);
  const verb =
    (how: string): Reproduce =>
    (caseIds, truth, show) => {
      for (const caseId of typeof caseIds === 'string' ? [caseIds] : caseIds) {
        if (caseId in reasons) throw new Error(`${suite}:${caseId} is left out and shown.`);
        it(`${caseId}: ${how}${truth}`, async () => {
          await show(caseId);
          await sample();
        });
      }
    };
  describe(suite, () => cases(verb(''), verb('otherwise, '), verb('over JSON, ')));
}
