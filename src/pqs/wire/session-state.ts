/** The parts of one connection that are in the database during its turns. */
import type { Backend } from './backend.js';
import type { Effects } from './effects.js';
import { error } from './errors.js';
import type { SqlPortLimits } from './limits.js';
import { message, text } from './messages.js';
import { Pending } from './pending.js';
import { Settings } from './settings.js';
import { Statements } from './statements.js';
import { TemporaryTables } from './temporary.js';

/** Facts of one database that its connections share. */
export class Database {
  /** The values of reported settings, from the first connection on. */
  reported: ReadonlyMap<string, string> | undefined;
  /** Settings that functions of the connections may change. Without such functions, nothing. */
  inFunctions: Set<string> | undefined;

  constructor(readonly name: string) {}
}

export class SessionState {
  readonly channels = new Set<string>();
  readonly statements: Statements;
  readonly pending = new Pending();
  private readonly settings: Settings;
  private readonly temporary = new TemporaryTables();

  /** @param start settings of the start of the connection */
  constructor(
    id: number,
    private readonly database: Database,
    private readonly limits: SqlPortLimits,
    start: ReadonlyMap<string, string>,
  ) {
    this.settings = new Settings(start, limits.settings);
    this.statements = new Statements(id, limits.statements);
  }

  /** Whether anything of it is in the database outside of its turns. */
  get remains(): boolean {
    return this.statements.exist || this.temporary.exist;
  }

  /** Puts it into the database. @throws SqlError for a setting that the database refuses */
  async enter(backend: Backend): Promise<void> {
    await this.settings.enter(backend);
    await this.temporary.enter(backend);
  }

  /** Takes it out of the database, outside of a transaction. */
  async leave(backend: Backend): Promise<void> {
    const { pending, temporary, settings } = this;
    const { inFunctions } = this.database;
    try {
      const names = [...pending.settings, ...(inFunctions ?? [])];
      await settings.read(backend, names, pending.isUnknown || inFunctions !== undefined);
      if (pending.isTemporary) await temporary.leave(backend);
    } finally {
      pending.endTurn(temporary.exist);
      this.statements.endTransaction();
      await settings.leave(backend);
    }
  }

  /** Ends the transaction, and removes from the database what it leaves there between turns. */
  async remove(backend: Backend): Promise<void> {
    await backend.reset();
    await this.deallocateAll(backend);
    await this.temporary.drop(backend);
  }

  /** Runs the port's own part of statements, before them. */
  async before(effects: Effects, backend: Backend): Promise<void> {
    if (effects.defines !== undefined) this.define(effects.defines);
    for (const { action } of effects.actions.values()) {
      if (action.kind === 'discard-all' && (backend.status !== 'I' || effects.statements > 1))
        throw error('25001', 'DISCARD ALL cannot run inside a transaction block');
      if (action.kind === 'deallocate-all' || action.kind === 'discard-all')
        await this.deallocateAll(backend);
      if (action.kind === 'discard-all') this.channels.clear();
      if (action.kind === 'unlisten' && action.channel !== undefined)
        this.channels.delete(action.channel);
      else if (action.kind === 'unlisten') this.channels.clear();
    }
    this.pending.add(effects);
  }

  /** Runs the port's own part of statements, after them. */
  async settle(backend: Backend): Promise<void> {
    const { discards, dropsTemporary, reset } = this.pending.takeWork();
    if (discards) await backend.run('reset all');
    if (discards || reset === 'all' || reset.length > 0)
      await this.settings.reset(backend, discards ? 'all' : reset);
    if (dropsTemporary) await this.temporary.drop(backend);
  }

  private define(names: readonly string[]): void {
    const known = (this.database.inFunctions ??= new Set());
    for (const name of names) if (known.size < this.limits.settings) known.add(name);
  }

  async deallocate(backend: Backend, name: string): Promise<void> {
    if (!this.statements.has(name)) return;
    await backend.send(message('C', Buffer.from('S'), text(this.statements.internal(name))));
    this.statements.closed(name);
  }

  async deallocateAll(backend: Backend): Promise<void> {
    const closing = this.statements.takeAll();
    if (closing.length > 0)
      await backend.send(...closing.map((name) => message('C', Buffer.from('S'), text(name))));
  }

  listen(channel: string): void {
    if (this.channels.size >= this.limits.settings && !this.channels.has(channel))
      throw error('54000', `a connection can listen to ${this.limits.settings} channels`);
    this.channels.add(channel);
  }
}
