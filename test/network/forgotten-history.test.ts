/** Pruning that gives memory back: what is left, what is refused from then on, and what others can still be asked for. */
import { createCanticle, type Canticle } from 'canticle';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

function worldOf(names: readonly string[]) {
  const canticle = createCanticle({ seed: 1, participants: names.map((name) => ({ name })) });
  const [first, second = first!] = canticle.participants;
  const bank = first!.allocateParty('bank');
  const owner = second.allocateParty('owner');
  const actAs = [bank];
  const payload = { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [owner] };
  return {
    canticle,
    create: (): string => first!.create(IOU, payload, { actAs }),
    archive: (id: string) => first!.archive(IOU, id, { actAs }),
    bank,
    owner,
    payload,
  };
}

/** Answers of the Ledger API and of Scan, in this process. */
function requestsTo(canticle: Canticle) {
  const request = async (path: string, body: unknown, headers = {}) => {
    const answer = await canticle.handle({ path, body, headers, method: 'POST' } as never);
    return { status: answer.status, body: JSON.parse(String(answer.body)) as unknown };
  };
  return request;
}

const all = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
const filters = (party: string) => ({ filtersByParty: { [party]: { cumulative: [all] } } });

it('keeps active contracts, continues the offsets, and hides archived contracts from Scan', async () => {
  const { canticle, create, archive, owner } = worldOf(['one']);
  const { participant } = canticle;
  const retained = create();
  for (let n = 0; n < 5; n += 1) archive(create());
  create();
  const end = participant.ledgerEnd;
  const before = canticle.network.ledgerHistory.length;
  expect(participant.prune(end - 1, { forgetHistory: true })).toBe(end - 1);
  expect(canticle.network.ledgerHistory.length).toBe(before - 10);
  expect(participant.activeContracts({ template: IOU })).toHaveLength(2);
  archive(retained);
  expect(participant.ledgerEnd).toBe(end + 1);
  const request = requestsTo(canticle);
  const scan = { host: 'scan.localhost' };
  const page = await request('/api/scan/v2/updates', { page_size: 100 }, scan);
  const { transactions } = page.body as { transactions: { update_id: string }[] };
  expect(transactions).toHaveLength(canticle.network.ledgerHistory.length);
  const update = await request('/v2/updates/update-by-offset', {
    offset: end - 2,
    updateFormat: {
      includeTransactions: {
        eventFormat: { ...filters(owner), verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  });
  expect(update.body).toMatchObject({ code: 'UPDATE_NOT_FOUND' });
  const flats = await request('/v2/updates', {
    beginExclusive: 0,
    endInclusive: end,
    updateFormat: { includeReassignments: { ...filters(owner), verbose: false } },
  });
  expect(flats.body).toMatchObject({ code: 'PARTICIPANT_PRUNED_DATA_ACCESSED' });
});

it('keeps the history of a participant that has not pruned', () => {
  const { canticle, create, archive } = worldOf(['one', 'two']);
  const [one, two] = canticle.participants;
  const ended = create();
  archive(ended);
  create();
  const before = canticle.network.ledgerHistory.length;
  one!.prune(undefined, { forgetHistory: true });
  expect(canticle.network.ledgerHistory.length).toBe(before);
  expect(canticle.network.contracts.get(ended)).toBeDefined();
  two!.prune(undefined, { forgetHistory: true });
  expect(canticle.network.ledgerHistory.length).toBe(before - 2);
  expect(canticle.network.contracts.get(ended)).toBeUndefined();
});

it('removes earlier snapshots and the start, and later snapshots work', () => {
  const { canticle, create, archive } = worldOf(['one']);
  const early = canticle.snapshot();
  archive(create());
  const retained = create();
  canticle.participant.prune(undefined, { forgetHistory: true });
  const forgot = 'a pruning forgot all history before it (forgetHistory)';
  expect(() => canticle.revert(early)).toThrow(`Snapshot ${early} is gone: ${forgot}`);
  expect(() => canticle.revert('snapshot-99')).toThrow('Unknown snapshot snapshot-99');
  expect(() => canticle.reset()).toThrow(`There is no start to go back to: ${forgot}`);
  const late = canticle.snapshot();
  const end = canticle.participant.ledgerEnd;
  archive(retained);
  create();
  canticle.revert(late);
  expect(canticle.participant.ledgerEnd).toBe(end);
  expect(canticle.participant.activeContracts({ template: IOU })).toHaveLength(1);
  archive(retained);
  canticle.reset();
  expect(canticle.participant.ledgerEnd).toBe(end);
});

it('still knows an accepted command, and rejects a pruned contract', async () => {
  const { canticle, create, archive, bank, payload } = worldOf(['one']);
  const request = requestsTo(canticle);
  const command = {
    commands: [{ CreateCommand: { templateId: IOU, createArguments: payload } }],
    userId: 'somebody',
    commandId: 'once',
    actAs: [bank],
  };
  const submitted = () => request('/v2/commands/submit-and-wait', command);
  expect(await submitted()).toMatchObject({ status: 200 });
  const gone = create();
  const { participant } = canticle;
  const state = { filter: filters(bank), verbose: false, activeAtOffset: participant.ledgerEnd };
  type Entry = {
    contractEntry: { JsActiveContract: { createdEvent: Record<string, string> } };
  };
  const active = (await request('/v2/state/active-contracts', state)).body as Entry[];
  const { createdEvent } = active.at(-1)!.contractEntry.JsActiveContract;
  expect(createdEvent.contractId).toBe(gone);
  archive(gone);
  create();
  participant.prune(undefined, { forgetHistory: true });
  expect((await submitted()).body).toMatchObject({ code: 'DUPLICATE_COMMAND' });
  expect(() => archive(gone)).toThrow('CONTRACT_NOT_FOUND');
  const { templateId, contractId, createdEventBlob } = createdEvent;
  const disclosed = await request('/v2/commands/submit-and-wait', {
    commands: [
      { ExerciseCommand: { templateId, contractId, choice: 'Archive', choiceArgument: {} } },
    ],
    userId: 'somebody',
    commandId: 'disclosed',
    actAs: [bank],
    disclosedContracts: [{ templateId, contractId, createdEventBlob, synchronizerId: '' }],
  });
  expect(disclosed.body).toMatchObject({ code: 'LOCAL_VERDICT_INACTIVE_CONTRACTS' });
});

it('drops a command with a generated id', async () => {
  const { canticle, create, bank, payload } = worldOf(['one']);
  const request = requestsTo(canticle);
  const userId = 'somebody';
  canticle.participant.create(IOU, payload, { actAs: [bank], userId });
  const answer = await request('/v2/commands/completions?stream_idle_timeout_ms=1', {
    userId,
    parties: [bank],
    beginExclusive: canticle.participant.ledgerEnd - 1,
  });
  const [{ completionResponse }] = answer.body as any[];
  const { commandId } = completionResponse.Completion.value;
  const again = () =>
    request('/v2/commands/submit-and-wait', {
      commands: [{ CreateCommand: { templateId: IOU, createArguments: payload } }],
      ...{ userId, commandId, actAs: [bank] },
    });
  expect((await again()).body).toMatchObject({ code: 'DUPLICATE_COMMAND' });
  create();
  canticle.participant.prune(undefined, { forgetHistory: true });
  expect((await again()).status).toBe(200);
});

it('drops reassignments with their contracts, and keeps reassignments in flight', async () => {
  const synchronizers = [
    { alias: 'global', identifier: 'global-domain' },
    { alias: 'app', identifier: 'app-domain' },
  ];
  const canticle = createCanticle({ seed: 1, synchronizers });
  const { participant, network } = canticle;
  const [source, target] = network.synchronizers.map(({ id }) => id) as [string, string];
  const bank = participant.allocateParty('bank', { synchronizers: ['global', 'app'] });
  const by = { actAs: [bank] };
  const payload = { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [] };
  const create = () => participant.create(IOU, payload, { ...by, synchronizer: 'global' });
  const history = () =>
    Array.from({ length: network.ledgerHistory.length }, (_, n) => network.ledgerHistory.at(n)!);
  const done = <T>(action: () => T): [T, string] => [action(), history().at(-1)!.updateId];
  const move = (ids: string[]) =>
    requestsTo(canticle)('/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        submitter: bank,
        userId: 'tester',
        commandId: 'move',
        commands: ids.map((contractId) => ({
          command: { UnassignCommand: { value: { contractId, source, target } } },
        })),
      },
    });

  const atStart = history().map(({ updateId }) => updateId);
  // One has moved and ended, of two that move together one has ended, one is in flight, and one was split into two that are active.
  const ended = create();
  const endedMove = participant.unassign(ended, { to: 'app' });
  participant.assign(endedMove);
  participant.archive(IOU, ended, by);
  const [[first, made1], [second]] = [done(create), done(create)];
  await move([first, second]);
  const left = history().at(-1)!;
  const [, arrived] = done(() =>
    participant.assign(left.kind === 'reassignment' ? left.events[0]!.reassignmentId : ''),
  );
  participant.archive(IOU, second, by);
  const [flying, made3] = done(create);
  const [inFlight, gone] = done(() => participant.unassign(flying, { to: 'app' }));
  const whole = create();
  const [, split] = done(() =>
    participant.exercise(IOU, whole, 'Iou_Split', { splitAmount: '0.5' }, by),
  );
  create();
  const last = history().at(-1)!.updateId;

  participant.prune(undefined, { forgetHistory: true });
  const ids = history().map(({ updateId }) => updateId);
  expect(ids.filter((id) => !atStart.includes(id))).toEqual([
    made1,
    left.updateId,
    arrived,
    made3,
    gone,
    split,
    last,
  ]);
  expect(() => participant.assign(endedMove)).toThrow('unknown reassignment id');
  participant.assign(inFlight);
  expect(participant.contract(flying)?.synchronizerId).toBe(target);
});
