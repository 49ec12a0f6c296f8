/** A database of a PostgreSQL server. */
import type { Client, Pool } from 'pg';
import type { SqlResult, SqlSession, SqlStore } from './store.js';
import type { ParticipantWriter } from './writing/participant-writer.js';

export class ServerStore implements SqlStore {
  private readonly session: SqlSession;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly name: string,
    /** The connection that writes. */
    private readonly writing: Client,
    private readonly reading: Pool,
    private readonly writer: ParticipantWriter,
  ) {
    this.session = sessionOf(writing);
  }

  /** Writes all updates of the ledger up to now. */
  catchUp(): Promise<void> {
    const done = this.last.then(() => this.writer.catchUp(this.session));
    this.last = done.catch(() => undefined);
    return done;
  }

  async query(sql: string, params: readonly unknown[] = []): Promise<SqlResult> {
    await this.catchUp();
    return resultOf(await this.reading.query(sql, [...params]));
  }

  async close(): Promise<void> {
    await this.last;
    await Promise.all([this.writing.end(), this.reading.end()]);
  }
}

const resultOf = ({ rows, fields, rowCount }: QueryResult): SqlResult => ({
  rows,
  fields,
  rowCount: rowCount ?? rows.length,
});

interface QueryResult {
  readonly rows: Record<string, unknown>[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rowCount: number | null;
}

/** Statements over one connection. */
export const sessionOf = (client: Client): SqlSession => ({
  query: async (sql, params = []) => resultOf(await client.query(sql, [...params])),
  exec: async (sql) => {
    await client.query(sql);
  },
});
