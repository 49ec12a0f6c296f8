/**
 * The frame of the conformance tests. Each suite of the official tool (ledger-api-test-tool) names its cases. A test covers each
 * case, or a reason says why not. The command `node scripts/conformance-count.mjs` reads these calls to count the cases, so case ids are
 * literals. Each suite whose ledger has gRPC reads a sample over both transports.
 */

import { sampleOf } from '../../support/both-transports.js';
import { latestLedger } from '../../support/shared-ledger-api.js';

/** By case id, why there is no test, in a few words. */
type Reasons = Readonly<Record<string, string>>;

export interface LeftOut {
  /** Cases that the JSON Ledger API cannot express. */
  readonly notApplicable?: Reasons;
  /** Cases without a test. */
  readonly missing?: Reasons;
}

type Show = (caseId: string) => void | Promise<void>;

/** Several ids: the same test for each of them. @param truth the condition that must hold */
export type Reproduce = (caseIds: string | readonly string[], truth: string, show: Show) => void;

/**
 * A describe block named after the suite; a test's title begins with its case id.
 * @param cases gets three functions. The first adds cases that hold unchanged. The second adds cases with another answer, which the
 * test shows, since a release for which the tool skips them. The third adds cases that JSON answers differently: gRPC tests cover
 * these, so they do not count here.
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
