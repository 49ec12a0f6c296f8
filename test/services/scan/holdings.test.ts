/** Scan and the validator's proxy on what parties have in amulets (S-HLD-*, P-PROXY-007). */
import { ModelWorld } from '../../support/splice/amulet-model.js';
import { amuletWorld, AMULET_DAR } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';

const SCAN = '/api/scan';
const PROXY = '/api/validator';
const record_time = '2026-01-01T03:00:00Z';

/** Alice has three amulets, one of them locked, and Bob has one. A day later neither has any. */
function furnished() {
  const world = new ModelWorld();
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((hint) =>
    world.participant.allocateParty(hint),
  ) as [string, string, string];
  const amulets = [
    world.amulet('10.0', alice, 3n),
    world.lockedAmulet('5.0', alice, 4n),
    world.amulet('0.3', bob),
    world.amulet('1.5', alice, 5n),
  ];
  world.openRound(7n, 0n);
  world.network.clock.advance(10_800_000_000n);
  return { world, alice, bob, carol, amulets };
}

const state = (world: ModelWorld, owner_party_ids: string[], more: object = {}, version = 'v1') =>
  world.post(`${SCAN}/${version}/holdings/state`, {
    migration_id: 0,
    record_time,
    page_size: 1000,
    owner_party_ids,
    ...more,
  });
const summary = (
  world: ModelWorld,
  owner_party_ids: string[],
  more: object = {},
  path = `${SCAN}/v1/holdings/summary`,
) => world.post(path, { migration_id: 0, record_time, owner_party_ids, ...more });

describe('the state of holdings', () => {
  test('lists the amulets of the owners, locked or not, in the order of creation (S-HLD-001, S-HLD-003, S-HLD-010)', async () => {
    const { world, alice, amulets } = furnished();
    const { body } = await state(world, [alice]);
    expect(body.created_events.map((each: any) => each.contract_id)).toEqual([
      amulets[0],
      amulets[1],
      amulets[3],
    ]);
    expect(body.created_events[0]).toMatchObject({
      create_arguments: {
        owner: alice,
        amount: { initialAmount: '10.0000000000', createdAt: { number: '3' } },
      },
    });
    const [first] = (await state(world, [alice], {}, 'v0')).body.created_events;
    expect(first).toMatchObject({ event_type: 'created_event', contract_id: amulets[0] });
  });

  test('applies the page size before the filter by owner (S-HLD-002)', async () => {
    const { world } = furnished();
    // The DSO has a stake in all of them and owns none.
    const { body } = await state(world, [world.dso], { page_size: 2 });
    expect(body).toMatchObject({ created_events: [], next_page_token: expect.any(Number) });
    const next = await state(world, [world.dso], { page_size: 3, after: body.next_page_token });
    expect(next.body).toMatchObject({ created_events: [], next_page_token: null });
  });

  test('requires an owner (S-GEN-022)', async () => {
    const { world } = furnished();
    expect(await state(world, [])).toEqual({
      status: 400,
      body: { error: "Expected 'ownerPartyIds' to contain at least one item, but contained none." },
    });
    expect((await summary(world, [])).body.error).toBe(
      "Expected 'partyIds' to contain at least one item, but contained none.",
    );
  });
});

describe('the summary of holdings', () => {
  test('adds up unlocked and locked amulets, and omits parties without any (S-HLD-007, S-HLD-008)', async () => {
    const { world, alice, bob, carol } = furnished();
    expect((await summary(world, [carol, bob, alice])).body).toEqual({
      record_time,
      migration_id: 0,
      summaries: [
        {
          party_id: alice,
          total_unlocked_coin: '11.5000000000',
          total_locked_coin: '5.0000000000',
          total_coin_holdings: '16.5000000000',
        },
        {
          party_id: bob,
          total_unlocked_coin: '0.3000000000',
          total_locked_coin: '0.0000000000',
          total_coin_holdings: '0.3000000000',
        },
      ],
    });
  });

  test('subtracts holding fees as of the earliest open round, or of the requested round (S-HLD-004 to S-HLD-006)', async () => {
    const { world, alice, bob } = furnished();
    world.openRound(6n, 0n);
    const path = `${SCAN}/v0/holdings/summary`;
    const { body } = await summary(world, [alice, bob], {}, path);
    expect(body).toMatchObject({ computed_as_of_round: 7, record_time, migration_id: 0 });
    expect(body.summaries).toEqual([
      {
        party_id: alice,
        total_unlocked_coin: '11.5000000000',
        total_locked_coin: '5.0000000000',
        total_coin_holdings: '16.5000000000',
        // A tenth for each round since the third, the fifth and the fourth.
        accumulated_holding_fees_unlocked: '0.6000000000',
        accumulated_holding_fees_locked: '0.3000000000',
        accumulated_holding_fees_total: '0.9000000000',
        total_available_coin: '10.9000000000',
      },
      expect.objectContaining({
        party_id: bob,
        // No more than there is.
        accumulated_holding_fees_unlocked: '0.3000000000',
        total_available_coin: '0.0000000000',
      }),
    ]);
    const named = await summary(world, [alice], { as_of_round: 5 }, path);
    expect(named.body).toMatchObject({
      computed_as_of_round: 5,
      summaries: [{ accumulated_holding_fees_unlocked: '0.2000000000' }],
    });
  });

  test('answers an error without an open round and without a requested round (S-HLD-004)', async () => {
    const world = new ModelWorld();
    world.amulet('1.0');
    world.network.clock.advance(10_800_000_000n);
    expect(await summary(world, [world.dso], {}, `${SCAN}/v0/holdings/summary`)).toEqual({
      status: 400,
      body: { error: 'No open mining rounds found.' },
    });
    expect((await summary(world, [world.dso])).status).toBe(200);
  });

  test('rejects more than a thousand amulets (S-HLD-009)', async () => {
    const world = new ModelWorld();
    for (let i = 0; i < 1000; i++) world.amulet('1.0');
    world.network.clock.advance(10_800_000_000n);
    const { body } = await summary(world, [world.dso]);
    expect(body.summaries).toMatchObject([{ total_unlocked_coin: '1000.0000000000' }]);
    world.amulet('1.0');
    world.network.clock.advance(10_800_000_000n);
    const later = { record_time: '2026-01-01T06:00:00Z' };
    expect(await summary(world, [world.dso], later)).toEqual({
      status: 400,
      body: {
        error:
          'Size of the result exceeded the limit in queryAcsSnapshot. Result size: 1001. Limit: 1000',
      },
    });
  });

  test.each(['v0', 'v1'])(
    'is the same through the proxy, whose error for a missing summary differs (P-PROXY-007): %s',
    async (version) => {
      const { world, alice } = furnished();
      const path = `${PROXY}/${version}/scan-proxy/holdings/summary`;
      const { body } = await summary(world, [alice], {}, `${SCAN}/${version}/holdings/summary`);
      expect((await summary(world, [alice], {}, path)).body).toEqual(body);
      const none = await summary(world, [alice], { migration_id: 9 }, path);
      expect(none).toEqual({
        status: 404,
        body: { error: 'Summary not found for given parameters' },
      });
      // The proxy passes on other refusals of Scan unchanged.
      const refused = await summary(world, [], {}, `${SCAN}/${version}/holdings/summary`);
      expect(refused.status).toBe(400);
      expect(await summary(world, [], {}, path)).toEqual(refused);
    },
  );
});

describeWithDars('contracts of the Amulet DAR', [AMULET_DAR], (dar) => {
  test('have a summary that equals the balance of the wallet', async () => {
    const { canticle, alice, bob } = amuletWorld(dar, {});
    canticle.amulet.tap(alice, '100.0');
    canticle.amulet.transfer({ from: alice, to: bob, amount: '30.0' });
    const post = async (path: string, body: object) =>
      (await canticle.handle({ path: `${SCAN}${path}`, body })).json() as any;
    const taken = await post('/v0/state/acs/force', {});
    const { summaries } = await post('/v1/holdings/summary', {
      ...taken,
      owner_party_ids: [alice, bob],
    });
    expect(summaries).toEqual([
      {
        party_id: alice,
        total_unlocked_coin: '70.0000000000',
        total_locked_coin: '30.0000000000',
        total_coin_holdings: '100.0000000000',
      },
    ]);
    const held = await post('/v1/holdings/state', {
      ...taken,
      page_size: 10,
      owner_party_ids: [alice],
    });
    expect(held.created_events.map((each: any) => each.template_id.split(':')[2]).sort()).toEqual([
      'Amulet',
      'LockedAmulet',
    ]);
  });
});
