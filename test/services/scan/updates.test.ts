/** Scan's update history: what it shows, in which order, in which pages, and how each version writes it. */
import fc from 'fast-check';
import { Numeric, Iou } from '../../../src/daml/index.js';
import { check } from '../../support/property.js';
import { TWO_SYNCHRONIZERS, SpliceWorld } from '../../support/splice/splice-world.js';

const VERSIONS = ['v0', 'v1', 'v2'] as const;
const TIME_OF_UPDATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

interface Item {
  readonly update_id: string;
  readonly migration_id?: number;
  readonly record_time: string;
  readonly offset?: string;
  readonly event?: Record<string, unknown>;
  readonly events_by_id?: Record<string, Record<string, unknown>>;
  readonly root_event_ids?: readonly string[];
}

type Version = (typeof VERSIONS)[number];

const migrationOf = (item: Item): number =>
  (item.migration_id ?? item.event!.migration_id) as number;
const placeOf = (item: Item) => ({
  after_migration_id: migrationOf(item),
  after_record_time: item.record_time,
});
const isImport = ({ record_time }: Item): boolean => record_time.startsWith('0001-');

async function list(world: SpliceWorld, version: Version, body: object = {}): Promise<Item[]> {
  const answer = await world.post(`/api/scan/${version}/updates`, { page_size: 1000, ...body });
  expect(answer.status).toBe(200);
  return (answer.body as { transactions: Item[] }).transactions;
}

async function allPages(world: SpliceWorld, version: Version, pageSize: number): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await list(world, version, {
      page_size: pageSize,
      ...(last && { after: placeOf(last) }),
    });
    items.push(...page);
    if (page.length < pageSize) return items;
  }
}

/** Splits before and behind a migration, contracts that moved, and one that is in flight. */
function busyWorld(): SpliceWorld {
  const world = new SpliceWorld({ network: { seed: 3, synchronizers: TWO_SYNCHRONIZERS } });
  const alice = world.participant.allocateParty('alice');
  const [moved, other, third, fourth] = [1, 2, 3, 4].map((n) =>
    world.iou(alice, { amount: String(n) }),
  ) as [string, string, string, string];
  world.split(alice, other, '0.5');
  world.assign(alice, world.unassign(alice, [moved]));
  world.migrate(4);
  world.iou(alice);
  const pair = world.unassign(alice, [third, fourth]);
  world.participant.allocateParty('bob');
  world.assign(alice, pair);
  world.split(alice, world.iou(alice, { amount: '7' }), '3');
  return world;
}

describe('paging', () => {
  const world = busyWorld();

  test.each(VERSIONS)(
    '%s: returns every item once, by migration id and record time, without topology (S-UPD-005)',
    async (version) => {
      const items = (await list(world, version)).filter((item) => !isImport(item));
      const keys = items.map((item) => `${migrationOf(item)} ${item.record_time}`);
      expect(keys).toEqual([...keys].sort());
      expect(items.map(({ update_id }) => update_id)).toEqual(
        [...Array(world.network.updates.length).keys()]
          .map((i) => world.network.updates.at(i)!)
          .flatMap((update) =>
            update.kind === 'topology'
              ? []
              : update.kind === 'reassignment'
                ? update.events.map(() => update.updateId)
                : [update.updateId],
          ),
      );
    },
  );

  test.each(['v1', 'v2'] as const)(
    '%s: returns the whole history for any page size, also across a migration',
    async (version) => {
      const whole = await list(world, version);
      await check(
        fc.asyncProperty(fc.integer({ min: 1, max: whole.length + 2 }), async (size) => {
          expect(await allPages(world, version, size)).toEqual(whole);
        }),
      );
    },
  );

  test('after excludes its record time, and includes every later migration (S-UPD-003)', async () => {
    const whole = await list(world, 'v2');
    const lastOfZero = whole.findIndex((item) => migrationOf(item) === 4) - 1;
    expect(await list(world, 'v2', { after: placeOf(whole[lastOfZero]!) })).toEqual(
      whole.slice(lastOfZero + 1),
    );
    const farAhead = { after_migration_id: 0, after_record_time: '9999-01-01T00:00:00Z' };
    expect(await list(world, 'v2', { after: farAhead })).toEqual(whole.slice(lastOfZero + 1));
    expect(await list(world, 'v2', { after: { ...farAhead, after_migration_id: 4 } })).toEqual([]);
    // The record time counts within its migration only: an early one of migration 4 still leaves out all of 0.
    const early = { after_migration_id: 4, after_record_time: '2000-01-01T00:00:00Z' };
    expect(await list(world, 'v2', { after: early })).toEqual(whole.slice(lastOfZero + 1));
  });

  test('only v0 returns the imports of a migration, with the lowest record time (S-UPD-007)', async () => {
    const imports = (await list(world, 'v0')).filter(isImport);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.map(migrationOf)).toEqual(imports.map(() => 4));
    expect(imports[0]).toMatchObject({
      record_time: '0001-01-01T00:00:00.000000Z',
      offset: '',
      workflow_id: '',
    });
    for (const version of ['v1', 'v2'] as const)
      expect((await list(world, version)).filter(isImport)).toEqual([]);
    const [moved] = imports.filter((item) =>
      (item as unknown as { synchronizer_id: string }).synchronizer_id.startsWith('app-'),
    );
    expect(await world.get(`/api/scan/v0/updates/${moved!.update_id}`)).toMatchObject({
      status: 200,
      body: moved,
    });
  });

  test('v0: pages lose only imports, after a page that ends between two of them, as on the real Scan', async () => {
    const whole = await list(world, 'v0');
    const imports = whole.filter(isImport).length;
    expect(imports).toBeGreaterThan(1);
    for (let size = 1; size <= whole.length; size++) {
      const paged = await allPages(world, 'v0', size);
      const ids = new Set(paged.map(({ update_id }) => update_id));
      expect(whole.filter((item) => !isImport(item) && !ids.has(item.update_id))).toEqual([]);
      expect(paged.filter(isImport).length).toBeLessThanOrEqual(imports);
    }
    expect(await allPages(world, 'v0', whole.length)).toEqual(whole);
  });

  test('both halves of a reassignment have the same counter and unassign id (S-UPD-031 to S-UPD-033)', async () => {
    const halves = (await list(world, 'v2'))
      .filter(({ event }) => event !== undefined)
      .map(({ event }) => event!);
    const unassigned = halves.filter((event) => 'contract_id' in event);
    const assigned = halves.filter((event) => 'created_event' in event);
    expect(
      unassigned.map(({ reassignment_counter, unassign_id }) => [
        reassignment_counter,
        unassign_id,
      ]),
    ).toEqual(
      assigned.map(({ reassignment_counter, unassign_id }) => [reassignment_counter, unassign_id]),
    );
    expect(unassigned.map(({ reassignment_counter }) => reassignment_counter)).toEqual([1, 1, 1]);
  });

  test('a revert removes updates, and a replay returns the same bytes', async () => {
    const twin = busyWorld();
    const snapshot = twin.network.snapshot();
    const before = await list(twin, 'v0');
    twin.iou(twin.splice.dsoParty);
    expect(await list(twin, 'v0')).toHaveLength(before.length + 1);
    twin.network.revert(snapshot);
    expect(JSON.stringify(await list(twin, 'v0'))).toBe(JSON.stringify(await list(world, 'v0')));
  });
});

describe('the versions of the API', () => {
  const world = new SpliceWorld();
  const alice = world.participant.allocateParty('alice');
  const bob = world.participant.allocateParty('bob');
  const iou = world.iou(alice, { issuer: bob, amount: '12.5' });
  const split = world.split(alice, iou, '2.25');

  async function inVersion(version: Version, query = ''): Promise<Item> {
    return (await world.get<Item>(`/api/scan/${version}/updates/${split.updateId}${query}`)).body;
  }

  test('event ids are #update:node in v0, and update:position from v1 on (S-UPD-014)', async () => {
    const { updateId } = split;
    expect((await inVersion('v0')).root_event_ids).toEqual([`#${updateId}:0`]);
    for (const version of ['v1', 'v2'] as const) {
      const item = await inVersion(version);
      expect(item.root_event_ids).toEqual([`${updateId}:0`]);
      expect(item.events_by_id![`${updateId}:0`]!.child_event_ids).toEqual([
        `${updateId}:1`,
        `${updateId}:2`,
      ]);
      for (const [key, event] of Object.entries(item.events_by_id!))
        expect(event.event_id).toBe(key);
    }
  });

  test('offsets are those of the participant in v0, a constant in v1, and absent in v2 (S-UPD-019, S-UPD-020, S-UPD-012)', async () => {
    const offset = split.offsets.get(world.participant.id)!;
    expect((await inVersion('v0')).offset).toBe(`00${offset.toString(16).padStart(16, '0')}`);
    expect((await inVersion('v1')).offset).toBe('000000000000000001');
    expect(await inVersion('v2')).not.toHaveProperty('offset');
  });

  test('uses compact_json by default, with all ten decimals, and times in their three forms (S-ENC-006, S-GEN-025 to S-GEN-027)', async () => {
    const item = await inVersion('v2');
    expect(item.record_time).toMatch(TIME_OF_UPDATE);
    const [exercised, created] = Object.values(item.events_by_id!);
    expect(exercised).toMatchObject({
      event_type: 'exercised_event',
      choice: 'Iou_Split',
      choice_argument: { splitAmount: '2.2500000000' },
      consuming: true,
      acting_parties: [alice],
      interface_id: null,
      exercise_result: { _1: expect.stringMatching(/^00/), _2: expect.stringMatching(/^00/) },
    });
    expect(created).toMatchObject({
      event_type: 'created_event',
      package_name: 'canticle-quickstart',
      create_arguments: {
        issuer: bob,
        owner: alice,
        currency: 'EUR',
        amount: '2.2500000000',
        observers: [],
      },
      signatories: [alice, bob].sort(),
      observers: [],
    });
    expect(created!.created_at).toBe((item as unknown as { effective_at: string }).effective_at);
  });

  test.each([
    ['v0', '?lossless=true'],
    ['v1', '?daml_value_encoding=protobuf_json'],
    ['v2', '?daml_value_encoding=protobuf_json'],
  ] as const)(
    '%s%s: shows values as the protobuf of the Ledger API (S-ENC-011)',
    async (version, query) => {
      const [exercised] = Object.values((await inVersion(version, query)).events_by_id!);
      expect(exercised!.choice_argument).toEqual({
        record: { fields: [{ value: { numeric: '2.2500000000' } }] },
      });
    },
  );

  test('shows a result that is not a record unchanged, although the schema differs (S-ENC-008)', async () => {
    const own = new SpliceWorld();
    const [carol, dave] = ['carol', 'dave'].map((name) => own.participant.allocateParty(name)) as [
      string,
      string,
    ];
    const update = own.exercise([carol, dave], Iou.id, own.iou(carol), 'Iou_Transfer', {
      newOwner: dave,
    });
    const { body }: { body: Item } = await own.get(`/api/scan/v2/updates/${update.updateId}`);
    const [transferred, created] = Object.values(body.events_by_id!);
    expect(transferred!.exercise_result).toBe(created!.contract_id);
  });

  test('lists read the encoding from the request body', async () => {
    const [lossless] = (await list(world, 'v0', { lossless: true })).slice(-1);
    const [protobuf] = (await list(world, 'v2', { daml_value_encoding: 'protobuf_json' })).slice(
      -1,
    );
    for (const item of [lossless!, protobuf!])
      expect(Object.values(item.events_by_id!)[0]!.choice_argument).toHaveProperty('record');
  });

  test('a missing workflow id is an empty text, and a missing external hash is omitted (S-UPD-013, S-GEN-024)', async () => {
    const item = await inVersion('v2');
    expect(item).toMatchObject({ workflow_id: '' });
    expect(item).not.toHaveProperty('external_transaction_hash');
  });

  test('sorts events_by_id by key: :10 before :2 (S-UPD-018)', async () => {
    const many = world.submit(
      [alice, bob],
      Array.from({ length: 12 }, () => createIou(alice, bob)),
    );
    const { body } = await world.get<Item>(`/api/scan/v2/updates/${many.updateId}`);
    const keys = Object.keys(body.events_by_id!).map((key) => key.split(':')[1]);
    expect(keys.slice(0, 4)).toEqual(['0', '1', '10', '11']);
    // Roots keep the order of the transaction (S-UPD-017).
    expect(body.root_event_ids!.map((id: string) => Number(id.split(':')[1]))).toEqual([
      ...Array(12).keys(),
    ]);
  });
});

describe('rejects', () => {
  const world = new SpliceWorld({ network: { synchronizers: TWO_SYNCHRONIZERS } });

  test.each(VERSIONS)('%s: page sizes below 1 and above 1000 (S-GEN-018)', async (version) => {
    const refusal = async (page_size: number) =>
      world.post(`/api/scan/${version}/updates`, { page_size });
    expect(await refusal(0)).toEqual({ status: 400, body: { error: 'Limit must be at least 1.' } });
    expect(await refusal(1001)).toEqual({
      status: 400,
      body: { error: 'Exceeded limit maximum (1001 > 1000).' },
    });
    expect((await refusal(1000)).status).toBe(200);
  });

  test.each([
    ['not-a-time', "Text 'not-a-time' could not be parsed at index 0"],
    ['', "Text '' could not be parsed at index 0"],
    ['2026-01-01', "Text '2026-01-01' could not be parsed at index 10"],
    ['2026-13-01T00:00:00Z', "Text '2026-13-01T00:00:00Z' could not be parsed at index 0"],
    [
      '2026-01-01T00:00:00Zzz',
      "Text '2026-01-01T00:00:00Zzz' could not be parsed, unparsed text found at index 20",
    ],
    [
      '+10000-01-01T00:00:00Z',
      'cannot convert instant +10000-01-01T00:00:00Z into Timestamp:out of bound Timestamp 253402300800000000',
    ],
  ])('a bad time %j with the message of the parser (S-UPD-004)', async (text, reason) => {
    const after = { after_migration_id: 0, after_record_time: text };
    // It comes before the page size.
    expect(await world.post('/api/scan/v2/updates', { after, page_size: 0 })).toEqual({
      status: 400,
      body: { error: `Invalid timestamp: ${reason}` },
    });
  });

  test('an unknown id and the id of a reassignment with 404 (S-UPD-035)', async () => {
    const alice = world.participant.allocateParty('alice');
    world.unassign(alice, [world.iou(alice)]);
    const { updateId } = world.network.updates.at(world.network.updates.length - 1)!;
    for (const version of VERSIONS)
      for (const id of [updateId, 'unknown'])
        expect(await world.get(`/api/scan/${version}/updates/${id}`)).toEqual({
          status: 404,
          body: { error: `Transaction with id ${id} not found` },
        });
  });
});

function createIou(owner: string, issuer: string) {
  const payload = { issuer, owner, currency: 'EUR', amount: Numeric.of('1'), observers: [] };
  return { kind: 'create' as const, templateId: Iou.id, payload };
}
