/** A synchronizer that is paused, as one that is down: what stays in flight, who waits, who is refused, and what comes of it later. */
import {
  EXECUTE_AND_WAIT,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../../../network/external/external-party.js';
import { create, exercise } from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';
import { useLedgerApi, useParties } from '../../../support/shared-ledger-api.js';

const api = useLedgerApi({ synchronizers: [{ alias: 'one' }, { alias: 'two' }] });
const [alice, dora] = useParties(api, 'alice', 'dora');
const { canticle } = api;
const [one, two] = canticle.network.synchronizers.map(({ id }) => id) as [string, string];

const dummy = (more: object = {}) =>
  api.commands(create(model('Dummy'), { operator: alice }), {
    actAs: alice,
    synchronizerId: one,
    ...more,
  });
const WAIT = '/v2/commands/submit-and-wait';
const wait = (commands: unknown = dummy()) => api.post(WAIT, commands);
const async = (commands: unknown) => api.refusal('/v2/commands/async/submit', commands);
const inFlight = () => canticle.network.inFlight.size;
/** Resolves once `count` submissions are in flight. */
async function until(count: number): Promise<void> {
  for (let turns = 0; inFlight() < count; turns++) {
    if (turns > 100_000) throw new Error(`${inFlight()} of ${count} are in flight.`);
    await new Promise(setImmediate);
  }
}
const completions = async (beginExclusive: number) => {
  const request = { userId: 'tester', parties: [alice], beginExclusive };
  const list = await api.ok('/v2/commands/completions?stream_idle_timeout_ms=1', request);
  return list.map(({ completionResponse }: any) => completionResponse.Completion.value);
};

beforeEach(() => canticle.pauseSynchronizer('one'));

it('keeps asynchronous submissions in flight, and sequences them in order when it resumes (B-CMD-043)', async () => {
  const before = await api.ledgerEnd();
  const requests = [dummy(), dummy(), dummy()] as any[];
  for (const request of requests) expect(await async(request)).toBe('accepted');
  expect([inFlight(), await api.ledgerEnd()]).toEqual([3, before]);
  canticle.resumeSynchronizer('one');
  const completed = await completions(before);
  expect(completed.map(({ commandId }: any) => commandId)).toEqual(
    requests.map(({ commandId }) => commandId),
  );
  expect(new Set(completed.map(({ updateId }: any) => updateId)).size).toBe(3);
  expect(canticle.participant.activeContracts({ template: model('Dummy') })).toHaveLength(3);
});

it('delays requests until it resumes, also those of external parties', async () => {
  canticle.resumeSynchronizer('one');
  const carol = await onboard(api, 'carol');
  const command = create(model('Dummy'), { operator: carol.party });
  const prepared = await api.ok(
    PREPARE,
    preparation(command, carol.party, { synchronizerId: one }),
  );
  canticle.pauseSynchronizer('one');
  const waiting = [
    wait(),
    api.post(`${WAIT}-for-transaction`, { commands: dummy() }),
    api.post(`${WAIT}-for-transaction-tree`, dummy()),
    api.post(EXECUTE_AND_WAIT, execution(prepared, carol)),
  ];
  await until(4);
  canticle.resumeSynchronizer();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[1]!.body.transaction.events).toHaveLength(1);
});

it('returns 504 REQUEST_TIME_OUT after five minutes, and never sequences the submission (B-CMD-041)', async () => {
  const before = await api.ledgerEnd();
  const request = dummy() as any;
  const waiting = wait(request);
  await until(1);
  canticle.advanceTime({ minutes: 1 });
  const later = wait();
  await until(2);
  canticle.advanceTime({ minutes: 3, seconds: 59 });
  expect(inFlight()).toBe(2);
  canticle.advanceTime({ seconds: 1 });
  const { status, body } = await waiting;
  expect([status, body.code]).toEqual([504, 'REQUEST_TIME_OUT']);
  expect(body.cause).toContain(`command-id=${request.commandId}`);
  canticle.resumeSynchronizer('one');
  const [completion] = await completions(before);
  expect(completion).toMatchObject({ commandId: request.commandId, updateId: '' });
  expect(completion.status.message).toContain('NOT_SEQUENCED_TIMEOUT');
  expect(completion.deduplicationPeriod).toEqual({ Empty: {} });
  // The request from a minute later was still waiting, and gets the outcome.
  expect((await later).body.code).toBe('NOT_SEQUENCED_TIMEOUT');
});

it('rejects the 257th waiting request with PARTICIPANT_BACKPRESSURE (B-CMD-040)', async () => {
  const waiting = Array.from({ length: 256 }, () => wait());
  await until(256);
  const { status, body } = await wait();
  expect([status, body.code, body.context.reason]).toEqual([
    409,
    'PARTICIPANT_BACKPRESSURE',
    'Maximum number of in-flight requests reached',
  ]);
  // Requests that do not wait do not count.
  expect(await async(dummy())).toBe('accepted');
  canticle.resumeSynchronizer('one');
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map((each) => each.status))).toEqual(new Set([200]));
  expect((await wait()).status).toBe(200);
});

it('rejects a change in flight on any synchronizer (B-CMD-042)', async () => {
  const request = dummy();
  expect(await async(request)).toBe('accepted');
  for (const synchronizerId of [one, two]) {
    const { status, body } = await wait({ ...request, synchronizerId });
    expect([status, body.code]).toEqual([409, 'SUBMISSION_ALREADY_IN_FLIGHT']);
    const { changeId, existingSubmissionSynchronizerId } = body.context;
    expect(changeId).toBe(`ChangeId(tester,${(request as any).commandId},Set(${alice}))`);
    const [identifier, fingerprint] = one.split('::') as [string, string];
    expect(existingSubmissionSynchronizerId).toBe(`${identifier}::${fingerprint.slice(0, 12)}...`);
  }
  expect(inFlight()).toBe(1);
});

it('checks for a change in flight before an accepted change', async () => {
  canticle.resumeSynchronizer('one');
  const request = dummy();
  expect(await async(request)).toBe('accepted');
  canticle.pauseSynchronizer('one');
  const offset = { DeduplicationOffset: { value: await api.ledgerEnd() } };
  expect(await async({ ...request, deduplicationPeriod: offset })).toBe('accepted');
  expect(await async(request)).toBe('SUBMISSION_ALREADY_IN_FLIGHT');
  canticle.resumeSynchronizer('one');
  const { body } = await wait(request);
  expect(body.code).toBe('DUPLICATE_COMMAND');
});

it('rejects an invalid command at once, and the loser of a race later', async () => {
  canticle.resumeSynchronizer('one');
  const before = await api.ledgerEnd();
  const contractId = canticle.participant.create(
    model('Dummy'),
    { operator: alice },
    { actAs: [alice], synchronizer: 'one' },
  );
  canticle.pauseSynchronizer('one');
  const archive = (id: string) =>
    api.commands(exercise(model('Dummy'), id, 'Archive'), { actAs: alice });
  expect((await wait(archive(`00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`))).body.code).toBe(
    'CONTRACT_NOT_FOUND',
  );
  const racing = [wait(archive(contractId)), wait(archive(contractId))];
  await until(2);
  canticle.resumeSynchronizer('one');
  const outcomes = (await Promise.all(racing)).map(({ body }) => body.code);
  expect(outcomes).toEqual([undefined, 'LOCAL_VERDICT_INACTIVE_CONTRACTS']);
  expect(await completions(before)).toHaveLength(2);
});

it('rejects in-process calls, and allocates no parties', () => {
  const { participant } = canticle;
  const before = canticle.network.journal.position;
  const make = () =>
    participant.create(
      model('Dummy'),
      { operator: alice },
      { actAs: [alice], synchronizer: 'one' },
    );
  expect(make).toThrow('Synchronizer one is paused. Resume it first');
  expect(() => participant.allocateParty('bob', { synchronizers: ['one'] })).toThrow(
    'REQUEST_TIME_OUT',
  );
  expect(canticle.network.journal.position).toBe(before);
  expect(() => canticle.pauseSynchronizer('three')).toThrow(
    'There is no synchronizer three. There are: one, two.',
  );
});

it('does not affect other synchronizers, and delays reassignments', async () => {
  const made = { actAs: [alice], synchronizer: 'two' };
  const contractId = canticle.participant.create(model('Dummy'), { operator: alice }, made);
  const reassignment = (command: object) => ({
    reassignmentCommands: {
      commandId: Object.keys(command).join(),
      userId: 'tester',
      submitter: alice,
      commands: [{ command }],
      workflowId: '',
      submissionId: '',
    },
  });
  const move = (command: object) => api.post(`${WAIT}-for-reassignment`, reassignment(command));
  const out = await move({ UnassignCommand: { value: { contractId, source: two, target: one } } });
  expect(out.status).toBe(200);
  const { events } = canticle.network.updates.last()! as any;
  const value = { reassignmentId: events[0].reassignmentId, source: two, target: one };
  const arriving = move({ AssignCommand: { value } });
  await until(1);
  expect(canticle.network.contracts.state(contractId)?.kind).not.toBe('active');
  canticle.resumeSynchronizer('one');
  expect((await arriving).status).toBe(200);
});

it('validates reassignments when they are sequenced (B-RSG-018, B-RSG-023)', async () => {
  const [ours, ...theirs] = [1, 2, 3].map(() =>
    canticle.participant.create(
      model('WithObservers'),
      { giver: alice, observers: [dora] },
      { actAs: [alice], synchronizer: 'two' },
    ),
  ) as [string, string, string];
  let moves = 0;
  const move = (submitter: string, ...list: object[]) =>
    api.post(`${WAIT}-for-reassignment`, {
      reassignmentCommands: {
        // The same change may be on its way twice.
        commandId: 'again',
        userId: 'tester',
        submitter,
        commands: list.map((command) => ({ command })),
        workflowId: '',
        submissionId: `submission-${++moves}`,
      },
    });
  const unassign = (contractId: string) => ({
    UnassignCommand: { value: { contractId, source: two, target: one } },
  });
  const id = canticle.participant.unassign(ours, { to: 'one', submitter: alice });
  const assign = { AssignCommand: { value: { reassignmentId: id, source: two, target: one } } };
  const coming = [dora, alice, alice].map((submitter) => move(submitter, assign));
  await until(3);
  canticle.pauseSynchronizer('two');
  const leaving = [alice, alice].map((submitter) => move(submitter, ...theirs.map(unassign)));
  await until(5);
  canticle.resumeSynchronizer('one');
  canticle.resumeSynchronizer('two');
  const outcomes = await Promise.all([...coming, ...leaving]);
  expect(outcomes.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'REASSIGNMENT_VALIDATION_FAILED'],
    [200, undefined],
    [409, 'ASSIGNMENT_ALREADY_COMPLETED'],
    [200, undefined],
    [404, 'UNASSIGNMENT_ACTIVENESS_CHECK_FAILED'],
  ]);
  // The error names the first of several.
  expect(outcomes.at(-1)!.body.cause).toContain(theirs[0]);
});

it('a revert undoes the pause and its effects', async () => {
  const first = wait();
  await until(1);
  const midway = canticle.snapshot();
  expect(await async(dummy())).toBe('accepted');
  canticle.revert(midway);
  expect(inFlight()).toBe(1);
  canticle.resumeSynchronizer('one');
  expect((await first).status).toBe(200);
  canticle.revert(midway);
  expect(inFlight()).toBe(1);
  const again = await api.ledgerEnd();
  canticle.resumeSynchronizer('one');
  expect(await api.ledgerEnd()).toBe(again + 1);
});

it('a revert of its submission ends a request with an error', async () => {
  const before = canticle.snapshot();
  const waiting = wait();
  await until(1);
  canticle.revert(before);
  expect((await waiting).body.code).toBe('REQUEST_TIME_OUT');
});

it('can be paused and resumed over HTTP', async () => {
  const control = (what: string) => api.client.control('POST', `/v1/synchronizers/${what}`);
  const waiting = wait();
  await until(1);
  const state = { alias: 'one', id: one };
  expect((await control('one/pause')).body).toEqual({ ...state, paused: true, inFlight: 1 });
  expect((await control(`${encodeURIComponent(one)}/resume`)).body).toEqual({
    ...state,
    paused: false,
    inFlight: 0,
  });
  expect((await waiting).status).toBe(200);
  expect(await control('three/pause')).toMatchObject({
    status: 404,
    body: { error: 'There is no synchronizer three. There are: one, two.' },
  });
});
