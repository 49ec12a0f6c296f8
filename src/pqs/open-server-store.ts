/** Opens a database of a PostgreSQL server: it creates the database, and replaces the tables that an earlier Canticle wrote. */
import { formatInstant } from '../daml/model/time.js';
import type { Participant } from '../network/participant.js';
import { loadPg } from './optional-packages.js';
import { migrationHistory } from './schema/migrations.js';
import { DROPPED, MARK } from './schema/tables.js';
import { schemaSql } from './schema/schema.js';
import { ServerStore, sessionOf } from './server-store.js';
import type { ParticipantWriter } from './writing/participant-writer.js';
import type { RowOptions } from './writing/row-options.js';
import type pg from 'pg';

interface ServerDatabase {
  readonly participant: Participant;
  readonly options: RowOptions;
  readonly url: string;
  /** Whether there is no other participant: then the database of the URL is used. */
  readonly isOnly: boolean;
}

const BIGINT = 20;

/** @throws Error if the package pg is not installed, or if the database has tables of another program */
export async function openServerStore(
  name: string,
  writer: ParticipantWriter,
  { participant, options, url, isOnly }: ServerDatabase,
): Promise<ServerStore> {
  const library = loadPg();
  const types = { getTypeParser: parserOf(library.types) } as pg.CustomTypesConfig;
  const connectionString = isOnly ? url : await ownDatabase(library, url, name);
  const writing = new library.Client({ connectionString, types });
  // A broken connection fails the next statement, too.
  writing.on('error', () => undefined);
  await writing.connect();
  // Open connections do not keep the process running.
  (writing as unknown as { unref(): void }).unref();
  try {
    const session = sessionOf(writing);
    const { version = '3.5' } = options;
    const { rows } = await session.query(
      `select obj_description(to_regclass('public.__watermark')) as mark, to_regclass('public.__watermark') is not null as exists`,
    );
    const [found] = rows;
    if (found?.['exists'] === true && found['mark'] !== MARK)
      throw new Error(
        'The database of the option pqs has tables of a PQS, which Canticle does not replace. Use another database.',
      );
    const installedOn = formatInstant(participant.ledger.startTime);
    const dropped = found?.['exists'] === true ? DROPPED : '';
    await session.exec(
      `begin; set local search_path = public; set local client_min_messages = warning; ${dropped} ${schemaSql(version)} ${migrationHistory(version, installedOn)} commit;`,
    );
  } catch (error) {
    await writing.end();
    throw error;
  }
  const reading = new library.Pool({ connectionString, types, allowExitOnIdle: true });
  reading.on('error', () => undefined);
  return new ServerStore(name, writing, reading, writer);
}

/** Creates the database if it is missing. @returns its URL */
async function ownDatabase(library: typeof pg, url: string, name: string): Promise<string> {
  const client = new library.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const own = new URL(url);
  own.pathname = `/${encodeURIComponent(name)}`;
  return own.href;
}

/** Reads bigint as the database in this process does. */
const parserOf = (types: typeof pg.types) => (oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT && format !== 'binary' ? bigint : types.getTypeParser(oid, format as 'text');

function bigint(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
