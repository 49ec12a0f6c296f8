/** Scan's snapshots of the active contracts: when there is one, what it holds, and how it is paged (S-ACS-*). */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { gunzipSync } from 'node:zlib';
import { Iou, formatTimestamp } from '../../../src/daml/index.js';
import { ModelWorld } from '../../support/splice/amulet-model.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

const SCAN = '/api/scan';
const HOUR = 3_600_000_000n;
const AT_THREE = '2026-01-01T03:00:00Z';
const AMULET = 'splice-amulet:Splice.Amulet:Amulet';

const before = (world: ModelWorld, time: string, migration = 0) =>
  world.get<any>(
    `${SCAN}/v0/state/acs/snapshot-timestamp?before=${encodeURIComponent(time)}&migration_id=${migration}`,
  );
const after = (world: ModelWorld, time: string, migration = 0) =>
  world.get<any>(
    `${SCAN}/v0/state/acs/snapshot-timestamp-after?after=${time}&migration_id=${migration}`,
  );
const acs = (world: SpliceWorld, more: object = {}, version = 'v1') =>
  world.post(`${SCAN}/${version}/state/acs`, {
    migration_id: 0,
    record_time: AT_THREE,
    page_size: 1000,
    ...more,
  });
const ids = async (answer: Promise<{ body: any }>): Promise<string[]> =>
  (await answer).body.created_events.map((each: any) => each.contract_id);

describe('ACS snapshots', () => {
  test('are taken every three hours after the first update, as time advances (S-ACS-001 to S-ACS-004)', async () => {
    const world = new ModelWorld();
    const none = { status: 404, body: { error: 'No snapshots found before 2026-01-02T00:00Z' } };
    expect(await before(world, '2026-01-02T00:00:00Z')).toEqual(none);
    world.iou(world.dso);
    world.network.clock.advance(2n * HOUR);
    expect(await before(world, '2026-01-02T00:00:00Z')).toEqual(none);
    world.network.clock.advance(8n * HOUR);
    const recordTime = async (answer: Promise<{ body: any }>) => (await answer).body.record_time;
    expect(await recordTime(before(world, '2026-01-02T00:00:00Z'))).toBe('2026-01-01T09:00:00Z');
    // Inclusive before, exclusive after.
    expect(await recordTime(before(world, '2026-01-01T06:00:00Z'))).toBe('2026-01-01T06:00:00Z');
    expect(await recordTime(before(world, '2026-01-01T07:59:59+01:00'))).toBe(
      '2026-01-01T06:00:00Z',
    );
    expect(await recordTime(after(world, '2025-01-01T00:00:00Z'))).toBe(AT_THREE);
    expect(await recordTime(after(world, AT_THREE))).toBe('2026-01-01T06:00:00Z');
    expect(await after(world, '2026-01-01T09:00:00.5Z')).toEqual({
      status: 404,
      body: { error: 'No snapshots found after 2026-01-01T09:00:00.500Z' },
    });
  });

  test('belong to one migration: they end with its last update, and start with the imported contracts (S-ACS-003, S-ACS-013)', async () => {
    const world = new ModelWorld();
    const early = world.iou(world.dso);
    world.network.clock.advance(4n * HOUR);
    const late = world.iou(world.dso);
    world.network.clock.advance(4n * HOUR);
    world.migrate(1);
    expect((await before(world, '2027-01-01T00:00:00Z')).body.record_time).toBe(AT_THREE);
    expect((await before(world, '2027-01-01T00:00:00Z', 1)).status).toBe(404);
    world.exercise([world.dso], Iou.id, early, 'Archive', {});
    const created = world.iou(world.dso);
    world.network.clock.advance(4n * HOUR);
    const time = '2026-01-01T09:00:00Z';
    expect((await after(world, AT_THREE)).body.record_time).toBe(time);
    expect(await ids(acs(world))).toEqual([early]);
    const { body } = await acs(world, { migration_id: 1, record_time: time });
    expect(body).toMatchObject({
      record_time: time,
      migration_id: 1,
      next_page_token: null,
      created_events: [
        { contract_id: late, created_in_update_id: null },
        {
          contract_id: created,
          created_in_update_id: world.network.contracts.get(created)!.createdIn.updateId,
        },
      ],
    });
  });

  test('are taken at once by a forced request, and removed by a revert (S-ACS-015)', async () => {
    const world = new ModelWorld();
    const force = () => world.post(`${SCAN}/v0/state/acs/force`, undefined);
    const rules = world.rules();
    const start = world.network.snapshot();
    const first = world.iou(world.dso);
    const { body } = await force();
    expect(body).toEqual({ record_time: '2026-01-01T00:00:00.000004Z', migration_id: 0 });
    expect(await force()).toMatchObject({ status: 200, body });
    const taken = () => acs(world, { record_time: body.record_time });
    expect(await ids(taken())).toEqual([rules, first]);
    world.network.revert(start);
    expect((await taken()).status).toBe(404);
    // The same time again, with another history.
    world.iou(world.dso, { amount: '7' });
    expect((await force()).body).toEqual(body);
    const amounts = (await taken()).body.created_events.map(
      // Scan does not know the Iou (S-ENC-010).
      (each: any) => each.create_arguments.value?.[3],
    );
    expect(amounts).toEqual([undefined, '7.0']);
  });

  test.each(['everything', 'dso'] as const)(
    'also work without Amulet, and before the first update (Scan sees %s)',
    async (scanSees) => {
      const world = new SpliceWorld({ splice: { scanSees } });
      const { dsoParty: dso } = world.splice;
      const held = { owner_party_ids: [dso] };
      const snapshotIds = async () => {
        const { body, status } = await world.post(`${SCAN}/v0/state/acs/force`, undefined);
        expect(status).toBe(200);
        const { record_time } = body as { record_time: string };
        const found = await ids(acs(world, { record_time }));
        for (const path of ['v0/holdings/summary', 'v1/holdings/summary'])
          expect(
            await world.post(`${SCAN}/${path}`, { migration_id: 0, record_time, ...held }),
          ).toMatchObject({ status: 200, body: { summaries: [] } });
        const page = { migration_id: 0, record_time, page_size: 10, ...held };
        expect(await world.post(`${SCAN}/v1/holdings/state`, page)).toMatchObject({
          status: 200,
          body: { created_events: [] },
        });
        return found;
      };
      expect(await snapshotIds()).toEqual([]);
      const first = world.iou(dso);
      expect(await snapshotIds()).toEqual([first]);
      world.migrate(1);
      const { body } = await world.post(`${SCAN}/v0/state/acs/force`, undefined);
      expect(await ids(acs(world, { migration_id: 1, record_time: body.record_time }))).toEqual([
        first,
      ]);
    },
  );

  test('cannot be forced if the option forbids it', async () => {
    const world = new ModelWorld({ splice: { forcedAcsSnapshots: false } });
    world.rules();
    expect(await world.post(`${SCAN}/v0/state/acs/force`, undefined)).toEqual({
      status: 400,
      body: { error: 'Forced ACS snapshots are disabled.' },
    });
  });
});

describe('an ACS snapshot', () => {
  function worldAtThree() {
    const world = new ModelWorld();
    const [alice, bob] = ['alice', 'bob'].map((hint) => world.participant.allocateParty(hint));
    const archived = world.iou(alice!);
    const shared = world.iou(alice!, { observers: [bob!], amount: '2.5' });
    const amulets = ['1.0', '2.0', '3.0'].map((amount) => world.amulet(amount, alice));
    world.exercise([alice!], Iou.id, archived, 'Archive', {});
    const gone = world.iou(bob!);
    world.network.clock.advance(3n * HOUR);
    world.exercise([bob!], Iou.id, gone, 'Archive', {});
    world.iou(alice!);
    return { world, alice: alice!, bob: bob!, shared, amulets, gone };
  }

  test('lists the contracts that were active at its time, in the order of creation (S-ACS-009)', async () => {
    const { world, shared, amulets, gone } = worldAtThree();
    expect(await ids(acs(world))).toEqual([shared, ...amulets, gone]);
  });

  test('shows each contract as a created event, or as its fields only (S-ACS-013, S-ACS-014)', async () => {
    const { world, shared, alice, bob } = worldAtThree();
    const { updateId } = world.network.contracts.get(shared)!.createdIn;
    const facts = {
      contract_id: shared,
      template_id: Iou.id,
      package_name: 'canticle-quickstart',
      create_arguments: {
        issuer: alice,
        owner: alice,
        currency: 'EUR',
        amount: '2.5000000000',
        observers: [bob],
      },
      created_at: '2026-01-01T00:00:00.000005Z',
      signatories: [alice],
      observers: [bob],
    };
    const first = async (version: string) =>
      (await acs(world, { page_size: 1 }, version)).body.created_events[0];
    expect(await first('v0')).toEqual({
      event_type: 'created_event',
      event_id: `#${updateId}:0`,
      ...facts,
    });
    expect(await first('v1')).toEqual({ created_in_update_id: updateId, ...facts });
  });

  test('each full page ends with a token for the next one (S-ACS-010, S-ACS-011)', async () => {
    const { world, amulets } = worldAtThree();
    const page = async (after?: number) =>
      (await acs(world, { page_size: 2, templates: [AMULET], after })).body;
    const first = await page();
    const second = await page(first.next_page_token);
    const events = [...first.created_events, ...second.created_events];
    expect(events.map((each: any) => each.contract_id)).toEqual(amulets);
    expect(second.next_page_token).toBeNull();
    const full = (await acs(world, { page_size: 5 })).body;
    expect((await acs(world, { page_size: 5, after: full.next_page_token })).body).toMatchObject({
      created_events: [],
      next_page_token: null,
    });
    expect(await acs(world, { after: 6 })).toEqual({
      status: 400,
      body: { error: 'Invalid after token, outside of snapshot range (1 to 5).' },
    });
  });

  test('lists the contracts of any of the requested parties and templates, each once (S-ACS-007, S-ACS-008)', async () => {
    const { world, alice, bob, shared, amulets, gone } = worldAtThree();
    expect(await ids(acs(world, { party_ids: [bob] }))).toEqual([shared, gone]);
    expect(await ids(acs(world, { party_ids: [alice, bob] }))).toEqual([shared, ...amulets, gone]);
    const iou = 'canticle-quickstart:Quickstart.Iou:Iou';
    expect(await ids(acs(world, { templates: [AMULET, iou], party_ids: [alice] }))).toEqual([
      shared,
      ...amulets,
    ]);
    expect(await acs(world, { templates: [Iou.id.slice(4), 'Splice.Amulet:Amulet'] })).toEqual({
      status: 400,
      body: { error: "Malformed template_id, expected 'package_name:module_name:entity_name'" },
    });
  });

  test('is found at its exact time, or as the latest one before the requested time (S-ACS-006)', async () => {
    const { world, gone } = worldAtThree();
    const later = '2026-01-01T04:00:00Z';
    expect(await acs(world, { record_time: later })).toEqual({
      status: 404,
      body: {
        error: 'Failed to find ACS snapshot for migration id 0 at 2026-01-01T04:00:00Z',
      },
    });
    const { body } = await acs(world, { record_time: later, record_time_match: 'at_or_before' });
    expect(body).toMatchObject({ record_time: AT_THREE });
    expect(body.created_events.at(-1).contract_id).toBe(gone);
    const early = { record_time: '2026-01-01T02:00:00Z', record_time_match: 'at_or_before' };
    // A missing snapshot is reported before any other fault.
    expect(await acs(world, { ...early, page_size: 0 })).toEqual({
      status: 404,
      body: { error: 'No snapshots found before 2026-01-01T02:00Z' },
    });
    expect((await acs(world, { page_size: 1001 })).body.error).toBe(
      'Exceeded limit maximum (1001 > 1000).',
    );
    expect((await acs(world, { party_ids: ['alice'] })).body.error).toBe(
      'Invalid unique identifier `alice` with missing namespace.',
    );
  });

  test('includes contracts in flight', async () => {
    const two = new ModelWorld({ network: { synchronizers: TWO_SYNCHRONIZERS } });
    const iou = two.iou(two.dso);
    two.unassign(two.dso, [iou]);
    two.network.clock.advance(3n * HOUR);
    expect(await ids(acs(two))).toEqual([iou]);
  });
});

test('the DSO sees only the contracts of which it is a stakeholder', async () => {
  const world = new ModelWorld({ splice: { scanSees: 'dso' } });
  const alice = world.participant.allocateParty('alice');
  world.iou(alice);
  const observed = world.iou(alice, { observers: [world.dso] });
  world.network.clock.advance(3n * HOUR);
  expect(await ids(acs(world))).toEqual([observed]);
});

describe("the export of a party's contracts", () => {
  const exported = async (world: ModelWorld, party: string, query = '') => {
    const { status, body } = await world.get<any>(
      `${SCAN}/v0/acs/${encodeURIComponent(party)}${query}`,
    );
    expect(status).toBe(200);
    const bytes = gunzipSync(Buffer.from(body.acs_snapshot, 'base64'));
    const reader = new BinaryReader(bytes);
    const found = [];
    while (reader.pos < reader.len) {
      const versioned = fieldsOf(reader.bytes());
      expect(versioned.get(2)).toEqual([30]);
      const [contract] = fieldsOf(versioned.get(1)![0] as Uint8Array).get(1)!;
      const active = fieldsOf(contract as Uint8Array);
      found.push({ active, event: fieldsOf(active.get(1)![0] as Uint8Array) });
    }
    return found;
  };
  const textOf = (field: unknown) => Buffer.from(field as Uint8Array).toString();

  test('includes only contracts that the DSO sees, and a participant can import it', async () => {
    const world = new ModelWorld();
    const [alice, bob] = ['alice', 'bob'].map((hint) => world.participant.allocateParty(hint)) as [
      string,
      string,
    ];
    world.iou(alice, { observers: [bob] });
    expect(await exported(world, alice)).toEqual([]);
    const shared = world.iou(alice, { issuer: world.dso });
    const [{ active, event }, ...more] = (await exported(world, alice)) as any;
    expect(more).toEqual([]);
    expect(textOf(active.get(2)[0])).toBe(world.network.synchronizers[0]!.id);
    expect([3, 9, 13].map((number) => event.get(number).map(textOf))).toEqual([
      [shared],
      [alice],
      ['canticle-quickstart'],
    ]);
    const { body } = await world.post('/v2/events/events-by-contract-id', {
      contractId: shared,
      eventFormat: {
        filtersByParty: {
          [alice]: {
            cumulative: [
              {
                identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
              },
            ],
          },
        },
        verbose: false,
      },
    });
    const { createdEvent } = body.created;
    expect(Buffer.from(event.get(7)[0]).toString('base64')).toBe(createdEvent.createdEventBlob);
    expect([event.get(1)[0], event.get(14)[0]]).toEqual([createdEvent.offset, 1]);
    // The fields of the record, without their names.
    const fields = fieldsOf(event.get(6)[0]).get(2)!;
    expect(fields.map((each) => [...fieldsOf(each as Uint8Array).keys()])).toEqual(
      fields.map(() => [2]),
    );
  });

  test('at an earlier time includes only contracts that the DSO sees, also archived ones', async () => {
    const world = new ModelWorld();
    const alice = world.participant.allocateParty('alice');
    const own = world.iou(alice);
    const shared = world.iou(alice, { issuer: world.dso });
    const { log } = world.participant;
    const time = formatTimestamp(log.entry(log.end)!.recordTime);
    for (const iou of [own, shared]) world.split(alice, iou, '0.5');
    const then = (await exported(world, alice, `?record_time=${time}`)) as any;
    expect(then.map(({ event }: any) => textOf(event.get(3)[0]))).toEqual([shared]);
  });

  test('is as of the record time of an update, if the query has a record time', async () => {
    const world = new ModelWorld();
    world.iou(world.dso);
    const { log } = world.participant;
    const first = log.entry(log.end)!.recordTime;
    world.iou(world.dso);
    const counts = [];
    for (const query of ['', `?record_time=${formatTimestamp(first)}`])
      counts.push((await exported(world, world.dso, query)).length);
    expect(counts).toEqual([2, 1]);
    world.network.clock.advance(HOUR);
    const refusal = async (time: string) => {
      const { status, body } = await world.get<any>(
        `${SCAN}/v0/acs/${world.dso}?record_time=${time}`,
      );
      return [status, body.error.split('(')[0]];
    };
    expect(await refusal('2030-01-01T00:00:00Z')).toEqual([400, 'UNPROCESSED_REQUESTED_TIMESTAMP']);
    expect(await refusal('2020-01-01T00:00:00Z')).toEqual([
      500,
      'INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR',
    ]);
    expect(await refusal(formatTimestamp(first + 10n))).toEqual([
      404,
      'EXACT_RECORD_TIME_MATCH_NOT_FOUND',
    ]);
    expect((await refusal('today'))[0]).toBe(400);
    expect((await world.get(`${SCAN}/v0/acs/nobody`)).status).toBe(400);
  });
});

/** The fields of a message, by number. */
function fieldsOf(bytes: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, (number | Uint8Array)[]>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const value = wire === WireType.Varint ? Number(reader.uint64()) : reader.bytes();
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}
