/** Rows by example: values, blobs, keys, filters, the start of a database, several participants. */
import {
  createCanticle,
  startLocalnet,
  type Canticle,
  type CanticleOptions,
  type PqsOptions,
} from 'canticle';
import { partyFilter, typeFilter } from '../../src/pqs/writing/filters.js';
import { sqlJson } from '../../src/pqs/writing/sql-json.js';
import { cache, rowsOf, shop, sqlLedger, templates } from './sql-ledger.js';

const { Item, Receipt } = templates;
const opened: Canticle[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A ledger with an item and a receipt. */
function ledgerWith(pqs: PqsOptions, options: CanticleOptions = {}, note: string | null = null) {
  const canticle = sqlLedger({ pqs, ...options });
  opened.push(canticle);
  const { participant } = canticle;
  const alice = participant.allocateParty('alice');
  const bob = participant.allocateParty('bob');
  const payload = { seller: alice, buyers: [bob], price: '6', count: '-9223372036854775808', note };
  const item = participant.create(Item, payload, { actAs: alice });
  const receipt = participant.create(
    Receipt,
    { seller: alice, buyer: bob, price: '1' },
    { actAs: alice },
  );
  return { canticle, participant, alice, bob, item, receipt };
}
const types = (canticle: Canticle, from = 'active()') =>
  rowsOf<{ t: string }>(
    canticle,
    `select template_fqn as t from ${from} order by created_at_ix, 1`,
  ).then((rows) => rows.map(({ t }) => t.split(':')[2]));

test('numbers are texts with all digits, and empty optional fields are null', async () => {
  const { canticle, alice, bob } = ledgerWith({});
  expect(await rowsOf(canticle, `select payload from active('Item')`)).toEqual([
    {
      payload: {
        seller: alice,
        buyers: [bob],
        price: '6.0000000000',
        count: '-9223372036854775808',
        note: null,
      },
    },
  ]);
  expect(await rowsOf(canticle, `select payload from active('Offer')`)).toEqual([
    { payload: { seller: alice, price: '6.0000000000', note: null } },
  ]);
});

test('a character that PostgreSQL cannot store is replaced', async () => {
  const texts = { 'k\0': ['a\0b', '\\u0000', '\uD83D\uDE00', '\uD83D', 'x\uDE00', 7, true, null] };
  const { canticle } = ledgerWith({});
  expect(await rowsOf(canticle, 'select $1::jsonb as it', sqlJson(texts))).toEqual([
    {
      it: {
        'k\uFFFD': ['a\uFFFDb', '\\u0000', '\uD83D\uDE00', '\uFFFD', 'x\uFFFD', 7, true, null],
      },
    },
  ]);
});

test('times have milliseconds', async () => {
  const { canticle } = ledgerWith({}, { time: '2026-03-01T10:20:30.123456Z' });
  const rows = await rowsOf<{ micros: number }>(
    canticle,
    `select extract(microseconds from effective_at)::int % 1000 as micros from transactions where ix > 0`,
  );
  expect(rows.map(({ micros }) => micros)).toEqual([0, 0]);
});

describe('filters', () => {
  const all = ['shop:Shop:Item', 'shop:Shop.Offers:Offer', 'shop:Shop:Receipt', 'other:Shop:Item'];
  const [item, offer, receipt, other] = all;
  test.each<[string, (string | undefined)[]]>([
    ['*', all],
    ['Shop.Item', [item, other]],
    ['shop:Shop.Offers.*', [offer]],
    ['shop:*', [item, offer, receipt]],
    ['!Shop.Item & shop@>=1.2:*', [offer, receipt]],
    ['shop@<1.2.0', []],
    ['shop@<=1.2.0', [item, offer, receipt]],
    ['shop@>1.1.9:Shop.Item', [item]],
    ['shop@>1.2.0', []],
    ['shop@=1.2.0', [item, offer, receipt]],
    ['shop@1.2.0', [item, offer, receipt]],
    ['shop@1.2.1', []],
    ['(Shop.Item | Shop.Receipt) & !Shop.Receipt', [item, other]],
    ['Shop.Offers.Offer|Shop.Item&other:*', [offer, other]],
    [' ! ( shop:* ) ', [other]],
  ])('of contracts: %s', (text, expected) => {
    const matches = typeFilter(text);
    const found = all.filter((name) => {
      const [packageName = '', ...rest] = name.split(':');
      return matches({ packageName, version: '1.2.0', qualifiedName: rest.join(':') });
    });
    expect(found).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['*', ['alice::1220', 'bob::1220']],
    ['alice*', ['alice::1220']],
    ['*::1220', ['alice::1220', 'bob::1220']],
    ['a*i*0', ['alice::1220']],
    ['a*i*ice::1220', []],
    ['bob::1220 | carol*', ['bob::1220']],
    ['!bob*', ['alice::1220']],
  ])('of parties: %s', (text, expected) => {
    expect(['alice::1220', 'bob::1220'].filter(partyFilter(text))).toEqual(expected);
  });

  test('limit the rows, and witnesses to the wanted parties', async () => {
    const { canticle, bob } = ledgerWith({
      filterContracts: 'Shop.Offers.*',
      filterParties: 'bob*',
    });
    expect(await types(canticle, 'creates()')).toEqual(['Offer']);
    expect(await rowsOf(canticle, `select witnesses from active()`)).toEqual([
      { witnesses: [bob] },
    ]);
  });

  test('of parties without a match leave the database empty', async () => {
    const { canticle } = ledgerWith({ filterParties: 'carol*' });
    expect(await types(canticle, 'creates()')).toEqual([]);
  });

  test('metadata is the blob of wanted templates', async () => {
    const { canticle, item } = ledgerWith({ filterMetadata: 'Shop.Item' });
    const rows = await rowsOf<{ t: string; blob: string | null }>(
      canticle,
      `select template_fqn as t, encode(metadata, 'base64') as blob from active()`,
    );
    const response = await canticle.fetch(
      new Request('http://localhost/v2/contracts/contract-by-id', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contractId: item }),
      }),
    );
    const { createdEvent } = (await response.json()) as {
      createdEvent: { createdEventBlob: string };
    };
    const blob = createdEvent.createdEventBlob;
    for (const row of rows)
      expect(row.blob?.replaceAll('\n', '') ?? null).toBe(row.t.endsWith('Receipt') ? null : blob);
  });

  test.each(['', 'a b', '(a', 'a &', '!', 'a:b:c', 'a@x:*', 'a.*.b', 'a:*.b'])(
    'an invalid filter %j is an error',
    (filterContracts) => {
      expect(() => createCanticle({ pqs: { filterContracts } })).toThrow('The filter of contracts');
    },
  );
  test('its length and depth have limits', () => {
    const make = (filterContracts: string) => () => createCanticle({ pqs: { filterContracts } });
    expect(make('a'.repeat(10_000))).not.toThrow();
    expect(make('a'.repeat(10_001))).toThrow('has 10001 characters, more than 10000');
    expect(make(`${'!'.repeat(100)}a`)).not.toThrow();
    expect(make(`${'!'.repeat(101)}a`)).toThrow('has more than 100 nested parts');
  });
});

describe('a database that starts later', () => {
  test('has the active contracts at index 0', async () => {
    const first = ledgerWith({});
    const saved = first.canticle.dump();
    const from = first.participant.engine.log.end;
    const canticle = createCanticle({
      load: saved,
      packages: [shop],
      pqs: { ledgerStart: from },
      cache,
    });
    opened.push(canticle);
    const { participant } = canticle;
    participant.archive(Receipt, first.receipt, { actAs: first.alice });
    const rows = await rowsOf(
      canticle,
      `select template_fqn, created_at_ix, created_at_offset, archived_at_ix from creates() order by 1`,
    );
    expect(rows).toEqual(
      ['shop:Shop.Offers:Offer', 'shop:Shop:Item', 'shop:Shop:Receipt'].map((template_fqn) => ({
        template_fqn,
        created_at_ix: 0,
        created_at_offset: from,
        archived_at_ix: template_fqn.endsWith('Receipt') ? 1 : null,
      })),
    );
    expect(await rowsOf(canticle, 'select oldest_offset() as o')).toEqual([{ o: from }]);
    expect(await types(canticle, 'active(null, oldest_offset())')).toHaveLength(3);
  });

  test('follows a revert to an earlier time', async () => {
    const canticle = sqlLedger({ pqs: { ledgerStart: 'Oldest' } });
    opened.push(canticle);
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    const start = canticle.snapshot();
    const receipt = { seller: alice, buyer: alice, price: '1' };
    for (let count = 0; count < 3; count += 1)
      participant.create(Receipt, receipt, { actAs: alice });
    expect(await types(canticle)).toHaveLength(3);
    canticle.revert(start);
    expect(await types(canticle)).toHaveLength(0);
    participant.create(Receipt, receipt, { actAs: alice });
    expect(await types(canticle)).toHaveLength(1);
  });
});

test('more events than one statement writes', async () => {
  const canticle = sqlLedger();
  opened.push(canticle);
  const { participant } = canticle;
  const alice = participant.allocateParty('alice');
  const receipt = { seller: alice, buyer: alice, price: '1' };
  participant.create(Receipt, receipt, { actAs: alice });
  expect(await types(canticle)).toHaveLength(1);
  for (let count = 0; count < 4001; count += 1)
    participant.create(Receipt, receipt, { actAs: alice });
  expect(await rowsOf(canticle, 'select count(*), max(created_at_ix) from active()')).toEqual([
    { count: 4002, max: 4002 },
  ]);
});

test('rows can lag behind the ledger by a number of updates', async () => {
  const { canticle, participant, alice } = ledgerWith({ lag: 1 });
  expect(canticle.pqs.lag).toBe(1);
  expect(await types(canticle)).toEqual(['Offer', 'Item']);
  participant.create(Receipt, { seller: alice, buyer: alice, price: '1' }, { actAs: alice });
  expect(await types(canticle)).toEqual(['Offer', 'Item', 'Receipt']);
  canticle.pqs.lag = 5;
  expect(await types(canticle)).toHaveLength(3);
  canticle.pqs.lag = 0;
  expect(await types(canticle)).toHaveLength(4);
  expect(() => (canticle.pqs.lag = -1)).toThrow(RangeError);
  expect(() => createCanticle({ pqs: { lag: 0.5 } })).toThrow('lag cannot be 0.5');
});

test('rows that lag more than the ledger is long are missing', async () => {
  const { canticle } = ledgerWith({ lag: 100 });
  expect(await types(canticle, 'creates()')).toEqual([]);
});

test('an assignment adds a contract only to a participant that did not have it', async () => {
  const canticle = sqlLedger({ bare: false, synchronizers: ['one', 'two'] });
  opened.push(canticle);
  const { participant } = canticle;
  const alice = participant.allocateParty('alice');
  const receipt = { seller: alice, buyer: alice, price: '1' };
  const id = participant.create(Receipt, receipt, { actAs: alice });
  const before = (await rowsOf(canticle, 'select latest_offset() as o'))[0]!['o'];
  participant.assign(participant.unassign(id, { to: 'two', submitter: alice }));
  expect(
    await rowsOf(canticle, 'select count(*) from transactions where "offset" > $1', before),
  ).toEqual([{ count: 2 }]);
  expect(await rowsOf(canticle, 'select count(*) from lookup_contract($1)', id)).toEqual([
    { count: 1 },
  ]);
});

test('each participant of a LocalNet has a database', async () => {
  const localnet = await startLocalnet({ pqs: true, cache });
  opened.push(localnet);
  expect(localnet.pqs.databases).toEqual(['pqs-sv', 'pqs-app-provider', 'pqs-app-user']);
  await expect(localnet.pqs.query('select 1', [], { database: 'pqs-nobody' })).rejects.toThrow(
    "This Canticle has no database 'pqs-nobody', only pqs-sv, pqs-app-provider, pqs-app-user.",
  );
});

test('an instance without the option names it', () => {
  const canticle = createCanticle();
  opened.push(canticle);
  expect(() => canticle.pqs).toThrow('This Canticle has no SQL. Start it with the option pqs.');
});
