/** A port for SQL over a database in this process, for the tests of its protocol. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { PgliteStore } from '../../../src/pqs/pglite-store.js';
import { loadPglite } from '../../../src/pqs/optional-packages.js';
import type { LocalStore } from '../../../src/pqs/store.js';
import type { SqlPortLimits } from '../../../src/pqs/wire/limits.js';
import { messagesOf, type Message } from '../../../src/pqs/wire/messages.js';
import { openSqlPort, type SqlPort, type SqlPortOptions } from '../../../src/pqs/wire/port.js';

export const USER = 'cnadmin';
export const PASSWORD = 'supersafe';
export const DATABASE = 'pqs-app-provider';

export interface SqlServer {
  readonly port: number;
  readonly store: LocalStore;
  /** Exceptions that the port reported. */
  readonly failures: unknown[];
  /** How often a connection asked for the newest updates. */
  readonly catchUps: () => number;
  /** A connected client; it ends with the tests. */
  client(config?: ClientConfig): Promise<Client>;
  config(config?: ClientConfig): ClientConfig;
  /** A socket without a client. */
  socket(): Promise<Socket>;
  /** Another port over the same database. */
  withOptions(options: Partial<SqlPortOptions>, limits?: Partial<SqlPortLimits>): Promise<number>;
}

/** Opens one database for the tests of a file. */
export function useSqlServer(): () => SqlServer {
  const ports: SqlPort[] = [];
  const clients: Client[] = [];
  const sockets: Socket[] = [];
  const failures: unknown[] = [];
  let store: LocalStore;
  let count = 0;
  const open = async (options: Partial<SqlPortOptions> = {}): Promise<number> => {
    const opened = await openSqlPort({
      ...{ host: '127.0.0.1', port: 0, databases: [DATABASE], users: { [USER]: PASSWORD } },
      open: () => Promise.resolve(store),
      failed: (cause) => failures.push(cause),
      ...options,
    });
    ports.push(opened);
    return opened.port;
  };
  beforeAll(async () => {
    const catchUp = (): Promise<void> => {
      count += 1;
      return Promise.resolve();
    };
    const db = await loadPglite().create();
    await db.exec('update pg_catalog.pg_authid set rolsuper = false where oid = 10');
    store = new PgliteStore(DATABASE, db, { catchUp });
    await open();
  }, 120_000);
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => undefined);
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    for (const each of ports) await each.close();
    await store.close();
  });
  const config = (more: ClientConfig = {}): ClientConfig => ({
    ...{ host: '127.0.0.1', port: ports[0]!.port },
    ...{ user: USER, password: PASSWORD, database: DATABASE },
    ...more,
  });
  return () => ({
    ...{ port: ports[0]!.port, store, failures, config },
    catchUps: () => count,
    client: async (more) => {
      const client = new Client(config(more));
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
      return client;
    },
    socket: async () => {
      const socket = connect(ports[0]!.port, '127.0.0.1');
      socket.on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    },
    withOptions: (options, limits) => open({ ...options, limits }),
  });
}

/** The fields of the first error that a call reports. */
export async function refusal(call: Promise<unknown>): Promise<{
  code?: string;
  message: string;
  hint?: string;
}> {
  try {
    await call;
  } catch (cause) {
    const { code, message, hint } = cause as { code?: string; message: string; hint?: string };
    return { ...(code !== undefined && { code }), message, ...(hint !== undefined && { hint }) };
  }
  throw new Error('the call was not refused');
}

/** All messages until the server closes the connection. */
export async function messagesUntilEnd(socket: Socket): Promise<Message[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return messagesOf(Buffer.concat(chunks));
}
