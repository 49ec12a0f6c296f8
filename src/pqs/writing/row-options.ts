/** Which rows a database has. */
import type { PqsVersion } from '../schema/columns.js';

/** Transactions of the active contract set only, or all events with their exercises. */
export type PqsDatasource = 'TransactionStream' | 'TransactionTreeStream';

/** The rows of a database, as with PQS's options of the same names. */
export interface RowOptions {
  /** The version of PQS whose tables and functions the database has; `3.5` by default. */
  readonly version?: PqsVersion;
  /**
   * `TransactionStream`, the default: creates and archives that change the active contracts. `TransactionTreeStream`: also exercises, and
   * contracts that are created and archived in one transaction, or are divulged.
   */
  readonly datasource?: PqsDatasource;
  /**
   * The first offset: `Genesis`, the default, `Oldest` or `Latest`, or a number. Contracts that are active at a later start belong to a
   * transaction with index 0. If the participant has pruned its history, `Genesis` means `Oldest`.
   */
  readonly ledgerStart?: 'Genesis' | 'Oldest' | 'Latest' | number;
  /** The parties whose contracts the database has, such as `Alice* | Bob*`; by default `*`. */
  readonly filterParties?: string;
  /** The templates and interfaces whose rows the database has, such as `my-app:* & !*.Internal`; by default `*`. */
  readonly filterContracts?: string;
  /** The templates whose contracts have their blob in `metadata`; by default `!*`, none. */
  readonly filterMetadata?: string;
}
