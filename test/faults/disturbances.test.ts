/**
 * Changes under a client, as rules, verbs, controls and methods: closed connections, revoked rights, removed packages, restarts of
 * participants, late completions.
 */
import type { FaultAction, FaultRule, OperationId } from 'canticle';
import { model } from '../support/daml/model-package.js';
import { create, eventFormat, exercise, updateFormat, wildcard } from '../support/ledger-api.js';
import { useLedgerApi, useParticipant } from '../support/shared-ledger-api.js';
import { StreamClient } from '../support/stream-client.js';

const api = useLedgerApi({ seed: 8, participants: ['one', 'two'] });
const { canticle } = api;
const two = useParticipant(api, 'two');
const [first, second] = canticle.participants as [
  (typeof canticle.participants)[0],
  (typeof canticle.participants)[0],
];
const alice = first.allocateParty('alice');
const bob = second.allocateParty('bob');
const PATH = '/v2/commands/submit-and-wait';
const OPERATION = 'postV2CommandsSubmit-and-wait';
const DUMMY = model('Dummy');
const WITNESS = model('WithObservers');

const fault = (action: FaultAction, more: Omit<Partial<FaultRule<OperationId>>, 'do'> = {}) =>
  canticle.faults.add({ on: OPERATION, ...more, do: action });
const creating = (commandId: string) =>
  api.commands(create(DUMMY, { operator: alice }), { actAs: alice, commandId });
/** Alice's, which bob may see. */
const witnessed = (commandId: string) =>
  api.commands(create(WITNESS, { giver: alice, observers: [bob] }), { actAs: alice, commandId });
const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => 'answered',
    ({ cause, code }: { cause?: { code?: string }; code?: string }) => cause?.code ?? code,
  );
const post = (body: unknown) =>
  fetch(canticle.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const completions = async (beginExclusive = 0) => {
  const request = { userId: 'tester', parties: [alice], beginExclusive };
  const query = '?stream_idle_timeout_ms=5';
  const { body } = await api.post(`/v2/commands/completions${query}`, request);
  return body.flatMap((each: any) => each.completionResponse.Completion?.value.commandId ?? []);
};

describe('a participant that is not connected', () => {
  it('submits and receives nothing, and receives missed updates in order after it reconnects', async () => {
    await api.post(PATH, witnessed('before'));
    const end = second.ledgerEnd;
    second.disconnect();
    const connected = await two.client.ledger('GET', '/v2/state/connected-synchronizers');
    expect(connected.body).toEqual({ connectedSynchronizers: [] });
    const commands = two.commands(create(DUMMY, { operator: bob }), { actAs: bob });
    const refused = await two.post(PATH, commands);
    expect([refused.status, refused.body.code]).toEqual([400, 'NOT_CONNECTED_TO_ANY_SYNCHRONIZER']);
    const { contractId } = first.activeContracts({ template: WITNESS })[0]!;
    await api.post(PATH, api.commands(exercise(WITNESS, contractId, 'Archive'), { actAs: alice }));
    await api.post(PATH, witnessed('after'));
    expect([second.ledgerEnd, second.activeContracts({ template: WITNESS }).length]).toEqual([
      end,
      1,
    ]);
    const snapshot = canticle.snapshot();
    second.reconnect();
    expect([second.ledgerEnd, second.activeContracts({ template: WITNESS }).length]).toEqual([
      end + 2,
      1,
    ]);
    const request = {
      beginExclusive: 0,
      endInclusive: second.ledgerEnd,
      updateFormat: updateFormat('ACS_DELTA', eventFormat([bob], wildcard())),
    };
    const { body } = await two.post('/v2/updates', request);
    const kinds = body.flatMap((each: any) =>
      (each.update.Transaction?.value.events ?? []).map((event: object) => Object.keys(event)[0]),
    );
    expect(kinds).toEqual(['CreatedEvent', 'ArchivedEvent', 'CreatedEvent']);
    canticle.revert(snapshot);
    expect([second.ledgerEnd, second.activeContracts({ template: WITNESS }).length]).toEqual([
      end,
      1,
    ]);
    second.reconnect();
    expect(second.ledgerEnd).toBe(end + 2);
  });

  it('sends no confirmations, and its submissions wait until it reconnects', async () => {
    // Bob signs it, and alice may act.
    const contractId = second.create(WITNESS, { giver: bob, observers: [alice] }, { actAs: bob });
    const take = exercise(WITNESS, contractId, 'Take', { actor: alice });
    fault({ disconnect: 'global', at: 'two' }, { when: { choice: 'Take' } });
    const { body } = await api.post(PATH, api.commands(take, { actAs: alice }));
    expect(body).toMatchObject({
      code: 'MEDIATOR_SAYS_TX_TIMED_OUT',
      context: { unresponsiveParties: bob },
    });
    canticle.faults.reset();
    second.reconnect();
    canticle.pauseSynchronizer();
    const own = two.commands(create(DUMMY, { operator: bob }), { actAs: bob, commandId: 'late' });
    const pending = two.post(PATH, own);
    while (canticle.network.inFlight.size < 1) await new Promise(setImmediate);
    second.disconnect();
    canticle.resumeSynchronizer();
    expect(canticle.network.inFlight.size).toBe(1);
    second.reconnect();
    expect((await pending).status).toBe(200);
  });

  it('can also be disconnected by a verb and by a control', async () => {
    canticle.scenario.disconnect('two');
    const control = (action: string, name = 'two', body: unknown = {}) =>
      canticle.handle({
        method: 'POST',
        path: `/canticle/v1/participants/${name}/${action}`,
        body,
      });
    expect((await control('disconnect')).json()).toMatchObject({
      error: expect.stringContaining('not connected to synchronizer'),
    });
    expect((await control('reconnect')).json()).toMatchObject({
      participant: 'two',
      connected: ['global'],
    });
    expect((await control('disconnect', 'three')).status).toBe(404);
    canticle.scenario.disconnect('one', { from: 'global' });
    canticle.scenario.reconnect('one', { to: 'global' });
    expect((await control('restart')).status).toBe(200);
  });
});

describe('a late completion', () => {
  it('is missing after the client has its answer, and arrives with later completions', async () => {
    const rule = fault({ hold: 'completion' }, { when: { commandId: 'one' } });
    const stream = await new StreamClient(`${canticle.url}/v2/commands/completions`).send({
      userId: 'tester',
      parties: [alice],
      beginExclusive: canticle.participant.ledgerEnd,
    });
    expect((await api.post(PATH, creating('one'))).status).toBe(200);
    await api.post(PATH, creating('two'));
    expect(await completions()).toEqual([]);
    expect(canticle.faults.held).toEqual([{ fault: rule.id, operation: OPERATION }]);
    expect(stream.elements).toEqual([]);
    expect(canticle.faults.release(rule.id)).toBe(1);
    await stream.until(() => stream.elements.length === 2);
    expect(await completions()).toEqual(['one', 'two']);
    stream.socket.close();
  });

  it('arrives after a restart of the participant, or after a delay', async () => {
    fault({ hold: 'completion' }, { when: { nth: 1 } });
    fault({ delay: 1, of: 'completion' }, { when: { nth: 2 } });
    await api.post(PATH, creating('one'));
    expect(await completions()).toEqual([]);
    canticle.scenario.restart('one');
    expect([await completions(), canticle.faults.held]).toEqual([['one'], []]);
    await api.post(PATH, creating('two'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await completions()).toEqual(['one', 'two']);
  });
});

describe('a restart of a participant', () => {
  it('disconnects waiting clients, whose requests are executed or not read', async () => {
    const held = fault({ hold: 'request' }, { when: { commandId: 'unseen' } });
    fault({ hold: 'answer' }, { when: { commandId: 'done' } });
    const unseen = post(creating('unseen'));
    const done = post(creating('done'));
    while (canticle.faults.held.length < 2) await new Promise(setImmediate);
    canticle.pauseSynchronizer();
    const pending = post(creating('pending'));
    while (canticle.network.inFlight.size < 1) await new Promise(setImmediate);
    canticle.faults.restart('one');
    const codes = await Promise.all([unseen, done, pending].map(codeOf));
    expect(codes).toEqual(Array(3).fill(expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/)));
    expect([canticle.faults.held, held.hits]).toEqual([[], 1]);
    // A submission in flight completes without an answer, and cannot be submitted again meanwhile.
    expect((await api.post(PATH, creating('pending'))).body.code).toBe(
      'SUBMISSION_ALREADY_IN_FLIGHT',
    );
    canticle.resumeSynchronizer();
    expect(await completions()).toEqual(['done', 'pending']);
    canticle.faults.reset();
    const { body } = await api.post(PATH, creating('done'));
    expect(body.code).toBe('DUPLICATE_COMMAND');
    expect((await api.post(PATH, creating('unseen'))).status).toBe(200);
  });

  it('does not stop a call to another participant', async () => {
    fault({ restart: true, at: 'two' });
    expect((await api.post(PATH, creating('one'))).status).toBe(200);
  });
});

describe('errors have the texts of the participant', () => {
  it('SUBMISSION_ALREADY_IN_FLIGHT names the change id and the existing submission id', async () => {
    fault({ refuse: 'SUBMISSION_ALREADY_IN_FLIGHT' }, { when: { times: 1 } });
    const { body } = await api.post(PATH, creating('one'));
    expect(body).toMatchObject({
      code: 'SUBMISSION_ALREADY_IN_FLIGHT',
      context: {
        changeId: `ChangeId(tester,one,Set(${alice}))`,
        existingSubmissionId: expect.stringMatching(/^Some\([0-9a-f-]{36}\)$/),
        existingSubmissionSynchronizerId: expect.stringMatching(/^global/),
      },
    });
  });

  it.each([
    ['SEQUENCER_REQUEST_FAILED', { sendError: 'RequestFailed(No connection available)' }],
    [
      'SEQUENCER_BACKPRESSURE',
      {
        reason: expect.stringMatching(
          /^SendAsyncErrorGrpc\(\n {2}Request failed for server-DefaultSequencer-0\.\n {2}GrpcRequestRefusedByServer: ABORTED\/SEQUENCER_OVERLOADED\(2,[0-9a-f]{8}\): Submission rate exceeds/,
        ),
      },
    ],
    ['MEDIATOR_SAYS_TX_TIMED_OUT', { unresponsiveParties: alice }],
  ] as const)('%s has its context', async (code, context) => {
    fault({ reject: code }, { when: { times: 1 } });
    const { body } = await api.post(PATH, creating('one'));
    expect(body).toMatchObject({ code, context });
  });

  it('an error has the code of the first of several rules', async () => {
    fault({ reject: 'NOT_SEQUENCED_TIMEOUT' });
    fault({ reject: 'SEQUENCER_REQUEST_FAILED' });
    expect((await api.post(PATH, creating('one'))).body.code).toBe('NOT_SEQUENCED_TIMEOUT');
  });

  it('a rule for any call applies only to calls that submit', async () => {
    canticle.faults.add({ on: '*', do: { reject: 'NOT_SEQUENCED_TIMEOUT' } });
    await api.client.ledger('GET', '/v2/version');
    expect(canticle.faults.list()).toMatchObject([{ seen: 0 }]);
    expect((await api.post(PATH, creating('one'))).body.code).toBe('NOT_SEQUENCED_TIMEOUT');
  });
});

describe('a vetting change', () => {
  it('unvets a package between two calls, and vets it again', async () => {
    const unvet = fault({ unvet: 'model-tests' }, { when: { commandId: 'two' } });
    await api.post(PATH, creating('one'));
    const refused = await api.post(PATH, creating('two'));
    expect([refused.status, refused.body.code]).toEqual([400, 'JSON_API_PACKAGE_SELECTION_FAILED']);
    unvet.remove();
    canticle.scenario.vet('model-tests');
    await api.post(PATH, creating('three'));
    canticle.scenario.unvet('model-tests', { on: 'one' });
    expect((await api.post(PATH, creating('four'))).status).not.toBe(200);
    expect(() => canticle.scenario.unvet('nothing')).toThrow('There is no package nothing.');
    expect(() => canticle.scenario.unvet('modle-tests')).toThrow("Did you mean 'model-tests'?");
  });
});

it('revokes rights between two calls, and grants them again', async () => {
  const { users } = first.engine;
  canticle.scenario.user('shop', { actAs: ['alice'], readAs: ['alice', bob], on: 'one' });
  const kinds = () => users.rights('shop').map(({ kind }) => kind);
  fault({ revoke: 'shop', party: 'alice' }, { when: { nth: 1 } });
  fault({ grant: 'shop', party: 'alice', right: 'executeAs' }, { when: { nth: 2 } });
  await api.post(PATH, creating('one'));
  expect(kinds()).toEqual(['CanReadAs']);
  await api.post(PATH, creating('two'));
  expect(kinds()).toEqual(['CanReadAs', 'CanExecuteAs']);
  canticle.scenario.grant('shop', { actAs: ['alice'], on: 'one' });
  expect(kinds()).toHaveLength(3);
  canticle.scenario.revoke('shop');
  expect(kinds()).toEqual([]);
  canticle.scenario.pauseSynchronizer('global');
  expect(canticle.network.synchronizers[0]!.isPaused).toBe(true);
  canticle.scenario.resumeSynchronizer('global');
});
