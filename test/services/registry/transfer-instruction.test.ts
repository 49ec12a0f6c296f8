/** The registry's four statuses, and that what it answers really works when the client goes to the ledger with it. */
import { RegistryWorld, VERSIONS, type Step, type Version } from './registry-world.js';

const STEPS: readonly (readonly [Step, 'alice' | 'bob'])[] = [
  ['accept', 'bob'],
  ['reject', 'bob'],
  ['withdraw', 'alice'],
];
const EACH = VERSIONS.flatMap((version) =>
  STEPS.map(([step, actor]) => [version, step, actor] as const),
);
const NO_DEBUG = { excludeDebugFields: true };

interface Disclosed {
  readonly contractId: string;
  readonly synchronizerId: string;
}

describe.each(EACH)('%s choice-contexts/%s', (version, step, actor) => {
  test('200: returns a context and disclosed contracts with which the choice succeeds', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const { status, body } = await world.contextFor(version, step, instruction, NO_DEBUG);
    expect(status).toBe(200);
    expect(body.disclosedContracts.map((each: object) => Object.keys(each).sort())).toEqual(
      [1, 2].map(() => ['contractId', 'createdEventBlob', 'synchronizerId', 'templateId']),
    );
    expect(await world.take(version, step, world[actor], instruction, body)).toMatchObject({
      status: 200,
    });
  });

  test('the ledger rejects the choice without the disclosed contracts', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const { body } = await world.contextFor(version, step, instruction);
    const answer = await world.take(version, step, world[actor], instruction, {
      ...body,
      disclosedContracts: [],
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'CONTRACT_NOT_FOUND' } });
  });

  test('400: the body is invalid', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    for (const body of [[], 'context', { excludeDebugFields: 'yes' }, { meta: { memo: 7 } }])
      expect(await world.contextFor(version, step, instruction, body)).toMatchObject({
        status: 400,
      });
  });

  test('404: the instruction is unknown, of another kind, or already accepted (R-TI-013)', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const refusal = (id: string) => ({
      status: 404,
      body: { error: `TransferOffer '${id}' not found.` },
    });
    for (const id of ['00ab', world.rules])
      expect(await world.contextFor(version, step, id)).toEqual(refusal(id));
    await world.take(
      version,
      step,
      world[actor],
      instruction,
      (await world.contextFor(version, step, instruction)).body,
    );
    expect(await world.contextFor(version, step, instruction)).toEqual(refusal(instruction));
  });

  test('409 while a disclosed contract is in flight, and 200 with the new synchronizer after its assignment', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const before = (await world.contextFor(version, step, instruction)).body
      .disclosedContracts as Disclosed[];
    const { participant, admin } = world;
    for (const contractId of [...before.map((each) => each.contractId), instruction]) {
      const id = world.unassign(admin, [contractId]);
      expect(participant.ledger.contracts.state(contractId)?.kind).toBe('inFlight');
      expect(await world.contextFor(version, step, instruction)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining(contractId) as string },
      });
      world.assign(admin, id);
      expect((await world.contextFor(version, step, instruction)).status).toBe(200);
    }
    const { body } = await world.contextFor(version, step, instruction);
    const app = world.synchronizerId('app-synchronizer');
    expect(
      (body.disclosedContracts as Disclosed[]).map((each) => [
        each.contractId,
        each.synchronizerId,
      ]),
    ).toEqual(before.map((each) => [each.contractId, app]));
    expect(await world.take(version, step, world[actor], instruction, body)).toMatchObject({
      status: 200,
      body: { transaction: { synchronizerId: app } },
    });
  });

  test('the ledger rejects a choice with a context that was read before a reassignment', async () => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const { body: stale } = await world.contextFor(version, step, instruction);
    const { contractId } = stale.disclosedContracts[0] as Disclosed;
    world.assign(world.admin, world.unassign(world.admin, [contractId]));
    expect((await world.take(version, step, world[actor], instruction, stale)).status).toBe(400);
  });
});

describe('debug fields (R-GEN-007)', () => {
  const debugNames = (disclosed: readonly object[]): string[] =>
    disclosed.flatMap((each) => Object.keys(each).filter((name) => name.startsWith('debug')));

  test.each(VERSIONS)('%s: are present by default, and are omitted on request', async (version) => {
    const world = new RegistryWorld();
    const instruction = await world.instruction(version);
    const contractsFor = async (body: object) =>
      (await world.contextFor(version, 'reject', instruction, body)).body.disclosedContracts;
    const [rules] = await contractsFor({});
    expect(rules).toMatchObject({
      debugPackageName: 'canticle-test-token',
      debugPayload: { admin: world.admin },
      debugCreatedAt: expect.stringMatching(/^2026-01-01T00:00:00/) as string,
    });
    expect(await contractsFor({ excludeDebugFields: false })).toEqual(await contractsFor({}));
    expect(debugNames(await contractsFor(NO_DEBUG))).toEqual([]);
    const choiceArguments = world.factoryArguments(version, []);
    const factory = (await world.factory(version, choiceArguments)).body;
    expect(debugNames(factory.choiceContext.disclosedContracts)).toEqual([]);
  });
});

describe.each(VERSIONS)('%s transfer-factory', (version) => {
  test('returns offer for another receiver, and self for the sender (R-TI-001, R-TI-002)', async () => {
    const world = new RegistryWorld();
    const kindFor = async (receiver: string) =>
      (await world.factory(version, world.factoryArguments(version, [], receiver))).body
        .transferKind;
    expect(await kindFor(world.bob)).toBe('offer');
    expect(await kindFor(world.alice)).toBe('self');
    expect(await world.offer(version, world.alice)).toMatchObject({ status: 200 });
    expect(await world.offer(version, world.bob)).toMatchObject({ status: 200 });
  });

  test('400: the arguments do not match the choice (R-TI-003), or are missing', async () => {
    const world = new RegistryWorld();
    const good = world.factoryArguments(version, []);
    for (const bad of [{}, { ...good, transfer: 'all' }, { ...good, extraArgs: undefined }])
      expect(await world.factory(version, bad)).toMatchObject({
        status: 400,
        body: {
          error: expect.stringContaining('`choiceArguments` does not contain a valid') as string,
        },
      });
    expect((await world.factory(version, undefined)).status).toBe(400);
  });

  test('ignores an unknown member that is null, because wallets send it (R-TI-004)', async () => {
    const world = new RegistryWorld();
    expect(
      (await world.factory(version, { ...world.factoryArguments(version, []), lock: null })).status,
    ).toBe(200);
  });

  test('409 while the rules are in flight, 404 if there are no rules', async () => {
    const world = new RegistryWorld();
    const given = world.factoryArguments(version, []);
    const id = world.unassign(world.admin, [world.rules]);
    expect((await world.factory(version, given)).status).toBe(409);
    world.assign(world.admin, id);
    expect((await world.factory(version, given)).status).toBe(200);
    const { templateId } = world.network.contracts.get(world.rules)!.instance;
    world.exercise([world.admin], templateId, world.rules, 'Archive', {});
    expect((await world.factory(version, given)).status).toBe(404);
  });
});

test('the registry gives the same answer at the root, through the proxy of the validator, and under a configured prefix', async () => {
  const world = new RegistryWorld(['/tokens/gold']);
  const version: Version = 'v1';
  const instruction = await world.instruction(version);
  const direct = await world.contextFor(version, 'accept', instruction);
  for (const mount of ['/api/validator/v0/scan-proxy', '/tokens/gold'])
    expect(await world.contextFor(version, 'accept', instruction, {}, mount)).toEqual(direct);
});
