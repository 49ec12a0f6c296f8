/** The options of SQL over the ledger. */
import type { DatabaseOptions } from '../../pqs/databases.js';

export type { Pqs } from '../../pqs/databases.js';
export type { SqlResult } from '../../pqs/store.js';

/** SQL over the ledger, as PQS (the Participant Query Store) provides it. */
export interface PqsOptions extends DatabaseOptions {
  /**
   * A PostgreSQL server to fill, such as `postgres://user:password@127.0.0.1/app`, instead of a database in this process. With several
   * participants, each has another database of this server, such as `pqs-app-provider`. It needs the package `pg`.
   */
  readonly url?: string;
}
