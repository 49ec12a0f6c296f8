/** Command deduplication and completions (B-DED-*, B-CMP-*). */
import {
  create,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
  type Submit,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
let start: number;

beforeEach(async () => {
  api = await startLedgerApi({ trafficControl: true });
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

const DAY = 86_400;
const lasting = (seconds: number, nanos = 0) => ({
  deduplicationPeriod: { DeduplicationDuration: { value: { seconds, nanos } } },
});
const from = (value: number) => ({ deduplicationPeriod: { DeduplicationOffset: { value } } });

const LIST = '?stream_idle_timeout_ms=1';

async function completions(request: object, path = '/v2/commands/completions') {
  const list = await api.ok(path + LIST, {
    userId: 'tester',
    parties: [alice, bob],
    beginExclusive: start,
    ...request,
  });
  return list.map(({ completionResponse }: JsonAnswer) => completionResponse.Completion.value);
}

/** The completion at the ledger end. */
const lastCompletion = async (): Promise<JsonAnswer> =>
  (await completions({ beginExclusive: (await api.ledgerEnd()) - 1 }))[0];

/**
 * Submits twice: who waits is refused, who does not learns the same from a completion.
 * @returns the refusal
 */
async function refusedLate(more: Partial<Submit>): Promise<JsonAnswer> {
  const refused = { ...more, commandId: 'refused', actAs: alice };
  const { status, body } = await submit('refused', more);
  expect([status, body.code]).toEqual([400, 'INVALID_DEDUPLICATION_PERIOD']);
  const dummy = create(model('Dummy'), { operator: alice });
  await api.ok('/v2/commands/async/submit', api.commands(dummy, refused));
  const completion = await lastCompletion();
  expect(completion).toMatchObject({ commandId: 'refused', updateId: '', status: { code: 9 } });
  expect(completion.status.message).toContain(`: ${body.cause}`);
  const expected = {
    changeId: `ChangeId(tester,refused,Set(${alice}))`,
    requestedPeriod: body.context.requestedPeriod,
    definite_answer: 'true',
  };
  for (const context of [body.context, completion.status.details[0].valueDecoded.metadata])
    expect(context).toMatchObject(expected);
  // Where a period cannot be checked, one is reported that tells nothing.
  expect(completion.deduplicationPeriod).toMatchObject(lasting(0).deduplicationPeriod);
  return body;
}

describe('deduplication', () => {
  it('rejects a repeated change, and the error names the accepted one (B-DED-003 to B-DED-005, B-DED-008, B-ERR-023)', async () => {
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

  it('identifies a change by user, parties and command id (B-DED-001, B-DED-002)', async () => {
    expect(await outcome('pay', { actAs: [alice, bob] })).toBe('accepted');
    expect(await outcome('pay', { actAs: [bob, alice] })).toBe('DUPLICATE_COMMAND');
    const [carol] = await api.parties('carol');
    expect(await outcome('pay', { actAs: [alice, carol] })).toBe('accepted');
    expect(await outcome('pay')).toBe('accepted');
    expect(await outcome('pay', { userId: 'other' })).toBe('accepted');
    expect(await outcome('save')).toBe('accepted');
    expect(await outcome('save', { actAs: [alice, bob] })).toBe('accepted');
  });

  it('allows a retry after a failure (B-DED-006)', async () => {
    expect(await outcome('pay', { actAs: bob })).toBe('DAML_AUTHORIZATION_ERROR');
    expect(await outcome('pay', { minLedgerTimeRel: { seconds: 3600, nanos: 0 } })).toMatch(
      /^LOCAL_VERDICT/,
    );
    expect(await outcome('pay')).toBe('accepted');
  });

  it('accepts one of several parallel submissions of a change (B-DED-007, B-CMD-042)', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcome('pay')));
    expect(outcomes.sort()).toEqual([
      'DUPLICATE_COMMAND',
      'DUPLICATE_COMMAND',
      'DUPLICATE_COMMAND',
      'accepted',
    ]);
  });

  it("returns a participant's error (B-DED-004)", async () => {
    await submit('pay', { submissionId: 'first' });
    const { body } = await submit('pay');
    expect(body.cause).toBe('Command submission already exists.');
    expect(body.context.changeId).toBe(`ChangeId(tester,pay,Set(${alice}))`);
    const crowd = [alice, bob, ...(await api.parties('carol', 'dora', 'eve'))];
    for (const [count, set] of [
      [4, 'Set'],
      [5, 'HashSet'],
    ] as const) {
      const together = { actAs: crowd.slice(0, count) };
      await submit('together', together);
      const { changeId } = (await submit('together', together)).body.context;
      expect(changeId).toMatch(new RegExp(`^ChangeId\\(tester,together,${set}\\(\\w+::1220`));
    }
  });

  it('ends with its period (B-DED-009, B-DED-013)', async () => {
    const period = lasting(1800);
    expect(await outcome('pay', period)).toBe('accepted');
    expect(await outcome('pay', period)).toBe('DUPLICATE_COMMAND');
    api.canticle.advanceTime({ minutes: 31 });
    expect(await outcome('pay', period)).toBe('accepted');
  });

  it('a period includes a change that was accepted at its start, and ends a microsecond later', async () => {
    expect(await outcome('pay')).toBe('accepted');
    expect(await outcome('pay', lasting(0))).toBe('DUPLICATE_COMMAND');
    // Refusals take time as well: one microsecond each.
    api.canticle.advanceTime(9_999_999n);
    expect(await outcome('pay', lasting(10))).toBe('DUPLICATE_COMMAND');
    expect(await outcome('pay', lasting(10))).toBe('accepted');
  });

  it('a period starts after its offset', async () => {
    expect(await outcome('pay', from(0))).toBe('accepted');
    const accepted = await api.ledgerEnd();
    expect(await outcome('pay', from(accepted - 1))).toBe('DUPLICATE_COMMAND');
    expect(await outcome('pay', from(-1))).toBe('NEGATIVE_OFFSET');
    expect(await outcome('pay', from(accepted))).toBe('accepted');
  });

  it('may last longer than the maximum on request (B-DED-012)', async () => {
    expect(await outcome('pay', lasting(8 * DAY))).toBe('accepted');
    api.canticle.advanceTime({ hours: 7 * 24 + 1 });
    expect(await outcome('pay', lasting(8 * DAY))).toBe('DUPLICATE_COMMAND');
    expect(await outcome('pay', lasting(7 * DAY))).toBe('accepted');
  });

  it('cannot start before the year 1 (B-DED-012)', async () => {
    const sinceThen = 2025 * 365 + 491;
    const { cause, context } = await refusedLate(lasting((sinceThen + 1) * DAY));
    expect(cause).toBe(
      'Deduplication period starts too early. The error metadata field longest_duation contains the longest deduplication duration currently allowed.',
    );
    expect(context.requestedPeriod).toBe(`DeduplicationDuration(PT${(sinceThen + 1) * 24}H)`);
    expect(context.longest_duration).toMatch(`PT${sinceThen * 24}H0.000`);
    const nanos = () => Number(api.canticle.network.clock.now() % 1_000_000n) * 1000;
    expect(await outcome('pay', lasting(sinceThen * DAY, nanos() + 1000))).toBe(
      'INVALID_DEDUPLICATION_PERIOD',
    );
    expect(await outcome('pay', lasting(sinceThen * DAY, nanos()))).toBe('accepted');
  });

  describe.each([
    ['pruned', {}],
    ['pruned and forgotten', { forgetHistory: true }],
  ])('after history was %s', (_, how) => {
    const prune = (upTo: number) => api.canticle.participant.prune(upTo, how);
    let pruned: number;
    /** Time since the last update that is pruned. */
    const later = 10 * DAY;
    /** Where each was accepted. */
    let [pay, other, edge] = [0, 0, 0];
    beforeEach(async () => {
      for (const id of ['pay', 'other', 'edge']) await submit(id);
      pruned = await api.ledgerEnd();
      [pay, other, edge] = [pruned - 2, pruned - 1, pruned];
      expect(await outcome('other')).toBe('DUPLICATE_COMMAND');
      const since = api.canticle.network.clock.now();
      const { recordTime } = api.canticle.participant.engine.log.entry(pruned)!;
      prune(pruned);
      api.canticle.advanceTime(BigInt(later) * 1_000_000n - (since - recordTime));
    });

    it('rejects a period that starts before the pruning offset (B-DED-011)', async () => {
      for (const offset of [pruned - 1, 0]) {
        const { cause, context } = await refusedLate(from(offset));
        expect(cause).toBe(
          'Deduplication period starts too early. The error metadata field earliest_offset contains the earliest deduplication offset currently allowed.',
        );
        const shown = offset === 0 ? 'None' : `Some(Offset(${offset}))`;
        expect(context).toMatchObject({
          earliest_offset: String(pruned),
          requestedPeriod: `DeduplicationOffset(${shown})`,
        });
      }
      expect(await outcome('refused', from(pruned))).toBe('accepted');
    });

    it('rejects a period that starts before the pruning time, except up to the maximum duration', async () => {
      // Of two refusals the second comes a microsecond later: its period begins at the very time.
      const { context } = await refusedLate(lasting(later, 1_000));
      expect(context).toMatchObject({
        earliest_offset: String(pruned),
        requestedPeriod: 'DeduplicationDuration(PT240H0.000001S)',
      });
      expect(await outcome('refused', lasting(later, 1_000))).toBe('accepted');
      for (const id of ['new', 'newer']) await submit(id);
      prune((await api.ledgerEnd()) - 1);
      expect(await outcome('new', lasting(7 * DAY))).toBe('DUPLICATE_COMMAND');
      expect(await outcome('newest', lasting(7 * DAY, 1_000))).toBe('INVALID_DEDUPLICATION_PERIOD');
      expect(await outcome('newest', lasting(7 * DAY))).toBe('accepted');
    });

    it('forgets an accepted change, unless a later duplicate was rejected (B-DED-011)', async () => {
      const long = lasting(later + DAY);
      for (const period of [from(pay), from(pay - 1), long])
        expect(await outcome('pay', period)).toBe('INVALID_DEDUPLICATION_PERIOD');
      expect(await outcome('pay', from(pruned))).toBe('accepted');
      expect(await outcome('edge', from(edge - 1))).toBe('INVALID_DEDUPLICATION_PERIOD');
      for (const period of [from(other - 1), long])
        expect(await outcome('other', period)).toBe('DUPLICATE_COMMAND');
      expect(await outcome('other', from(other))).toBe('accepted');
    });

    it('forgets a rejected duplicate once it is pruned', async () => {
      expect(await outcome('other', from(other - 1))).toBe('DUPLICATE_COMMAND');
      await submit('more');
      prune((await api.ledgerEnd()) - 1);
      expect(await outcome('other', from(other - 1))).toBe('INVALID_DEDUPLICATION_PERIOD');
    });

    it('remembers a rejected duplicate after each pruning, for each user', async () => {
      const users = [{}, { userId: 'another' }];
      for (const user of users) await submit('late', user);
      const late = await api.ledgerEnd();
      const refused = async () => {
        for (const user of users)
          expect(await outcome('late', { ...from(late - 2), ...user })).toBe('DUPLICATE_COMMAND');
      };
      await refused();
      prune(late);
      await refused();
      prune(late + 2);
      await refused();
    });

    it('remembers a command for the maximum duration, and then only if it is not pruned', async () => {
      await submit('new');
      const accepted = await api.ledgerEnd();
      await submit('newer');
      const { recordTime } = api.canticle.participant.engine.log.entry(accepted)!;
      const { clock } = api.canticle.network;
      api.canticle.advanceTime(recordTime + BigInt(7 * DAY) * 1_000_000n - clock.now());
      prune(accepted);
      expect(await outcome('new', lasting(7 * DAY))).toBe('DUPLICATE_COMMAND');
      api.canticle.advanceTime(1_000_000n);
      prune(accepted + 1);
      expect(await outcome('new', lasting(7 * DAY))).toBe('accepted');
      const since = 'forgetHistory' in how ? accepted + 1 : accepted;
      expect((await lastCompletion()).deduplicationPeriod).toEqual(from(since).deduplicationPeriod);
    });
  });

  it('accepts durations in steps of a microsecond', async () => {
    expect((await submit('pay', lasting(1, 1_500))).status).toBe(500);
    expect((await submit('pay', lasting(-1, 1_500))).body.code).toBe('INVALID_FIELD');
    expect(await outcome('pay', lasting(1, 2_000))).toBe('accepted');
  });

  it('completions have the offset of the last acceptance, or the pruning offset (B-DED-014)', async () => {
    const reported = async (more: Partial<Submit> = {}): Promise<unknown> => {
      expect(await outcome('pay', more)).toBe('accepted');
      return (await lastCompletion()).deduplicationPeriod;
    };
    await submit('other');
    const other = await api.ledgerEnd();
    expect(await reported(from(other))).toEqual(from(0).deduplicationPeriod);
    const first = await api.ledgerEnd();
    await submit('another');
    expect(await reported(from(first + 1))).toEqual(from(first).deduplicationPeriod);
    api.canticle.advanceTime({ hours: 1 });
    expect(await reported(lasting(60))).toEqual(from(first + 2).deduplicationPeriod);
    await submit('other again');
    api.canticle.participant.engine.prune(first + 3);
    expect(await reported(from(first + 3))).toEqual(from(first + 3).deduplicationPeriod);
  });

  it('does not apply to reassignments, and does not count them (B-RSG-024)', async () => {
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
    // The second attempt fails because the contract is missing.
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
  it('have the fields of the accepted change (B-CMP-008, B-CMP-009, B-DED-014, B-DED-015)', async () => {
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
    expect(completion.traceContext.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-03$/);
  });

  it('report rejections after sequencing, but not immediate ones (B-CMP-008, B-CMP-012, B-CMD-016)', async () => {
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

  it('report the traffic cost of a command, rejected or not', async () => {
    await submit('pay');
    await submit('pay');
    await submit('late', { minLedgerTimeRel: { seconds: 3600, nanos: 0 } });
    const [paid, duplicate, late] = (await completions({})).map(
      ({ paidTrafficCost }: JsonAnswer) => paidTrafficCost,
    );
    expect(duplicate).toBe(0);
    // Their ids compress differently.
    expect(Math.abs(late - paid)).toBeLessThan(20);
    expect(paid).toBeGreaterThan(1_000);
  });

  it('are filtered by user and parties, and name only the requested parties (B-CMP-003, B-CMP-004)', async () => {
    await submit('one', { actAs: [alice, bob] });
    await submit('two', { userId: 'other' });
    expect((await completions({ parties: [bob] })).map(({ actAs }: JsonAnswer) => actAs)).toEqual([
      [bob],
    ]);
    const commandIds = (list: { commandId: string }[]) => list.map(({ commandId }) => commandId);
    expect(commandIds(await completions({}))).toEqual(['one']);
    const any = '/v2/commands/command-completions';
    expect(commandIds(await completions({ parties: [] }, any))).toEqual(['one', 'two']); // B-CMP-002
    expect(commandIds(await completions({ parties: [alice] }, any))).toEqual(['one', 'two']);
  });

  it('start after an offset, in order (B-CMP-005, B-CMP-011)', async () => {
    for (const id of ['one', 'two', 'three']) await submit(id);
    const all = await completions({});
    const offsets = all.map(({ offset }: { offset: number }) => offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(await completions({ beginExclusive: offsets[0] })).toEqual(all.slice(1));
  });

  it('are returned as soon as the requested number exists (B-WS-021, B-CMP-007)', async () => {
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
  ])('with %j are rejected as %s (B-CMP-001, B-CMP-006)', async (request, code) => {
    await submit('one');
    api.canticle.participant.engine.prune(1);
    const body = { userId: 'tester', parties: [alice], beginExclusive: 1, ...request };
    expect(await api.refusal(`/v2/commands/completions${LIST}`, body)).toBe(code);
  });
});
