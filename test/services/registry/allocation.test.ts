/**
 * Version 2's allocations with the test token, over the registry and the Ledger API (R-V2-005 to R-V2-012, R-V2-014, R-V2-016,
 * R-V2-018, R-V2-019): made, settled in batches, over several iterations, cancelled, withdrawn, and every refusal that a
 * client may meet.
 */
import { AllocationWorld, account, failure, resultOf, type Json } from './allocation-world.js';

const DEADLINE = 1_767_312_000_000_000n; // 2026-01-02T00:00:00Z

describe('a settlement', () => {
  test('locks the tokens of each side, then moves both legs at once and returns the change', async () => {
    const world = new AllocationWorld();
    const { alice, bob, venue } = world;
    const allocations = await world.trade();
    expect([world.holdings(alice), world.holdings(bob)]).toEqual([
      { gold: '6.0000000000', 'gold locked': '4.0000000000' },
      { silver: '10.0000000000', 'silver locked': '30.0000000000' },
    ]);
    const answer = await world.settle(world.batch(allocations));
    expect(answer).toMatchObject({ status: 200 });
    const { allocationSettleResults } = resultOf(answer, 'SettlementFactory_SettleBatch');
    expect(
      allocationSettleResults.map(({ output, authorizerHoldingCids }: any) => [
        output,
        Object.keys(authorizerHoldingCids),
      ]),
    ).toEqual(
      ['silver', 'gold'].map((id) => [{ tag: 'AllocationResult_Settled', value: {} }, [id]]),
    );
    expect([world.holdings(alice), world.holdings(bob), world.holdings(venue)]).toEqual([
      { gold: '6.0000000000', silver: '30.0000000000' },
      { silver: '10.0000000000', gold: '4.0000000000' },
      {},
    ]);
    for (const id of allocations)
      expect(await world.allocationContext('cancel', id)).toMatchObject({
        status: 404,
        body: { error: `TokenAllocation '${id}' not found.` },
      });
  });

  test('discloses the rules and the locked tokens to executors, who see no tokens (R-V2-010)', async () => {
    const world = new AllocationWorld();
    const given = world.batch(await world.trade());
    const { body } = await world.settlementFactory(given);
    expect(body.factoryId).toBe(world.rules);
    expect(body.choiceContext.disclosedContracts).toHaveLength(3);
    const bare = { ...body.choiceContext, disclosedContracts: [] };
    expect(await world.settleWith(given, body.factoryId, bare)).toMatchObject({
      status: 404,
      body: { code: 'CONTRACT_NOT_FOUND' },
    });
    const noContext = { ...body.choiceContext, choiceContextData: { values: {} } };
    expect(await world.settleWith(given, body.factoryId, noContext)).toMatchObject(
      failure('Missing context entry for: canticle-test-token/rules'),
    );
  });

  test('the retained amount funds the next iteration, to which the executors add legs', async () => {
    const world = new AllocationWorld();
    const { alice, bob, gold, silver } = world;
    const [first, second] = await world.trade({ nextIterationFunding: {} });
    const finalized = (allocationCid: string, party: string, legs: any[], funding: unknown) => ({
      allocationCid,
      extraTransferLegSides: world.sides(party, legs),
      nextIterationFunding: funding,
    });
    const answer = await world.settle(
      world.batch([], {
        allocations: [
          finalized(first, alice, [], { silver: '25.0' }),
          finalized(second, bob, [], {}),
        ],
      }),
    );
    const next = resultOf(answer, 'SettlementFactory_SettleBatch').allocationSettleResults.map(
      ({ output }: any) => output.value.nextIterationAllocationCid,
    );
    expect(world.holdings(alice)).toEqual({
      gold: '6.0000000000',
      silver: '5.0000000000',
      'silver locked': '25.0000000000',
    });
    expect(world.network.contracts.get(next[0])?.instance.payload).toMatchObject({
      originalAllocationCid: { value: first },
      numIterations: 1n,
    });
    const back = {
      ...silver,
      transferLegId: 'back',
      sender: account(alice),
      receiver: account(bob),
      amount: '20.0',
    };
    const last = await world.settle(
      world.batch([], {
        transferLegs: [back],
        allocations: [
          finalized(next[0], alice, [back], null),
          finalized(next[1], bob, [back], null),
        ],
      }),
    );
    expect(last).toMatchObject({ status: 200 });
    expect([world.holdings(alice), world.holdings(bob)]).toEqual([
      { gold: '6.0000000000', silver: '10.0000000000' },
      { silver: '30.0000000000', gold: `${gold.amount}000000000` },
    ]);
  });

  test.each<[string, (world: AllocationWorld, ids: readonly string[]) => Json, object]>([
    [
      'a leg that one side has not authorized (R-V2-016)',
      (world, [first]) => world.batch([first!]),
      failure('Missing authorizations: ReceiverSide of leg leg-gold by bob'),
    ],
    [
      'more authorizations than legs',
      (world, ids) => world.batch(ids, { transferLegs: [world.gold] }),
      failure('Superfluous authorizations: ReceiverSide of leg leg-silver by alice'),
    ],
    [
      'another leg than the authorized one',
      (world, ids) =>
        world.batch(ids, { transferLegs: [{ ...world.gold, amount: '5.0' }, world.silver] }),
      failure('Missing authorizations: SenderSide of leg leg-gold by alice'),
    ],
    [
      'a repeated allocation',
      (world, [first, second]) => world.batch([first!, second!, first!]),
      failure('There may be one side of a transfer leg of an authorizer each'),
    ],
    [
      'two legs with the same id',
      (world, ids) => world.batch(ids, { transferLegs: [world.gold, world.gold] }),
      failure('There may be one transfer leg id each, but two are leg-gold'),
    ],
    [
      'another settlement',
      (world, ids) => world.batch(ids, { settlement: { ...world.settlement, id: 'trade-2' } }),
      failure('is for another settlement'),
    ],
    [
      'funding of an iteration without consent',
      (world, [first, second]) =>
        world.batch([], {
          allocations: [first, second].map((allocationCid) => ({
            allocationCid,
            extraTransferLegSides: [],
            nextIterationFunding: {},
          })),
        }),
      failure('The allocation is for one settlement'),
    ],
    [
      'actors that are not the executors',
      (world, ids) => world.batch(ids, { actors: [world.alice] }),
      { body: { code: 'DAML_AUTHORIZATION_ERROR' } },
    ],
  ])('is rejected for %s', async (_title, given, refusal) => {
    const world = new AllocationWorld();
    expect(await world.settle(given(world, await world.trade()))).toMatchObject(refusal);
    expect(world.holdings(world.alice)['gold locked']).toBe('4.0000000000');
  });

  test('is rejected at its deadline', async () => {
    const world = new AllocationWorld();
    const given = world.batch(await world.trade());
    world.network.clock.set(DEADLINE);
    expect(await world.settle(given)).toMatchObject(
      failure('allocation.settlementDeadline', 'stdlib.daml.com/deadline-exceeded'),
    );
  });
});

describe('an allocation', () => {
  test.each<[string, Json, object]>([
    ['with another admin', { admin: 'other::1220' }, failure('does not match the factory')],
    [
      'for an account that is not basic',
      { authorizer: { owner: null, provider: null, id: 'vault' } },
      failure("Expected a basic account for field 'authorizer'"),
    ],
    [
      'without legs or iterations',
      { transferLegSides: [] },
      { body: { code: 'TEMPLATE_PRECONDITION_VIOLATED' } },
    ],
    [
      'above the balance',
      { nextIterationFunding: { gold: '7.0' } },
      failure('Insufficient funds: of gold there are 10.0000000000, the allocation needs 11.0'),
    ],
    [
      'after its deadline',
      { settlementDeadline: '2026-01-01T00:00:00Z' },
      failure('allocation.settlementDeadline', 'stdlib.daml.com/deadline-exceeded'),
    ],
  ])('is rejected %s', async (_title, more, refusal) => {
    const world = new AllocationWorld();
    const inputs = [world.mint(world.alice, '10.0', 'gold')];
    const given = world.request(world.alice, inputs, more);
    expect(await world.allocate(world.alice, given)).toMatchObject(refusal);
  });

  test('requires its authorizer, and a request that is not in the future', async () => {
    const world = new AllocationWorld();
    const { alice, bob } = world;
    const given = world.request(alice, [world.mint(alice, '10.0', 'gold')]);
    expect(await world.allocate(bob, { ...given, actors: [bob] })).toMatchObject(
      failure(`The actors have to be ${alice}, but are ${bob}`),
    );
    world.network.clock.set(DEADLINE - 2n);
    const allocateAt = (requestedAt: string) => world.allocate(alice, { ...given, requestedAt });
    expect(await allocateAt('2026-01-01T23:59:59.999999Z')).toMatchObject(
      failure('requestedAt', 'stdlib.daml.com/deadline-not-exceeded'),
    );
    expect((await allocateAt('2026-01-01T23:59:59.999998Z')).status).toBe(200);
  });

  test('cannot use tokens of other owners, or locked tokens', async () => {
    const world = new AllocationWorld();
    const { alice, bob } = world;
    const theirs = world.request(alice, [world.mint(bob, '10.0', 'gold')]);
    expect((await world.allocate(alice, theirs)).status).toBe(404);
    await world.trade();
    const locked = world.network.contracts.get((await world.trade())[0])!.instance.payload as any;
    const again = world.request(alice, locked.lockedTokens.get('gold'));
    expect(await world.allocate(alice, again)).toMatchObject(failure('Input holding is locked'));
  });

  test.each(['cancel', 'withdraw'] as const)(
    '%s returns the tokens, for an allowed actor only',
    async (step) => {
      const world = new AllocationWorld();
      const { alice, bob, venue } = world;
      const [id] = await world.trade();
      const [actor, other] = step === 'cancel' ? [venue, alice] : [alice, venue];
      expect(await world.end(step, id, other)).toMatchObject(
        failure(`The actors have to be ${actor}, but are ${other}`),
      );
      expect((await world.end(step, id, bob)).status).toBe(404);
      const answer = await world.end(step, id, actor);
      const tag = step === 'cancel' ? 'AllocationResult_Cancelled' : 'AllocationResult_Withdrawn';
      expect(
        resultOf(answer, `Allocation_${step === 'cancel' ? 'Cancel' : 'Withdraw'}`),
      ).toMatchObject({
        output: { tag, value: {} },
        authorizerHoldingCids: { gold: [expect.any(String)] },
      });
      expect(world.holdings(alice)).toEqual({ gold: '10.0000000000' });
    },
  );

  test('that is committed remains until its deadline, or without a deadline forever', async () => {
    const COMMITTED = 'splice.lfdecentralizedtrust.org/cannot-withdraw-committed-allocation';
    const world = new AllocationWorld();
    const { alice, venue } = world;
    const make = (deadline: string | null) =>
      world.allocated(
        alice,
        world.request(alice, [world.mint(alice, '4.0', 'gold')], {
          committed: true,
          settlementDeadline: deadline,
        }),
      );
    const [timed, open] = [await make('2026-01-02T00:00:00Z'), await make(null)];
    for (const id of [timed, open])
      expect(await world.end('withdraw', id, alice)).toMatchObject(
        failure('The allocation is committed', COMMITTED),
      );
    world.network.clock.set(DEADLINE + 1n);
    expect((await world.end('withdraw', timed, alice)).status).toBe(200);
    expect((await world.end('withdraw', open, alice)).status).toBe(400);
    expect((await world.end('cancel', open, venue)).status).toBe(200);
  });

  test('ends without tokens that their owner unlocked after the lock expired', async () => {
    const world = new AllocationWorld();
    const { alice } = world;
    const [id] = await world.trade();
    const { lockedTokens } = world.network.contracts.get(id)!.instance.payload as any;
    const [token] = lockedTokens.get('gold');
    world.network.clock.set(DEADLINE);
    world.exercise(
      [alice],
      world.network.contracts.get(token)!.instance.templateId,
      token,
      'Token_Unlock',
      {
        actors: [alice],
      },
    );
    const { body } = await world.allocationContext('withdraw', id);
    expect(body.choiceContextData.values['canticle-test-token/spent-tokens']).toEqual({
      tag: 'AV_List',
      value: [{ tag: 'AV_ContractId', value: token }],
    });
    expect(body.disclosedContracts).toHaveLength(1);
    expect((await world.end('withdraw', id, alice)).status).toBe(200);
    expect(world.holdings(alice)).toEqual({ gold: '10.0000000000' });
  });
});

describe('the registry', () => {
  test('returns 400 for invalid arguments, and above its limits (R-V2-005, R-V2-009, R-V2-019)', async () => {
    const world = new AllocationWorld();
    const { alice, gold } = world;
    expect(await world.allocationFactory({})).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('`AllocationFactory_Allocate`. Error') as string },
    });
    expect(await world.settlementFactory({ allocations: 7 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('`SettlementFactory_SettleBatch`. Error') as string },
    });
    const legs = Array.from({ length: 101 }, (_, index) => ({
      ...gold,
      transferLegId: `${index}`,
      receiver: account(`party-${index}::1220`),
    }));
    const tooMany = (what: string) => ({
      status: 400,
      body: { error: `Too many ${what} in the settle batch: 101. Maximum allowed: 100` },
    });
    const sides = (some: typeof legs) =>
      world.request(alice, [], { transferLegSides: world.sides(alice, some) });
    expect(await world.allocationFactory(sides(legs))).toEqual(tooMany('transfer legs'));
    expect((await world.allocationFactory(sides(legs.slice(1)))).status).toBe(200);
    const owners = legs.slice(1);
    expect(await world.settlementFactory(world.batch([], { transferLegs: owners }))).toEqual(
      tooMany('parties'),
    );
    const ids = legs.map((_, index) => `00${String(index).padStart(66, '0')}`);
    expect(await world.settlementFactory(world.batch(ids))).toEqual(tooMany('allocations'));
  });

  test('returns 400 for allocation instructions, which do not exist (R-V2-007)', async () => {
    const world = new AllocationWorld();
    for (const step of ['accept', 'withdraw'])
      expect(
        await world.post(`/registry/allocation-instruction/v2/00ab/choice-contexts/${step}`, {}),
      ).toMatchObject({ status: 400 });
  });

  test('accepts unknown allocations of a batch, which the ledger rejects (R-V2-018)', async () => {
    const world = new AllocationWorld();
    const unknown = `00${'ab'.repeat(32)}ca121220${'ab'.repeat(32)}`;
    const { status, body } = await world.settlementFactory(world.batch([unknown]));
    expect([status, body.choiceContext.disclosedContracts.length]).toEqual([200, 1]);
    expect((await world.settle(world.batch([unknown]))).status).toBe(404);
  });

  test('returns 409 while a contract to disclose is in flight (R-GEN-009)', async () => {
    const world = new AllocationWorld();
    const [first, second] = await world.trade();
    const { lockedTokens } = world.network.contracts.get(first)!.instance.payload as any;
    const answers = async () => [
      (await world.settlementFactory(world.batch([first, second]))).status,
      (await world.allocationContext('cancel', first)).status,
    ];
    for (const contractId of [first, lockedTokens.get('gold')[0]]) {
      const id = world.unassign(world.admin, [contractId]);
      expect(await answers()).toEqual([409, 409]);
      world.assign(world.admin, id);
      expect(await answers()).toEqual([200, 200]);
    }
  });

  test('lists the allocation APIs of its instruments (R-MD-009)', async () => {
    const world = new AllocationWorld();
    world.mint(world.alice, '1.0', 'gold');
    const { body } = await world.get<any>('/registry/metadata/v1/instruments/gold');
    expect(body.supportedApis).toMatchObject({
      'splice-api-token-allocation-v2': 1,
      'splice-api-token-allocation-instruction-v2': 1,
    });
  });
});
