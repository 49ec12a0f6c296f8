/** The endpoints for other Scans that replicate the history, and bulk storage (S-UPD-040 to S-UPD-043, S-BULK-001). */
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

const BASE = '/api/scan/v0/backfilling';

function migrated() {
  const world = new SpliceWorld({ network: { synchronizers: TWO_SYNCHRONIZERS } });
  const alice = world.participant.allocateParty('alice');
  const ious = [world.iou(alice), world.iou(alice), world.iou(alice)];
  world.unassign(alice, [ious[2]!]);
  world.migrate(3);
  ious.push(world.iou(alice));
  return { world, alice, ious };
}

const info = (world: SpliceWorld, migration_id: number) =>
  world.post(`${BASE}/migration-info`, { migration_id });
const before = (world: SpliceWorld, more: object = {}) =>
  world.post(`${BASE}/updates-before`, {
    migration_id: 0,
    synchronizer_id: world.synchronizerId('global'),
    before: '9999-01-01T00:00:00Z',
    count: 100,
    ...more,
  });
const imports = (world: SpliceWorld, more: object = {}) =>
  world.post(`${BASE}/import-updates`, {
    migration_id: 3,
    after_update_id: '',
    limit: 100,
    ...more,
  });
const idsIn = ({ body }: { body: any }): string[] =>
  body.transactions.map(({ update_id }: any) => update_id);

test('reports the range of record times of each migration (S-UPD-041)', async () => {
  const { world, ious } = migrated();
  const global = world.synchronizerId('global');
  const listed = (await world.post('/api/scan/v2/updates', { page_size: 9 })).body.transactions;
  expect((await info(world, 0)).body).toEqual({
    previous_migration_id: null,
    record_time_range: [
      {
        synchronizer_id: global,
        min: listed[0].record_time.replace(/0+Z$/, 'Z'),
        max: listed[3].record_time.replace(/0+Z$/, 'Z'),
      },
    ],
    last_import_update_id: null,
    complete: true,
    import_updates_complete: true,
  });
  expect((await info(world, 3)).body).toMatchObject({
    previous_migration_id: 0,
    record_time_range: [{ min: expect.any(String) }],
    // Contracts in flight between synchronizers are not imported.
    last_import_update_id: ious.slice(0, 2).sort().at(-1),
  });
  expect(await info(world, 1)).toEqual({
    status: 404,
    body: { error: 'No data for migration 1' },
  });
  expect((await world.get(`${BASE}/status`)).body).toEqual({ complete: true });
});

test('lists updates of a synchronizer from the newest, as version 1 without losses (S-UPD-040)', async () => {
  const { world } = migrated();
  const listed = await world.post('/api/scan/v1/updates', {
    page_size: 100,
    daml_value_encoding: 'protobuf_json',
  });
  const newest = [...listed.body.transactions].slice(0, 4).reverse();
  expect((await before(world)).body.transactions).toEqual(newest);
  const [last, third] = newest;
  expect(idsIn(await before(world, { before: last.record_time }))).toEqual(
    idsIn({ body: { transactions: newest } }).slice(1),
  );
  expect(
    idsIn(await before(world, { before: last.record_time, at_or_after: third.record_time })),
  ).toEqual([third.update_id]);
  expect(idsIn(await before(world, { count: 2 }))).toHaveLength(2);
  const app = world.synchronizerId('app-synchronizer');
  expect(idsIn(await before(world, { synchronizer_id: app }))).toEqual([]);
  expect(idsIn(await before(world, { migration_id: 3 }))).toHaveLength(1);
  expect((await before(world, { synchronizer_id: 'global' })).body.error).toBe(
    'Invalid unique identifier `global` with missing namespace.',
  );
  expect((await before(world, { count: 1001 })).status).toBe(400);
});

test('lists imports by contract id, which is also the id of their update (S-UPD-042)', async () => {
  const { world, ious } = migrated();
  const expected = ious.slice(0, 2).sort();
  const all = await imports(world);
  expect(idsIn(all)).toEqual(expected);
  const [first] = all.body.transactions;
  expect(first).toMatchObject({
    migration_id: 3,
    record_time: '0001-01-01T00:00:00.000000Z',
    root_event_ids: [`${expected[0]}:0`],
    events_by_id: { [`${expected[0]}:0`]: { contract_id: expected[0] } },
  });
  expect(idsIn(await imports(world, { after_update_id: expected[0] }))).toEqual([expected[1]]);
  expect(idsIn(await imports(world, { limit: 1 }))).toEqual([expected[0]]);
  expect(idsIn(await imports(world, { migration_id: 0 }))).toEqual([]);
});

test('answers 400 if bulk storage is not configured, although the document does not list 400 (S-GEN-013)', async () => {
  const world = new SpliceWorld();
  const bulk = '/api/scan/v0/history/bulk';
  const time = '2026-01-01T00:00:00Z';
  const listing = { status: 400, body: { error: 'Bulk storage or public URL is not configured' } };
  expect(await world.get(`${bulk}/acs?at_or_before_record_time=${time}`)).toEqual(listing);
  const span = { start_record_time: time, end_record_time: time, page_size: 1 };
  expect(await world.post(`${bulk}/updates`, span)).toEqual(listing);
  expect(await world.post(`${bulk}/checksums`, { object_keys: [] })).toEqual({
    status: 400,
    body: { error: 'Bulk storage is not configured' },
  });
});
