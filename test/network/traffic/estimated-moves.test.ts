/**
 * From 3.7 on, the estimated cost of a prepared transaction includes the reassignments of its inputs. Tested as upstream's
 * AutomaticReassignmentTrafficCostEstimationTest does: the estimate is within 5% of what the same commands cost (B-TRF-014).
 */
import { d, definePackage, defineTemplate } from 'canticle';
import {
  eventFormat,
  exercise,
  startLedgerApi,
  updateFormat,
  type JsonAnswer,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { PREPARE, preparation } from '../external/external-party.js';

const Single = defineTemplate({
  name: 'Counting:Single',
  fields: { owner: d.party, observers: d.list(d.party), partners: d.list(d.party) },
  signatories: ({ owner, partners }) => [owner, ...partners],
  observers: ({ observers }) => observers,
});
const Offer = defineTemplate({
  name: 'Counting:Offer',
  fields: { owner: d.party, partner: d.party },
  signatories: ({ owner }) => [owner],
  observers: ({ partner }) => [partner],
  choices: (choice) => ({
    Accept: choice({
      argument: {},
      result: d.contractId(Single),
      controllers: ({ partner }) => [partner],
      run: (update, { payload: { owner, partner } }) =>
        update.create(Single, { owner, observers: [], partners: [partner] }),
    }),
  }),
});
const Aggregate = defineTemplate({
  name: 'Counting:Aggregate',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  choices: (choice) => ({
    CountAll: choice({
      consuming: false,
      argument: { singles: d.list(d.contractId(Single)) },
      result: d.int64,
      controllers: ({ owner }) => [owner],
      run: (update, _self, { singles }) =>
        BigInt(singles.map((each) => update.fetch(Single, each)).length),
    }),
  }),
});
const counting = definePackage({
  name: 'counting',
  version: '1.0.0',
  templates: [Single, Offer, Aggregate],
});
const [SINGLE, AGGREGATE] = ['#counting:Counting:Single', '#counting:Counting:Aggregate'];

let ledger: LedgerApi;
let alice: string;
let bob: string;
afterEach(() => ledger.client.close());

async function start(
  canton: '3.6' | '3.7',
  trafficControl = true,
  foundedBy?: string,
): Promise<void> {
  ledger = await startLedgerApi({
    canton,
    trafficControl,
    grpc: true,
    participants: [{ name: 'alpha' }, { name: 'beta' }],
    packages: [counting],
    synchronizers: [{ alias: 'one', foundedBy }, { alias: 'two' }, { alias: 'three' }],
  });
  const { participant } = ledger.canticle;
  [alice, bob] = [participant.allocateParty('alice'), participant.allocateParty('bob')];
}

type Alias = 'one' | 'two' | 'three';
const idOf = (alias: Alias): string => ledger.canticle.network.synchronizer(alias)!.id;
const physicalIdOf = (alias: Alias): string =>
  ledger.canticle.network.synchronizer(alias)!.physicalId;

const made = (template: string, at: Alias, more: object = {}): Promise<string> =>
  ledger.create(template, { owner: alice, ...more }, { actAs: alice, synchronizerId: idOf(at) });
const single = (at: Alias, observers: readonly string[] = []): Promise<string> =>
  made(SINGLE, at, { observers, partners: [] });

async function prepare(command: unknown, at?: Alias, more: object = {}): Promise<JsonAnswer> {
  const synchronizerId = at === undefined ? '' : idOf(at);
  const { costEstimation } = await ledger.ok(
    PREPARE,
    preparation(command, alice, { synchronizerId, ...more }),
  );
  return costEstimation;
}

/** Submits the command. @returns the paid cost by synchronizer, in order */
async function pay(command: unknown, at: Alias): Promise<readonly (readonly [Alias, number])[]> {
  const beginExclusive = await ledger.ledgerEnd();
  await ledger.submit(command, { actAs: alice, synchronizerId: idOf(at) });
  const format = updateFormat('LEDGER_EFFECTS', eventFormat([alice]));
  const updates: JsonAnswer[] = await ledger.updates(format, { beginExclusive });
  return updates.map((update) => {
    const { synchronizerId, paidTrafficCost } = Object.values<JsonAnswer>(update)[0].value;
    return [ledger.canticle.network.synchronizer(synchronizerId)!.alias as Alias, paidTrafficCost];
  });
}

function expectNear(estimate: number, paid: number): void {
  expect(Math.abs(estimate - paid) / paid).toBeLessThanOrEqual(0.05);
}

/** The members of an entry without the ids. */
function costsOf(entry: JsonAnswer) {
  const of = (name: string): number => entry[`${name}TrafficCostEstimation`];
  return {
    unassigning: [of('unassignmentRequest'), of('unassignmentResponse')],
    assigning: [of('assignmentRequest'), of('assignmentResponse')],
    total: entry.totalReassignmentCostEstimation as number,
  };
}

it('the inputs of one synchronizer move together, at a cost near the real one (B-TRF-014)', async () => {
  await start('3.7');
  const singles = [await single('one'), await single('one'), await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const cost = await prepare(count, 'two');
  const [entry, ...others] = cost.reassignmentCosts;
  expect(others).toEqual([]);
  expect([entry.sourceSynchronizerId, entry.targetSynchronizerId]).toEqual([
    physicalIdOf('one'),
    physicalIdOf('two'),
  ]);
  expect([...entry.contractIds].sort()).toEqual([...singles].sort());
  const { unassigning, assigning, total } = costsOf(entry);
  for (const each of [...unassigning, ...assigning]) expect(each).toBeGreaterThan(0);
  // Of the confirmation of alice and the participant.
  expect(unassigning[1]).toBe(cost.confirmationResponseTrafficCostEstimation);
  const sum = (costs: readonly number[]) => costs.reduce((all, each) => all + each, 0);
  expect(total).toBe(sum([...unassigning, ...assigning]));
  expect(cost.totalTrafficCostEstimation).toBe(
    total +
      cost.confirmationRequestTrafficCostEstimation +
      cost.confirmationResponseTrafficCostEstimation,
  );
  const paid = await pay(count, 'two');
  expect(paid.map(([at]) => at)).toEqual(['one', 'two', 'two']);
  expectNear(unassigning[0]!, paid[0]![1]);
  expectNear(assigning[0]!, paid[1]![1]);
  expectNear(cost.confirmationRequestTrafficCostEstimation, paid[2]![1]);
  // Nothing has to move any more.
  expect((await prepare(count, 'two')).reassignmentCosts).toEqual([]);
});

it('each source has an entry, also if the participant chooses the target (B-TRF-014)', async () => {
  await start('3.7');
  const singles = [await single('one'), await single('two')];
  const on = await made(AGGREGATE, 'three');
  const count = exercise(AGGREGATE, on, 'CountAll', { singles });
  const { reassignmentCosts: entries } = await prepare(count, 'three');
  expect(
    entries.map((each: JsonAnswer) => [
      each.sourceSynchronizerId,
      each.targetSynchronizerId,
      each.contractIds,
    ]),
  ).toEqual([
    [physicalIdOf('one'), physicalIdOf('three'), [singles[0]]],
    [physicalIdOf('two'), physicalIdOf('three'), [singles[1]]],
  ]);
  const three = exercise(AGGREGATE, on, 'CountAll', {
    singles: [singles[0], await single('three')],
  });
  const chosen = await prepare(three);
  expect(chosen.reassignmentCosts).toEqual([
    expect.objectContaining({
      sourceSynchronizerId: physicalIdOf('one'),
      targetSynchronizerId: physicalIdOf('three'),
      contractIds: [singles[0]],
    }),
  ]);
});

it('contracts with other stakeholders move apart, because one request has one set of them (B-TRF-014)', async () => {
  await start('3.7');
  const singles = [await single('one'), await single('one', [bob])];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const { reassignmentCosts: entries } = await prepare(count, 'two');
  expect(entries.map((each: JsonAnswer) => each.contractIds)).toEqual(singles.map((id) => [id]));
  const [alone, shared] = entries.map(costsOf);
  expect(shared.unassigning[0]).toBeGreaterThan(alone.unassigning[0]);
  // Only signatories confirm.
  expect(shared.unassigning[1]).toBe(alone.unassigning[1]);
});

it('the participant confirms for the signatories that it hosts (B-TRF-014)', async () => {
  await start('3.7');
  const [alpha, beta] = ledger.canticle.participants;
  const carol = beta!.allocateParty('carol');
  const shared = (partner: string): string => {
    const at = { synchronizer: 'one' };
    const offer = alpha!.create(Offer, { owner: alice, partner }, { actAs: alice, ...at });
    const host = partner === carol ? beta! : alpha!;
    return String(host.exercise(Offer, offer, 'Accept', {}, { actAs: partner, ...at }).result);
  };
  const on = await made(AGGREGATE, 'two');
  const responses: number[] = [];
  for (const contract of [await single('one'), shared(carol), shared(bob)]) {
    const count = exercise(AGGREGATE, on, 'CountAll', { singles: [contract] });
    const [entry] = (await prepare(count, 'two')).reassignmentCosts;
    const { unassigning, assigning } = costsOf(entry);
    expect(assigning[1]).toBe(unassigning[1]);
    responses.push(unassigning[1]!);
  }
  const [alone, withCarol, withBob] = responses;
  expect(withCarol).toBe(alone);
  expect(withBob).toBeGreaterThan(alone!);
});

it('the participants of a founded synchronizer confirm without costs (A-TRF-008, B-TRF-014)', async () => {
  await start('3.7', true, 'alpha');
  const singles = [await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const [entry] = (await prepare(count, 'two')).reassignmentCosts;
  const { unassigning, assigning } = costsOf(entry);
  expect(unassigning[1]).toBe(0);
  expect(assigning[1]).toBeGreaterThan(0);
});

it('without traffic control, the entries have no cost (B-TRF-006, B-TRF-014)', async () => {
  await start('3.7', false);
  const singles = [await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const cost = await prepare(count, 'two');
  expect(cost.reassignmentCosts.map(costsOf)).toEqual([
    { unassigning: [0, 0], assigning: [0, 0], total: 0 },
  ]);
  expect(cost.totalTrafficCostEstimation).toBe(0);
});

it('an input that cannot move is a failed preparation, unless no estimate is wanted (B-TRF-014)', async () => {
  await start('3.7');
  const singles = [await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const changes = [{ operation: { Unvet: { value: { packages: [{ packageId: counting.id }] } } } }];
  await ledger.ok('/v2/package-vetting/update', { changes, synchronizerId: idOf('one') });
  const request = preparation(count, alice, { synchronizerId: idOf('two') });
  const refused = await ledger.post(PREPARE, request);
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'FAILED_TO_PREPARE_TRANSACTION',
      cause: expect.stringMatching(
        /^The participant failed to prepare the transaction: .* on synchronizer `one::.* has not vetted/,
      ),
    },
  });
  const estimateTrafficCost = { disabled: true, expectedSignatures: [] };
  expect((await ledger.ok(PREPARE, { ...request, estimateTrafficCost })).costEstimation).toBe(null);
});

it('3.6 estimates the transaction alone, and its answer has no such member', async () => {
  await start('3.6');
  const singles = [await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const cost = await prepare(count, 'two');
  expect(cost).not.toHaveProperty('reassignmentCosts');
  expect(cost.totalTrafficCostEstimation).toBe(
    cost.confirmationRequestTrafficCostEstimation + cost.confirmationResponseTrafficCostEstimation,
  );
});

it('gRPC has the same entries, with fields that other releases lack (B-TRF-014)', async () => {
  await start('3.7');
  const singles = [await single('one')];
  const count = exercise(AGGREGATE, await made(AGGREGATE, 'two'), 'CountAll', { singles });
  const json = await prepare(count, 'two', { commandId: 'counted' });
  const grpc = await GrpcClient.connect(ledger.canticle.urls.grpc!);
  const contractId = count.ExerciseCommand.contractId;
  const list = { elements: singles.map((each) => ({ contractId: each })) };
  const { costEstimation } = await grpc.call(
    'interactive.InteractiveSubmissionService/PrepareSubmission',
    {
      ...{ userId: 'tester', commandId: 'counted', actAs: [alice], synchronizerId: idOf('two') },
      commands: [
        {
          exercise: {
            templateId: {
              packageId: '#counting',
              moduleName: 'Counting',
              entityName: 'Aggregate',
            },
            contractId,
            choice: 'CountAll',
            choiceArgument: { record: { fields: [{ value: { list } }] } },
          },
        },
      ],
    },
  );
  grpc.close();
  // In JSON, protobuf writes its large integers as texts.
  const asTexts = ({ contractIds, ...entry }: JsonAnswer) => ({
    ...Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, String(each)])),
    contractIds,
  });
  expect(costEstimation).toMatchObject({
    totalTrafficCostEstimation: String(json.totalTrafficCostEstimation),
    reassignmentCosts: json.reassignmentCosts.map(asTexts),
  });
});
