/** The data folder of a new database: PostgreSQL's own tables, and a user without the rights of a superuser. */
import type { PGlite } from '@electric-sql/pglite';

/** Short segments of the log, because the data folder is in memory. */
export const INITDB = ['--wal-segsize=1', '--no-locale', '--encoding=UTF8'];

/** The owner of functions that no user may call. */
const OWNER_OF_FILES = 'canticle_files';

/**
 * Takes the rights of a superuser from the user of the database. There is no other superuser, so the user cannot undo this. COPY with
 * files or programs, extensions, libraries and settings of the server need a superuser. Functions that read or write files belong to a
 * role without a login.
 */
export const RESTRICTED = `
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
update pg_catalog.pg_authid set rolsuper = false, rolreplication = false, rolbypassrls = false, rolcreatedb = false, rolcreaterole = false where oid = 10;
`;

/** A database without tables of a user, from nothing. This takes seconds. */
export async function newDatabase(Database: typeof PGlite): Promise<PGlite> {
  return Database.create({ initDbStartParams: INITDB });
}
