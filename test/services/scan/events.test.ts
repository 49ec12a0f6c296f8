/** Scan's events: updates with the verdicts on them (S-EVT-*), and the views in Canton's TransactionViewDecomposition. */
import { Iou } from '../../../src/daml/index.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

const EVENTS = '/api/scan/v0/events';

const list = async (world: SpliceWorld, more: object = {}): Promise<any[]> =>
  (await world.post(EVENTS, { page_size: 1000, ...more })).body.events;
const updates = async (world: SpliceWorld): Promise<any[]> =>
  (await world.post('/api/scan/v2/updates', { page_size: 1000 })).body.transactions;

test('contain each update as version 2 shows it, and the verdict of the mediator (S-EVT-002, S-EVT-003, S-EVT-010)', async () => {
  const world = new SpliceWorld();
  const alice = world.participant.allocateParty('alice');
  const iou = world.iou(alice);
  world.exercise([alice], Iou.id, iou, 'Archive', {});
  const events = await list(world);
  const shown = await updates(world);
  expect(events.map(({ update }) => update)).toEqual(shown);
  const { id } = world.participant;
  expect(events[0]).toMatchObject({
    verdict: {
      update_id: shown[0].update_id,
      migration_id: 0,
      domain_id: world.synchronizerId('global'),
      record_time: shown[0].record_time,
      submitting_parties: [alice],
      submitting_participant_uid: id,
      verdict_result: 'VERDICT_RESULT_ACCEPTED',
      mediator_group: 0,
    },
    traffic_summary: null,
    app_activity_records: null,
  });
  const one = await world.get(`${EVENTS}/${shown[1].update_id}`);
  expect(one.body).toEqual(events[1]);
  const lossless = `${EVENTS}/${shown[1].update_id}?daml_value_encoding=protobuf_json`;
  expect((await world.get<any>(lossless)).body.update.events_by_id).not.toEqual(
    shown[1].events_by_id,
  );
  expect(await world.get(`${EVENTS}/1220ab`)).toEqual({
    status: 404,
    body: { error: 'Event with id 1220ab not found' },
  });
});

describe('the views of a verdict', () => {
  const verdictOf = async (world: SpliceWorld) => (await list(world)).at(-1).verdict;

  test('are a single view if all parties are on one participant, and the party of the participant confirms too', async () => {
    const world = new SpliceWorld();
    const [alice, bob] = ['alice', 'bob'].map((hint) => world.participant.allocateParty(hint));
    const iou = world.iou(alice!, { observers: [bob!] });
    world.split(alice!, iou, '0.5');
    const { id } = world.participant;
    const { transaction_views } = await verdictOf(world);
    expect(transaction_views).toEqual({
      views: [
        {
          view_id: 0,
          informees: [alice, bob, id].sort(),
          confirming_parties: [
            { parties: [alice, id].sort(), threshold: 2 },
            { parties: [alice], threshold: 1 },
          ],
          sub_views: [],
          view_hash: expect.stringMatching(/^1220[0-9a-f]{64}$/),
        },
      ],
      root_views: [0],
    });
  });

  test('start a new view at each node that informs another participant, in pre-order (S-EVT-012)', async () => {
    const world = new SpliceWorld({
      network: { participants: [{ name: 'one' }, { name: 'two' }] },
    });
    const [one, two] = world.network.participants;
    const alice = one!.allocateParty('alice');
    const bob = two!.allocateParty('bob');
    const first = world.iou(alice);
    // Only the new contract is for Bob to see.
    world.exercise([alice], Iou.id, first, 'Iou_AddObserver', { newObserver: bob });
    const { transaction_views } = await verdictOf(world);
    expect(transaction_views).toMatchObject({
      views: [
        {
          view_id: 0,
          informees: [alice, one!.id].sort(),
          confirming_parties: [{ parties: [alice, one!.id].sort(), threshold: 2 }],
          sub_views: [1],
        },
        {
          view_id: 1,
          informees: [alice, bob].sort(),
          confirming_parties: [{ parties: [alice], threshold: 1 }],
          sub_views: [],
        },
      ],
      root_views: [0],
    });
    const [outer, inner] = transaction_views.views;
    expect(outer.view_hash).not.toBe(inner.view_hash);
  });

  test('are separate root views for several commands', async () => {
    const world = new SpliceWorld();
    const alice = world.participant.allocateParty('alice');
    const first = world.iou(alice);
    const second = world.iou(alice);
    const archive = (contractId: string) =>
      ({
        kind: 'exercise',
        templateId: Iou.id,
        contractId,
        choice: 'Archive',
        argument: {},
      }) as const;
    world.submit([alice], [archive(first), archive(second)]);
    const { views, root_views } = (await verdictOf(world)).transaction_views;
    expect(views.map((view: any) => view.view_id)).toEqual([0, 1]);
    expect(root_views).toEqual([0, 1]);
  });
});

describe('the DSO view', () => {
  test('has only the verdict of an update that the DSO does not see, up to its last own update (S-EVT-005, S-EVT-009)', async () => {
    const world = new SpliceWorld({ splice: { scanSees: 'dso' } });
    const { dsoParty: dso } = world.splice;
    const alice = world.participant.allocateParty('alice');
    const unseen = world.iou(alice);
    expect(await list(world)).toEqual([]);
    const seen = world.iou(alice, { observers: [dso] });
    const late = world.iou(alice);
    const [first, second, ...rest] = await list(world);
    const idOf = (contract: string) => world.network.contracts.get(contract)!.createdIn.updateId;
    expect(first).toMatchObject({ update: null, verdict: { update_id: idOf(unseen) } });
    expect(second).toMatchObject({
      update: { update_id: idOf(seen) },
      verdict: { update_id: idOf(seen) },
    });
    expect(rest).toEqual([]);
    const getEvent = (contract: string) => world.get<any>(`${EVENTS}/${idOf(contract)}`);
    expect((await getEvent(unseen)).body).toEqual(first);
    // Events after the cap are not found either (S-EVT-008).
    expect((await getEvent(late)).status).toBe(404);
  });

  test('has no verdicts on other synchronizers', async () => {
    const world = new SpliceWorld({
      network: { synchronizers: TWO_SYNCHRONIZERS },
      splice: { scanSees: 'dso' },
    });
    const { dsoParty: dso } = world.splice;
    const on = (alias: string) =>
      world.create(
        [dso],
        Iou.id,
        {
          issuer: dso,
          owner: dso,
          currency: 'EUR',
          amount: world.network.contracts.get(first)!.instance.payload.amount!,
          observers: [],
        },
        { synchronizerId: world.synchronizerId(alias) },
      );
    const first = world.iou(dso);
    on('app-synchronizer');
    on('global');
    expect((await list(world)).map(({ verdict }) => verdict?.domain_id)).toEqual([
      world.synchronizerId('global'),
      undefined,
      world.synchronizerId('global'),
    ]);
  });
});

describe('reassignments', () => {
  const worldWithMoves = () => {
    const world = new SpliceWorld({ network: { synchronizers: TWO_SYNCHRONIZERS } });
    const alice = world.participant.allocateParty('alice');
    const id = world.unassign(alice, [world.iou(alice)]);
    return { world, alice, id };
  };

  test('have no verdict, and appear together with the next verdict (S-EVT-005, S-EVT-009)', async () => {
    const { world, alice } = worldWithMoves();
    expect(await list(world)).toHaveLength(1);
    world.iou(alice);
    const [, move, after] = await list(world);
    expect(move).toMatchObject({ update: { event: {} }, verdict: null });
    expect(after.verdict).not.toBeNull();
    const { update_id } = move.update;
    expect((await world.get(`${EVENTS}/${update_id}`)).status).toBe(404);
  });

  test('of an earlier migration appear at once, and those of the current one after the next verdict', async () => {
    const { world, alice, id } = worldWithMoves();
    world.migrate(1);
    expect(await list(world)).toHaveLength(2);
    world.assign(alice, id);
    expect(await list(world)).toHaveLength(2);
    world.iou(alice);
    expect((await list(world)).map(({ verdict }) => verdict?.migration_id)).toEqual([
      0,
      undefined,
      undefined,
      1,
    ]);
  });
});

test('pages continue from a migration and a record time, and have the same checks as pages of updates (S-EVT-001, S-EVT-007)', async () => {
  const world = new SpliceWorld();
  const alice = world.participant.allocateParty('alice');
  for (let i = 0; i < 5; i++) world.iou(alice);
  const all = await list(world);
  const paged: unknown[] = [];
  let after: object | undefined;
  for (;;) {
    const page = await list(world, { page_size: 2, after });
    paged.push(...page);
    if (page.length < 2) break;
    const { migration_id, record_time } = page.at(-1).verdict;
    after = { after_migration_id: migration_id, after_record_time: record_time };
  }
  expect(paged).toEqual(all);
  const refusal = async (more: object) =>
    (await world.post(EVENTS, { page_size: 1, ...more })).body;
  expect(await refusal({ page_size: 1001 })).toEqual({
    error: 'Exceeded limit maximum (1001 > 1000).',
  });
  expect(await refusal({ after: { after_migration_id: 0, after_record_time: 'then' } })).toEqual({
    error: "Invalid timestamp: Text 'then' could not be parsed at index 0",
  });
});
