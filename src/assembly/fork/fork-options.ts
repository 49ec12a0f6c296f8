/** What is forked, and how. */

/** Of `startCanticle`: a participant that runs elsewhere, to go on from in this process. */
export interface ForkOptions {
  /** Of its JSON Ledger API; absent where Scan alone is read. */
  readonly url?: string;
  /**
   * Of a Scan: the DSO's contracts that it tells everybody of, with the real configuration, and what parties have of the DSO. Alone it makes a
   * world of these; beside `url` they are added to what that participant sees.
   */
  readonly scan?: string;
  /** A bearer token that may read: as any party, or as all of `parties`. It is kept nowhere. */
  readonly token?: string;
  /** Whose contracts are read; everybody's by default, which takes the right to read as any party. Of a Scan: nobody's by default. */
  readonly parties?: readonly string[];
  /** At which offset; the ledger's end by default. */
  readonly at?: number;
  /** Whether whoever is known there may be acted as here, where nobody has their keys: true by default. */
  readonly impersonate?: boolean;
  /**
   * A folder for what was read: the next start asks nobody, and one that was interrupted goes on. `~/.canticle/forks` by default; false
   * for none.
   */
  readonly cache?: string | false;
  /** Whether to read it all again, whatever is in the folder. */
  readonly refresh?: boolean;
  /** With more active contracts than these it is not forked, as they would not fit into a process: 2,000,000 by default. */
  readonly maxContracts?: number;
  /** Milliseconds that the reading may take as a whole: an hour by default. What was read by then is kept where `cache` says. */
  readonly timeout?: number;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
  /** Told what is read, a line at a time. */
  readonly onProgress?: (line: string) => void;
}

export const MAX_FORKED_CONTRACTS = 2_000_000;
