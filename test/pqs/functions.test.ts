/** Functions of PQS by example: offsets of a session, pruning, resets, redaction, indexes, names, and their errors. */
import type { Canticle } from 'canticle';
import { rowsOf, sqlLedger, templates } from './sql-ledger.js';

const { Item } = templates;
let canticle: Canticle;
let [alice, bob, empty, start] = ['', '', '', ''];
/** Contracts in the order of creation, and the offset after each step. */
const ids: string[] = [];
const offsets: number[] = [];

beforeAll(async () => {
  canticle = sqlLedger({ pqs: { datasource: 'TransactionTreeStream', version: '3.6' } });
  const { participant } = canticle;
  alice = participant.allocateParty('alice');
  bob = participant.allocateParty('bob');
  empty = canticle.snapshot();
  const end = () => participant.engine.log.end;
  const item = (price: string) => ({ seller: alice, buyers: [bob], price, count: '3', note: null });
  for (const price of ['1.0', '2.0', '3.0']) {
    ids.push(participant.create(Item, item(price), { actAs: alice }));
    offsets.push(end());
  }
  participant.exercise(ids[0]!, Item.Buy, { buyer: bob }, { actAs: bob });
  offsets.push(end());
  participant.exercise(ids[1]!, Item.Try, {}, { actAs: alice });
  offsets.push(end());
  participant.archive(Item, ids[1]!, { actAs: alice });
  offsets.push(end());
  start = canticle.snapshot();
});
beforeEach(() => canticle.revert(start));
afterAll(() => canticle.close());

const rows = (sql: string, ...params: unknown[]) => rowsOf(canticle, sql, ...params);
const value = async (sql: string, ...params: unknown[]): Promise<unknown> =>
  Object.values((await rows(sql, ...params))[0] ?? {})[0];
const count = (from: string, ...params: unknown[]) =>
  value(`select count(*) from ${from}`, ...params);
const refused = (sql: string, ...params: unknown[]) =>
  rows(sql, ...params).then(
    () => 'no error',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );
/** A new update of the ledger. */
function renew(): void {
  canticle.participant.create(
    Item,
    { seller: alice, buyers: [], price: '9', count: '1', note: null },
    { actAs: alice },
  );
}

describe('offsets of a session', () => {
  test('set_latest and set_oldest limit all functions, until they are null', async () => {
    expect(await rows('select oldest_offset(), latest_offset(), pruned_offset()')).toEqual([
      { oldest_offset: 0, latest_offset: offsets[5], pruned_offset: null },
    ]);
    expect(await value('select set_latest($1)', offsets[1])).toBe(offsets[1]);
    expect(await count('active()')).toBe(4);
    expect(await count('transactions')).toBe(3);
    expect(await refused('select * from active(null, $1)', offsets[2])).toBe(
      `P0001 Offset ${offsets[2]} is after the latest known offset ${offsets[1]}`,
    );
    await rows('select set_oldest($1)', offsets[1]);
    expect(await count('creates()')).toBe(2);
    expect(await refused('select * from creates(from_offset := $1)', offsets[0])).toBe(
      `P0001 Offset ${offsets[0]} is before the oldest known offset ${offsets[1]}`,
    );
    await rows('select set_latest(null), set_oldest(null)');
    expect(await count('creates()')).toBe(9);
  });

  test('an offset outside of the history cannot be set', async () => {
    expect(await refused('select set_latest($1)', offsets[5]! + 1)).toBe(
      `P0001 Illegal offset ${offsets[5]! + 1} is beyond upper bounds of contiguous history`,
    );
    expect(await refused('select validate_offset_exists(-1)')).toBe(
      'P0001 Illegal offset -1 is outside lower bounds of contiguous history',
    );
    expect(await value('select validate_offset_exists($1)', offsets[5])).toBe(offsets[5]);
    expect(await value('select validate_offset_exists(0)')).toBe(0);
  });

  test('checkpoints have the offset and the index of a transaction', async () => {
    expect(await rows('select * from oldest_checkpoint()')).toEqual([{ offset: 0, ix: 0 }]);
    expect(await rows('select * from latest_checkpoint()')).toEqual([
      { offset: offsets[5], ix: 6 },
    ]);
  });

  test('nearest_offset finds the last transaction until a time', async () => {
    const [{ at }] = (await rows('select effective_at as at from transactions where ix = 3')) as [
      { at: Date },
    ];
    expect(await value('select nearest_offset($1::timestamptz)', at.toISOString())).toBe(
      await value(
        'select max("offset") from transactions where effective_at <= $1',
        at.toISOString(),
      ),
    );
    expect(await value(`select nearest_offset('2000-01-01T00:00:00Z'::timestamptz)`)).toBeNull();
    expect(await value(`select nearest_offset(interval '-100 years')`)).toBe(offsets[5]);
  });
});

describe('names', () => {
  test.each(['shop:Shop:Item', 'Shop:Item', 'Item'])('%s is the template', async (name) => {
    expect(await count('active($1)', name)).toBe(1);
  });
  test.each(['shop:Shop:Item:Buy', 'Shop:Item:Buy', 'Item:Buy', 'Buy'])(
    '%s is the choice',
    async (name) => {
      expect(await count('exercises($1)', name)).toBe(1);
    },
  );
  test('an unknown name and an ambiguous one are errors', async () => {
    expect(await refused(`select * from active('Shop:Nothing')`)).toBe(
      'P0001 Identifier not found: Shop:Nothing',
    );
    expect(await refused(`select * from exercises('Archive')`)).toBe(
      'P0001 Ambiguous identifier: Archive',
    );
    expect(await refused(`select * from exercises('Sell')`)).toBe(
      'P0001 Identifier not found: Sell',
    );
  });
});

describe('pruning', () => {
  test('deletes contracts that were archived, and their events and exercises', async () => {
    const dry = await rows('select * from prune_archived_to_offset_dry_run($1)', offsets[3]);
    expect(await value('select pruned_offset()')).toBeNull();
    const done = await rows('select * from prune_archived_to_offset($1)', offsets[3]);
    expect(done).toEqual([
      {
        pruning_boundary_offset: offsets[4],
        deleted_contracts: 2,
        deleted_exercises: 1,
        deleted_events: 2,
        deleted_transactions: 2,
      },
    ]);
    expect(dry).toEqual(done);
    expect(await value('select pruned_offset()')).toBe(offsets[3]);
    expect(await rows('select * from prune_archived_to_offset($1)', offsets[3])).toEqual([
      {
        pruning_boundary_offset: null,
        deleted_contracts: 0,
        deleted_exercises: 0,
        deleted_events: 0,
        deleted_transactions: 0,
      },
    ]);
    expect(await count('archives()')).toBe(4);
    expect(await count('exercises()')).toBe(3);
  });

  test.each([
    'prune_archived_to_offset',
    'prune_archived_to_offset_dry_run',
    'validate_pruning_offset',
  ])('%s refuses offsets outside of the history', async (name) => {
    const last = offsets[5]!;
    expect(await refused(`select * from ${name}(-1)`)).toBe(
      'P0001 Illegal pruning offset -1 is outside lower bounds of contiguous history',
    );
    expect(await refused(`select * from ${name}($1)`, last)).toBe(
      `P0001 Illegal pruning offset ${last} coincides with latest consistent checkpoint of contiguous history`,
    );
    expect(await refused(`select * from ${name}($1)`, last + 1)).toBe(
      `P0001 Illegal pruning offset ${last + 1} is beyond upper bounds of contiguous history`,
    );
  });

  test('prune_to_offset moves active contracts to the new oldest transaction', async () => {
    expect(await rows('select * from validate_pruning_offset($1)', offsets[3])).toEqual([
      { squash_inclusive: offsets[3], new_oldest: offsets[4], affected_transactions: 5 },
    ]);
    expect(await rows('select * from prune_to_offset($1)', offsets[3])).toEqual([
      { squash_inclusive: offsets[3], new_oldest: offsets[4], affected_transactions: 5 },
    ]);
    expect(await rows('select oldest_offset(), pruned_offset()')).toEqual([
      { oldest_offset: offsets[4], pruned_offset: offsets[4] },
    ]);
    expect(
      await rows('select created_at_offset from lookup_contract($1, $2)', ids[2], 'Item'),
    ).toEqual([{ created_at_offset: offsets[4] }]);
    expect(await count('active()')).toBe(3);
  });

  test('a revert of the ledger undoes it', async () => {
    const before = canticle.snapshot();
    renew();
    const all = await rows('select to_jsonb(c) from creates(to_offset := $1) c', offsets[5]);
    await rows('select * from prune_archived_to_offset($1)', offsets[3]);
    canticle.revert(before);
    expect(await rows('select to_jsonb(c) from creates() c')).toEqual(all);
    expect(await value('select pruned_offset()')).toBeNull();
  });
});

describe('reset_to_offset', () => {
  test('deletes later transactions, until the ledger has a new one', async () => {
    const all = await rows('select to_jsonb(c) from creates() c order by 1');
    expect(await rows('select * from validate_reset_offset($1)', offsets[2])).toEqual([
      { new_latest: offsets[2], affected_transactions: 3 },
    ]);
    expect(await rows('select * from reset_to_offset($1)', offsets[2])).toEqual([
      { new_latest: offsets[2], affected_transactions: 3 },
    ]);
    expect(await value('select latest_offset()')).toBe(offsets[2]);
    expect(await count('active()')).toBe(6);
    renew();
    expect(
      await rows('select to_jsonb(c) from creates(to_offset := $1) c order by 1', offsets[5]),
    ).toEqual(all);
    expect(await count('active()')).toBe(5);
  });

  test('to the start deletes all', async () => {
    await rows('select * from reset_to_offset(0)');
    expect(await count('creates()')).toBe(0);
    renew();
    expect(await count('creates()')).toBe(11);
  });

  test('refuses offsets outside of the history', async () => {
    const last = offsets[5]!;
    expect(await refused('select * from reset_to_offset(-1)')).toBe(
      'P0001 Illegal reset offset -1 is outside lower bounds of contiguous history',
    );
    expect(await refused('select * from reset_to_offset($1)', last + 1)).toBe(
      `P0001 Illegal reset offset ${last + 1} is beyond upper bounds of contiguous history`,
    );
  });
});

describe('redaction', () => {
  test('redact_contract removes the payload of an archived contract', async () => {
    const [first, , last] = ids;
    expect(await refused('select redact_contract($1, $2)', last, 'r1')).toBe(
      `P0001 Cannot redact contract ${last} because it is active`,
    );
    expect(await value('select redact_contract($1, $2)', first, 'r1')).toBe(2);
    expect(
      await rows(
        'select payload, contract_key, contract_key_hash, redaction_id from lookup_contract($1)',
        first,
      ),
    ).toEqual(
      Array(2).fill({
        payload: null,
        contract_key: null,
        contract_key_hash: null,
        redaction_id: 'r1',
      }),
    );
    expect(await refused('select redact_contract($1, $2)', first, 'r2')).toBe(
      `P0001 Cannot redact contract ${first} because it is already redacted`,
    );
    expect(await refused(`select redact_contract('00ab', 'r1')`)).toBe(
      'P0001 Cannot find contract 00ab',
    );
  });

  test('redact_exercise removes argument and result', async () => {
    const event = 'select exercise_event_id from exercises($1)';
    await rows(`select redact_exercise((${event}), 'r1')`, 'Buy');
    expect(await rows('select argument, result, redaction_id from exercises($1)', 'Buy')).toEqual([
      { argument: null, result: null, redaction_id: 'r1' },
    ]);
    expect(await refused(`select redact_exercise((${event}), 'r2')`, 'Buy')).toMatch(
      /^P0001 Cannot redact exercise with event ID \(\d+,\d+\) because it is already redacted$/,
    );
    expect(await refused(`select redact_exercise((7777, 3)::event_id, 'r1')`)).toBe(
      'P0001 Cannot find exercise with event ID (7777,3)',
    );
  });
});

describe('indexes', () => {
  test('create_index_for_contract makes an index on the table of a template', async () => {
    await rows(
      `call create_index_for_contract('price', 'Shop:Item', '(payload->>''price'')', 'hash')`,
    );
    const key = await value(`select __contract_tpe4name('Item')`);
    expect(
      await rows(`select tablename, indexdef from pg_indexes where indexname like '%_price_idx'`),
    ).toEqual([
      {
        tablename: `__contracts_${key}`,
        indexdef: `CREATE INDEX __contracts_${key}_price_idx ON public.__contracts_${key} USING hash (((payload ->> 'price'::text)))`,
      },
    ]);
  });

  test('print_create_index_for_contract shows the statement', async () => {
    const key = await value(`select __contract_tpe4name('Receipt')`);
    expect(
      await value(
        `select print_create_index_for_contract('b', 'Receipt', 'payload', 'gin', 'jsonb_path_ops')`,
      ),
    ).toBe(
      `create index concurrently if not exists __contracts_${key}_b_idx on __contracts_${key} using gin(payload jsonb_path_ops)`,
    );
    expect(
      await value(
        `select print_create_index_for_contract('b', 'Receipt', 'payload', 'gin', use_concurrently := false)`,
      ),
    ).toBe(
      `create index if not exists __contracts_${key}_b_idx on __contracts_${key} using gin(payload )`,
    );
  });
});

test('stakeholders are signatories and observers', async () => {
  expect(await value(`select c.stakeholders from active('Item') c`)).toEqual([alice, bob].sort());
  expect(await value(`select stakeholders(e) from exercises('Buy') e`)).toEqual(
    [alice, bob].sort(),
  );
});

test('the history of migrations ends with the schema of the version', async () => {
  expect(await value(`select max(version) from flyway_schema_history`)).toBe('042');
  expect(
    await rows('select distinct installed_on::text, success from flyway_schema_history'),
  ).toEqual([{ installed_on: '2026-01-01 00:00:00', success: true }]);
});

test('a template without contracts is known', async () => {
  canticle.revert(empty);
  expect(await rows(`select * from active('Receipt')`)).toEqual([]);
});
