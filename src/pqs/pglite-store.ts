/** PostgreSQL in this process (PGlite), whose files are in memory. */
import type { PGlite } from '@electric-sql/pglite';
import type { LocalSession, LocalStore, SqlResult, SqlSession } from './store.js';

/** Writes the rows of a participant. */
export interface Writer {
  /** Writes what is missing, and deletes what the ledger has undone. */
  catchUp(session: SqlSession): Promise<void>;
}

export class PgliteStore implements LocalStore {
  private readonly session: LocalSession;
  private last: Promise<unknown> = Promise.resolve();
  /** Uses that have not ended. */
  private uses = 0;
  private notifyBlocking: () => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly db: PGlite,
    writer: Writer,
  ) {
    const statements = sessionOf(db);
    this.session = {
      ...statements,
      execProtocolRaw: (message) => db.execProtocolRaw(message, { syncToFs: false }),
      catchUp: async () => {
        if (!db.isInTransaction()) await writer.catchUp(statements);
      },
      isInTransaction: () => db.isInTransaction(),
      blocks: () =>
        new Promise((resolve) => {
          if (this.uses > 1) resolve();
          else this.notifyBlocking = resolve;
        }),
    };
  }

  runExclusive<T>(use: (session: LocalSession) => Promise<T>): Promise<T> {
    this.uses += 1;
    this.notifyBlocking();
    const result = this.last.then(() => use(this.session));
    this.last = result
      .catch(() => undefined)
      .then(() => {
        this.uses -= 1;
      });
    return result;
  }

  query(sql: string, params?: readonly unknown[]): Promise<SqlResult> {
    return this.runExclusive(async (session) => {
      await session.catchUp();
      return session.query(sql, params);
    });
  }

  catchUp(): Promise<void> {
    return this.runExclusive((session) => session.catchUp());
  }

  async close(): Promise<void> {
    await this.runExclusive(() => (this.db.closed ? Promise.resolve() : this.db.close()));
  }
}

/** Statements of a database without other uses at that time. */
export const sessionOf = (db: PGlite): SqlSession => ({
  query: async (sql, params = []) => {
    const {
      rows,
      fields,
      rowCount = rows.length,
    } = await db.query<Record<string, unknown>>(sql, [...params]);
    return { rows, fields, rowCount };
  },
  exec: async (sql) => {
    await db.exec(sql);
  },
});
