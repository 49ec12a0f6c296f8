/** A port with PostgreSQL's protocol 3.0, for databases in this process. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connectionsOf } from '../../services/connections.js';
import type { TlsOptions } from '../../services/tls.js';
import type { LocalStore } from '../store.js';
import { Connection, type Server } from './connection.js';
import { fatal } from './errors.js';
import { SQL_PORT_LIMITS, type SqlPortLimits } from './limits.js';
import { errorResponse, Fields, int32, message, text, type Message } from './messages.js';
import { Database } from './session-state.js';

export interface SqlPortOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The names of the databases. */
  readonly databases: readonly string[];
  /** Opens a database, at the first connection to it. */
  readonly open: (database: string) => Promise<LocalStore>;
  /** Passwords by user. */
  readonly users: Readonly<Record<string, string>>;
  /** Clients may encrypt their connections. Without it they cannot. */
  readonly tls?: TlsOptions | undefined;
  readonly limits?: Partial<SqlPortLimits> | undefined;
  /** Reports an exception that PostgreSQL did not raise. The client got an error of class XX. */
  readonly failed?: (cause: unknown) => void;
}

export interface SqlPort {
  readonly port: number;
  /** The port no longer keeps the process alive. */
  unref(): void;
  /** Closes each connection at once, and waits until none uses a database. The databases stay open. */
  close(): Promise<void>;
}

/** Rejects with the system's error if it cannot listen, such as EADDRINUSE. */
export async function openSqlPort(options: SqlPortOptions): Promise<SqlPort> {
  const limits = { ...SQL_PORT_LIMITS, ...options.limits };
  const connections = new Map<number, Connection>();
  const shared = sharedOf(options, limits, connections);
  const server = createServer({ noDelay: true });
  const sockets = connectionsOf<Socket>(server);
  let lastId = 0;
  const running = new Set<Promise<void>>();
  server.on('connection', (socket) => {
    socket.on('error', () => socket.destroy());
    if (connections.size >= limits.connections) {
      socket.end(errorResponse(fatal('53300', 'sorry, too many clients already')));
      return;
    }
    lastId += 1;
    const connection = new Connection(lastId, socket, shared);
    connections.set(connection.id, connection);
    const run = connection.run().finally(() => {
      connections.delete(connection.id);
      running.delete(run);
    });
    running.add(run);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    unref: () => server.unref(),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      await Promise.all(running);
    },
  };
}

function sharedOf(
  { users, tls, databases, open, failed = () => undefined }: SqlPortOptions,
  limits: SqlPortLimits,
  connections: ReadonlyMap<number, Connection>,
): Server {
  return {
    users: new Map(Object.entries(users)),
    databases: new Map(databases.map((name): [string, Database] => [name, new Database(name)])),
    ...{ limits, tls, open, failed },
    cancel: (id, secret) => {
      const connection = connections.get(id);
      if (connection?.secret === secret) connection.session?.cancel();
    },
    notify: (from, notification) => notify(from, notification, connections),
  };
}

/** The notification has the process id of its sender, as in a database with several back ends. */
function notify(
  from: Connection,
  { body }: Message,
  connections: ReadonlyMap<number, Connection>,
): void {
  const fields = new Fields(body);
  fields.int32();
  const [channel, payload] = [fields.text(), fields.text()];
  const bytes = message('A', int32(from.id), text(channel), text(payload));
  for (const connection of connections.values()) {
    if (connection.database !== from.database) continue;
    if (connection.session?.state.channels.has(channel) !== true) continue;
    if (connection === from) connection.send(bytes);
    else connection.deliver(bytes);
  }
}
