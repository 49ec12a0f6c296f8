/** Limits of the HTTP shell. Past one comes a refusal with a name, never a crash. */

/** Bytes of a request body: the default of the participant's own HTTP server (B-GEN-045). */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Nesting of a JSON body; Daml values end at 100 levels, each of which takes a few of JSON. */
export const MAX_JSON_DEPTH = 1000;

/** Entries of the request journal; the oldest leave first. */
export const MAX_JOURNAL_ENTRIES = 10_000;
