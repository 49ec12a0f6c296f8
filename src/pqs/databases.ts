/** The databases of an instance: one for each participant. Each is opened on its first use. */
import type { Participant } from '../network/participant.js';
import { openLocalStore } from './open-store.js';
import { openServerStore } from './open-server-store.js';
import type { PreparedFiles } from './pglite-data.js';
import type { LocalStore, SqlResult, SqlStore } from './store.js';
import { ParticipantWriter } from './writing/participant-writer.js';
import type { RowOptions } from './writing/row-options.js';

/** SQL over the ledger. */
export interface Pqs {
  /** The names of the databases, in the order of the participants: `pqs-app-provider`. */
  readonly databases: readonly string[];
  /**
   * Runs one statement. It sees all updates of the ledger up to now.
   * @param params values of `$1`, `$2` … @param options `database`, the first one by default
   * @returns `rows`, one object each. Numbers of `bigint` are numbers, or bigints above 2^53; jsonb is parsed; times are dates.
   * @throws an error with PostgreSQL's `code` (SQLSTATE), or an Error for an unknown database
   */
  query(
    sql: string,
    params?: readonly unknown[],
    options?: { readonly database?: string },
  ): Promise<SqlResult>;
}

export interface DatabaseOptions extends RowOptions {
  /** A PostgreSQL server in place of one in this process. */
  readonly url?: string;
}

interface Database {
  readonly participant: Participant;
  readonly writer: ParticipantWriter;
  opened: Promise<SqlStore> | undefined;
}

export class PqsDatabases implements Pqs {
  private readonly byName: ReadonlyMap<string, Database>;

  /** @throws Error for an invalid filter */
  constructor(
    participants: readonly Participant[],
    private readonly options: DatabaseOptions,
    private readonly files: PreparedFiles | undefined,
  ) {
    const databases = participants.map((participant) => {
      const writer = new ParticipantWriter(participant, options);
      return [`pqs-${participant.name}`, { participant, writer, opened: undefined }] as const;
    });
    this.byName = new Map<string, Database>(databases);
  }

  get databases(): readonly string[] {
    return [...this.byName.keys()];
  }

  async query(
    sql: string,
    params?: readonly unknown[],
    { database = this.databases[0]! }: { readonly database?: string } = {},
  ): Promise<SqlResult> {
    return (await this.store(database)).query(sql, params);
  }

  /** Whether the databases are in this process. */
  get areLocal(): boolean {
    return this.options.url === undefined;
  }

  /** A database in this process, for servers of PostgreSQL's protocol. @throws Error for an unknown name */
  localStore(name: string): Promise<LocalStore> {
    return this.store(name) as Promise<LocalStore>;
  }

  private store(name: string): Promise<SqlStore> {
    const database = this.byName.get(name);
    if (database === undefined)
      throw new Error(
        `This Canticle has no database '${name}', only ${this.databases.join(', ')}.`,
      );
    return (database.opened ??= this.open(name, database).catch((error: unknown) => {
      database.opened = undefined;
      throw error;
    }));
  }

  private open(name: string, { participant, writer }: Database): Promise<SqlStore> {
    const { options, files } = this;
    const { url } = options;
    if (url === undefined) return openLocalStore(name, writer, { participant, options, files });
    const isOnly = this.byName.size === 1;
    return openServerStore(name, writer, { participant, options, url, isOnly });
  }

  async close(): Promise<void> {
    const opened = [...this.byName.values()].map(({ opened }) => opened);
    await Promise.all(opened.map(async (store) => (await store?.catch(() => undefined))?.close()));
  }
}
