/**
 * Drivers of other languages: psql, JDBC, psycopg and pgx. The machine must have them (Debian: postgresql-client, libpostgresql-jdbc-java
 * and a JDK; PyPI: psycopg; Go with pgx in its module cache): where they are missing, the test says so.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { DATABASE, PASSWORD, USER, useSqlServer } from './sql-server.js';

const run = promisify(execFile);
const clients = join(__dirname, 'clients');
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const server = useSqlServer();
const folder = useTemporaryFolder();
const urlOf = (): string => `postgres://${USER}:${PASSWORD}@127.0.0.1:${server().port}/${DATABASE}`;
const linesOf = (text: string): string[] => text.trimEnd().split('\n');

/** @param missing tools of the machine */
function driver(title: string, missing: readonly (string | false)[], check: () => Promise<void>) {
  const needed = missing.filter((each) => each !== false);
  if (needed.length > 0) test.skip(`${title} (needs tools: ${needed.join(', ')})`, () => undefined);
  else it(title, check, 300_000);
}

driver('psql', [!works('psql', '--version') && 'psql'], async () => {
  const psql = async (...args: string[]) =>
    run('psql', [...['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1'], ...args, urlOf()]);
  const file = join(folder(), 'statements.sql');
  const statements = [
    'create table of_psql (id int, name text);',
    'begin;',
    String.raw`copy of_psql from stdin;`,
    '1\tone',
    '2\ttwo',
    String.raw`\.`,
    'commit;',
    'select * from of_psql order by id;',
    String.raw`\copy of_psql to stdout csv`,
    String.raw`select count(*) from of_psql \gset`,
    String.raw`\echo :count`,
    String.raw`\dt of_psql`,
    'drop table of_psql;',
  ];
  writeFileSync(file, statements.join('\n'));
  const { stdout } = await psql('-f', file);
  expect(linesOf(stdout)).toEqual([
    ...['CREATE TABLE', 'BEGIN', 'COPY 2', 'COMMIT', '1|one', '2|two', '1,one', '2,two', '2'],
    ...['public|of_psql|table|postgres', 'DROP TABLE'],
  ]);
  await expect(psql('-c', 'select 1/0')).rejects.toThrow('ERROR:  division by zero');
});

const jar = '/usr/share/java/postgresql.jar';
driver(
  'JDBC',
  [!works('javac', '--version') && 'javac', !existsSync(jar) && 'postgresql.jar'],
  async () => {
    const url = `jdbc:postgresql://127.0.0.1:${server().port}/${DATABASE}`;
    const source = join(clients, 'Queries.java');
    const { stdout } = await run('java', ['-cp', jar, source, url, USER, PASSWORD]);
    expect(linesOf(stdout)).toEqual([
      ...['connections 12', 'sum 308', 'batch 5', 'fetched 5', 'error 42P01', 'password 28P01'],
    ]);
  },
);

const python = ['python3', '/usr/bin/python3'].find((each) => works(each, '-c', 'import psycopg'));
driver('psycopg', [python === undefined && 'psycopg'], async () => {
  const { stdout } = await run(python!, [join(clients, 'queries.py'), urlOf()]);
  expect(linesOf(stdout)).toEqual([
    ...['sum 56', 'copied 5', 'pipeline [0, 1, 2]', 'cursor [0, 1]', 'error 42P01'],
  ]);
});

/** The version of pgx in the module cache, which needs no network. */
const pgx = works('go', 'version')
  ? spawnSync('bash', ['-c', 'ls -d "$(go env GOMODCACHE)"/github.com/jackc/pgx/v5@* | tail -1'])
      .stdout.toString()
      .trim()
      .replace(/^.*@/, '')
  : '';
driver('pgx', [pgx === '' && 'go with github.com/jackc/pgx/v5'], async () => {
  const env = {
    ...process.env,
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GONOSUMDB: '*',
    GONOSUMCHECK: '1',
    GOFLAGS_: '',
  };
  const cwd = folder();
  writeFileSync(
    join(cwd, 'go.mod'),
    `module queries\n\ngo 1.23\n\nrequire github.com/jackc/pgx/v5 ${pgx}\n`,
  );
  await run('cp', [join(clients, 'pgx', 'main.go'), cwd]);
  await run('go', ['build', '-o', 'queries', '.'], { cwd, env });
  const { stdout } = await run(join(cwd, 'queries'), [urlOf()]);
  expect(linesOf(stdout)).toEqual([
    'sum 56',
    'copied 3',
    'batch 3',
    'batch 2',
    'batch 1',
    'error true',
  ]);
});
