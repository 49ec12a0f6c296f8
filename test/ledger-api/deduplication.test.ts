/** Command deduplication and completions (B-DED-*, B-CMP-*). */
import {
  create,
  startLedgerApi,
  type LedgerApi,
  type Told,
  type Submit,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
let start: number;

beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
  start = await api.ledgerEnd();
});
afterEach(() => api.client.close());

const submit = (commandId: string, more: Partial<Submit> = {}) =>
  api.post(
    '/v2/commands/submit-and-wait',
    api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice, commandId, ...more }),
  );
const outcome = async (commandId: string, more: Partial<Submit> = {}) => {
  const { status, body } = await submit(commandId, more);
  return status === 200 ? 'accepted' : body.code;
};

const LIST = '?stream_idle_timeout_ms=1';

async function completions(request: object, path = '/v2/commands/completions') {
  const list = await api.ok(path + LIST, {
    userId: 'tester',
    parties: [alice, bob],
    beginExclusive: start,
    ...request,
  });
  return list.map(({ completionResponse }: Told) => completionResponse.Completion.value);
}

describe('deduplication', () => {
  it('refuses a repeated change and says what was accepted (B-DED-003 to B-DED-005, B-DED-008, B-ERR-023)', async () => {
    const first = (await submit('pay', { submissionId: 'first' })).body;
    const { status, body } = await submit('pay');
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'DUPLICATE_COMMAND', errorCategory: 10, grpcCodeValue: 6 });
    expect(body.context).toMatchObject({
      definite_answer: 'true',
      completion_offset: String(first.completionOffset),
      accepted: 'true',
      existingSubmissionId: 'Some(first)',
    });
  });

  it('a change is user, parties and command id (B-DED-001, B-DED-002)', async () => {
    expect(await outcome('pay', { actAs: [alice, bob] })).toBe('accepted');
    expect(await outcome('pay', { actAs: [bob, alice] })).toBe('DUPLICATE_COMMAND');
    expect(await outcome('pay')).toBe('accepted');
    expect(await outcome('pay', { userId: 'other' })).toBe('accepted');
  });

  it('a failure does not block its retry (B-DED-006)', async () => {
    expect(await outcome('pay', { actAs: bob })).toBe('DAML_AUTHORIZATION_ERROR');
    expect(await outcome('pay', { minLedgerTimeRel: { seconds: 3600, nanos: 0 } })).toMatch(
      /^LOCAL_VERDICT/,
    );
    expect(await outcome('pay')).toBe('accepted');
  });

  it('of parallel equal submissions one is accepted (B-DED-007, B-CMD-042)', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcome('pay')));
    expect(outcomes.sort()).toEqual([
      'DUPLICATE_COMMAND',
      'DUPLICATE_COMMAND',
      'DUPLICATE_COMMAND',
      'accepted',
    ]);
  });

  it('ends with its period (B-DED-009, B-DED-013)', async () => {
    const deduplicationPeriod = { DeduplicationDuration: { value: { seconds: 1800, nanos: 0 } } };
    expect(await outcome('pay', { deduplicationPeriod })).toBe('accepted');
    expect(await outcome('pay', { deduplicationPeriod })).toBe('DUPLICATE_COMMAND');
    api.canticle.advanceTime({ minutes: 31 });
    expect(await outcome('pay', { deduplicationPeriod })).toBe('accepted');
  });

  it('may begin at an offset that is not pruned (B-DED-010 to B-DED-012)', async () => {
    const from = (value: number) => ({ deduplicationPeriod: { DeduplicationOffset: { value } } });
    expect(await outcome('pay', from(0))).toBe('accepted');
    expect(await outcome('pay', from(0))).toBe('DUPLICATE_COMMAND');
    expect(await outcome('pay', from(-1))).toBe('NEGATIVE_OFFSET');
    expect(await outcome('pay', from(await api.ledgerEnd()))).toBe('accepted');
    api.canticle.participant.engine.prune(2);
    const pruned = await submit('pay', from(1));
    expect(pruned.body).toMatchObject({
      code: 'INVALID_DEDUPLICATION_PERIOD',
      context: { earliest_offset: '2' },
    });
    const long = await submit('other', {
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 8 * 86_400, nanos: 0 } } },
    });
    expect(long.body.context).toHaveProperty('longest_duration');
  });

  it('neither holds for reassignments nor counts them (B-RSG-024)', async () => {
    const two = await startLedgerApi({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
    const { participant, network } = two.canticle;
    const [source, target] = network.synchronizers.map(({ id }) => id) as [string, string];
    const party = participant.allocateParty('carol');
    const ids = [1, 2].map(() =>
      participant.create(
        model('Dummy'),
        { operator: party },
        { actAs: [party], synchronizer: 'global' },
      ),
    );
    const move = (contractId: string) =>
      two.refusal('/v2/commands/submit-and-wait-for-reassignment', {
        reassignmentCommands: {
          submitter: party,
          userId: 'tester',
          commandId: 'move',
          commands: [{ command: { UnassignCommand: { value: { contractId, source, target } } } }],
        },
      });
    // A second time it is the contract that is not there.
    expect([await move(ids[0]!), await move(ids[0]!), await move(ids[1]!)]).toEqual([
      'accepted',
      'INVALID_ARGUMENT',
      'accepted',
    ]);
    const dummy = create(model('Dummy'), { operator: party });
    expect(await two.submitRefusal(dummy, { actAs: party, commandId: 'move' })).toBe('accepted');
    const request = { userId: 'tester', parties: [party], beginExclusive: 0 };
    const completed = await two.ok('/v2/commands/completions?stream_idle_timeout_ms=1', request);
    expect(
      completed.map(({ completionResponse }: any) =>
        Object.keys(completionResponse.Completion.value.deduplicationPeriod),
      ),
    ).toEqual([['Empty'], ['Empty'], ['DeduplicationOffset']]);
    await two.client.close();
  });
});

describe('completions', () => {
  it('tell what was accepted (B-CMP-008, B-CMP-009, B-DED-014, B-DED-015)', async () => {
    const { body } = await submit('pay', { submissionId: 'mine', workflowId: 'flow' });
    const [completion, ...more] = await completions({});
    expect(more).toEqual([]);
    expect(completion).toMatchObject({
      commandId: 'pay',
      submissionId: 'mine',
      userId: 'tester',
      actAs: [alice],
      updateId: body.updateId,
      offset: body.completionOffset,
      status: { code: 0 },
      deduplicationPeriod: { DeduplicationOffset: { value: 0 } },
      paidTrafficCost: expect.any(Number),
    });
    const [synchronizer] = api.canticle.network.synchronizers;
    expect(completion.synchronizerTime.synchronizerId).toBe(synchronizer!.id);
    expect(completion.traceContext.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('tell what was refused late, and nothing of what was refused at once (B-CMP-008, B-CMP-012, B-CMD-016)', async () => {
    await submit('pay');
    await submit('pay', { actAs: bob });
    await submit('pay');
    const [accepted, refused, ...more] = await completions({});
    expect(more).toEqual([]);
    expect(refused).toMatchObject({ commandId: 'pay', updateId: '', status: { code: 6 } });
    expect(refused.status.message).toContain('DUPLICATE_COMMAND');
    expect(refused.deduplicationPeriod).toEqual({
      DeduplicationOffset: { value: accepted.offset - 1 },
    });
    expect(refused.submissionId).not.toBe('');
    expect(refused.offset).toBe(accepted.offset + 1);
  });

  it('are for a user and for parties, of which the answer names those (B-CMP-003, B-CMP-004)', async () => {
    await submit('one', { actAs: [alice, bob] });
    await submit('two', { userId: 'other' });
    expect((await completions({ parties: [bob] })).map(({ actAs }: Told) => actAs)).toEqual([
      [bob],
    ]);
    const commandIds = (list: { commandId: string }[]) => list.map(({ commandId }) => commandId);
    expect(commandIds(await completions({}))).toEqual(['one']);
    const any = '/v2/commands/command-completions';
    expect(commandIds(await completions({ parties: [] }, any))).toEqual(['one', 'two']); // B-CMP-002
    expect(commandIds(await completions({ parties: [alice] }, any))).toEqual(['one', 'two']);
  });

  it('begin behind an offset, in order (B-CMP-005, B-CMP-011)', async () => {
    for (const id of ['one', 'two', 'three']) await submit(id);
    const all = await completions({});
    const offsets = all.map(({ offset }: { offset: number }) => offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(await completions({ beginExclusive: offsets[0] })).toEqual(all.slice(1));
  });

  it('are listed as soon as there are as many as were asked for (B-WS-021, B-CMP-007)', async () => {
    const listed = api.ok('/v2/commands/completions?limit=2&stream_idle_timeout_ms=20000', {
      userId: 'tester',
      parties: [alice],
      beginExclusive: 0,
    });
    await submit('one');
    await submit('two');
    expect(await listed).toHaveLength(2);
  });

  it.each([
    [{ parties: [] }, 'MISSING_FIELD'], // B-CMP-013
    [{ userId: '' }, 'INVALID_TOKEN'],
    [{ userId: '☃' }, 'INVALID_FIELD'],
    [{ parties: ['☃'] }, 'INVALID_ARGUMENT'],
    [{ beginExclusive: -1 }, 'NEGATIVE_OFFSET'],
    [{ beginExclusive: 1000, parties: [] }, 'OFFSET_AFTER_LEDGER_END'],
    [{ beginExclusive: 0 }, 'PARTICIPANT_PRUNED_DATA_ACCESSED'],
  ])('of %j are refused as %s (B-CMP-001, B-CMP-006)', async (request, code) => {
    await submit('one');
    api.canticle.participant.engine.prune(1);
    const body = { userId: 'tester', parties: [alice], beginExclusive: 1, ...request };
    expect(await api.refusal(`/v2/commands/completions${LIST}`, body)).toBe(code);
  });
});
