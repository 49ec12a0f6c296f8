/** Connections of node-postgres to one database: each has its own session, although they share the database's. */
import { Pool, type Client } from 'pg';
import { DATABASE, refusal, useSqlServer } from './sql-server.js';

const server = useSqlServer();

/** The first column of the first row. */
const valueOf = async (client: Client, sql: string, params?: unknown[]): Promise<unknown> =>
  Object.values((await client.query<Record<string, unknown>>(sql, params)).rows[0]!)[0];

describe('the start of a connection', () => {
  it('accepts the user and the password, and tells the settings', async () => {
    const client = await server().client();
    expect(await valueOf(client, 'select 1 + $1::int', [2])).toBe(3);
    expect(await valueOf(client, 'show server_version')).toMatch(/^\d+\.\d+/);
    expect(server().failures).toEqual([]);
  });

  it.each([
    [
      'a wrong password',
      { password: 'wrong' },
      '28P01',
      'password authentication failed for user "cnadmin"',
    ],
    [
      'an unknown user',
      { user: 'nobody' },
      '28P01',
      'password authentication failed for user "nobody"',
    ],
    ['an unknown database', { database: 'other' }, '3D000', 'database "other" does not exist'],
    [
      'an unknown setting',
      { options: '-c nothing=1' },
      '42704',
      'unrecognized configuration parameter "nothing"',
    ],
    [
      'options that are no settings',
      { options: '-x' },
      '42601',
      'invalid command-line argument for server process: -x',
    ],
  ])('refuses %s', async (_, config, code, message) => {
    expect(await refusal(server().client(config))).toMatchObject({ code, message });
  });

  it('takes settings as parameters and as options', async () => {
    const options = '-c statement_timeout=1234 --search-path=a,\\ b';
    const client = await server().client({ application_name: 'my test', options });
    expect(await valueOf(client, 'show application_name')).toBe('my test');
    expect(await valueOf(client, 'show statement_timeout')).toBe('1234ms');
    expect(await valueOf(client, 'show search_path')).toBe('a, b');
    await client.query('set application_name = changed');
    await client.query('reset application_name');
    expect(await valueOf(client, 'show application_name')).toBe('my test');
    await client.query('set application_name = changed; set statement_timeout = 5');
    await client.query('reset all');
    expect(await valueOf(client, 'show application_name')).toBe('my test');
    expect(await valueOf(client, 'show statement_timeout')).toBe('1234ms');
  });
});

describe('the settings of a connection', () => {
  it.each([
    ['SET', "set pqs.session_offset_latest = '7'", 'pqs.session_offset_latest', '7'],
    [
      'SET SESSION',
      "set session pqs.session_offset_oldest to '3'",
      'pqs.session_offset_oldest',
      '3',
    ],
    [
      'set_config',
      "select set_config('pqs.session_offset_latest', '9', false)",
      'pqs.session_offset_latest',
      '9',
    ],
    [
      'set_config with a computed name',
      "select set_config('search' || '_path', 'x', false)",
      'search_path',
      'x',
    ],
    ['SET TIME ZONE', "set time zone 'Asia/Tokyo'", 'timezone', 'Asia/Tokyo'],
    ['SET SCHEMA', "set schema 'y'", 'search_path', 'y'],
    ['SET of a quoted name', `set "DateStyle" = 'German'`, 'datestyle', 'German, DMY'],
    [
      'SET CHARACTERISTICS',
      'set session characteristics as transaction read only',
      'default_transaction_read_only',
      'on',
    ],
    ['a block', "do $$ begin set intervalstyle = 'iso_8601'; end $$", 'intervalstyle', 'iso_8601'],
  ])('stay its own: %s', async (_, statement, setting, value) => {
    const [one, other] = [await server().client(), await server().client()];
    const shown = `select coalesce(current_setting('${setting}', true), '') as value`;
    const before = await valueOf(other, shown);
    await one.query(statement);
    expect(await valueOf(other, shown)).toBe(before);
    expect(await valueOf(one, shown)).toBe(value);
    expect((await server().store.query(shown)).rows[0]!['value']).toBe(before);
    expect(await valueOf(one, shown)).toBe(value);
    expect(await valueOf(await server().client(), shown)).toBe(before);
  });

  it('change through prepared statements and functions', async () => {
    const [one, other] = [await server().client(), await server().client()];
    const shown = "select coalesce(current_setting('my.setting', true), '')";
    await one.query({
      name: 'set',
      text: "select set_config('my.setting', $1, false)",
      values: ['a'],
    });
    expect(await valueOf(one, shown)).toBe('a');
    expect(await valueOf(other, shown)).toBe('');
    await one.query(
      "create function change(value text) returns text language sql as $$ select set_config('my.setting', value, false) $$",
    );
    await other.query("select change('b')");
    expect(await valueOf(one, shown)).toBe('a');
    expect(await valueOf(other, shown)).toBe('b');
  });

  it('return to earlier values after a rollback', async () => {
    const client = await server().client();
    await client.query("set my.other = '1'");
    await client.query('begin');
    await client.query("set my.other = '2'; set local timezone = 'Asia/Tokyo'");
    expect(await valueOf(client, 'show timezone')).toBe('Asia/Tokyo');
    await client.query('rollback');
    expect(await valueOf(client, 'show my.other')).toBe('1');
    expect(await valueOf(client, 'show timezone')).not.toBe('Asia/Tokyo');
  });
});

describe('the prepared statements of a connection', () => {
  it('have the same name in two connections', async () => {
    const [one, other] = [await server().client(), await server().client()];
    const run = (client: Client, text: string) => client.query({ name: 'same', text });
    expect((await run(one, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
    expect((await run(other, 'select 2 as a')).rows).toEqual([{ a: 2 }]);
    expect((await run(one, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
  });

  it('can be those of SQL', async () => {
    const [one, other] = [await server().client(), await server().client()];
    await one.query('prepare p (int) as select $1 + 1 as a');
    await other.query('prepare p as select 5 as a');
    expect(await valueOf(one, 'execute p(1)')).toBe(2);
    expect(await valueOf(other, 'execute p')).toBe(5);
    expect(String(await valueOf(other, 'explain execute p'))).toContain('Result');
    expect((await one.query('create table made as execute p(7)')).rowCount).toBe(1);
    await one.query('deallocate p');
    expect(await refusal(one.query('execute p(1)'))).toMatchObject({
      code: '26000',
      message: 'prepared statement "p" does not exist',
    });
    expect(await valueOf(other, 'execute p')).toBe(5);
    expect(await refusal(other.query('prepare p as select 6'))).toMatchObject({
      code: '42P05',
      message: 'prepared statement "p" already exists',
    });
  });

  it.each(['deallocate all', 'discard all', 'deallocate prepare all'])(
    'end with %s, and no others',
    async (statement) => {
      const [one, other] = [await server().client(), await server().client()];
      for (const client of [one, other]) await client.query('prepare p as select 5 as a');
      await one.query("set my.third = '1'");
      expect((await one.query(statement)).command).toBe(statement.split(' ')[0]!.toUpperCase());
      expect(await refusal(one.query('execute p'))).toMatchObject({ code: '26000' });
      expect(await valueOf(other, 'execute p')).toBe(5);
      expect(await valueOf(one, "select current_setting('my.third', true)")).toBe(
        statement === 'discard all' ? '' : '1',
      );
    },
  );

  it('are bounded', async () => {
    const port = await server().withOptions({}, { statements: 2 });
    const client = await server().client({ port });
    await client.query('prepare a as select 1; prepare b as select 2');
    expect(await refusal(client.query('prepare c as select 3'))).toMatchObject({
      code: '54000',
      message: 'a connection can have 2 prepared statements',
    });
    await client.query('deallocate all');
    await client.query('prepare c as select 3');
  });

  it('leave the database with their connection', async () => {
    const client = await server().client();
    await client.query('prepare gone as select 1');
    await client.end();
    const { rows } = await server().store.query(
      "select count(*)::int as count from pg_prepared_statements where statement like 'prepare%gone%'",
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe('temporary tables', () => {
  it('belong to one connection', async () => {
    const [one, other] = [await server().client(), await server().client()];
    await one.query('create temp table mine (id serial primary key, name text)');
    await one.query("insert into mine (name) values ('a')");
    expect(await refusal(other.query('select * from mine'))).toMatchObject({ code: '42P01' });
    await other.query('create temporary table mine as select 7 as id');
    expect(await valueOf(one, 'select name from mine')).toBe('a');
    expect(await valueOf(other, 'select id from mine')).toBe(7);
    await one.query('discard temp');
    expect(await refusal(one.query('select * from mine'))).toMatchObject({ code: '42P01' });
    expect(await valueOf(other, 'select id from mine')).toBe(7);
    await other.end();
    const { rows } = await server().store.query(
      "select count(*)::int as count from pg_class where relnamespace = pg_my_temp_schema() and relkind = 'r'",
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe('notifications', () => {
  it('go to the connections that listen', async () => {
    const [one, other, third] = [
      await server().client(),
      await server().client(),
      await server().client(),
    ];
    const heard: string[] = [];
    for (const [name, client] of Object.entries({ one, other, third }))
      client.on('notification', ({ channel, payload }) =>
        heard.push(`${name} ${channel} ${payload}`),
      );
    await one.query('listen news');
    await other.query('listen "news"');
    await third.query('listen gossip');
    await other.query("notify news, 'first'");
    await one.query('select 1');
    await one.query('unlisten news');
    await other.query("select pg_notify('news', 'second')");
    await other.query('unlisten *');
    await third.query("notify news, 'third'");
    await third.query("notify gossip, 'fourth'");
    await one.query('select 1');
    expect(heard.sort()).toEqual([
      'one news first',
      'other news first',
      'other news second',
      'third gossip fourth',
    ]);
  });
});

describe('transactions', () => {
  it('see what they wrote, and others wait for their end', async () => {
    const [one, other] = [await server().client(), await server().client()];
    await one.query('create table t (a int)');
    await one.query('begin');
    await one.query('insert into t values (1)');
    expect(await valueOf(one, 'select count(*)::int from t')).toBe(1);
    const waiting = valueOf(other, 'select count(*)::int from t');
    await one.query('rollback');
    expect(await waiting).toBe(0);
  });

  it('end with the connection', async () => {
    const [one, other] = [await server().client(), await server().client()];
    await one.query('begin; create table never (a int)');
    await one.end();
    expect(await refusal(other.query('select * from never'))).toMatchObject({ code: '42P01' });
  });

  it('end if they block another connection for too long', async () => {
    const port = await server().withOptions({}, { blockingMs: 50 });
    const [one, other] = [await server().client({ port }), await server().client()];
    const ended = new Promise<Error & { code?: string; hint?: string }>((resolve) => {
      one.on('error', (cause) => resolve(cause as Error));
    });
    await one.query('begin');
    expect(await valueOf(other, 'select 1')).toBe(1);
    expect(await ended).toMatchObject({
      code: '25P03',
      message: 'terminating connection due to idle-in-transaction timeout',
      hint: 'The transaction blocked other connections for 50 ms. All connections to this database share one session, so end each transaction soon.',
    });
  });

  it('let others wait only for a bounded time', async () => {
    const port = await server().withOptions({}, { waitMs: 50 });
    const [one, other] = [await server().client(), await server().client({ port })];
    await one.query('begin');
    const { code, hint } = await refusal(other.query('select 1'));
    expect(code).toBe('55P03');
    expect(hint).toContain('For 50 ms a transaction of another connection did not end.');
    expect(await refusal(other.query('select $1::int', [1]))).toMatchObject({ code: '55P03' });
    await one.query('commit');
    expect(await valueOf(other, 'select 2')).toBe(2);
  });

  it('let a statement that waits be cancelled', async () => {
    const [one, other, third] = [
      await server().client(),
      await server().client(),
      await server().client(),
    ];
    await one.query('begin');
    const waiting = refusal(other.query('select 1'));
    const { processID, secretKey } = other as unknown as { processID: number; secretKey: number };
    await cancel(processID, secretKey + 1);
    await cancel(processID, secretKey);
    expect(await waiting).toMatchObject({
      code: '57014',
      message: 'canceling statement due to user request',
    });
    await one.query('commit');
    expect(await valueOf(third, 'select 3')).toBe(3);
  });

  it('fail as in PostgreSQL after an error of the port', async () => {
    const client = await server().client();
    await client.query('begin');
    expect(await refusal(client.query('discard all'))).toMatchObject({ code: '25001' });
    expect(await refusal(client.query('select 1'))).toMatchObject({ code: '25P02' });
    await client.query('rollback');
    expect(await refusal(client.query('declare c cursor with hold for select 1'))).toMatchObject({
      code: '0A000',
      message: 'cursors WITH HOLD are not supported',
    });
    await client.query('begin');
    await client.query('declare c cursor for select 1 as a union all select 2');
    expect((await client.query('fetch 2 from c')).rows).toEqual([{ a: 1 }, { a: 2 }]);
    await client.query('commit');
  });

  const cancel = async (id: number, secret: number): Promise<void> => {
    const socket = await server().socket();
    const message = Buffer.alloc(16);
    for (const [at, value] of [16, 80_877_102, id, secret].entries())
      message.writeInt32BE(value, at * 4);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.resume().write(message);
    await closed;
  };
});

it('asks for the newest updates before each statement outside of a transaction', async () => {
  const client = await server().client();
  const before = server().catchUps();
  await client.query('select 1');
  await client.query('select $1::int', [1]);
  expect(server().catchUps() - before).toBe(2);
  await client.query('begin');
  await client.query('select 1');
  await client.query('commit');
  expect(server().catchUps() - before).toBe(3);
});

it('serves a pool whose connections mix transactions, errors and prepared statements', async () => {
  const pool = new Pool({ ...server().config(), max: 8 });
  await pool.query('create table work (id int, by text)');
  const job = async (id: number): Promise<void> => {
    const client = await pool.connect();
    await client.query(`set my.job = '${id}'`);
    await client.query('begin');
    await client.query({
      name: 'insert',
      text: 'insert into work values ($1, current_setting($2))',
      values: [id, 'my.job'],
    });
    if (id % 3 === 0) await client.query('select 1 / 0').catch(() => undefined);
    await client.query(id % 3 === 0 ? 'rollback' : 'commit');
    const { rows } = await client.query<{ job: string }>("select current_setting('my.job') as job");
    expect(rows).toEqual([{ job: String(id) }]);
    client.release();
  };
  const ids = Array.from({ length: 40 }, (_, id) => id);
  await Promise.all(ids.map(job));
  const { rows } = await pool.query('select id, by from work order by id');
  expect(rows).toEqual(ids.filter((id) => id % 3 !== 0).map((id) => ({ id, by: String(id) })));
  await pool.end();
  expect(server().failures).toEqual([]);
});

it(`names the database ${DATABASE} in its start`, async () => {
  const client = await server().client();
  expect(client.database).toBe(DATABASE);
});
