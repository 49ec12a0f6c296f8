/** The limits of a port for SQL. */
export interface SqlPortLimits {
  /** Open connections; PostgreSQL's `max_connections`. */
  readonly connections: number;
  /** Bytes of one message of a client. */
  readonly messageBytes: number;
  /** Bytes of one COPY FROM STDIN. */
  readonly copyBytes: number;
  /** Bytes that a connection sent and that no statement has read yet. Above it, the port stops reading from the connection. */
  readonly waitingBytes: number;
  /** Prepared statements of a connection. */
  readonly statements: number;
  /** Settings of a connection that differ from those of the database, and channels that it listens to. */
  readonly settings: number;
  /** Milliseconds until a client has authenticated; PostgreSQL's `authentication_timeout`. */
  readonly authenticationMs: number;
  /** Milliseconds that a statement waits for the transaction of another connection. */
  readonly waitMs: number;
  /** Milliseconds that a transaction blocks other connections. */
  readonly blockingMs: number;
}

export const SQL_PORT_LIMITS: SqlPortLimits = {
  connections: 100,
  messageBytes: 32 * 1024 * 1024,
  copyBytes: 32 * 1024 * 1024,
  waitingBytes: 1024 * 1024,
  statements: 5_000,
  settings: 500,
  authenticationMs: 60_000,
  waitMs: 30_000,
  blockingMs: 10_000,
};

/** Bytes of the first message of a connection, as in PostgreSQL. */
export const MAX_STARTUP_BYTES = 10_000;
