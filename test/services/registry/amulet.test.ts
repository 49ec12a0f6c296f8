/** The registry for Amulet, with contracts by template name: factories, contexts, disclosures (R-TI-*, R-AI-*, R-AL-*, R-MD-*). */
import { addPackages } from '../../../src/network/index.js';
import { d, definePackage, defineTemplate } from '../../../src/daml/index.js';
import { ModelWorld, TICK } from '../../support/splice/amulet-model.js';

/** DsoRules of a version with the times of switch-overs. */
const NewerDsoRules = defineTemplate({
  name: 'Splice.DsoRules:DsoRules',
  fields: {
    dso: d.party,
    config: d.record('Splice.DsoRules:DsoRulesConfig', {
      svOperationsSwitchOverTimes: d.optional(d.textMap(d.timestamp)),
    }),
  },
  signatories: ({ dso }) => [dso],
});
const NEWER_GOVERNANCE = definePackage({
  name: 'splice-dso-governance',
  version: '0.1.29',
  templates: [NewerDsoRules],
});

const V1 = '/registry/transfer-instruction/v1';
const FAR = 253_402_300_799_000_000n;

function booted() {
  const world = new ModelWorld();
  const rules = world.rules();
  const factory = world.make('ExternalPartyAmuletRules');
  world.openRound(0n, -TICK);
  const round = world.openRound(1n, -1n);
  world.openRound(2n, TICK);
  const [alice, bob, app] = ['alice', 'bob', 'app'].map((hint) =>
    world.participant.allocateParty(hint),
  ) as [string, string, string];
  const transfer = (receiver: string, more: object = {}) => ({
    expectedAdmin: world.dso,
    transfer: {
      sender: alice,
      receiver,
      amount: '1.0',
      instrumentId: { admin: world.dso, id: 'Amulet' },
      requestedAt: '2026-01-01T00:00:00Z',
      executeBefore: '2026-01-02T00:00:00Z',
      inputHoldingCids: [],
      meta: { values: {} },
      ...more,
    },
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  });
  const requestFactory = (receiver: string, more: object = {}, excludeDebugFields = true) =>
    world.post(`${V1}/transfer-factory`, {
      choiceArguments: transfer(receiver, more),
      excludeDebugFields,
    });
  return { world, rules, factory, round, alice, bob, app, requestFactory };
}

const contract = (value: string) => ({ tag: 'AV_ContractId', value });
const disclosedIds = (context: any) =>
  context.disclosedContracts.map(({ contractId }: any) => contractId);

describe('the transfer factory', () => {
  test("is Amulet's for each requested admin and instrument except the test token", async () => {
    const { world, factory, bob, requestFactory } = booted();
    const outcomeFor = async (instrumentId: object) => {
      const { status, body } = await requestFactory(bob, { instrumentId });
      return [status, body.factoryId === factory];
    };
    expect(await outcomeFor({ admin: world.dso, id: 'Unknown' })).toEqual([200, true]);
    expect(await outcomeFor({ admin: bob, id: 'Unknown' })).toEqual([200, true]);
    // The test token has no rules in this world.
    expect(await outcomeFor({ admin: world.dso, id: 'TestToken' })).toEqual([404, false]);
  });

  test('for self and offer, discloses the rules and the newest open round (R-TI-002, R-TI-005 to R-TI-007)', async () => {
    const { world, rules, factory, round, alice, bob, requestFactory } = booted();
    for (const [receiver, transferKind] of [
      [alice, 'self'],
      [bob, 'offer'],
    ] as const) {
      const { body } = await requestFactory(receiver);
      expect(body).toMatchObject({
        factoryId: factory,
        transferKind,
        choiceContext: {
          choiceContextData: {
            values: { 'amulet-rules': contract(rules), 'open-round': contract(round) },
          },
        },
      });
      expect(disclosedIds(body.choiceContext)).toEqual([rules, round, factory]);
      expect(Object.keys(body.choiceContext.disclosedContracts[0])).toEqual([
        'templateId',
        'contractId',
        'createdEventBlob',
        'synchronizerId',
      ]);
    }
    const { choiceContext } = (await requestFactory(bob, {}, false)).body;
    expect(choiceContext.disclosedContracts[2]).toMatchObject({
      debugPackageName: 'splice-amulet',
      debugPayload: { dso: world.dso },
    });
  });

  test("for direct, also discloses the preapproval, expired or not, and the provider's right (R-TI-006, R-TI-010)", async () => {
    const { world, rules, factory, round, alice, bob, app, requestFactory } = booted();
    const times = { validFrom: 0n, expiresAt: 1n };
    const preapproval = world.make('TransferPreapproval', {
      receiver: bob,
      provider: app,
      ...times,
    });
    world.make('TransferPreapproval', { receiver: alice, provider: app, ...times });
    expect(disclosedIds((await requestFactory(bob)).body.choiceContext)).toEqual([
      rules,
      round,
      preapproval,
      factory,
    ]);
    const right = world.make('FeaturedAppRight', { provider: app });
    const { body } = await requestFactory(bob);
    expect(body.transferKind).toBe('direct');
    expect(disclosedIds(body.choiceContext)).toEqual([rules, round, preapproval, right, factory]);
    expect(body.choiceContext.choiceContextData.values).toMatchObject({
      'transfer-preapproval': contract(preapproval),
      'featured-app-right': contract(right),
    });
    // To oneself none is needed.
    expect((await requestFactory(alice)).body.transferKind).toBe('self');
  });

  test('has no featured app right from the time of the switch-over in DsoRules on (R-08-006)', async () => {
    const { world, bob, app, requestFactory } = booted();
    world.make('TransferPreapproval', {
      receiver: bob,
      provider: app,
      validFrom: 0n,
      expiresAt: 1n,
    });
    const right = world.make('FeaturedAppRight', { provider: app });
    const from = world.network.clock.now() + TICK;
    addPackages(world.participant, [NEWER_GOVERNANCE]);
    const rules = (times: ReadonlyMap<string, bigint>) =>
      world.create([world.dso], NewerDsoRules.id, {
        dso: world.dso,
        config: { svOperationsSwitchOverTimes: { value: times } },
      } as never);
    rules(new Map([['no-featured-app-choice-context', from]]));
    const isDisclosed = async () =>
      disclosedIds((await requestFactory(bob)).body.choiceContext).includes(right);
    expect(await isDisclosed()).toBe(true);
    world.network.clock.advance(from - world.network.clock.now() - 1n);
    expect(await isDisclosed()).toBe(true);
    world.network.clock.advance(1n);
    expect(await isDisclosed()).toBe(false);
    rules(new Map([['another-switch', from]]));
    expect(await isDisclosed()).toBe(true);
  });

  test('discloses contracts with the synchronizer of the effective configuration (R-GEN-008)', async () => {
    const { world, requestFactory, bob } = booted();
    const at = world.network.clock.now() + TICK;
    world.rules('first', { at, synchronizer: 'second' });
    const synchronizers = async () =>
      new Set(
        (await requestFactory(bob)).body.choiceContext.disclosedContracts.map(
          (each: any) => each.synchronizerId,
        ),
      );
    expect(await synchronizers()).toEqual(new Set(['first']));
    world.network.clock.set(at);
    expect(await synchronizers()).toEqual(new Set(['second']));
  });

  test('does not exist without an open round, and other instruments use the test token’s (R-TI-009)', async () => {
    const { world, alice, requestFactory } = booted();
    const other = { instrumentId: { admin: world.dso, id: 'TestToken' } };
    expect((await requestFactory(alice, other)).body.error).toBe(
      `No TokenRules contract of ${world.dso} found.`,
    );
    const empty = new ModelWorld();
    empty.rules();
    empty.make('ExternalPartyAmuletRules');
    empty.openRound(0n, TICK);
    const path = '/registry/allocation-instruction/v1/allocation-factory';
    expect(await empty.post(path, { choiceArguments: {} })).toEqual({
      status: 404,
      body: { error: 'No open usable OpenMiningRound found.' },
    });
  });

  test('uses a round from the moment at which it opens (S-RND-009)', async () => {
    const { world, bob, requestFactory } = booted();
    const next = world.openRound(3n, TICK);
    const opensAt = world.network.contracts.get(next)!.instance.payload.opensAt as bigint;
    const used = async () =>
      (await requestFactory(bob)).body.choiceContext.choiceContextData.values['open-round'];
    world.network.clock.set(opensAt - 1n);
    expect(await used()).not.toEqual(contract(next));
    world.network.clock.set(opensAt);
    expect(await used()).toEqual(contract(next));
  });

  test('of version 2 accepts accounts with only an owner (R-V2-002, R-V2-004)', async () => {
    const { world, factory, alice, bob } = booted();
    const account = (owner: string | null, provider: string | null = null) => ({
      owner,
      provider,
      id: '',
    });
    const requestFactory = (receiver: object) =>
      world.post('/registry/transfer-instruction/v2/transfer-factory', {
        choiceArguments: {
          transfer: {
            sender: account(alice),
            receiver,
            amount: '1.0',
            instrumentId: { admin: world.dso, id: 'Amulet' },
            requestedAt: '2026-01-01T00:00:00Z',
            executeBefore: '2026-01-02T00:00:00Z',
            inputHoldingCids: [],
            meta: { values: {} },
          },
          actors: [alice],
          extraArgs: { context: { values: {} }, meta: { values: {} } },
        },
      });
    expect((await requestFactory(account(bob))).body).toMatchObject({
      factoryId: factory,
      transferKind: 'offer',
    });
    expect((await requestFactory(account(alice))).body).toMatchObject({ transferKind: 'self' });
    expect((await requestFactory(account(bob, bob))).status).toBe(400);
  });
});

describe.each([
  [
    'a transfer instruction',
    'AmuletTransferInstruction',
    `${V1}/`,
    'accept',
    ['reject', 'withdraw'],
  ],
  [
    'an allocation',
    'AmuletAllocation',
    '/registry/allocations/v1/',
    'execute-transfer',
    ['withdraw', 'cancel'],
  ],
] as const)('the choice contexts of %s', (_, template, path, first, others) => {
  const made = () => {
    const found = booted();
    const { world, app } = found;
    const lockedAmulet = world.lockedAmulet('5.0');
    const id = world.make(template, {
      lockedAmulet,
      ...(template === 'AmuletAllocation'
        ? { allocation: { settlement: { executor: app, settleBefore: FAR } } }
        : { transfer: { executeBefore: FAR } }),
    });
    const requestContext = (step: string, of = id) =>
      world.post(`${path}${of}/choice-contexts/${step}`, { excludeDebugFields: true });
    return { ...found, lockedAmulet, id, requestContext };
  };

  test('disclose the rules, the round and the locked amulet (R-TI-015 to R-TI-017)', async () => {
    const { rules, round, lockedAmulet, requestContext } = made();
    for (const step of [first, ...others]) {
      const { body } = await requestContext(step);
      expect(disclosedIds(body)).toEqual([rules, round, lockedAmulet]);
      expect(body.choiceContextData.values).toEqual({
        'amulet-rules': contract(rules),
        'open-round': contract(round),
        'expire-lock': { tag: 'AV_Bool', value: true },
      });
    }
  });

  test('have no lock to release if it is gone, and then cannot be executed (R-TI-014, R-AL-003, R-AL-004)', async () => {
    const { world, lockedAmulet, id, requestContext } = made();
    const templateId = world.network.contracts.get(lockedAmulet)!.instance.templateId;
    world.exercise([world.dso], templateId, lockedAmulet, 'Archive', {});
    for (const step of others)
      expect((await requestContext(step)).body).toEqual({
        choiceContextData: { values: { 'expire-lock': { tag: 'AV_Bool', value: false } } },
        disclosedContracts: [],
      });
    expect(await requestContext(first)).toEqual({
      status: 404,
      body: {
        error: `LockedAmulet '${lockedAmulet}' not found for ${template} '${id}', which expires on 9999-12-31T23:59:59Z`,
      },
    });
  });

  test('reject an unknown id, and the error names it (R-TI-013, R-AL-002)', async () => {
    const { rules, requestContext } = made();
    for (const id of ['00ff', rules])
      expect(await requestContext(first, id)).toEqual({
        status: 404,
        body: { error: `${template} '${id}' not found.` },
      });
  });
});

test("executing an allocation rewards the executor's app, and cancelling it does not (R-AL-003)", async () => {
  const { world, app } = booted();
  const right = world.make('FeaturedAppRight', { provider: app });
  const allocation = { settlement: { executor: app, settleBefore: FAR } };
  const id = world.make('AmuletAllocation', {
    lockedAmulet: world.lockedAmulet('5.0'),
    allocation,
  });
  const values = async (step: string) =>
    (await world.post(`/registry/allocations/v1/${id}/choice-contexts/${step}`, {})).body
      .choiceContextData.values;
  expect((await values('execute-transfer'))['featured-app-right']).toEqual(contract(right));
  expect((await values('cancel'))['featured-app-right']).toBeUndefined();
});

test('the allocation factory is the same contract, and ignores its arguments (R-AI-001 to R-AI-003)', async () => {
  const { world, rules, round, factory } = booted();
  const requestFactory = () =>
    world.post('/registry/allocation-instruction/v1/allocation-factory', { choiceArguments: {} });
  const { body } = await requestFactory();
  expect(body.factoryId).toBe(factory);
  expect(disclosedIds(body.choiceContext)).toEqual([rules, round, factory]);
  const bare = new ModelWorld();
  expect(
    await bare.post('/registry/allocation-instruction/v1/allocation-factory', {
      choiceArguments: {},
    }),
  ).toEqual({
    status: 404,
    body: { error: 'No active ExternalPartyAmuletRules contract' },
  });
});

test('Amulet is an instrument with the network’s names and its total supply (R-MD-006, R-MD-007, R-MD-010)', async () => {
  const { world } = booted();
  world.amulet('7.5');
  world.lockedAmulet('2.5');
  const getInstrument = async () =>
    (await world.get<any>('/registry/metadata/v1/instruments/Amulet')).body;
  // As much as Scan's latest snapshot has, of which there is none yet.
  expect(await getInstrument()).toMatchObject({ totalSupply: null, totalSupplyAsOf: null });
  world.network.clock.advance(10_800_000_000n);
  world.amulet('100.0');
  const { body } = await world.get<any>('/registry/metadata/v1/instruments');
  expect(body.instruments.map(({ id }: any) => id)).toEqual(['Amulet', 'TestToken']);
  expect(await getInstrument()).toMatchObject({
    name: 'Amulet',
    symbol: 'AMT',
    decimals: 10,
    totalSupply: '10.0000000000',
    totalSupplyAsOf: '2026-01-01T03:00:00Z',
    supportedApis: {
      'splice-api-token-transfer-instruction-v1': 1,
      'splice-api-token-allocation-v1': 1,
    },
  });
  expect((await new ModelWorld().get('/registry/metadata/v1/instruments/Amulet')).status).toBe(404);
});

describe('version 2 of allocations', () => {
  const EMPTY = { context: { values: {} }, meta: { values: {} } };
  const settlement = { executors: [], id: 'trade', cid: null, meta: { values: {} } };
  const at = (owner: string) => ({ owner, provider: null, id: '' });

  function allocating() {
    const found = booted();
    const { world, alice, bob } = found;
    const state = world.make('ExternalPartyConfigState');
    const leg = {
      transferLegId: 'leg',
      amount: '1.0',
      instrumentId: 'Amulet',
      meta: { values: {} },
    };
    const allocate = (side: object = leg) =>
      world.post('/registry/allocation-instruction/v2/allocation-factory', {
        choiceArguments: {
          settlement,
          allocation: {
            admin: world.dso,
            authorizer: at(alice),
            transferLegSides: [{ ...side, side: 'SenderSide', otherside: at(bob) }],
            settlementDeadline: null,
            nextIterationFunding: null,
            committed: false,
            meta: { values: {} },
          },
          requestedAt: '2026-01-01T00:00:00Z',
          inputHoldingCids: [],
          actors: [alice],
          extraArgs: EMPTY,
        },
      });
    const settle = (ids: readonly string[]) =>
      world.post('/registry/allocation/v2/settlement-factory', {
        choiceArguments: {
          settlement,
          transferLegs: [{ ...leg, sender: at(alice), receiver: at(bob) }],
          allocations: ids.map((allocationCid) => ({
            allocationCid,
            extraTransferLegSides: [],
            nextIterationFunding: null,
          })),
          actors: [],
          extraArgs: EMPTY,
        },
      });
    const context = (step: string, id: string) =>
      world.post(`/registry/allocations/v2/${id}/choice-contexts/${step}`, {});
    return { ...found, state, leg, allocate, settle, context };
  }

  test('have factories that need no round, only the configuration state and the rules for external parties (R-V2-006, R-V2-010)', async () => {
    const { world, factory, state, leg, allocate, settle } = allocating();
    const expected = {
      factoryId: factory,
      choiceContext: {
        choiceContextData: { values: { 'external-party-config-state': contract(state) } },
      },
    };
    const allocation = (await allocate()).body;
    expect(allocation).toMatchObject(expected);
    expect(disclosedIds(allocation.choiceContext)).toEqual([state, factory]);
    const [first, second] = [world.lockedAmulet('5.0'), world.lockedAmulet('6.0')];
    const ids = [
      world.make('AmuletAllocation', {
        lockedAmulet: second,
        allocation: { settlement: { executor: world.dso, settleBefore: FAR } },
      }),
      world.make('AmuletAllocationV2', { lockedAmulet: { value: first } }),
      world.make('AmuletAllocationV2', { lockedAmulet: null }),
      world.make('AmuletAllocationV2', { lockedAmulet: { value: first } }),
    ];
    const { body } = await settle([...ids, `00${'ab'.repeat(33)}`]);
    expect(body).toMatchObject(expected);
    expect(disclosedIds(body.choiceContext)).toEqual([state, factory, first, second]);
    expect((await allocate({ ...leg, instrumentId: 'TestToken' })).body.error).toBe(
      `No TokenRules contract of ${world.dso} found.`,
    );
  });

  test('can be cancelled and withdrawn as in version 1, for both versions (R-V2-012)', async () => {
    const { world, rules, round, state, context } = allocating();
    const lockedAmulet = world.lockedAmulet('5.0');
    const allocation = { settlement: { executor: world.dso, settleBefore: FAR } };
    const ids = [
      world.make('AmuletAllocation', { lockedAmulet, allocation }),
      world.make('AmuletAllocationV2', { lockedAmulet: { value: lockedAmulet } }),
    ];
    for (const step of ['cancel', 'withdraw']) {
      for (const id of ids)
        expect(disclosedIds((await context(step, id)).body)).toEqual([
          rules,
          round,
          state,
          lockedAmulet,
        ]);
      const nothingLocked = world.make('AmuletAllocationV2', { lockedAmulet: null });
      expect((await context(step, nothingLocked)).body).toEqual({
        choiceContextData: { values: { 'expire-lock': { tag: 'AV_Bool', value: false } } },
        disclosedContracts: [],
      });
      expect(await context(step, rules)).toEqual({
        status: 404,
        body: { error: `AmuletAllocation '${rules}' not found.` },
      });
      expect(
        await world.post(`/registry/allocation-instruction/v2/${rules}/choice-contexts/accept`, {}),
      ).toEqual({
        status: 400,
        body: {
          error:
            'Allocation instruction choice contexts are unsupported because amulet does not create allocation instructions.',
        },
      });
    }
  });
});
