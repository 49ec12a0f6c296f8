/** The data folder of a new database: PostgreSQL's own tables and those of PQS, and a user without the rights of a superuser. */
import type { PGlite } from '@electric-sql/pglite';
import { createHash } from 'node:crypto';
import type { PqsVersion } from './schema/columns.js';
import { schemaSql } from './schema/schema.js';
import { nodeGlobals } from '../spec/loading/node-realm.js';
import { withoutTemplates } from './tar.js';

/** Short segments of the log, because the data folder is in memory. */
const INITDB = ['--wal-segsize=1', '--no-locale', '--encoding=UTF8'];

/** The owner of functions that no user may call. */
const OWNER_OF_FILES = 'canticle_files';

/**
 * Takes the rights of a superuser from the user of the database. There is no other superuser, so the user cannot undo this. COPY with
 * files or programs, extensions, libraries and settings of the server need a superuser. Functions that read or write files belong to a
 * role without a login.
 */
const RESTRICTED = `
create role ${OWNER_OF_FILES} nologin;
do $$
declare each regprocedure;
begin
  for each in
    select oid::regprocedure from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname ~ '^pg_(read_|ls_|stat_file|rotate_logfile|reload_conf|file_|switch_wal|create_restore|backup)' or proname in ('lo_import', 'lo_export'))
  loop
    execute format('alter function %s owner to ${OWNER_OF_FILES}', each);
    execute format('revoke all on function %s from public', each);
    execute format('revoke all on function %s from postgres', each);
  end loop;
end $$;
checkpoint;
update pg_catalog.pg_authid set rolsuper = false, rolreplication = false, rolbypassrls = false, rolcreatedb = false, rolcreaterole = false where oid = 10;
`;

/**
 * Deeper calls of functions and nesting of expressions fail with 54001. With more, they would use up the stack of WebAssembly, which ends
 * the database. The user cannot change it.
 */
const STACK = "alter system set max_stack_depth = '100kB'";

/** Files that survive the process. */
export interface PreparedFiles {
  read(name: string): Uint8Array | undefined;
  write(name: string, bytes: Uint8Array): void;
}

/** Data folders that this process has prepared, by the version of PQS: each takes seconds. */
const prepared = new Map<PqsVersion, Promise<Uint8Array>>();

/**
 * A new database with the tables of PQS, which are empty.
 * @param files with prepared data folders of earlier processes, if there are any
 */
export async function newDatabase(
  Database: typeof PGlite,
  version: PqsVersion,
  files: PreparedFiles | undefined,
): Promise<PGlite> {
  const name = `sql/${fingerprint(version)}.tar`;
  const saved = prepared.has(version) ? undefined : files?.read(name);
  if (saved !== undefined) {
    const db = await opened(Database, saved).catch(() => undefined);
    if (db !== undefined) {
      prepared.set(version, Promise.resolve(saved));
      return db;
    }
  }
  let preparing = prepared.get(version);
  if (preparing === undefined) {
    preparing = prepare(Database, version);
    prepared.set(version, preparing);
    preparing.then(
      (bytes) => files?.write(name, bytes),
      () => prepared.delete(version),
    );
  }
  return opened(Database, await preparing);
}

/** Changes with anything that determines the bytes. */
function fingerprint(version: PqsVersion): string {
  const hash = createHash('sha256');
  for (const part of [...INITDB, STACK, RESTRICTED, schemaSql(version)]) hash.update(`${part}\0`);
  return hash.digest('hex').slice(0, 32);
}

async function prepare(Database: typeof PGlite, version: PqsVersion): Promise<Uint8Array> {
  const db = await Database.create({ initDbStartParams: [...INITDB] });
  await db.exec(STACK);
  await db.exec(schemaSql(version));
  await db.exec(RESTRICTED);
  const file = await db.dumpDataDir('none');
  await db.close();
  return withoutTemplates(new Uint8Array(await file.arrayBuffer()));
}

/** @throws Error for bytes that are not a data folder of this release of PGlite */
async function opened(Database: typeof PGlite, bytes: Uint8Array): Promise<PGlite> {
  const loadDataDir = new nodeGlobals.Blob([bytes as Uint8Array<ArrayBuffer>]);
  const db = await Database.create({ loadDataDir });
  // Whether the user has no rights of a superuser must not depend on a file.
  const { rows } = await db.query<{ ok: boolean }>(
    'select not rolsuper as ok from pg_catalog.pg_roles where rolname = session_user',
  );
  if (rows[0]?.ok === true) return db;
  await db.close();
  throw new Error('The prepared database has a superuser.');
}
