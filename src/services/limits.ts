/**
 * Limits of the HTTP server. Limits that differ by release are in the release's row. A request above a limit gets an
 * error with a code, and does not crash the server.
 */

/**
 * Bytes of a request body or a frame: the default of the participant's HTTP server (B-GEN-045); releases may
 * override it.
 */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Characters of a request target: the default of that server, as the next two are. */
export const MAX_TARGET_LENGTH = 2048;

/** The length of a request's method must be less than this number of characters. */
export const MAX_METHOD_LENGTH = 16;

export const MAX_HEADER_COUNT = 64;

/** Characters of one header's value. */
export const MAX_HEADER_LENGTH = 8192;

/** The number of entries of the request journal. The oldest are removed first. */
export const MAX_JOURNAL_ENTRIES = 10_000;

/** Their limit of memory, together with the explanations of rejected submissions, as the journal estimates it. */
export const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

/** Characters of a stored body in an entry. */
export const MAX_JOURNAL_BODY = 64 * 1024;

/** The number of elements of a stream that a rehearsal compares: the first ones. */
export const MAX_WATCHED_ELEMENTS = 100;

/** The number of external calls in an entry: the first ones. */
export const MAX_JOURNAL_CALLS = 100;

/** Characters of each text of such a call. */
export const MAX_JOURNAL_CALL_TEXT = 1024;

/** Characters of a text in an entry. */
export const MAX_JOURNAL_TEXT = 8192;

/** Milliseconds: Node ignores a longer delay. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;
