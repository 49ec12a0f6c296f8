/** One connection of a client. */
import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { fatal, FatalSqlError, internal, SqlError } from './errors.js';
import type { LocalStore } from '../store.js';
import { Inbox } from './inbox.js';
import type { SqlPortLimits } from './limits.js';
import {
  errorResponse,
  int32,
  literal,
  message,
  parameterStatus,
  readyForQuery,
  type Message,
} from './messages.js';
import type { Database } from './session-state.js';
import { Session, type Link } from './session.js';
import { startUp, type Client, type StartupOptions } from './startup.js';

/** The parts that connections share. */
export interface Server extends StartupOptions {
  readonly databases: ReadonlyMap<string, Database>;
  readonly limits: SqlPortLimits;
  /** Opens a database that the port has. */
  open(name: string): Promise<LocalStore>;
  /** Sends a notification to connections of the same database. */
  notify(from: Connection, notification: Message): void;
  failed(cause: unknown): void;
}

/** The settings that PostgreSQL reports to clients, at the start and at each change. */
const REPORTED = [
  ...['application_name', 'client_encoding', 'DateStyle', 'default_transaction_read_only'],
  ...['in_hot_standby', 'integer_datetimes', 'IntervalStyle', 'is_superuser', 'scram_iterations'],
  ...['search_path', 'server_encoding', 'server_version', 'session_authorization'],
  ...['standard_conforming_strings', 'TimeZone'],
];
/** Bytes of answers that wait for others, before they are sent. */
const BATCH_BYTES = 64 * 1024;

export class Connection implements Link {
  readonly secret = randomInt(2 ** 31);
  database: Database | undefined;
  session: Session | undefined;
  private readonly inbox: Inbox;
  private batch: Buffer[] = [];
  private batchBytes = 0;

  /** @param id its process id, for cancel requests */
  constructor(
    readonly id: number,
    private socket: Socket,
    private readonly server: Server,
  ) {
    this.inbox = new Inbox(socket, server.limits);
  }

  /** Serves the client until its end. It never fails. */
  async run(): Promise<void> {
    try {
      await this.serve();
    } catch (cause) {
      if (!(cause instanceof SqlError)) this.server.failed(cause);
      const { fields } = internal(cause);
      this.send(errorResponse(new FatalSqlError(fields)));
    }
    await this.session?.dispose().catch((cause: unknown) => {
      if (!(cause instanceof SqlError)) this.server.failed(cause);
    });
    this.socket.end(Buffer.concat(this.batch));
    // A client that reads nothing does not keep the connection.
    this.socket.setTimeout(this.server.limits.authenticationMs, () => this.socket.destroy());
  }

  send(bytes: Buffer): void {
    this.batch.push(bytes);
    this.batchBytes += bytes.length;
  }

  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const bytes = Buffer.concat(this.batch);
    this.batch = [];
    this.batchBytes = 0;
    if (this.socket.write(bytes) || this.socket.destroyed) return;
    const { socket } = this;
    const room = new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
    await (this.session?.inTime(room) ?? room);
  }

  next(): Promise<Message | undefined> {
    return this.inbox.next();
  }

  notify(notification: Message): void {
    this.server.notify(this, notification);
  }

  /** Sends a notification now: at this time no other answer is on its way in part. */
  deliver(bytes: Buffer): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  failed(cause: unknown): void {
    this.server.failed(cause);
  }

  private async serve(): Promise<void> {
    const client = await this.client();
    if (client === undefined) return;
    this.socket = client.socket;
    await this.open(client);
    for (;;) {
      const next = this.inbox.arrived() ?? (await this.waitForMessage());
      if (next === undefined || next.type === 'X') return;
      await this.session!.handle(next);
      if (this.batchBytes > BATCH_BYTES) await this.flush();
    }
  }

  private async waitForMessage(): Promise<Message | undefined> {
    await this.flush();
    return this.session!.inTime(this.inbox.next());
  }

  private async client(): Promise<Client | undefined> {
    const { authenticationMs } = this.server.limits;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const cause = fatal('57014', 'canceling authentication due to timeout');
      timer = setTimeout(() => reject(cause), authenticationMs);
    });
    try {
      return await Promise.race([startUp(this.socket, this.inbox, this.server), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens the database, and answers with its settings. */
  private async open({ database: name, user, settings }: Client): Promise<void> {
    const database = this.server.databases.get(name);
    if (database === undefined) throw fatal('3D000', `database "${name}" does not exist`);
    this.database = database;
    const store = await this.server.open(name);
    const reported = await this.reported(database, store, settings);
    for (const [setting, value] of reported)
      this.send(parameterStatus(setting, setting === 'session_authorization' ? user : value));
    this.send(message('K', int32(this.id), int32(this.secret)));
    this.send(readyForQuery('I'));
    await this.flush();
  }

  /** Starts the session, with the settings of the client that differ from those of the database. */
  private async reported(
    database: Database,
    store: LocalStore,
    settings: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string>> {
    const { limits } = this.server;
    const start = (own: ReadonlyMap<string, string>): Session =>
      new Session(this.id, { ...{ database, store, limits }, start: own, link: this });
    const read = (session: Session): Promise<ReadonlyMap<string, string>> =>
      session.checkStart(async (backend) => {
        const columns = REPORTED.map((setting) => `current_setting(${literal(setting)})`);
        const [row = []] = await backend.run(`select ${columns.join(', ')}`);
        return new Map(REPORTED.map((setting, at) => [setting, row[at] ?? '']));
      });
    database.reported ??= await read(start(new Map()));
    const known = new Map(
      [...database.reported].map(([setting, value]) => [setting.toLowerCase(), value]),
    );
    const own = new Map([...settings].filter(([setting, value]) => known.get(setting) !== value));
    this.session = start(own);
    return own.size === 0 ? database.reported : read(this.session);
  }
}
