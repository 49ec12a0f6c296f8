/** The port of SQL with a whole Canticle: rows of its ledger, isolated offsets, its options. */
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createCanticle, startCanticle, startLocalnet } from 'canticle';

/** Prepared data folders, for all suites and runs: the first takes seconds. */
const cache = join(tmpdir(), `canticle-sql-${userInfo().uid}`);
const clients: Client[] = [];
afterEach(() =>
  Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined))),
);

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
};
const count = async (client: Client): Promise<number> =>
  (await client.query<{ count: number }>('select count(*)::int as count from active()')).rows[0]!
    .count;

it('serves the rows of each answered command, and an offset for each connection', async () => {
  const canticle = await startCanticle({ bare: true, cache, pqs: { user: 'me', password: 'a/b' } });
  const party = canticle.participant.allocateParty('Alice');
  const [url] = Object.values(canticle.sqlApis);
  expect(canticle.sqlApis).toEqual({
    'pqs-sandbox': expect.stringMatching(
      /^postgres:\/\/me:a%2Fb@127\.0\.0\.1:\d+\/pqs-sandbox$/,
    ) as string,
  });
  const [one, other] = [await connect(url!), await connect(url!)];
  canticle.token.mint(party, '5.0');
  const before = await count(one);
  const { rows } = await one.query<{ latest: string }>('select latest_offset() as latest');
  canticle.token.mint(party, '6.0');
  const after = await count(one);
  expect(after).toBeGreaterThan(before);
  expect(await count(other)).toBe(after);
  await one.query('select set_latest($1)', [rows[0]!.latest]);
  expect([await count(one), await count(other), await count(await connect(url!))]).toEqual([
    ...[before, after, after],
  ]);
  await one.query('select set_latest(null)');
  expect(await count(one)).toBe(after);
  await canticle.close();
});

it('survives a function that calls itself without an end', async () => {
  const canticle = await startCanticle({ bare: true, cache, pqs: true });
  const client = await connect(Object.values(canticle.sqlApis)[0]!);
  await client.query(
    'create function deep(n int) returns int language plpgsql as $$ begin return deep(n + 1); end $$',
  );
  await expect(client.query('select deep(1)')).rejects.toMatchObject({ code: '54001' });
  await expect(client.query("set max_stack_depth = '2MB'")).rejects.toMatchObject({
    code: '42501',
  });
  expect((await client.query('select 7 as seven')).rows).toEqual([{ seven: 7 }]);
  await canticle.close();
});

it('has no port without SQL, and none in process', async () => {
  const canticle = await startCanticle();
  expect(canticle.sqlApis).toEqual({});
  await canticle.close();
  const inProcess = createCanticle({ pqs: true });
  expect(inProcess.sqlApis).toEqual({});
  await inProcess.close();
});

it('has a database for each node of a LocalNet', async () => {
  const localnet = await startLocalnet({ pqs: true, spliceDars: 'off', ports: 'auto' });
  expect(Object.keys(localnet.sqlApis)).toEqual(['pqs-sv', 'pqs-app-provider', 'pqs-app-user']);
  const { port } = new URL(localnet.sqlApis['pqs-sv']!);
  await expect(
    startLocalnet({ pqs: { port: Number(port) }, spliceDars: 'off', ports: 'auto' }),
  ).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringContaining('for SQL') as string,
  });
  await localnet.close();
});
