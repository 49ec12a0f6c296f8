/** Requests of earlier releases that 3.5 still takes (B-LEG-004 to B-LEG-013, B-TOP-006). */
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  updateFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(() => api.client.close());

const filter = (...cumulative: unknown[]) => ({ filtersByParty: { [alice]: { cumulative } } });
const list = async (path: string, body: object) => {
  const range = { beginExclusive: 0, endInclusive: await api.ledgerEnd() };
  return (await api.ok(path, { ...range, ...body })).map(({ update }: JsonAnswer) => update);
};
const dummy = () => create(model('Dummy'), { operator: alice });

describe('POST updates/flats and updates/trees', () => {
  it.each(['/v2/updates', '/v2/updates/flats'])(
    '%s: a filter selects ACS_DELTA (B-LEG-005)',
    async (path) => {
      await api.submit(createAndExercise(model('Dummy'), { operator: alice }, 'Clone'), {
        actAs: alice,
      });
      const [update] = await list(path, { filter: filter(wildcard()), verbose: true });
      const kinds = update.Transaction.value.events.map((event: object) => Object.keys(event)[0]);
      expect(kinds).toEqual(['CreatedEvent', 'CreatedEvent']);
      expect([update]).toEqual(await api.updates(updateFormat('ACS_DELTA', eventFormat([alice]))));
    },
  );

  it('trees: a filter selects LEDGER_EFFECTS of each kind of update (B-LEG-006 to B-LEG-008)', async () => {
    await api.submit(createAndExercise(model('Dummy'), { operator: alice }, 'Clone'), {
      actAs: alice,
    });
    const [update] = await list('/v2/updates/trees', { filter: filter(byTemplate(model('Coin'))) });
    const { eventsById, ...transaction } = update.TransactionTree.value;
    expect(Object.keys(eventsById)).toEqual(['0', '1', '2', '3']);
    expect(Object.keys(eventsById[0])).toEqual(['CreatedTreeEvent']);
    expect(eventsById[1].ExercisedTreeEvent.value).toMatchObject({
      choice: 'Clone',
      nodeId: 1,
      lastDescendantNodeId: 3,
    });
    expect(transaction).not.toHaveProperty('events');
  });

  it('trees include reassignments, and fail at a topology change (B-TOP-006)', async () => {
    await api.client.close();
    api = await startLedgerApi({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
    const [source, target] = api.canticle.network.synchronizers.map(({ id }) => id);
    for (const synchronizerId of [source, target])
      alice = (await api.ok('/v2/parties', { partyIdHint: 'alice', synchronizerId })).partyDetails
        .party;
    const contractId = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: source },
    );
    await api.ok('/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        submitter: alice,
        commandId: 'move',
        userId: 'tester',
        commands: [{ command: { UnassignCommand: { value: { contractId, source, target } } } }],
      },
    });
    const topology = {
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } },
    };
    const format = updateFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const found = await list('/v2/updates/trees', { updateFormat: format });
    expect(found.map((update: object) => Object.keys(update)[0])).toEqual([
      'TransactionTree',
      'Reassignment',
    ]);
    const { status, body } = await api.post('/v2/updates/trees', {
      beginExclusive: 0,
      endInclusive: await api.ledgerEnd(),
      updateFormat: { ...format, ...topology },
    });
    expect([status, body]).toMatchObject([
      500,
      {
        code: 'LEDGER_API_INTERNAL_ERROR',
        cause: 'Value Empty was not expected here',
        context: {
          throwableO: 'Some(java.lang.IllegalStateException: Value Empty was not expected here)',
        },
        definiteAnswer: false,
      },
    ]);
  });

  it.each(['/v2/updates', '/v2/updates/flats', '/v2/updates/trees'])(
    '%s requires exactly one form (B-LEG-004)',
    async (path) => {
      const format = updateFormat('ACS_DELTA', eventFormat([alice]));
      const range = { beginExclusive: 0, endInclusive: await api.ledgerEnd() };
      const causes = [];
      for (const form of [
        { updateFormat: format, filter: filter() },
        { updateFormat: format, verbose: true },
        {},
      ]) {
        const { status, body } = await api.post(path, { ...range, ...form });
        expect([status, body.code]).toEqual([400, 'INVALID_ARGUMENT']);
        causes.push(body.cause);
      }
      expect(causes[0]).toContain('Both update_format and filter are set');
      expect(causes[1]).toContain('Both update_format and verbose are set');
      expect(causes[2]).toContain('Either filter/verbose or update_format is required');
      expect(
        (await api.post(path, { ...range, updateFormat: format, verbose: false })).status,
      ).toBe(200);
    },
  );
});

describe('look-ups of transactions', () => {
  const PATHS = {
    id: '/v2/updates/transaction-by-id',
    offset: '/v2/updates/transaction-by-offset',
  };

  it('requestingParties selects a wildcard format of these parties, as ACS_DELTA (B-LEG-009, B-LEG-010, B-LEG-013)', async () => {
    const { updateId, completionOffset: offset } = await api.submit(dummy(), { actAs: alice });
    const { transaction } = await api.ok(PATHS.id, { updateId, requestingParties: [alice] });
    expect(transaction).toMatchObject({
      updateId,
      offset,
      events: [{ CreatedEvent: { witnessParties: [alice] } }],
    });
    const format = transactionFormat('ACS_DELTA', eventFormat([alice]));
    expect(
      (await api.ok(PATHS.offset, { offset, requestingParties: [alice] })).transaction,
    ).toEqual(transaction);
    expect((await api.ok(PATHS.id, { updateId, transactionFormat: format })).transaction).toEqual(
      transaction,
    );
    expect((await api.ok(PATHS.offset, { offset, transactionFormat: format })).transaction).toEqual(
      transaction,
    );
  });

  it.each(['id', 'offset'] as const)('by %s requires exactly one form (B-LEG-009)', async (by) => {
    const { updateId, completionOffset: offset } = await api.submit(dummy(), { actAs: alice });
    const format = transactionFormat('ACS_DELTA', eventFormat([alice]));
    const both = await api.post(PATHS[by], {
      updateId,
      offset,
      requestingParties: [alice],
      transactionFormat: format,
    });
    const none = await api.post(PATHS[by], { updateId, offset });
    expect(both.body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringMatching(/Both transaction_format/),
    });
    expect(none.body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringMatching(/Either transaction_format/),
    });
  });

  it('return trees by id and by offset, for the parties of the query (B-LEG-011)', async () => {
    const { updateId, completionOffset } = await api.submit(dummy(), { actAs: alice });
    const query = `?parties=${encodeURIComponent(alice)}&parties=${encodeURIComponent(bob)}`;
    const byId = await api.client.ledger(
      'GET',
      `/v2/updates/transaction-tree-by-id/${updateId}${query}`,
    );
    const byOffset = await api.client.ledger(
      'GET',
      `/v2/updates/transaction-tree-by-offset/${completionOffset}${query}`,
    );
    expect(byId.body.transaction).toMatchObject({
      updateId,
      eventsById: { 0: { CreatedTreeEvent: { value: { nodeId: 0 } } } },
    });
    expect(byOffset.body).toEqual(byId.body);
  });

  it('reject tree requests without parties, and find no tree for a party that is not a stakeholder (B-LEG-012, B-PTW-002)', async () => {
    const { updateId } = await api.submit(dummy(), { actAs: alice });
    const path = `/v2/updates/transaction-tree-by-id/${updateId}`;
    expect((await api.client.ledger('GET', path)).body.code).toBe('INVALID_ARGUMENT');
    const stranger = await api.client.ledger('GET', `${path}?parties=${encodeURIComponent(bob)}`);
    expect([stranger.status, stranger.body.code]).toEqual([404, 'UPDATE_NOT_FOUND']);
    expect(
      (await api.client.ledger('GET', '/v2/updates/transaction-tree-by-offset/0?parties=a')).body
        .code,
    ).toBe('NON_POSITIVE_OFFSET');
    expect(
      (await api.client.ledger('GET', '/v2/updates/transaction-tree-by-offset/x?parties=a')).status,
    ).toBe(400);
  });
});

it('submit-and-wait-for-transaction-tree returns the tree that its submitters see (B-LEG-008)', async () => {
  const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const commands = api.commands(exercise(model('Dummy'), contractId, 'Clone'), { actAs: alice });
  const { transactionTree } = await api.ok(
    '/v2/commands/submit-and-wait-for-transaction-tree',
    commands,
  );
  expect(transactionTree).toMatchObject({
    commandId: commands.commandId,
    offset: await api.ledgerEnd(),
  });
  expect(
    Object.values(transactionTree.eventsById).map((event: JsonAnswer) => Object.keys(event)[0]),
  ).toEqual(['ExercisedTreeEvent', 'CreatedTreeEvent', 'CreatedTreeEvent']);
  const again = await api.refusal('/v2/commands/submit-and-wait-for-transaction-tree', commands);
  expect(again).toBe('CONTRACT_NOT_FOUND');
});
