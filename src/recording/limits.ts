/** What a recording is bounded by. */

/** Bytes of one body, or of the messages of one WebSocket, that are kept; what is longer passes, and is said to be cut. */
export const MAX_RECORDED_BYTES = 64 * 1024 * 1024;

/** Characters of one exchange in a file: no text of this engine is longer. */
export const MAX_ENTRY_CHARACTERS = 512 * 1024 * 1024 - 1024;

/** Differences of one exchange that are told; there may be more. */
export const MAX_DIFFERENCES = 20;

/** Exchanges of one operation that are told one by one in a report; the others are counted. */
export const MAX_TOLD_EXCHANGES = 100;

/** Levels of JSON in a body or a message that are followed; what is deeper is taken as a text. */
export const MAX_JSON_DEPTH = 1000;
