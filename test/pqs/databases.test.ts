/** Databases in this process: their prepared data folders, their waiting, their end, and the three queries of Canton's quickstart. */
import { createCanticle, type Canticle } from 'canticle';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutTemplates } from '../../src/pqs/tar.js';
import { cache, rowsOf, shop, sqlLedger, templates } from './sql-ledger.js';

const { Item, Receipt } = templates;
const opened: Canticle[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
const open = (options?: Parameters<typeof sqlLedger>[0]): Canticle => {
  const canticle = sqlLedger(options);
  opened.push(canticle);
  return canticle;
};

describe('a prepared data folder', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'canticle-prepared-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tar'),
    );

  test('is written to the cache, without the template databases', async () => {
    const canticle = open({ cache: folder });
    expect(await rowsOf(canticle, 'select 1 as one')).toEqual([{ one: 1 }]);
    // The file is written when the first database is ready.
    for (let tries = 0; files().length === 0 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(files()).toHaveLength(1);
    expect(statSync(join(folder, files()[0]!)).size).toBeLessThan(20_000_000);
  });

  test('that is damaged is not used', async () => {
    jest.resetModules();
    const [name] = files();
    writeFileSync(join(folder, name!), 'no archive');
    const fresh = (await import('canticle')) as { createCanticle: typeof createCanticle };
    const canticle = fresh.createCanticle({ bare: true, pqs: true, cache: folder });
    opened.push(canticle);
    expect(await rowsOf(canticle, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('an archive keeps all other files, in order', () => {
  const entry = (name: string, text: string) => {
    const head = Buffer.alloc(512);
    head.write(name);
    head.write(text.length.toString(8).padStart(11, '0'), 124);
    const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    body.write(text);
    return Buffer.concat([head, body]);
  };
  const end = Buffer.alloc(1024);
  const kept = [
    entry('/base/5/1', 'x'.repeat(513)),
    entry('base/14/1', ''),
    entry('/PG_VERSION', '18'),
  ];
  const left = [
    entry('/base/1/1255', 'y'),
    entry('base/4/', ''),
    entry('/base/4/2', 'z'.repeat(512)),
  ];
  const all = Buffer.concat([left[0]!, kept[0]!, left[1]!, kept[1]!, left[2]!, kept[2]!, end]);
  expect(Buffer.compare(withoutTemplates(all), Buffer.concat([...kept, end]))).toBe(0);
  expect(withoutTemplates(new Uint8Array())).toHaveLength(0);
});

test('statements run one after the other, and an error does not stop the next', async () => {
  const canticle = open();
  const results = await Promise.allSettled([
    canticle.pqs.query('select 1 as n'),
    canticle.pqs.query('select 1 / 0'),
    canticle.pqs.query('select 3 as n'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ code: '22012' });
});

test('rows are not written in an open transaction, but after it', async () => {
  const canticle = open();
  const { participant } = canticle;
  const alice = participant.allocateParty('alice');
  const receipt = { seller: alice, buyer: alice, price: '1' };
  participant.create(Receipt, receipt, { actAs: alice });
  const count = () => rowsOf(canticle, 'select count(*) from active()');
  await rowsOf(canticle, 'begin isolation level repeatable read');
  expect(await count()).toEqual([{ count: 1 }]);
  const start = canticle.snapshot();
  participant.create(Receipt, receipt, { actAs: alice });
  expect(await count()).toEqual([{ count: 1 }]);
  await rowsOf(canticle, 'commit');
  expect(await count()).toEqual([{ count: 2 }]);
  await rowsOf(canticle, 'begin');
  canticle.revert(start);
  expect(await count()).toEqual([{ count: 2 }]);
  await rowsOf(canticle, 'rollback');
  expect(await count()).toEqual([{ count: 1 }]);
});

test('two ledgers with the same seed and calls have the same rows', async () => {
  const content = async () => {
    const canticle = open({ pqs: { datasource: 'TransactionTreeStream' } });
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    const payload = { seller: alice, buyers: [], price: '1', count: '1', note: 'n' };
    const item = participant.create(Item, payload, { actAs: alice });
    participant.exercise(item, Item.Reprice, { price: '2' }, { actAs: alice });
    return rowsOf(
      canticle,
      `select (select jsonb_agg(to_jsonb(c)) from creates() c), (select jsonb_agg(to_jsonb(e)) from exercises() e),
        (select jsonb_agg(to_jsonb(t)) from transactions t), (select jsonb_agg(to_jsonb(p)) from __contract_tpe p)`,
    );
  };
  expect(await content()).toEqual(await content());
});

test("the queries of Canton's quickstart", async () => {
  const canticle = open();
  const { participant } = canticle;
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const items = ['1', '2'].map((price) =>
    participant.create(
      Item,
      { seller: alice, buyers: [bob], price, count: price, note: null },
      { actAs: alice },
    ),
  );
  participant.create(Receipt, { seller: alice, buyer: bob, price: '2' }, { actAs: alice });
  expect(
    await rowsOf(canticle, 'select contract_id, payload from active($1)', 'Shop:Item'),
  ).toHaveLength(2);
  expect(
    await rowsOf(
      canticle,
      'select contract_id, payload from active($1) where contract_id = $2',
      'Shop:Item',
      items[1],
    ),
  ).toMatchObject([{ contract_id: items[1], payload: { count: '2' } }]);
  expect(
    await rowsOf(
      canticle,
      `select item.payload->>'count' as count, receipt.contract_id is not null as sold, offer.payload->>'seller' as seller
       from active($1) item
       left join active($2) receipt on item.payload->>'price' = receipt.payload->>'price' and receipt.payload->>'buyer' = $4
       left join active($3) offer on offer.contract_id = item.contract_id
       order by 1`,
      ...['Shop:Item', 'Shop:Receipt', 'Shop.Offers:Offer', bob],
    ),
  ).toEqual([
    { count: '1', sold: false, seller: alice },
    { count: '2', sold: true, seller: alice },
  ]);
});

test('a closed instance can be closed again, also before its database was opened', async () => {
  const unopened = sqlLedger();
  await unopened.close();
  const canticle = createCanticle({ packages: [shop], pqs: true, cache });
  await canticle.pqs.query('select 1');
  await canticle.close();
  await canticle.close();
});
