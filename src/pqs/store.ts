/** A database of SQL with the rows of one participant. */

/** The result of one statement. */
export interface SqlResult {
  /** One object per row, with the values by the names of the columns. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The columns, in order; `dataTypeID` is PostgreSQL's oid of the type. */
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  /** The rows that the statement returned or changed. */
  readonly rowCount: number;
}

/** Runs statements; no other session runs at the same time. */
export interface SqlSession {
  /** One statement. @param params values of `$1`, `$2` … @throws an error with the `code` of PostgreSQL (its SQLSTATE) */
  query(sql: string, params?: readonly unknown[]): Promise<SqlResult>;
  /** Any number of statements, without results. */
  exec(sql: string): Promise<void>;
}

/** A session of a database in this process. */
export interface LocalSession extends SqlSession {
  /**
   * Passes messages of a front end to PostgreSQL and returns those of the back end. After an error of an extended query it ignores
   * messages until the next Sync, as PostgreSQL does.
   */
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
  /**
   * Writes all updates of the ledger that are not in the database yet. Call it before each statement of a connection that is in no
   * transaction. It does nothing in a transaction.
   */
  catchUp(): Promise<void>;
  /** Whether a transaction is open, also after an error in it. */
  isInTransaction(): boolean;
  /** Resolves as soon as another use waits for the end of this one. */
  blocks(): Promise<void>;
}

export interface SqlStore {
  /** The name of the database, such as `pqs-app-provider`. */
  readonly name: string;
  /** One statement, after all updates of the ledger were written. */
  query(sql: string, params?: readonly unknown[]): Promise<SqlResult>;
  /** Writes all updates of the ledger that are not in the database yet. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A database in this process. All its connections share one back end: its settings, its prepared statements and its transaction. The
 * user of the database, `postgres`, is not a superuser, cannot read or write files, and cannot become another user.
 */
export interface LocalStore extends SqlStore {
  /** Runs `use` when all earlier uses have ended. NOTE: `query` of the store inside it would never end: use the session. */
  runExclusive<T>(use: (session: LocalSession) => Promise<T>): Promise<T>;
}
