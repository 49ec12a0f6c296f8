/** The limits of a recording. */

/**
 * The most bytes that are recorded of one body, or of the messages of one WebSocket. Longer data passes, and is
 * marked as cut.
 */
export const MAX_RECORDED_BYTES = 64 * 1024 * 1024;

/** The most characters of one exchange in a file. JavaScript texts cannot be longer. */
export const MAX_ENTRY_CHARACTERS = 512 * 1024 * 1024 - 1024;

/** The most differences that are reported for one exchange. */
export const MAX_DIFFERENCES = 20;

/** The most exchanges of one operation that a report lists; it counts the others. */
export const MAX_LISTED_EXCHANGES = 100;

/** The most levels of JSON in a body or message. Deeper JSON is treated as a text. */
export const MAX_JSON_DEPTH = 1000;

/** The most findings that a rehearsal reports for one release; it counts the others. */
export const MAX_FINDINGS = 1000;

/** The most places that a finding of a rehearsal lists. */
export const MAX_FINDING_PLACES = 20;

/** The most calls of one run that a rehearsal compares. */
export const MAX_REHEARSED_CALLS = 200_000;

/** The most characters of their lines: each has its request and its answer. */
export const MAX_REHEARSED_CHARACTERS = 256 * 1024 * 1024;
