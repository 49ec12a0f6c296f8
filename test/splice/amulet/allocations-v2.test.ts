/**
 * Version 2's allocations in real Daml code, over HTTP, with what the registry says (R-V2-005 to R-V2-012, R-V2-014, R-V2-016,
 * R-V2-018): Amulet's own, from 0.1.21 on, and those of the test token, which Splice's example of a trading app settles.
 */
import { createCanticle } from 'canticle';
import { AmuletClient, instant, type Done } from '../../support/splice/amulet-client.js';
import { amuletWorld, failure, rewind } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';

const AMULET_WITH_V2 = 'splice-amulet-0.1.22.dar';
const TRADING_APP = 'splice-token-test-trading-app-v2-1.0.0.dar';
const OTC_TRADE = '#splice-token-test-trading-app-v2:Splice.Testing.Apps.TradingAppV2:OTCTrade';
const REQUEST =
  '#splice-api-token-allocation-request-v2:Splice.Api.Token.AllocationRequestV2:AllocationRequest';
const HOUR = 3_600_000_000n;
const ALLOCATION = '#splice-api-token-allocation-v2:Splice.Api.Token.AllocationV2';
const FACTORY =
  '#splice-api-token-allocation-instruction-v2:Splice.Api.Token.AllocationInstructionV2:AllocationFactory';
const NO_META = { values: {} };
const EMPTY = { context: { values: {} }, meta: NO_META };

describeWithDars('Amulet allocations of version 2', [AMULET_WITH_V2], (bytes) => {
  const world = amuletWorld(bytes, { price: '1.0' });
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant, network } = canticle;
  const venue = participant.allocateParty('venue');
  const client = new AmuletClient(world);
  const account = (owner: string) => ({ owner, provider: null, id: '' });
  const settlement = { executors: [venue], id: 'trade', cid: null, meta: NO_META };
  const leg = (transferLegId: string, sender: string, receiver: string, amount: string) => ({
    transferLegId,
    sender: account(sender),
    receiver: account(receiver),
    amount,
    instrumentId: 'Amulet',
    meta: NO_META,
  });
  const legs = [leg('rent', alice, bob, '30.0'), leg('refund', bob, alice, '10.0')];
  const sidesOf = (party: string) =>
    legs.flatMap(({ sender, receiver, ...terms }) => [
      ...(sender.owner === party ? [{ ...terms, side: 'SenderSide', otherside: receiver }] : []),
      ...(receiver.owner === party ? [{ ...terms, side: 'ReceiverSide', otherside: sender }] : []),
    ]);

  /** Asks the registry at that path, then exercises what it names. */
  async function through(
    path: string,
    interfaceId: string,
    choice: string,
    given: object,
    actor: string,
  ): Promise<Done> {
    const { status, body } = await client.post(path, { choiceArguments: given });
    expect(status).toBe(200);
    const { factoryId, choiceContext } = body;
    const extraArgs = { context: choiceContext.choiceContextData, meta: NO_META };
    const argument = { ...given, extraArgs };
    const { disclosedContracts } = choiceContext;
    return client.exercise(interfaceId, factoryId, choice, argument, [actor], disclosedContracts);
  }

  const allocate = (party: string, inputHoldingCids: readonly string[], more: object = {}) => {
    const now = network.clock.now();
    const given = {
      settlement,
      allocation: {
        admin: dso,
        authorizer: account(party),
        transferLegSides: sidesOf(party),
        settlementDeadline: instant(now + HOUR),
        nextIterationFunding: null,
        committed: false,
        meta: NO_META,
        ...more,
      },
      requestedAt: instant(now - 1n),
      inputHoldingCids,
      actors: [party],
      extraArgs: EMPTY,
    };
    const path = '/registry/allocation-instruction/v2/allocation-factory';
    return through(path, FACTORY, 'AllocationFactory_Allocate', given, party);
  };
  const settle = (ids: readonly string[], transferLegs: readonly object[] = legs) => {
    const given = {
      settlement,
      transferLegs,
      allocations: ids.map((allocationCid) => ({
        allocationCid,
        extraTransferLegSides: [],
        nextIterationFunding: null,
      })),
      actors: [venue],
      extraArgs: EMPTY,
    };
    const path = '/registry/allocation/v2/settlement-factory';
    const factory = `${ALLOCATION}:SettlementFactory`;
    return through(path, factory, 'SettlementFactory_SettleBatch', given, venue);
  };
  const end = async (step: 'Cancel' | 'Withdraw', id: string, actor: string): Promise<Done> => {
    const path = `/registry/allocations/v2/${id}/choice-contexts/${step.toLowerCase()}`;
    const { body } = await client.post(path, {});
    const extraArgs = { context: body.choiceContextData, meta: NO_META };
    return client.exercise(
      `${ALLOCATION}:Allocation`,
      id,
      `Allocation_${step}`,
      { actors: [actor], extraArgs },
      [actor],
      body.disclosedContracts,
    );
  };
  const idOf = ({ result }: Done): string => result.output.value.allocationCid;
  const bothAllocated = async () => [
    idOf(await allocate(alice, [amulet.tap(alice, '100.0')])),
    idOf(await allocate(bob, [])),
  ];

  test('lock only the net outgoing amount, and settlement pays all legs at once', async () => {
    const ids = await bothAllocated();
    expect(await client.holdings(alice)).toMatchObject([
      { amount: '20.0000000000', lock: { holders: expect.any(Array) } },
      { amount: '80.0000000000', lock: null },
    ]);
    const { result, refused, cause } = await settle(ids);
    expect([refused, cause]).toEqual([undefined, undefined]);
    expect(result.allocationSettleResults).toMatchObject([
      { output: { tag: 'AllocationResult_Settled' }, authorizerHoldingCids: {} },
      { authorizerHoldingCids: { Amulet: [expect.any(String)] } },
    ]);
    expect(await client.amounts(alice)).toEqual(['80.0000000000']);
    expect(await client.amounts(bob)).toEqual(['20.0000000000']);
  });

  test('cannot settle a leg that one side has not authorized (R-V2-016)', async () => {
    const [first] = await bothAllocated();
    expect(await settle([first!])).toMatchObject(failure("'missing authorizations' is not equal"));
    expect(await settle([first!, first!])).toMatchObject(failure('Expected unique transferLegIds'));
  });

  test('are cancelled only by the executors, and withdrawn only by the authorizer', async () => {
    for (const [step, actor, other] of [
      ['Cancel', venue, alice],
      ['Withdraw', alice, venue],
    ] as const) {
      const id = idOf(await allocate(alice, [amulet.tap(alice, '20.0')]));
      expect(await end(step, id, other)).toMatchObject(failure("'actors' does not have the same"));
      const { result } = await end(step, id, actor);
      expect(result).toMatchObject({
        output: {
          tag: step === 'Cancel' ? 'AllocationResult_Cancelled' : 'AllocationResult_Withdrawn',
        },
        authorizerHoldingCids: { Amulet: [expect.any(String)] },
      });
    }
    expect(await client.amounts(alice)).toEqual(['20.0000000000', '20.0000000000']);
  });

  test('cannot be withdrawn before the deadline if they are committed', async () => {
    const id = idOf(await allocate(alice, [amulet.tap(alice, '20.0')], { committed: true }));
    expect(await end('Withdraw', id, alice)).toMatchObject({
      context: expect.objectContaining({
        error_id: 'splice.lfdecentralizedtrust.org/cannot-withdraw-committed-allocation',
      }) as object,
    });
  });

  test('reject an amount that is too low or of another instrument', async () => {
    expect(await allocate(alice, [amulet.tap(alice, '19.0')])).toMatchObject({
      refused: 'DAML_FAILURE',
    });
    expect(await allocate(alice, [], { nextIterationFunding: { Gold: '1.0' } })).toMatchObject(
      failure('nextIterationFunding.instrumentId'),
    );
  });

  test('are listed in the metadata of the instrument, with the other APIs for wallets (R-MD-008)', async () => {
    const answer = await canticle.handle({ path: '/registry/metadata/v1/instruments/Amulet' });
    const { supportedApis } = answer.json() as { supportedApis: object };
    expect(Object.keys(supportedApis)).toHaveLength(10);
    expect(supportedApis).toMatchObject({ 'splice-api-token-transfer-events-v2': 1 });
  });
});

describeWithDars('a trading app and the test token', [TRADING_APP], (bytes) => {
  test('settle the allocations of the traders, in the transaction of the app’s choice', async () => {
    const canticle = createCanticle({ seed: 1, dars: [bytes] });
    const { participant, token, network } = canticle;
    const [venue, alice, bob] = ['venue', 'alice', 'bob'].map((hint) =>
      participant.allocateParty(hint),
    ) as [string, string, string];
    const admin = token.admin;
    const client = new AmuletClient({ canticle, dso: admin } as never);
    const account = (owner: string) => ({ owner, provider: null, id: '' });
    const leg = (transferLegId: string, sender: string, receiver: string, amount: string) => ({
      admin,
      leg: {
        transferLegId,
        sender: account(sender),
        receiver: account(receiver),
        amount,
        instrumentId: 'TestToken',
        meta: NO_META,
      },
    });
    const now = network.clock.now();
    const later = instant(now + HOUR);
    const trade = participant.create(
      OTC_TRADE,
      {
        venue,
        tradeLegs: [leg('rent', alice, bob, '30.0'), leg('refund', bob, alice, '10.0')],
        createdAt: instant(now),
        settleAt: later,
        settlementDeadline: later,
      },
      { actAs: [venue] },
    );
    const venueDoes = (choice: string, argument: object, disclosed: readonly unknown[] = []) =>
      client.exercise(OTC_TRADE, trade, choice, argument, [venue], disclosed);
    await venueDoes('OTCTrade_RequestAllocations', {});

    // Answers a request like a wallet: reads its view, and allocates accordingly.
    const answered = async (trader: string, inputHoldingCids: readonly string[]) => {
      const InterfaceFilter = { value: { interfaceId: REQUEST, includeInterfaceView: true } };
      const cumulative = [{ identifierFilter: { InterfaceFilter } }];
      const { body } = await client.post('/v2/state/active-contracts', {
        activeAtOffset: participant.ledgerEnd,
        eventFormat: { filtersByParty: { [trader]: { cumulative } }, verbose: false },
      });
      const [{ contractEntry }] = body;
      const { createdEvent } = contractEntry.JsActiveContract;
      const { settlement, allocations } = createdEvent.interfaceViews[0].viewValue;
      const given = {
        settlement,
        allocation: allocations[0],
        requestedAt: instant(now),
        inputHoldingCids,
        actors: [trader],
        extraArgs: EMPTY,
      };
      const path = '/registry/allocation-instruction/v2/allocation-factory';
      const factory = (await client.post(path, { choiceArguments: given })).body;
      const { choiceContextData: context, disclosedContracts } = factory.choiceContext;
      const done = await client.exercise(
        FACTORY,
        factory.factoryId,
        'AllocationFactory_Allocate',
        { ...given, extraArgs: { context, meta: NO_META } },
        [trader],
        disclosedContracts,
      );
      const request: string = createdEvent.contractId;
      return { settlement, request, allocation: done.result.output.value.allocationCid as string };
    };
    const first = await answered(alice, [token.mint(alice, '100.0')]);
    const second = await answered(bob, []);

    const allocationCids = [first.allocation, second.allocation];
    const { body } = await client.post('/registry/allocation/v2/settlement-factory', {
      choiceArguments: {
        settlement: first.settlement,
        transferLegs: [],
        allocations: allocationCids.map((allocationCid) => ({
          allocationCid,
          extraTransferLegSides: [],
          nextIterationFunding: null,
        })),
        actors: [venue],
        extraArgs: EMPTY,
      },
    });
    const { choiceContextData: context, disclosedContracts } = body.choiceContext;
    const batch = {
      tag: 'SettlementBatchV2',
      value: {
        allocationCids,
        missingAllocations: [],
        factoryCid: body.factoryId,
        extraArgs: { context, meta: NO_META },
      },
    };
    const settled = await venueDoes(
      'OTCTrade_Settle',
      { batchesByAdmin: [[admin, batch]], allocationRequests: [first.request, second.request] },
      disclosedContracts,
    );
    expect([settled.refused, settled.cause]).toEqual([undefined, undefined]);
    expect(await client.amounts(alice)).toEqual(['80.0000000000']);
    expect(await client.amounts(bob)).toEqual(['20.0000000000']);
  });
});
