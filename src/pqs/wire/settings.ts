/** The settings of one connection. They are in the database during its turns only. */
import type { Backend } from './backend.js';
import { PQS_SETTINGS } from './effects.js';
import { error, SqlError } from './errors.js';
import { literal } from './messages.js';

/** Settings that belong to a transaction, or that no session can set. */
const IGNORED = /^(?:transaction_|is_superuser$)/;

export class Settings {
  /** Current values by name; null is that of the database. */
  private values = new Map<string, string | null>();

  /** @param start values of the start of the connection @param limit of settings that differ from those of the database */
  constructor(
    private readonly start: ReadonlyMap<string, string>,
    private readonly limit: number,
  ) {
    this.values = new Map(start);
  }

  /** Puts the values into the database, whose settings are its own. @throws SqlError for the first wrong one */
  async enter(backend: Backend): Promise<void> {
    const set = [...this.values].filter(([, value]) => value !== null);
    if (set.length === 0) return;
    const calls = set.map(([name, value]) => setConfig(name, value!));
    try {
      await backend.run(`select ${calls.join(', ')}`);
    } catch (cause) {
      if (!(cause instanceof SqlError) || this.values.size === this.start.size) throw cause;
      // A value that the database does not accept again, such as the name of a schema that is gone.
      for (const call of calls) await backend.run(`select ${call}`).catch(ignoreSqlError);
    }
  }

  /**
   * Reads settings that statements may have changed.
   * @param others whether any other setting may have changed too @throws SqlError above the limit
   */
  async read(backend: Backend, names: Iterable<string>, others: boolean): Promise<void> {
    const wanted = new Set(names);
    if (others) {
      for (const name of [...this.values.keys(), ...PQS_SETTINGS]) wanted.add(name);
      // NOTE: it lists no settings with a dot that no part of PostgreSQL knows.
      const rows = await backend.run("select name from pg_settings where source = 'session'");
      for (const [name] of rows) wanted.add(name!.toLowerCase());
    }
    const read = [...wanted].filter((name) => !IGNORED.test(name));
    if (read.length === 0) return;
    const columns = read.map((name) => `current_setting(${literal(name)}, true)`);
    const [row = []] = await backend.run(`select ${columns.join(', ')}`);
    for (const [at, name] of read.entries()) this.values.set(name, row[at] ?? null);
    if (this.values.size <= this.limit) return;
    this.values = new Map([...this.values].slice(0, this.limit));
    throw error('54000', `a connection can change ${this.limit} settings`);
  }

  /** Returns settings to their values at the start. */
  async reset(backend: Backend, names: readonly string[] | 'all'): Promise<void> {
    const start = [...this.start].filter(([name]) => names === 'all' || names.includes(name));
    if (names === 'all') this.values = new Map(this.start);
    for (const [name, value] of start) {
      await backend.run(`select ${setConfig(name, value)}`);
      this.values.set(name, value);
    }
  }

  /** Returns the settings of the database to its own. */
  async leave(backend: Backend): Promise<void> {
    if (this.values.size > 0) await backend.run('reset all');
  }
}

const setConfig = (name: string, value: string): string =>
  `set_config(${literal(name)}, ${literal(value)}, false)`;

function ignoreSqlError(cause: unknown): void {
  if (!(cause instanceof SqlError)) throw cause;
}
