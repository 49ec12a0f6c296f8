/** Command submission (B-CMD-*): what an accepted one answers, and which rule refuses the others. */
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';
import { outcome } from '../../../support/ledger.js';
import { submit } from '../../../../src/network/index.js';

let api: LedgerApi;
let alice: string;
let bob: string;

beforeAll(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterAll(() => api.client.close());

const dummy = () => create(model('Dummy'), { operator: alice });
const effects = (...parties: string[]) => transactionFormat('LEDGER_EFFECTS', eventFormat(parties));

it('requires a command, also in-process', () => {
  const info = { commandId: 'none', userId: 'tester', actAs: [alice] };
  const submitted = () => submit(api.canticle.participant.engine, { ...info, commands: [] });
  expect(outcome(submitted)).toBe('MISSING_FIELD');
});

describe('an accepted submission', () => {
  it('returns its update id and offset (B-CMD-001, B-CMD-002)', async () => {
    const { updateId, completionOffset } = await api.submit(dummy(), { actAs: alice });
    expect(updateId).toMatch(/^1220[0-9a-f]{64}$/);
    expect(completionOffset).toBe(await api.ledgerEnd());
    const format = { includeTransactions: effects(alice) };
    const { update } = await api.ok('/v2/updates/update-by-id', { updateId, updateFormat: format });
    expect(update.Transaction.value).toMatchObject({ updateId, offset: completionOffset });
  });

  it('may be asynchronous (B-CMD-003)', async () => {
    const begin = await api.ledgerEnd();
    expect(
      await api.ok('/v2/commands/async/submit', api.commands(dummy(), { actAs: alice })),
    ).toEqual({});
    expect(await api.ledgerEnd()).toBe(begin + 1);
  });

  it('returns ACS_DELTA events of its parties by default (B-CMD-004, B-CMD-005)', async () => {
    const transaction = await api.transact(
      create(model('WithObservers'), { giver: alice, observers: [bob] }),
      {
        actAs: alice,
        readAs: [bob],
      },
    );
    expect(transaction.events).toHaveLength(1);
    expect(transaction.events[0].CreatedEvent.witnessParties).toEqual([alice, bob].sort());
  });

  it.each([
    [
      'the format filters everything out (B-CMD-006)',
      () => transactionFormat('LEDGER_EFFECTS', eventFormat([bob])),
    ],
    ['it is only a non-consuming exercise (B-CMD-007)', () => undefined],
  ])('has its header and no events if %s', async (_why, format) => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const look = exercise(model('Dummy'), contractId, 'Look');
    const transaction = await api.transact(look, { actAs: alice, workflowId: 'flow' }, format());
    expect(transaction).toMatchObject({
      events: [],
      workflowId: 'flow',
      offset: await api.ledgerEnd(),
    });
    expect(transaction.commandId).not.toBe('');
  });

  it('omits transient contracts in ACS_DELTA shape (B-CMD-008)', async () => {
    const command = createAndExercise(model('Dummy'), { operator: alice }, 'Consume');
    expect((await api.transact(command, { actAs: alice })).events).toEqual([]);
  });

  it('has a create and then the exercise in LEDGER_EFFECTS shape (B-CMD-010)', async () => {
    const command = createAndExercise(model('Dummy'), { operator: alice }, 'Consume');
    const { events } = await api.transact(command, { actAs: alice }, effects(alice));
    expect(events.map((event: object) => Object.keys(event)[0])).toEqual([
      'CreatedEvent',
      'ExercisedEvent',
    ]);
  });

  it('may have 15 commands in one transaction (B-CMD-012)', async () => {
    const before = await api.ledgerEnd();
    const { events } = await api.transact(Array.from({ length: 15 }, dummy), { actAs: alice });
    expect(events).toHaveLength(15);
    expect(await api.ledgerEnd()).toBe(before + 1);
  });

  it('may have null in each optional field (B-CMD-038, B-CMD-048)', async () => {
    const unset = {
      workflowId: null,
      deduplicationPeriod: null,
      minLedgerTimeAbs: null,
      minLedgerTimeRel: null,
    };
    await api.submit(dummy(), { actAs: alice, ...unset, synchronizerId: null, submissionId: null });
  });

  it('fails in the JSON layer for impossible names (B-ERR-008)', async () => {
    const packageId = model('Dummy').split(':')[0];
    const refused = async (command: object) => {
      const commands = api.commands(command, { actAs: alice });
      const { status, body } = await api.post('/v2/commands/submit-and-wait', commands);
      return [status, body.code, body.cause, body.definiteAnswer];
    };
    const invalidArgument = (fault: string) => [
      400,
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: ${fault}`,
      false,
    ];
    expect(await refused(exercise(`${'0'.repeat(64)}:A:B`, 'no id', ''))).toEqual(
      invalidArgument('Daml-LF Name is empty'),
    );
    expect(await refused(create(`${packageId}:9:B`, {}))).toEqual(
      invalidArgument('non expected first character 0x39 in Daml-LF Name "9"'),
    );
  });

  it('has the trace id of its request or a new one, even before the participant runs (B-ERR-027)', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const named = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const submitAndWait = '/v2/commands/submit-and-wait';
    const unknown = api.commands(create('#unknown:A:B', {}), { actAs: alice });
    const refused = async (path: string, body: object, headers = {}) => {
      const answer = await api.client.ledger('POST', path, body, { headers });
      const { category, tid } = answer.body.context;
      expect(category).toMatch(/^\d+$/);
      return [answer.body.traceId, answer.body.correlationId, tid];
    };
    for (const [path, body] of [
      [submitAndWait, unknown],
      ['/v2/updates', { beginExclusive: 0 }],
      ['/v2/updates/transaction-by-offset', { offset: 1 }],
    ] as const) {
      const [begun, none, tid] = await refused(path, body);
      expect(begun).toMatch(/^[0-9a-f]{32}$/);
      expect([none, tid]).toEqual([null, begun]);
      expect(await refused(path, body, { traceparent: 'nonsense' })).toEqual([
        null,
        null,
        undefined,
      ]);
      expect(await refused(path, body, named)).toEqual([traceId, null, traceId]);
    }
    const late = api.commands(dummy(), { actAs: alice, commandId: '' });
    expect((await refused(submitAndWait, late))[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('returns a tree for the older form of a request (B-CMD-011)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const commands = api.commands(exercise(model('Dummy'), contractId, 'Clone'), { actAs: alice });
    const { transactionTree } = await api.ok(
      '/v2/commands/submit-and-wait-for-transaction-tree',
      commands,
    );
    const { eventsById, traceContext, offset } = transactionTree;
    expect(
      Object.entries(eventsById).map(([id, event]) => [id, Object.keys(event as object)]),
    ).toEqual([
      ['0', ['ExercisedTreeEvent']],
      ['1', ['CreatedTreeEvent']],
      ['2', ['CreatedTreeEvent']],
    ]);
    expect(traceContext.traceparent).toMatch(/^00-[0-9a-f]{32}-/);
    expect(offset).toBe(await api.ledgerEnd());
  });

  it.each([
    ['commands', { commands: [] }, 'MISSING_FIELD'],
    ['command_id', { commandId: '' }, 'MISSING_FIELD'],
    ['act_as/actAs', { actAs: [] }, 'MISSING_FIELD'],
    [
      'min_ledger_time_abs',
      { minLedgerTimeAbs: '2026-01-01T00:00:00Z', minLedgerTimeRel: { seconds: 1, nanos: 0 } },
      'INVALID_ARGUMENT',
    ],
    ['passes', { tapsMaxPasses: 0 }, 'INVALID_ARGUMENT'],
  ])(
    'is rejected for its %s if it is %j (B-CMD-013, B-CMD-014, B-CMD-021, B-CMD-022)',
    async (field, more, code) => {
      const body = { ...api.commands(dummy(), { actAs: alice }), ...more };
      const answer = await api.post('/v2/commands/submit-and-wait', body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      if (code === 'MISSING_FIELD') expect(answer.body.context.field_name).toBe(field);
      await api.submit(dummy(), { actAs: alice, tapsMaxPasses: 5 });
    },
  );

  it("rejects a ledger time beyond Daml's maximum", async () => {
    const body = {
      ...api.commands(dummy(), { actAs: alice }),
      minLedgerTimeAbs: '+10000-01-01T00:00:00Z',
    };
    const { status, body: refusal } = await api.post('/v2/commands/submit-and-wait', body);
    expect([status, refusal.code, refusal.cause]).toEqual([
      400,
      'INVALID_ARGUMENT',
      'The submitted request has invalid arguments: Can not represent command ledger time +10000-01-01T00:00:00Z as a Daml timestamp',
    ]);
    // The last one of all is a time, though far from now.
    const last = { actAs: alice, minLedgerTimeAbs: '9999-12-31T23:59:59.999999Z' };
    expect(await api.submitRefusal(dummy(), last)).toBe('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND');
  });

  it("has the interpreter's text as its cause, except for a missing contract (B-ERR-025)", async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const answerTo = async (submitted: unknown, actAs = alice) =>
      (await api.post('/v2/commands/submit-and-wait', api.commands(submitted, { actAs }))).body;
    const look = exercise(model('Dummy'), contractId, 'Look');
    const missing = await answerTo(look, bob);
    expect(missing.cause).toMatch(/^Contract could not be found/);
    expect(missing.context).not.toHaveProperty('interpretation');
    const unauthorized = await answerTo(create(model('Dummy'), { operator: bob }));
    expect(unauthorized.cause).toMatch(/^Interpretation error: Error:.*requires authorizers/);
    expect((await answerTo(exercise(model('Dummy'), contractId, 'Assert'))).cause).toMatch(
      /^Interpretation error: Error: /,
    );
  });

  it('has no external hash for a local party (B-CMD-045)', async () => {
    expect((await api.transact(dummy(), { actAs: alice })).externalTransactionHash).toBeNull();
  });

  const nobodys = () => api.commands(dummy(), { actAs: alice, userId: '' });
  it('uses the user of the token if it names none (B-CMD-017)', async () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'token-user' })).toString('base64url');
    const sent = { headers: { authorization: `Bearer e30.${claims}.` } };
    const body = api.commands(dummy(), { actAs: alice, userId: '' });
    expect(
      (await api.client.ledger('POST', '/v2/commands/submit-and-wait', body, sent)).status,
    ).toBe(200);
    const completions = await api.ok('/v2/commands/completions?limit=1', {
      userId: 'token-user',
      parties: [alice],
      beginExclusive: (await api.ledgerEnd()) - 1,
    });
    expect(completions[0].completionResponse.Completion.value.userId).toBe('token-user');
  });

  it.each([
    ['/v2/commands/submit-and-wait', () => nobodys()],
    ['/v2/commands/async/submit', () => nobodys()],
    ['/v2/commands/submit-and-wait-for-transaction', () => ({ commands: nobodys() })],
    [
      '/v2/commands/async/submit-reassignment',
      () => ({
        reassignmentCommands: { submitter: alice, userId: '', commandId: 'move', commands: [] },
      }),
    ],
    ['/v2/commands/completions', () => ({ parties: [alice], beginExclusive: 0 })],
  ])('%s is rejected if neither it nor a token names a user (B-CMD-017)', async (path, body) => {
    expect(await api.post(path, body())).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_TOKEN',
        cause:
          'The submitted request is missing a user-id: Cannot default user_id field because claims do not specify an user-id. Is authentication turned on?',
      },
    });
  });

  it('drops readAs parties that also act (B-CMD-023)', async () => {
    await api.submit(dummy(), { actAs: [alice, bob], readAs: [alice] });
  });
});

describe('authority and visibility', () => {
  it('rejects a submission without actAs (B-CMD-014)', () => {
    const { participant } = api.canticle;
    const submission = () => participant.create(model('Dummy'), { operator: alice }, { actAs: [] });
    expect(submission).toThrow(
      'MISSING_FIELD: The submitted command is missing a mandatory field: party or act_as',
    );
  });

  it('several actAs parties combine their authority, and readAs only extends visibility (B-CMD-024, B-CMD-025)', async () => {
    const parties = { operator: alice, receiver: bob, giver: alice };
    const proposal = await api.create(model('TriProposal'), parties, { actAs: alice });
    const accept = exercise(model('TriProposal'), proposal, 'Accept');
    expect(await api.submitRefusal(accept, { actAs: alice, readAs: [bob] })).toBe(
      'DAML_AUTHORIZATION_ERROR',
    );
    await api.submit(accept, { actAs: [alice, bob] });
  });

  it('an invisible, unknown or archived contract is not found (B-CMD-026, B-CMD-028)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const consume = exercise(model('Dummy'), contractId, 'Consume');
    expect(await api.submitRefusal(consume, { actAs: bob })).toBe('CONTRACT_NOT_FOUND');
    expect(await api.submitRefusal(consume, { actAs: bob, readAs: [alice] })).toBe(
      'DAML_AUTHORIZATION_ERROR',
    );
    await api.submit(consume, { actAs: alice });
    expect(await api.submitRefusal(consume, { actAs: alice })).toBe('CONTRACT_NOT_FOUND');
    const unknown = exercise(
      model('Dummy'),
      `00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`,
      'Consume',
    );
    expect(await api.submitRefusal(unknown, { actAs: alice })).toBe('CONTRACT_NOT_FOUND');
  });

  it.each([
    ['ca10', `00${'0'.repeat(64)}ca101220${'0'.repeat(64)}`, 'CONTRACT_NOT_FOUND'],
    ['ca11', `00${'0'.repeat(64)}ca111220${'0'.repeat(64)}`, 'CONTRACT_NOT_FOUND'],
    ['the next one', `00${'0'.repeat(64)}ca131220${'0'.repeat(64)}`, 'NA'],
    ['a hash that is too long', `00${'0'.repeat(64)}ca121220${'0'.repeat(66)}`, 'NA'],
    ['another hash', `00${'0'.repeat(64)}ca121120${'0'.repeat(64)}`, 'NA'],
    ['a relative one', `01${'1'.repeat(24)}00${'1'.repeat(64)}`, 'CONTRACT_NOT_FOUND'],
    ['an absolute one', `01${'1'.repeat(24)}80${'1'.repeat(64)}`, 'CONTRACT_NOT_FOUND'],
    ['neither', `01${'1'.repeat(24)}01${'1'.repeat(64)}`, 'NA'],
  ])('resolves or rejects a contract id with a suffix of %s (B-ID-033)', async (_, id, code) => {
    const { status, body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(exercise(model('Dummy'), id, 'Consume'), { actAs: alice }),
    );
    expect([status, body.code]).toEqual([code === 'NA' ? 500 : 404, code]);
    if (code === 'NA') expect([body.correlationId, body.traceId]).toEqual([null, null]);
  });

  it('a contract that one submission consumes twice is not active (B-CMD-027)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const consume = exercise(model('Dummy'), contractId, 'Consume');
    expect(await api.submitRefusal([consume, consume], { actAs: alice })).toBe(
      'CONTRACT_NOT_ACTIVE',
    );
    await api.submit(consume, { actAs: alice });
  });

  it('one of several concurrent double spends is accepted (B-CMD-029)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const consume = exercise(model('Dummy'), contractId, 'Consume');
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => api.submitRefusal(consume, { actAs: alice })),
    );
    expect(outcomes.sort()).toEqual([...Array(4).fill('CONTRACT_NOT_FOUND'), 'accepted']);
  });

  it('a new contract can be exercised (B-EVT-030), but not with another template (B-CMD-030)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const asNest = exercise(model('Nest'), contractId, 'Deepen', { levels: '0' });
    expect(await api.submitRefusal(asNest, { actAs: alice })).toBe('WRONGLY_TYPED_CONTRACT');
    await api.submit(exercise(model('Dummy'), contractId, 'Look'), { actAs: alice });
  });
});

describe('choices', () => {
  it('choices of an interface use the interface id, which events name (B-CMD-033, B-CMD-034)', async () => {
    const coin = await api.create(model('Coin'), { owner: alice, label: 'x' }, { actAs: alice });
    expect(await api.submitRefusal(exercise(model('Coin'), coin, 'Touch'), { actAs: alice })).toBe(
      'INVALID_ARGUMENT',
    );
    const touched = await api.transact(
      exercise(model('Asset'), coin, 'Touch'),
      { actAs: alice },
      effects(alice),
    );
    const [{ ExercisedEvent: event }] = touched.events;
    expect(event).toMatchObject({ choice: 'Touch', exerciseResult: 'x', consuming: false });
    expect(event.interfaceId).toMatch(/^[0-9a-f]{64}:Test:Asset$/);
    const archived = await api.transact(
      exercise(model('Coin'), coin, 'Archive', null),
      { actAs: alice },
      effects(alice),
    );
    expect(archived.events[0].ExercisedEvent).toMatchObject({
      choice: 'Archive',
      consuming: true,
      interfaceId: null,
    });
  });

  it('a create by interface parses its arguments as the view, and then finds no template (B-CMD-060)', async () => {
    const submit = (argument: object) =>
      api.post(
        '/v2/commands/submit-and-wait',
        api.commands(create(model('Asset'), argument), { actAs: alice }),
      );
    expect((await submit({})).body).toMatchObject({
      code: 'COMMAND_PREPROCESSING_FAILED',
      cause: 'Missing non-optional fields: Set(owner, label)',
    });
    expect(await submit({ owner: alice, label: 'x' })).toMatchObject({
      status: 400,
      body: {
        code: 'COMMAND_PREPROCESSING_FAILED',
        cause: expect.stringMatching(/^unknown template [0-9a-f]{64}:Test:Asset$/) as string,
      },
    });
  });

  it('the error names the last invalid command, but an unknown template first (B-CMD-061)', async () => {
    const refusal = async (...commands: object[]) => {
      const request = api.commands(commands, { actAs: alice });
      return (await api.post('/v2/commands/submit-and-wait', request)).body.cause;
    };
    const first = create(model('Dummy'), { operator: 1 });
    const second = create(model('Dummy'), { operator: 2 });
    expect(await refusal(first, second)).toBe('Expected ujson.Str (data: 2)');
    expect(await refusal(first, second, dummy())).toBe('Expected ujson.Str (data: 2)');
    expect(await refusal(create(model('Nothing'), {}), second)).toMatch(/^Templates do not exist/);
    expect(await refusal(first, create(model('Nothing'), {}))).toMatch(/^Templates do not exist/);
  });

  it('rejects an interface that the contract does not implement', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    expect(
      await api.submitRefusal(exercise(model('Asset'), contractId, 'Touch'), { actAs: alice }),
    ).toBe('CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE');
  });

  it('Daml code selects the category of a failure, except of an assertion (B-CMD-035, B-CMD-037, B-ERR-024, B-ERR-026)', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const run = (choice: string, argument?: unknown) =>
      api.post(
        '/v2/commands/submit-and-wait',
        api.commands(exercise(model('Dummy'), contractId, choice, argument), { actAs: alice }),
      );
    const chosen = await run('Fail', { message: 'no such thing' });
    expect(chosen.status).toBe(404);
    expect(chosen.body).toMatchObject({
      code: 'DAML_FAILURE',
      errorCategory: 11,
      grpcCodeValue: 5,
    });
    expect(chosen.body.context).toMatchObject({ error_id: 'test/failed', hint: 'none' });
    expect(chosen.body.context.exercise_trace).toContain(':Test:Dummy:Fail on contract');
    expect(chosen.body.cause).toContain('test/failed (error category 11): no such thing');
    const asserted = await run('Assert');
    expect(asserted.status).toBe(400);
    expect(asserted.body).toMatchObject({ code: 'DAML_FAILURE', grpcCodeValue: 9 });
  });

  it('a violated ensure clause has its own error (B-CMD-036)', async () => {
    const negative = create(model('WithParam'), { operator: alice, number: '-1' });
    expect(await api.submitRefusal(negative, { actAs: alice })).toBe(
      'TEMPLATE_PRECONDITION_VIOLATED',
    );
  });

  it('a failed submission changes nothing', async () => {
    const before = await api.ledgerEnd();
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const commands = [dummy(), exercise(model('Dummy'), contractId, 'ConsumeTwice')];
    expect(await api.submitRefusal(commands, { actAs: alice })).toBe('CONTRACT_NOT_ACTIVE');
    expect(await api.ledgerEnd()).toBe(before + 1);
    await api.submit(exercise(model('Dummy'), contractId, 'Consume'), { actAs: alice });
  });

  it('errors have the submission id as correlation id, except errors of the JSON layer', async () => {
    const correlation = async (more: object, command: unknown = []) => {
      const { body } = await api.post(
        '/v2/commands/submit-and-wait',
        api.commands(command, { actAs: alice, ...more }),
      );
      expect(body.code).toBeDefined();
      return body.correlationId;
    };
    expect(await correlation({ submissionId: 'mine' })).toBe('mine');
    expect(await correlation({})).toMatch(/^[0-9a-f]{8}-/);
    expect(await correlation({ submissionId: 'mine' }, create('#no:A:B', {}))).toBeNull();
    const ahead = { minLedgerTimeRel: { seconds: 3600, nanos: 0 }, submissionId: 'mine' };
    expect(await correlation(ahead, dummy())).toBeNull();
  });

  it('commits a transaction even if the requested format cannot show it', async () => {
    const before = await api.ledgerEnd();
    const unknown = { filtersByParty: { [alice]: { cumulative: [byTemplate('#no:A:B')] } } };
    expect(
      await api.refusal('/v2/commands/submit-and-wait-for-transaction', {
        commands: api.commands(dummy(), { actAs: alice }),
        transactionFormat: transactionFormat('ACS_DELTA', unknown),
      }),
    ).toBe('PACKAGE_NAMES_NOT_FOUND');
    expect(await api.ledgerEnd()).toBe(before + 1);
  });
});

describe('ledger time', () => {
  const created = async (more: object) => {
    const transaction = await api.transact(dummy(), { actAs: alice, ...more });
    return { transaction, created: transaction.events[0].CreatedEvent };
  };

  it('is at or after the requested minimum, and equals createdAt of new contracts (B-EVT-014, B-EVT-029)', async () => {
    api.canticle.setTime('2026-03-01T00:00:00Z');
    const { transaction, created: event } = await created({
      minLedgerTimeAbs: '2026-03-01T00:00:10Z',
    });
    expect(transaction.effectiveAt).toBe('2026-03-01T00:00:10Z');
    expect(event.createdAt).toBe(transaction.effectiveAt);
    const relative = await created({ minLedgerTimeRel: { seconds: 5, nanos: 0 } });
    expect(relative.transaction.effectiveAt).toMatch(/^2026-03-01T00:00:05/);
    const early = await created({ minLedgerTimeAbs: '2020-01-01T00:00:00Z' });
    expect(early.transaction.effectiveAt).toMatch(/^2026-03-01T00:00:00/);
  });

  it('that is too far ahead is rejected after sequencing, with a completion (B-CMD-043, B-CMD-044)', async () => {
    const before = await api.ledgerEnd();
    expect(
      await api.submitRefusal(dummy(), {
        actAs: alice,
        minLedgerTimeRel: { seconds: 3600, nanos: 0 },
      }),
    ).toBe('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND');
    expect(await api.ledgerEnd()).toBe(before + 1);
    const format = { includeTransactions: effects() };
    expect(
      await api.refusal('/v2/updates/update-by-offset', {
        offset: before + 1,
        updateFormat: format,
      }),
    ).toBe('UPDATE_NOT_FOUND');
  });
});
