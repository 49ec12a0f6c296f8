/**
 * Limits of the HTTP shell; those that a release brings are in its row. Past one comes a refusal with a name, never
 * a crash.
 */

/**
 * Bytes of a request body or a frame: the default of the participant's HTTP server (B-GEN-045); releases may
 * override it.
 */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Characters of a request target: the default of that server, as the next two are. */
export const MAX_TARGET_LENGTH = 2048;

/** Characters that a request's method has fewer of. */
export const MAX_METHOD_LENGTH = 16;

export const MAX_HEADER_COUNT = 64;

/** Characters of one header's value. */
export const MAX_HEADER_LENGTH = 8192;

/** Entries of the request journal; the oldest leave first. */
export const MAX_JOURNAL_ENTRIES = 10_000;

/** Their limit of memory, together with the explanations of rejected submissions, as the journal estimates it. */
export const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

/** Characters of a body in an entry, where bodies are kept. */
export const MAX_JOURNAL_BODY = 64 * 1024;

/** Characters of a text in an entry. */
export const MAX_JOURNAL_TEXT = 8192;

/** Milliseconds: Node treats a longer delay as none. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;
