/** Limits of the HTTP shell. Past one comes a refusal with a name, never a crash. */
import type { ApiVersion } from '../spec/versions.js';

/** Bytes of a request body: the default of the participant's own HTTP server (B-GEN-045). */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface ReleaseLimits {
  /** Bytes of a request body. */
  readonly body: number;
  /** Levels of JSON in an argument of a command or a contract key, itself among them. */
  readonly argumentDepth?: number;
}

/** Where the releases of the Ledger API differ. */
export const LIMITS_OF_RELEASE: Readonly<Record<ApiVersion, ReleaseLimits>> = {
  '3.4': { body: MAX_BODY_BYTES },
  '3.5': { body: MAX_BODY_BYTES },
  '3.6': { body: 10 * 1024 * 1024, argumentDepth: 110 },
};

/** Characters of a request target: the default of that server, as the next two are. */
export const MAX_TARGET_LENGTH = 2048;

export const MAX_HEADER_COUNT = 64;

/** Characters of one header's value. */
export const MAX_HEADER_LENGTH = 8192;

/** Nesting of a JSON body; Daml values end at 100 levels, each of which takes a few of JSON. */
export const MAX_JSON_DEPTH = 1000;

/** Entries of the request journal; the oldest leave first. */
export const MAX_JOURNAL_ENTRIES = 10_000;
