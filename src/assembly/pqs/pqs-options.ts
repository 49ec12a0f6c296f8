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
  /**
   * The port with PostgreSQL's protocol, for databases in this process: any free one by default, and 5432 for the command line and the
   * ports of a LocalNet. Without a port, such as with `createCanticle`, only {@link Pqs.query} uses the databases.
   */
  readonly port?: number;
  /** The user of that port: `cnadmin` by default, as in cn-quickstart. */
  readonly user?: string;
  /** Its password: `supersafe` by default, as in cn-quickstart. */
  readonly password?: string;
}

/** The port that clients of PostgreSQL expect. */
export const PQS_PORT = 5432;
