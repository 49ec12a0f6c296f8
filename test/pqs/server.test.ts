/** A PostgreSQL server that is filled instead of a database in this process. Skipped without PostgreSQL on this machine. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import pg from 'pg';
import { shop, templates } from './sql-ledger.js';

const { Item } = templates;
const versions = '/usr/lib/postgresql';
const bin = existsSync(versions)
  ? readdirSync(versions).map((each) => join(versions, each, 'bin'))[0]
  : undefined;
/** PostgreSQL does not run as root. */
const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
const run = (program: string, ...args: string[]) => {
  const [first, ...rest] = [...asUser, join(bin!, program), ...args];
  return [first!, rest] as const;
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

(bin === undefined ? describe.skip : describe)('with a PostgreSQL server', () => {
  let folder = '';
  let url = '';
  beforeAll(async () => {
    // The other user cannot enter the temporary folder of a whole run.
    const home = asUser.length === 0 ? tmpdir() : '/tmp';
    folder = mkdtempSync(join(home, 'canticle-postgres-'));
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    const port = await freePort();
    execFileSync(...run('initdb', '-D', data, '-A', 'trust', '-U', 'cnadmin', '--no-sync'), {
      stdio: 'ignore',
    });
    const [program, args] = run(
      'postgres',
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
    );
    spawn(program, args, { stdio: 'ignore' }).unref();
    url = `postgres://cnadmin@127.0.0.1:${port}/postgres`;
    for (;;) {
      const client = new pg.Client({ connectionString: url });
      const isUp = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isUp) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  afterAll(async () => {
    execFileSync(...run('pg_ctl', 'stop', '-D', join(folder, 'data'), '-m', 'immediate', '-w'), {
      stdio: 'ignore',
    });
    rmSync(folder, { recursive: true, force: true });
  });

  const read = async (database: string, sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url.replace(/\/postgres$/, `/${database}`) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const setUp = (canticle: Canticle) => {
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    return { alice, payload: { seller: alice, buyers: [], price: '2.5', count: '1', note: null } };
  };

  test('an answered command is in its tables, and a revert removes it', async () => {
    const canticle = await startCanticle({
      bare: true,
      packages: [shop],
      pqs: { url, version: '3.6' },
    });
    try {
      const { alice, payload } = setUp(canticle);
      const start = canticle.snapshot();
      const response = await fetch(`${canticle.url}/v2/commands/submit-and-wait`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          commands: [{ CreateCommand: { templateId: Item.id, createArguments: payload } }],
          commandId: 'one',
          actAs: [alice],
          userId: 'me',
        }),
      });
      expect(response.status).toBe(200);
      const active = `select payload->>'price' as price, template_fqn from active()`;
      expect(await read('postgres', `${active} where payload_type = 'template'`)).toEqual([
        { price: '2.5000000000', template_fqn: 'shop:Shop:Item' },
      ]);
      canticle.revert(start);
      expect((await canticle.pqs.query(active)).rows).toEqual([]);
      expect(await read('postgres', active)).toEqual([]);
    } finally {
      await canticle.close();
    }
  });

  test('each participant has a database, which is new in each run', async () => {
    const options = { packages: [shop], participants: ['one', 'two'], pqs: { url } } as const;
    for (const price of ['1.0', '2.0']) {
      const canticle = createCanticle(options);
      try {
        const { alice, payload } = setUp(canticle);
        canticle.participant.create(Item, { ...payload, price }, { actAs: alice });
        const { rows } = await canticle.pqs.query(
          `select payload->>'price' as price from active('Item')`,
        );
        expect(rows).toEqual([{ price: `${price}000000000` }]);
        const other = { database: 'pqs-two' };
        expect((await canticle.pqs.query('select * from active()', [], other)).rows).toEqual([]);
        expect(canticle.pqs.databases).toEqual(['pqs-one', 'pqs-two']);
      } finally {
        await canticle.close();
      }
    }
    expect(await read('pqs-one', 'select count(*)::int as count from active($$Item$$)')).toEqual([
      { count: 1 },
    ]);
  });

  test('tables of another program stay', async () => {
    await read('postgres', 'create database other');
    await read('other', 'create table __watermark (ix bigint)');
    const report = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const canticle = createCanticle({
      bare: true,
      pqs: { url: url.replace(/\/postgres$/, '/other') },
    });
    await expect(canticle.pqs.query('select 1')).rejects.toThrow('has tables of a PQS');
    await canticle.close();
    expect(report).toHaveBeenCalledWith(expect.stringContaining('could not be written'));
    report.mockRestore();
    expect(await read('other', 'select count(*)::int as count from __watermark')).toEqual([
      { count: 0 },
    ]);
  });
});
