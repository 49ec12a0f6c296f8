/**
 * Limits that several folders use. NOTE: for deep or large types, expressions, calls and texts, a participant has no such limits, and fails
 * with an error of the JVM. So the errors for these limits are our texts, here and in the readers with limits.
 */

/** The maximum number of values around a value (B-VAL-030). */
export const MAX_NESTING = 100;

/** The maximum number of characters of a cause that a client sees. */
export const MAX_CAUSE = 512;

/** The maximum difference between ledger time and record time, in microseconds. Canton's default is one minute. */
export const LEDGER_TIME_TOLERANCE = 60_000_000n;
/** The same, as Canton prints it. */
export const LEDGER_TIME_TOLERANCE_TEXT = '1m';
