/** SQL that must not reach the disk, the machine or the rights of a superuser. */
import type { Canticle } from 'canticle';
import { existsSync } from 'node:fs';
import { rowsOf, sqlLedger } from './sql-ledger.js';

let canticle: Canticle;
beforeAll(() => {
  canticle = sqlLedger();
});
afterAll(() => canticle.close());

const outcome = (sql: string) =>
  rowsOf(canticle, sql).then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  );

test.each([
  [`copy (select 1) to program 'touch /tmp/canticle-hostile'`, 'external program'],
  [`copy __watermark from program 'id'`, 'external program'],
  [`copy (select 1) to '/tmp/canticle-hostile'`, 'COPY to a file'],
  [`copy __watermark from '/etc/passwd'`, 'COPY from a file'],
  [`select pg_read_file('/etc/passwd')`, 'function pg_read_file'],
  [`select pg_read_binary_file('PG_VERSION')`, 'function pg_read_binary_file'],
  [`select pg_ls_dir('.')`, 'function pg_ls_dir'],
  [`select pg_stat_file('PG_VERSION')`, 'function pg_stat_file'],
  [`select lo_import('PG_VERSION')`, 'function lo_import'],
  [`select lo_export(1, '/tmp/canticle-hostile')`, 'function lo_export'],
  [`grant execute on function pg_ls_dir(text) to postgres`, 'function pg_ls_dir'],
  [`alter function pg_ls_dir(text) owner to postgres`, 'function pg_ls_dir'],
  [`create function f(text) returns int language c as 'libc', 'system'`, 'language c'],
  [`create function f(text) returns text language internal as 'pg_read_file'`, 'language internal'],
  [`load 'plpgsql'`, 'library "plpgsql"'],
  [`alter system set log_min_messages = 'debug5'`, 'parameter "log_min_messages"'],
  [`set session_replication_role = replica`, 'parameter "session_replication_role"'],
  [`alter role postgres superuser`, 'alter role'],
  [`create role boss superuser`, 'create role'],
  [`create database another`, 'create database'],
  [`create tablespace t location '/tmp'`, 'tablespace'],
  [`set role canticle_files`, 'set role'],
  [`set session authorization canticle_files`, 'set session authorization'],
  [`update pg_authid set rolsuper = true`, 'table pg_authid'],
  [`grant pg_write_server_files to postgres`, 'grant role'],
])('%s', async (sql, what) => {
  const result = await outcome(sql);
  expect(result).toMatch(/^42501 (permission denied|must be owner|access to)/);
  expect(result).toContain(what);
});

test('no file was written', () => expect(existsSync('/tmp/canticle-hostile')).toBe(false));

test.each([`create extension file_fdw`, `create extension dblink`])('%s', async (sql) => {
  expect(await outcome(sql)).toMatch(/^(0A000|42501|58P01) /);
});

test('the rights are the same after a reset of the session', async () => {
  await rowsOf(canticle, 'reset session authorization');
  await rowsOf(canticle, 'set session authorization default');
  await rowsOf(canticle, 'reset all');
  expect(
    await rowsOf(
      canticle,
      'select session_user::text as me, rolsuper from pg_roles where rolname = session_user',
    ),
  ).toEqual([{ me: 'postgres', rolsuper: false }]);
});

test('a search path, a read-only default and an own function do not stop the writer', async () => {
  await rowsOf(canticle, 'create schema mine');
  await rowsOf(canticle, `create function mine.now() returns text language sql as 'select 1'`);
  await rowsOf(canticle, 'set search_path = mine, pg_catalog');
  const party = canticle.participant.allocateParty('carol');
  expect(party).toContain('carol');
  await rowsOf(canticle, 'reset search_path');
  expect(await rowsOf(canticle, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('rows are written again after a user has deleted them, with the next revert', async () => {
  const all = await rowsOf(canticle, 'select count(*) from __transactions');
  const start = canticle.snapshot();
  await rowsOf(canticle, 'update __watermark set ix = 77, "offset" = 77');
  await rowsOf(canticle, 'truncate __events, __transactions');
  canticle.revert(start);
  expect(await rowsOf(canticle, 'select count(*) from __transactions')).toEqual(all);
});
