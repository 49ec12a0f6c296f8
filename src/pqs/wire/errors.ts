/** Errors in the form of PostgreSQL. */
import { isError } from '../../daml/errors/realms.js';

export interface SqlErrorFields {
  /** SQLSTATE */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

/** An answer of severity ERROR. */
export class SqlError extends Error {
  constructor(readonly fields: SqlErrorFields) {
    super(fields.message);
  }
}

/** An answer of severity FATAL. It ends the connection. */
export class FatalSqlError extends SqlError {}

export const error = (code: string, message: string, hint?: string): SqlError =>
  new SqlError({ code, message, hint });

export const fatal = (code: string, message: string, hint?: string): FatalSqlError =>
  new FatalSqlError({ code, message, hint });

/** A message that breaks the protocol. */
export const violation = (message: string): FatalSqlError => fatal('08P01', message);

/** The error for any exception. One that is not an SqlError is a bug, or the failure of another part. */
export const internal = (cause: unknown): SqlError =>
  cause instanceof SqlError
    ? cause
    : error('XX000', isError(cause) ? cause.message : String(cause));
