/** Limits of Daml values; each has its one home here. */

/** Enclosing values that a value may have (B-VAL-030). */
export const MAX_NESTING = 100;
