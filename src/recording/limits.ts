/** What a recording is bounded by. */

/** Bytes of one body, or of the messages of one WebSocket, that are kept; what is longer passes, and is said to be cut. */
export const MAX_RECORDED_BYTES = 64 * 1024 * 1024;
