/** The outcome of a mutant. */

export const STATUSES = {
  survived: 'no test noticed it',
  undecided: 'the ledger stays the same: tests lack the inputs, or there is no difference',
  'not reached': 'no test runs the code',
  timeout: 'a test ran ten times longer, and was ended',
  killed: 'a test failed',
} as const;

export type Status = keyof typeof STATUSES;

export interface Verdict {
  readonly status: Status;
  /** The test that failed or ran too long. */
  readonly by?: string;
  /** The failure, in one line. */
  readonly reason?: string;
}

export const NOT_REACHED: Verdict = { status: 'not reached' };
/** All tests that reach it compute the same values with it. */
export const NO_DIFFERENCE: Verdict = { status: 'undecided' };

/** Whether a test noticed the mutant. */
export const isNoticed = ({ status }: Verdict): boolean =>
  status === 'killed' || status === 'timeout';

/** The longest reason in a report. */
const MAX_REASON = 200;

/** A reason for a report. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1)}…`;
}
