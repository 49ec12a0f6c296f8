/** Simulated submissions: complete results, without visible effects. */
import { createCanticle } from 'canticle';

type Json = any;

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

const canticle = createCanticle({ participants: ['one', 'two'], trafficControl: true });
const [first, second] = canticle.participants as [
  (typeof canticle.participants)[0],
  (typeof canticle.participants)[0],
];
const [bank, alice] = ['bank', 'alice'].map((hint) => first.allocateParty(hint)) as [
  string,
  string,
];
const bob = second.allocateParty('bob');
const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '4.0', observers: [bob] };
const create = { CreateCommand: { templateId: IOU, createArguments: payload } };
const exercise = (contractId: string, choice: string, choiceArgument: object) => ({
  ExerciseCommand: { templateId: IOU, contractId, choice, choiceArgument },
});
const both = [bank, alice];
const start = canticle.snapshot();
afterEach(() => canticle.revert(start));

it('reports the created, archived and returned contracts, their witnesses, and the cost', () => {
  const contractId = first.create(IOU, payload, { actAs: both });
  const command = exercise(contractId, 'Iou_Split', { splitAmount: '1.0' });
  const { outcome, steps } = canticle.simulate(command, { actAs: alice });
  expect(outcome).toBe('accepted');
  const [{ created, archived, returned, witnesses, cost, trace, ...rest }] = steps as [
    (typeof steps)[0],
  ];
  expect(archived).toEqual([expect.objectContaining({ contractId, observers: [bob] })]);
  expect(created.map((each) => each.payload)).toEqual(
    ['1.0000000000', '3.0000000000'].map((amount) => ({ ...payload, amount })),
  );
  const ids = created.map((each) => each.contractId);
  expect(returned).toEqual([
    { contractId, choice: 'Iou_Split', result: { _1: ids[0], _2: ids[1] } },
  ]);
  const exercised = [{ contractId, choice: 'Iou_Split', consuming: true }];
  expect(witnesses).toEqual([
    { party: alice, participants: ['one'], created: ids, exercised },
    { party: bank, participants: ['one'], created: ids, exercised },
    { party: bob, participants: ['two'], created: ids, exercised },
  ]);
  expect(cost!.bytes).toBeGreaterThan(1000);
  // Nothing is metered.
  expect(cost).not.toHaveProperty('available');
  expect(trace!.outcome).toBe('simulated');
  expect(rest).toMatchObject({ participant: 'one', actAs: [alice], moved: [], missing: [] });
  const done = first.exercise(
    IOU,
    contractId,
    'Iou_Split',
    { splitAmount: '1.0' },
    {
      actAs: alice,
    },
  );
  expect(done.result).toEqual(returned[0]!.result);
});

it('reports a rejection with the error, the missing authority, and the failed node', () => {
  const contractId = first.create(IOU, payload, { actAs: both });
  const command = exercise(contractId, 'Iou_Transfer', { newOwner: bank });
  const { outcome, steps } = canticle.simulate(command, { actAs: alice });
  expect(outcome).toBe('refused');
  const [{ error, missing, trace, created, cost }] = steps as [(typeof steps)[0]];
  expect(error).toMatchObject({ code: 'DAML_AUTHORIZATION_ERROR', category: 8, grpcCode: 3 });
  expect(missing).toEqual([{ parties: [bank], node: 0 }]);
  expect(trace!.nodes[0]).toMatchObject({ choice: 'Iou_Transfer', outcome: 'failed' });
  expect([created, cost]).toEqual([[], undefined]);
});

it('runs submissions in order at the given times, and stops at a rejection', () => {
  const { outcome, steps } = canticle.simulate(
    [
      create,
      ([before]) =>
        exercise(before!.created[0]!.contractId, 'Iou_AddObserver', { newObserver: bob }),
      {
        time: '2026-03-01T00:00:00Z',
        commands: [exercise('{{1.created.0}}', 'Iou_Transfer', { newOwner: bank })],
      },
      exercise('{{1.created.0}}', 'Archive', {}),
      create,
    ],
    { actAs: both, time: '2026-02-01T00:00:00Z', trace: false },
  );
  expect(outcome).toBe('refused');
  expect(steps.map((step) => [step.outcome, step.time, step.error?.code])).toEqual([
    ['accepted', '2026-02-01T00:00:00.000000Z', undefined],
    ['accepted', '2026-02-01T00:00:00.000001Z', undefined],
    ['accepted', '2026-03-01T00:00:00.000000Z', undefined],
    ['refused', '2026-03-01T00:00:00.000001Z', 'CONTRACT_NOT_FOUND'],
  ]);
  expect(steps[2]).not.toHaveProperty('trace');
  expect(canticle.time).toMatch(/^2026-01-01/);
});

it('replaces contracts: as archived, with another payload, or with one of another ledger', () => {
  const contractId = first.create(IOU, payload, { actAs: both });
  const before = Buffer.from(canticle.dump());
  const split = exercise(contractId, 'Iou_Split', { splitAmount: '10.0' });
  const simulateWith = (override: object) =>
    canticle.simulate(split, { actAs: alice, contracts: [{ contractId, ...override }] });
  const richer = simulateWith({ createArguments: { ...payload, amount: '12.5' } });
  expect(richer.steps[0]!.created.map((each) => (each.payload as Json).amount)).toEqual([
    '10.0000000000',
    '2.5000000000',
  ]);
  expect(canticle.simulate(split, { actAs: alice }).outcome).toBe('refused');
  expect(simulateWith({ archived: true }).steps[0]!.error!.code).toBe('CONTRACT_NOT_FOUND');
  const others = { owner: bank, observers: [alice] };
  const handed = simulateWith({ createArguments: { ...payload, ...others, amount: '12.5' } });
  expect(handed.steps[0]!.missing).toEqual([{ parties: [bank], node: 0 }]);
  expect(Buffer.compare(canticle.dump(), before)).toBe(0);
});

it('adds a contract of another ledger from its blob', async () => {
  const path = '/v2/events/events-by-contract-id';
  const cumulative = [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ];
  const contractId = first.create(IOU, payload, { actAs: both });
  const eventFormat = { filtersByParty: { [alice]: { cumulative } }, verbose: false };
  const answer = await canticle.handle({ path, body: { contractId, eventFormat } });
  const { createdEventBlob } = (answer.json() as Json).created.createdEvent;
  canticle.revert(start);
  const command = exercise(contractId, 'Iou_Split', { splitAmount: '1.0' });
  const contracts = [{ createdEventBlob }];
  expect(canticle.simulate(command, { actAs: alice }).outcome).toBe('refused');
  expect(canticle.simulate(command, { actAs: alice, contracts }).outcome).toBe('accepted');
});

it('omits the trace on request', () => {
  const traceOf = (options: object) =>
    canticle.simulate(create, { actAs: both, ...options }).steps[0]!.trace;
  expect(traceOf({})).toBeDefined();
  expect(traceOf({ trace: true })).toBeDefined();
  expect(traceOf({ trace: false })).toBeUndefined();
  const refused = (options: object) =>
    canticle.simulate(create, { actAs: alice, ...options }).steps[0]!;
  expect(refused({})).toMatchObject({ outcome: 'refused', trace: expect.anything() });
  expect(refused({ trace: false })).not.toHaveProperty('trace');
});

it('rejects a replacement of an archived contract, and a blob of an existing one', async () => {
  const contractId = first.create(IOU, payload, { actAs: both });
  const path = '/v2/events/events-by-contract-id';
  const cumulative = [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ];
  const eventFormat = { filtersByParty: { [alice]: { cumulative } }, verbose: false };
  const answer = await canticle.handle({ path, body: { contractId, eventFormat } });
  const { createdEventBlob } = (answer.json() as Json).created.createdEvent;
  const simulateWith = (override: object) => () =>
    canticle.simulate(create, { actAs: both, contracts: [override] });
  expect(simulateWith({ createdEventBlob })).toThrow(`Contract ${contractId} is here already`);
  first.archive(IOU, contractId, { actAs: both });
  expect(simulateWith({ contractId, archived: true })).toThrow(
    `There is no active contract ${contractId} to replace`,
  );
});

it.each([
  [{}, 'A contract needs exactly one of archived, createArguments and createdEventBlob'],
  [
    { contractId: '00', archived: false },
    'A contract needs exactly one of archived, createArguments and createdEventBlob',
  ],
  [
    { contractId: '00', createdEventBlob: '' },
    'A contract needs exactly one of archived, createArguments and createdEventBlob',
  ],
  [
    { contractId: '00', archived: true, createArguments: {} },
    'A contract needs exactly one of archived, createArguments and createdEventBlob',
  ],
  [{ archived: true }, 'There is no active contract  to replace'],
  [{ contractId: '00', archived: true }, 'There is no active contract 00 to replace'],
])('rejects the replacement %p', (override, why) => {
  expect(() => canticle.simulate(create, { actAs: both, contracts: [override] })).toThrow(why);
});

it('has no effect on streams, coverage and automation', () => {
  const heard = jest.fn();
  const stop = first.engine.log.onAppend(heard);
  canticle.network.onCommit(heard);
  canticle.coverage.start();
  const before = [canticle.coverage.report(), canticle.requests.list()];
  canticle.simulate([create, exercise('{{0.created.0}}', 'Archive', {})], { actAs: both });
  expect([canticle.coverage.report(), canticle.requests.list()]).toEqual(before);
  expect(heard).not.toHaveBeenCalled();
  first.create(IOU, payload, { actAs: both });
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
});

it('reports a submission that would wait for a paused synchronizer, and does not queue it', () => {
  canticle.pauseSynchronizer();
  expect(canticle.simulate(create, { actAs: both }).outcome).toBe('waiting');
  expect(canticle.network.inFlight.size).toBe(0);
});

it.each([
  ['an unknown participant', { participant: 'three' }, 'Unknown participant three'],
  ['a time in the past', { time: '2025-01-01T00:00:00Z' }, 'Time cannot go back'],
] as const)('rejects %s', (_, options, why) => {
  expect(() => canticle.simulate(create, { actAs: both, ...options })).toThrow(why);
});

it('rejects an invalid submission, and a reference to a missing step', () => {
  expect(() => canticle.simulate({} as never, { actAs: both })).toThrow(
    'Step 0 of the simulation cannot be read',
  );
  expect(() =>
    canticle.simulate([create, exercise('{{0.created.1}}', 'Archive', {})], { actAs: both }),
  ).toThrow('Step 1 of the simulation cannot be read: no earlier step made {{0.created.1}}');
  expect(canticle.network.journal.isRehearsing).toBe(false);
});
