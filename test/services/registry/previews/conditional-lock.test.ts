/** The preview of the conditional-lock API: a lock from its factory to its release, with what the registry discloses. */
import {
  type ContractId,
  Numeric,
  type Party,
  some,
  STABLE_PACKAGES,
} from '../../../../src/daml/index.js';
import { TOKEN_PACKAGES } from '../../../../src/token/index.js';
import { EMPTY_METADATA } from '../../../../src/token/holdings/conversions.js';
import {
  SpliceWorld,
  TWO_SYNCHRONIZERS,
  type Answer,
} from '../../../support/splice/splice-world.js';
import { lockInterfaces } from './lock-interfaces.js';
import { ActiveLock, Factory, Instruction, lockRegistry } from './lock-registry.js';

const BASE = '/registry/conditional-lock/v1';
const STEPS = ['accept', 'reject', 'withdraw'] as const;
const LOCK_STEPS = ['enact', 'expire', 'cancel', 'amend'] as const;
const INTERFACES = '#splice-api-token-conditional-lock-v1:Splice.Api.Token.ConditionalLockV1';
const MAX_DISCLOSED = 100;
const NO_ARGS = { context: { values: {} }, meta: { values: {} } };

class Locks extends SpliceWorld {
  readonly admin: Party;
  readonly alice: Party;
  readonly bob: Party;
  private submissions = 0;

  constructor(packages = [lockInterfaces, lockRegistry]) {
    super({
      network: {
        synchronizers: TWO_SYNCHRONIZERS,
        packages: [...STABLE_PACKAGES, ...TOKEN_PACKAGES, ...packages],
      },
      registryPreviews: ['conditional-lock'],
    });
    [this.admin, this.alice, this.bob] = ['issuer', 'alice', 'bob'].map((hint) =>
      this.participant.allocateParty(hint),
    ) as [Party, Party, Party];
  }

  config(admin = this.admin): ContractId {
    return this.create([admin], `${lockRegistry.id}:Test.LockRegistry:Config`, { admin });
  }

  factory(admin = this.admin, config = this.config(admin), more: object = {}): ContractId {
    const payload = {
      admin,
      config,
      receiver: this.bob,
      signer: admin,
      failsToShow: false,
      ...more,
    };
    return this.create([payload.signer], Factory.id, payload);
  }

  terms(admin = this.admin) {
    return {
      authorizer: { owner: this.alice, provider: null, id: '' },
      instrumentId: { admin, id: 'Gold' },
      amount: '4.0',
      expiresAt: '2026-02-01T00:00:00Z',
      meta: { values: {} },
    };
  }

  choiceArguments(admin = this.admin) {
    return {
      terms: this.terms(admin),
      inputHoldingCids: [],
      actors: [this.alice],
      extraArgs: NO_ARGS,
    };
  }

  askFactory(choiceArguments: unknown = this.choiceArguments(), more: object = {}) {
    return this.post(`${BASE}/lock-factory`, { choiceArguments, ...more });
  }

  context(id: string, step: string, more: object = {}) {
    return this.post(`${BASE}/${id}/choice-contexts/${step}`, more);
  }

  /** Exercises a choice over the JSON Ledger API as a client does. @returns the choice's result */
  async submitChoice(
    actor: Party,
    entity: string,
    contractId: ContractId,
    choice: string,
    given: object,
    context: { choiceContextData: object; disclosedContracts: unknown[] },
  ): Promise<Answer> {
    const choiceArgument = {
      actors: [actor],
      ...given,
      extraArgs: { context: context.choiceContextData, meta: { values: {} } },
    };
    const templateId = `${INTERFACES}:${entity}`;
    return this.post('/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commandId: `lock-${++this.submissions}`,
        userId: 'client',
        actAs: [actor],
        disclosedContracts: context.disclosedContracts,
        commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
      },
      transactionFormat: {
        eventFormat: { filtersByParty: { [actor]: {} }, verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    });
  }

  /** Alice locks: the instruction that waits for Bob. */
  async instruct(): Promise<ContractId> {
    const { body } = await this.askFactory();
    const { factoryId, choiceContext } = body;
    const given = this.choiceArguments();
    const choice = 'ConditionalLockFactory_Lock';
    const locked = await this.submitChoice(
      this.alice,
      'ConditionalLockFactory',
      factoryId,
      choice,
      given,
      choiceContext,
    );
    return outputOf(locked, choice).instructionCid;
  }

  async accept(instruction: ContractId): Promise<ContractId> {
    const { body } = await this.context(instruction, 'accept');
    const choice = 'ConditionalLockInstruction_Accept';
    const approver = { owner: this.bob, provider: null, id: '' };
    const accepted = await this.submitChoice(
      this.bob,
      'ConditionalLockInstruction',
      instruction,
      choice,
      { approver },
      body,
    );
    return outputOf(accepted, choice).lockCid;
  }

  /** A lock, or an instruction, without a factory. */
  lock(more: object = {}, template: string = ActiveLock.id): ContractId {
    const [config, backing] = [this.config(), this.backing()];
    const payload = { terms: this.payloadTerms(), receiver: this.bob, config, backing, others: [] };
    return this.create([this.admin, this.alice], template, {
      ...payload,
      ...(template === ActiveLock.id && { failsToShow: false, claimed: null }),
      ...more,
    });
  }

  private backing(): ContractId {
    return this.create(
      [this.admin, this.alice],
      `${lockRegistry.id}:Test.LockRegistry:LockedHolding`,
      { terms: this.payloadTerms() },
    );
  }

  private payloadTerms() {
    return {
      ...this.terms(),
      authorizer: { owner: some(this.alice), provider: null, id: '' },
      amount: Numeric.of('4'),
      expiresAt: 1_800_000_000_000_000n,
      meta: EMPTY_METADATA,
    };
  }
}

function outputOf({ body, status }: Answer, choice: string): any {
  if (status !== 200) throw new Error(JSON.stringify(body));
  for (const { ExercisedEvent } of body.transaction.events)
    if (ExercisedEvent?.choice === choice) return ExercisedEvent.exerciseResult.output.value;
  throw new Error(`There is no ${choice}.`);
}

const ids = (contracts: readonly { contractId: string }[]) =>
  contracts.map(({ contractId }) => contractId);

test('a client locks, approves and releases with what the registry discloses (R-CL-001, R-CL-002, R-CL-003)', async () => {
  const world = new Locks();
  world.factory();
  const lock = await world.accept(await world.instruct());
  const choice = 'ConditionalLock_Enact';
  const enact = (context: { choiceContextData: object; disclosedContracts: unknown[] }) =>
    world.submitChoice(world.bob, 'ConditionalLock', lock, choice, { ruleId: 'claim' }, context);
  const { body } = await world.context(lock, 'enact');
  // Bob sees neither the locked holding nor the configuration.
  expect((await enact({ ...body, disclosedContracts: [] })).status).toBe(404);
  expect(outputOf(await enact(body), choice)).toEqual({ authorizerHoldingCids: [] });
});

test('returns the factory with the contracts that it names (R-CL-001)', async () => {
  const world = new Locks();
  const config = world.config();
  const factory = world.factory(world.admin, config);
  const { body } = await world.askFactory();
  expect(body).toEqual({
    factoryId: factory,
    choiceContext: {
      choiceContextData: { values: {} },
      disclosedContracts: [
        {
          templateId: Factory.id,
          contractId: factory,
          createdEventBlob: expect.stringMatching(/^[\w+/]{100,}=*$/),
          synchronizerId: world.synchronizerId('global'),
          debugPackageName: 'test-lock-registry',
          debugPayload: expect.objectContaining({
            admin: world.admin,
            config,
            receiver: world.bob,
          }),
          debugCreatedAt: expect.stringMatching(/^2026-01-01T/),
        },
        expect.objectContaining({ contractId: config }),
      ],
    },
  });
  const brief = await world.askFactory(undefined, { excludeDebugFields: true });
  expect(Object.keys(brief.body.choiceContext.disclosedContracts[0])).toEqual([
    'templateId',
    'contractId',
    'createdEventBlob',
    'synchronizerId',
  ]);
});

test("returns the newest factory of the instrument's admin", async () => {
  const world = new Locks();
  world.factory();
  const other = world.factory(world.bob);
  const newest = world.factory();
  expect((await world.askFactory()).body.factoryId).toBe(newest);
  expect((await world.askFactory(world.choiceArguments(world.bob))).body.factoryId).toBe(other);
  expect(await world.askFactory(world.choiceArguments(world.alice))).toEqual({
    status: 404,
    body: { error: `No ConditionalLockFactory contract of ${world.alice} found.` },
  });
});

test('ignores a factory that another party signed for the admin, and one whose view fails', async () => {
  const world = new Locks();
  const config = world.config();
  world.factory(world.admin, config, { signer: world.bob });
  expect((await world.askFactory()).status).toBe(404);
  const own = world.factory(world.admin, config);
  world.factory(world.admin, config, { signer: world.bob });
  world.factory(world.admin, config, { failsToShow: true });
  expect((await world.askFactory()).body.factoryId).toBe(own);
});

test('is 404 for a lock that the admin of its instrument does not see', async () => {
  const world = new Locks();
  const lock = world.lock({ claimed: some(world.participant.allocateParty('carol')) });
  expect(await world.context(lock, 'enact')).toEqual({
    status: 404,
    body: { error: `The admin of the instrument does not see ConditionalLock '${lock}'.` },
  });
});

test('is 404 while no participant has the package (R-CL-006)', async () => {
  const world = new Locks([]);
  expect(await world.askFactory({})).toEqual({
    status: 404,
    body: { error: 'No participant has the package splice-api-token-conditional-lock-v1.' },
  });
  expect((await world.context('00aa', 'enact')).status).toBe(404);
});

test('is 400 for arguments of another choice', async () => {
  const world = new Locks();
  world.factory();
  const { status, body } = await world.askFactory({ terms: {} });
  expect(status).toBe(400);
  expect(body.error).toMatch(
    /^Field `choiceArguments` does not contain a valid `ConditionalLockFactory_Lock`. Error: /,
  );
});

test.each(STEPS)('returns the context for %s of an instruction (R-CL-002)', async (step) => {
  const world = new Locks();
  const [config, others] = [world.config(), [world.config(), world.config(world.bob)]];
  const id = world.lock({ config, others }, Instruction.id);
  const { status, body } = await world.context(id, step, { meta: { a: 'b' } });
  expect(status).toBe(200);
  expect(body.choiceContextData).toEqual({ values: {} });
  // Not that of Bob alone, which the admin does not see.
  const [first, second, third] = ids(body.disclosedContracts);
  expect([first, third]).toEqual([config, others[0]]);
  expect(second).not.toBe(id);
  expect(body.disclosedContracts).toHaveLength(3);
  const brief = await world.context(id, step, { excludeDebugFields: true });
  expect(brief.body.disclosedContracts[0]).not.toHaveProperty('debugPackageName');
});

test.each(LOCK_STEPS)('returns the context for %s of a lock (R-CL-003)', async (step) => {
  const world = new Locks();
  const config = world.config();
  const { status, body } = await world.context(world.lock({ config }), step);
  expect(status).toBe(200);
  // The view names the locked holding first.
  expect(body.disclosedContracts.map((each: any) => each.templateId.split(':')[2])).toEqual([
    'LockedHolding',
    'Config',
  ]);
});

test('is 404 for an unknown contract, one of another interface, and one that is archived', async () => {
  const world = new Locks();
  const instruction = world.lock({}, Instruction.id);
  const lock = world.lock();
  expect(await world.context('00aa', 'enact')).toEqual({
    status: 404,
    body: { error: "ConditionalLock '00aa' not found." },
  });
  expect((await world.context(lock, 'accept')).body).toEqual({
    error: `ConditionalLockInstruction '${lock}' not found.`,
  });
  expect((await world.context(instruction, 'enact')).status).toBe(404);
  expect((await world.context(world.config(), 'enact')).status).toBe(404);
  world.exercise([world.admin, world.alice], ActiveLock.id, lock, 'Archive', {});
  expect((await world.context(lock, 'enact')).status).toBe(404);
});

test('is 409 while a contract of the answer is being reassigned (R-CL-004)', async () => {
  const world = new Locks();
  const config = world.config();
  world.factory(world.admin, config);
  const lock = world.lock({ config });
  const moving = world.unassign(world.admin, [config]);
  expect((await world.askFactory()).status).toBe(409);
  expect(await world.context(lock, 'enact')).toEqual({
    status: 409,
    body: {
      error: `Contract '${config}' is being reassigned to another synchronizer. Try again.`,
    },
  });
  world.assign(world.admin, moving);
  const { body } = await world.context(lock, 'enact');
  expect(body.disclosedContracts[1].synchronizerId).toBe(world.synchronizerId('app-synchronizer'));
  world.unassign(world.alice, [lock]);
  expect((await world.context(lock, 'enact')).status).toBe(409);
});

test('the factory is 409 while it is being reassigned (R-CL-004)', async () => {
  const world = new Locks();
  const factory = world.factory();
  world.unassign(world.admin, [factory]);
  expect((await world.askFactory()).status).toBe(409);
});

test('is 500 for a contract whose view fails', async () => {
  const world = new Locks();
  const lock = world.lock({ failsToShow: true });
  const { status, body } = await world.context(lock, 'enact');
  expect(status).toBe(500);
  expect(body.error).toMatch(new RegExp(`^The view of ConditionalLock '${lock}' failed: `));
});

test(`discloses at most ${MAX_DISCLOSED} contracts`, async () => {
  const world = new Locks();
  const configs = Array.from({ length: MAX_DISCLOSED - 1 }, () => world.config());
  const most = world.lock({ config: configs[0], others: configs.slice(1) });
  const { body } = await world.context(most, 'enact');
  expect(body.disclosedContracts).toHaveLength(MAX_DISCLOSED);
  const more = world.lock({ config: configs[0], others: [...configs.slice(1), world.config()] });
  expect(await world.context(more, 'enact')).toEqual({
    status: 500,
    body: {
      error: `Contract '${more}' names more contracts than the ${MAX_DISCLOSED} that an answer discloses.`,
    },
  });
});

test('instruments of an admin with a factory announce the API (R-CL-005)', async () => {
  const world = new Locks();
  const apis = async () =>
    (await world.get<any>('/registry/metadata/v1/instruments/TestToken')).body.supportedApis;
  expect(await apis()).not.toHaveProperty(['splice-api-token-conditional-lock-v1']);
  world.factory(world.splice.registryAdmin);
  expect(await apis()).toMatchObject({ 'splice-api-token-conditional-lock-v1': 1 });
});
