/**
 * Limits that more than one room keeps to; each has its one home here.
 * NOTE: where a participant has no such limit, of types, expressions, calls and texts that nest too deep or grow too large, it
 * fails with a fault of the JVM; what is past a limit is refused in words of ours, here and wherever a limit stands beside its
 * reader.
 */

/** Enclosing values that a value may have (B-VAL-030). */
export const MAX_NESTING = 100;

/** Characters of a cause that a client is shown. */
export const MAX_CAUSE = 512;

/** How far ledger time and record time may be apart, in microseconds; Canton's default, one minute. */
export const LEDGER_TIME_TOLERANCE = 60_000_000n;
/** The same as Canton writes it. */
export const LEDGER_TIME_TOLERANCE_TEXT = '1m';
