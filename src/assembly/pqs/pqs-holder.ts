/** The databases of an instance, if its options ask for them. Their code is loaded only then. */
import { lazy } from '../../daml/errors/lazy.js';
import { isError } from '../../daml/errors/realms.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { Participant } from '../../network/participant.js';
import { callable } from '../addresses.js';
import { cacheFolder, OF_BUILD, OwnFiles } from '../cache/own-files.js';
import type { PqsDatabases } from '../../pqs/databases.js';
import type * as Databases from '../../pqs/databases.js';
import type * as Ports from '../../pqs/wire/port.js';
import type { SqlPort } from '../../pqs/wire/port.js';
import type { TlsOptions } from '../../services/tls.js';
import type { PqsOptions } from './pqs-options.js';
import { join } from 'node:path';

const databases = lazy(() => require('../../pqs/databases.js') as typeof Databases);

/** Bytes of all prepared data folders together. */
const MAX_PREPARED_SIZE = 128 * 1024 * 1024;

const ports = lazy(() => require('../../pqs/wire/port.js') as typeof Ports);

/** As in cn-quickstart. */
const USER = 'cnadmin';
const PASSWORD = 'supersafe';

export class PqsHolder {
  private readonly opened: PqsDatabases | undefined;
  private readonly options: PqsOptions;
  private port: SqlPort | undefined;
  /** For clients. */
  private host = '';

  /** @param cache see `cache` of the options of a Canticle @throws Error for an invalid filter */
  constructor(
    given: boolean | PqsOptions | undefined,
    participants: readonly Participant[],
    cache: string | false | undefined,
  ) {
    this.options = typeof given === 'object' ? given : {};
    if (!given) return;
    const files = preparedFiles(cache);
    this.opened = new (databases().PqsDatabases)(participants, this.options, files, report);
  }

  /** Undefined without the option. */
  readonly ifAny = (): PqsDatabases | undefined => this.opened;

  /** @throws Error without the option `pqs` */
  get databases(): PqsDatabases {
    if (this.opened !== undefined) return this.opened;
    throw withCallerStack(new Error('This Canticle has no SQL. Start it with the option pqs.'));
  }

  /** Opens the port for databases in this process. Rejects with the system's error if it cannot listen. */
  async listen(host: string, tls: TlsOptions | undefined): Promise<void> {
    const { opened, options } = this;
    if (opened === undefined || !opened.areLocal) return;
    this.host = callable(host);
    const { port = 0, user = USER, password = PASSWORD } = options;
    this.port = await ports().openSqlPort({
      ...{ host, port, tls, databases: opened.databases, users: { [user]: password } },
      open: (name) => opened.localStore(name),
      failed: (cause) =>
        process.stderr.write(`canticle: SQL failed: ${isError(cause) ? cause.stack : cause}\n`),
    });
  }

  /** The URL of each database, by its name; without a port, none. */
  get urls(): Readonly<Record<string, string>> {
    if (this.port === undefined) return {};
    const { user = USER, password = PASSWORD } = this.options;
    const who = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
    const where = `${this.host}:${this.port.port}`;
    return Object.fromEntries(
      this.opened!.databases.map((name) => [name, `postgres://${who}@${where}/${name}`]),
    );
  }

  /** The process may end while the port is open. */
  unref(): void {
    this.port?.unref();
  }

  /** See {@link PqsDatabases.settled}; undefined without the option. */
  get settled(): (() => Promise<unknown> | undefined) | undefined {
    return this.opened?.settled;
  }

  async close(): Promise<void> {
    await this.port?.close();
    this.port = undefined;
    await this.opened?.close();
  }
}

const report = (why: string): void => void process.stderr.write(`canticle: ${why}\n`);

/** Prepared data folders in the cache folder. */
function preparedFiles(cache: string | false | undefined) {
  const root = cacheFolder(cache);
  if (root === undefined) return undefined;
  const files = new OwnFiles(root, report);
  return {
    read: (name: string) => files.read(join(OF_BUILD, name)),
    write: (name: string, bytes: Uint8Array) => {
      files.write(join(OF_BUILD, name), bytes);
      files.bound(join(OF_BUILD, 'sql'), MAX_PREPARED_SIZE);
    },
  };
}
