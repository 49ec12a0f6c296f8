/** The databases of an instance: one for each participant. Each is opened on its first use. */
import type { Participant } from '../network/participant.js';
import { openLocalStore } from './open-store.js';
import { openServerStore } from './open-server-store.js';
import type { PreparedFiles } from './pglite-data.js';
import type { LocalStore, SqlResult, SqlStore } from './store.js';
import { ParticipantWriter } from './writing/participant-writer.js';
import type { RowOptions } from './writing/row-options.js';
import { setTimeout } from 'node:timers';

/** SQL over the ledger. */
export interface Pqs {
  /** The names of the databases, in the order of the participants: `pqs-app-provider`. */
  readonly databases: readonly string[];
  /**
   * The number of updates that the rows lag behind the ledger; 0 by default. A real PQS lags by some milliseconds. Rows that are already
   * written stay.
   */
  lag: number;
  /**
   * Runs one statement. It sees all updates of the ledger up to now.
   * @param params values of `$1`, `$2` … @param options `database`, the first one by default
   * @returns `rows`, one object each. Numbers of `bigint` are numbers, or bigints above 2^53; jsonb is parsed; times are dates.
   * @throws an error with PostgreSQL's `code` (SQLSTATE), or an Error for an unknown database
   */
  query(
    sql: string,
    params?: readonly unknown[],
    options?: { readonly database?: string | undefined },
  ): Promise<SqlResult>;
}

export interface DatabaseOptions extends RowOptions {
  /** See {@link Pqs.lag}. */
  readonly lag?: number;
  /** A PostgreSQL server in place of one in this process. */
  readonly url?: string;
}

interface Database {
  readonly participant: Participant;
  readonly writer: ParticipantWriter;
  opened: Promise<SqlStore> | undefined;
  /** Ends when all rows are written; undefined if they are. */
  writing: Promise<void> | undefined;
  isBehind: boolean;
}

/** The longest time in milliseconds that an answer waits for a server to write its rows. */
export const MAX_ROWS_WAIT = 10_000;

export class PqsDatabases implements Pqs {
  private readonly byName: ReadonlyMap<string, Database>;
  private lagging = 0;
  private readonly stops: (() => void)[] = [];

  /** @throws Error for an invalid filter */
  constructor(
    participants: readonly Participant[],
    private readonly options: DatabaseOptions,
    private readonly files: PreparedFiles | undefined,
    /** Receives errors that no statement can throw. */
    private readonly report: (message: string) => void,
  ) {
    const databases = participants.map((participant) => {
      const writer = new ParticipantWriter(participant, options);
      const states = { opened: undefined, writing: undefined, isBehind: true };
      return [`pqs-${participant.name}`, { participant, writer, ...states }] as const;
    });
    this.byName = new Map<string, Database>(databases);
    this.lag = options.lag ?? 0;
    if (options.url !== undefined)
      for (const [name, database] of this.byName) this.follow(name, database);
  }

  /** Resolves when a server has the rows of all updates up to now; undefined if it has them. */
  readonly settled = (): Promise<unknown> | undefined => {
    const writing = [...this.byName.values()].flatMap((each) => each.writing ?? []);
    if (writing.length === 0) return undefined;
    return Promise.race([Promise.all(writing), passed(MAX_ROWS_WAIT)]);
  };

  /** Writes the rows of each update at once: a server has other readers. */
  private follow(name: string, database: Database): void {
    const write = (): void => {
      database.isBehind = true;
      database.writing ??= this.writeRows(name, database).finally(() => {
        database.writing = undefined;
      });
    };
    const { log, ledger } = database.participant;
    this.stops.push(log.onAppend(write), ledger.onRevert(write));
    write();
  }

  private async writeRows(name: string, database: Database): Promise<void> {
    try {
      while (database.isBehind) {
        const store = await this.store(name);
        database.isBehind = false;
        await store.catchUp();
      }
    } catch (error) {
      this.report(`the rows of ${name} could not be written: ${(error as Error).message}`);
    }
  }

  get lag(): number {
    return this.lagging;
  }

  /** @throws RangeError for a negative number or a fraction */
  set lag(updates: number) {
    if (!Number.isSafeInteger(updates) || updates < 0)
      throw new RangeError(
        `The lag of rows cannot be ${updates}. Expected a whole number, 0 or more.`,
      );
    this.lagging = updates;
    for (const { writer } of this.byName.values()) writer.lag = updates;
  }

  get databases(): readonly string[] {
    return [...this.byName.keys()];
  }

  async query(
    sql: string,
    params?: readonly unknown[],
    { database = this.databases[0]! }: { readonly database?: string | undefined } = {},
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
    for (const stop of this.stops.splice(0)) stop();
    const opened = [...this.byName.values()].map(({ opened }) => opened);
    await Promise.all(opened.map(async (store) => (await store?.catch(() => undefined))?.close()));
  }
}

const passed = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
