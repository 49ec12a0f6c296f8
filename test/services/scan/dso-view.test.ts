/** The updates that Scan shows when it sees only as much as the DSO party (S-UPD-027). */
import { Iou } from '../../../src/daml/index.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

interface Item {
  readonly update_id: string;
  readonly root_event_ids: readonly string[];
  readonly events_by_id: Readonly<
    Record<string, { event_type: string; child_event_ids?: readonly string[] }>
  >;
  readonly event?: { readonly unassign_id: string };
}

async function list(world: SpliceWorld, version = 'v2', more: object = {}): Promise<Item[]> {
  const { body } = await world.post(`/api/scan/${version}/updates`, { page_size: 1000, ...more });
  return (body as { transactions: Item[] }).transactions;
}

function worldOf(scanSees: 'everything' | 'dso') {
  const world = new SpliceWorld({
    network: { synchronizers: TWO_SYNCHRONIZERS },
    splice: { scanSees },
  });
  const { dsoParty } = world.splice;
  const alice = world.participant.allocateParty('alice');
  return { world, dsoParty, alice };
}

describe('Scan as the DSO party sees it', () => {
  test('omits updates that the DSO does not see, which a sandbox shows', async () => {
    for (const scanSees of ['everything', 'dso'] as const) {
      const { world, dsoParty, alice } = worldOf(scanSees);
      world.iou(alice);
      const observed = world.iou(alice, { observers: [dsoParty] });
      const shown = await list(world);
      expect(shown).toHaveLength(scanSees === 'dso' ? 1 : 2);
      const expected = world.network.contracts.get(observed)!.createdIn.updateId;
      expect(shown.at(-1)!.update_id).toBe(expected);
    }
  });

  test('an inner node becomes a root if the DSO does not see the nodes around it', async () => {
    const { world, dsoParty, alice } = worldOf('dso');
    const iou = world.iou(alice);
    // The DSO joins only in the result: it sees the new contract, not the exercise.
    const added = world.exercise([alice], Iou.id, iou, 'Iou_AddObserver', {
      newObserver: dsoParty,
    });
    const [dense] = await list(world);
    expect(dense!.root_event_ids).toEqual([`${added.updateId}:0`]);
    expect(Object.values(dense!.events_by_id).map(({ event_type }) => event_type)).toEqual([
      'created_event',
    ]);
    // Version 0 keeps the participant's node id.
    const [own] = await list(world, 'v0');
    expect(own!.root_event_ids).toEqual([`#${added.updateId}:1`]);
  });

  test('does not find an update by id that the DSO does not see', async () => {
    const { world, alice } = worldOf('dso');
    const iou = world.iou(alice);
    const { updateId } = world.network.contracts.get(iou)!.createdIn;
    expect(await world.get(`/api/scan/v2/updates/${updateId}`)).toEqual({
      status: 404,
      body: { error: `Transaction with id ${updateId} not found` },
    });
  });

  test('shows reassignments only of contracts of which the DSO is a stakeholder', async () => {
    const { world, dsoParty, alice } = worldOf('dso');
    const observed = world.iou(alice, { observers: [dsoParty] });
    const [id] = [observed, world.iou(alice)].map((contract) => world.unassign(alice, [contract]));
    const moves = (await list(world)).filter(({ event }) => event !== undefined);
    expect(moves.map(({ event }) => event)).toEqual([
      expect.objectContaining({ unassign_id: id, contract_id: observed }),
    ]);
  });

  test('shows imports of a migration only of contracts of which the DSO is a stakeholder', async () => {
    const { world, dsoParty, alice } = worldOf('dso');
    world.iou(alice);
    const observed = world.iou(alice, { observers: [dsoParty] });
    world.migrate(1);
    const [imported, ...rest] = await list(world, 'v0', {
      after: { after_migration_id: 0, after_record_time: '9999-01-01T00:00:00Z' },
    });
    expect(rest).toEqual([]);
    expect(Object.values(imported!.events_by_id)).toEqual([
      expect.objectContaining({ contract_id: observed }),
    ]);
  });
});

describe('a Scan over several participants', () => {
  test('shows the updates of all of them, in one order with its own offsets', async () => {
    const world = new SpliceWorld({ network: { participants: [{ name: 'sv' }, { name: 'app' }] } });
    const [sv, app] = world.network.participants;
    const alice = sv!.allocateParty('alice');
    const bob = app!.allocateParty('bob');
    world.iou(alice);
    world.iou(bob);
    const offsets = (await list(world, 'v0')).map(
      (item) => (item as unknown as { offset: string }).offset,
    );
    expect(offsets).toHaveLength(2);
    expect(offsets).toEqual([...offsets].sort());
  });
});
