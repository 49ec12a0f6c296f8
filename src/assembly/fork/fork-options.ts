/** The options of a fork. */

/** For `startCanticle`: a live participant or Scan whose state this process continues. */
export interface ForkOptions {
  /** URL of its JSON Ledger API; undefined to read only a Scan. */
  readonly url?: string;
  /**
   * URL of a Scan: its public contracts of the DSO with the real configuration, and the contracts of `parties` with the DSO. Alone, it
   * makes a world of these. Together with `url`, they are added to the contracts of the participant.
   */
  readonly scan?: string;
  /** A bearer token with the right to read as any party, or as all of `parties`. Canticle does not store it. */
  readonly token?: string;
  /** Parties whose contracts to read. By default all, which requires the right to read as any party; of a Scan, none. */
  readonly parties?: readonly string[];
  /** Offset to read at; the ledger end by default. */
  readonly at?: number;
  /** Whether clients may act as parties that others host there: true by default. */
  readonly impersonate?: boolean;
  /**
   * A folder that caches the data: the next start sends no requests, and an interrupted start continues. `~/.canticle/forks` by default;
   * false for none.
   */
  readonly cache?: string | false;
  /** Whether to read everything again, and ignore the folder. */
  readonly refresh?: boolean;
  /** Maximum number of active contracts: more may not fit into the memory of a process. 2,000,000 by default. */
  readonly maxContracts?: number;
  /** Maximum duration of the whole reading in milliseconds: one hour by default. The `cache` keeps the data read so far. */
  readonly timeout?: number;
  /** Aborts the reading. */
  readonly signal?: AbortSignal;
  /** Called with each line about the progress. */
  readonly onProgress?: (line: string) => void;
}

export const MAX_FORKED_CONTRACTS = 2_000_000;
