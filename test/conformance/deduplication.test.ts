/** Conformance: command deduplication, over both ways to submit. */
import { create, eventFormat, wildcard, type Told } from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const SUBMIT = '/v2/commands/async/submit';
const SUBMIT_AND_WAIT = '/v2/commands/submit-and-wait';

const api = useLedgerApi();
const [alice, bob] = useParties(api, 'alice', 'bob');

type Request = Record<string, unknown>;

const dummyRequest = (party = alice, more: Request = {}): Request =>
  api.commands(create(model('Dummy'), { operator: party }), { actAs: party, ...more });
const forSeconds = (value: number) => ({
  deduplicationPeriod: { DeduplicationDuration: { value: { seconds: value, nanos: 0 } } },
});
const fromOffset = (value: number) => ({
  deduplicationPeriod: { DeduplicationOffset: { value } },
});

async function completionOf(submissionId: string): Promise<Told> {
  const request = { userId: 'tester', parties: [alice, bob], beginExclusive: 0 };
  const list = await api.ok('/v2/commands/completions?stream_idle_timeout_ms=1', request);
  const found = list
    .map(({ completionResponse }: Told) => completionResponse.Completion.value)
    .filter((completion: Told) => completion.submissionId === submissionId);
  expect(found).toHaveLength(1);
  return found[0];
}

let submissions = 0;
const newSubmissionId = () => `submission-${++submissions}`;

/** Submits in one of two ways. @returns its completion */
async function accepted(path: string, request: Request): Promise<Told> {
  const submissionId = newSubmissionId();
  await api.ok(path, { ...request, submissionId });
  const completion = await completionOf(submissionId);
  expect(completion.status).toEqual({ code: 0, message: '', details: [] });
  return completion;
}

const ALREADY_EXISTS = 6;

/** Whoever waits is refused at once; who does not learns it from the completion. */
async function deduplicated(path: string, request: Request, first: Told): Promise<Told> {
  const submissionId = newSubmissionId();
  const { status, body } = await api.post(path, { ...request, submissionId });
  const completion = await completionOf(submissionId);
  expect(completion.status.code).toBe(ALREADY_EXISTS);
  if (path === SUBMIT) expect(status).toBe(200);
  else {
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'DUPLICATE_COMMAND' });
    expect(body.context).toMatchObject({
      definite_answer: 'true',
      completion_offset: String(first.offset),
      existingSubmissionId: `Some(${first.submissionId})`,
    });
  }
  return completion;
}

const activeOf = async (party: string): Promise<number> =>
  (await api.active(eventFormat([party], wildcard()))).length;

conformanceSuite('CommandDeduplicationIT', {}, (reproduce) => {
  reproduce(
    'SimpleDeduplicationBasic',
    'the second is refused, one contract is there',
    async () => {
      const request = dummyRequest(alice, forSeconds(2));
      const first = await accepted(SUBMIT, request);
      expect(first.commandId).toBe(request.commandId);
      await deduplicated(SUBMIT, request, first);
      expect(await activeOf(alice)).toBe(1);
    },
  );

  reproduce('StopOnSubmissionFailure', 'a failed submission may be tried again', async () => {
    const request = { ...dummyRequest(bob), actAs: [alice] };
    for (let i = 0; i < 2; i++) {
      const answer = await api.post(SUBMIT, { ...request, submissionId: newSubmissionId() });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'DAML_AUTHORIZATION_ERROR', context: { definite_answer: 'false' } },
      });
    }
  });

  reproduce('SimpleDeduplicationCommandClient', 'the same when waiting', async () => {
    const request = dummyRequest(alice, forSeconds(2));
    const first = await accepted(SUBMIT_AND_WAIT, request);
    await deduplicated(SUBMIT_AND_WAIT, request, first);
    expect(await activeOf(alice)).toBe(1);
  });

  reproduce('DeduplicationMixedClients', 'in every order of the two ways', async () => {
    const snapshot = api.canticle.snapshot();
    for (let order = 0; order < 16; order++) {
      const way = (call: number) => ((order >> call) & 1 ? SUBMIT : SUBMIT_AND_WAIT);
      api.canticle.revert(snapshot);
      const request = dummyRequest(alice, forSeconds(2));
      const first = await accepted(way(0), request);
      await deduplicated(way(1), request, first);
      api.canticle.advanceTime({ seconds: 3 });
      const second = await accepted(way(2), request);
      await deduplicated(way(3), request, second);
      expect(await activeOf(alice)).toBe(2);
    }
  });

  const differentSubmitters = async (way: string) => {
    const hers = dummyRequest(alice);
    const his = dummyRequest(bob, { commandId: hers.commandId });
    for (const request of [hers, his])
      await deduplicated(way, request, await accepted(way, request));
    expect([await activeOf(alice), await activeOf(bob)]).toEqual([1, 1]);
  };

  reproduce('DeduplicateSubmitterBasic', 'another party, another change', () =>
    differentSubmitters(SUBMIT),
  );
  reproduce('DeduplicateSubmitterCommandClient', 'another party, another change', () =>
    differentSubmitters(SUBMIT_AND_WAIT),
  );

  reproduce('DeduplicateUsingDurations', 'accepted again when the time is over', async () => {
    const request = dummyRequest(alice, forSeconds(2));
    const first = await accepted(SUBMIT, request);
    expect(first.commandId).toBe(request.commandId);
    await deduplicated(SUBMIT, request, first);
    api.canticle.advanceTime({ seconds: 3 });
    await accepted(SUBMIT, request);
    expect(await activeOf(alice)).toBe(2);
  });

  reproduce('DeduplicateUsingOffsets', 'a duplicate until the offset has passed it', async () => {
    const before = await accepted(SUBMIT, dummyRequest());
    const request = dummyRequest();
    const first = await accepted(SUBMIT, request);
    const again = await deduplicated(SUBMIT, { ...request, ...fromOffset(before.offset) }, first);
    const second = await accepted(SUBMIT, { ...request, ...fromOffset(again.offset) });
    expect(second.offset).toBeGreaterThan(again.offset);
    for (const { deduplicationPeriod } of [first, again, second])
      expect(deduplicationPeriod.DeduplicationOffset.value).toEqual(expect.any(Number));
  });
});

conformanceSuite('CommandDeduplicationParallelIT', {}, (reproduce) => {
  /** Ten equal submissions at once. */
  async function tenAtOnce(ways: readonly string[]) {
    const request = dummyRequest(alice, forSeconds(3));
    const outcome = async (path: string): Promise<number> => {
      const submissionId = newSubmissionId();
      const { status, body } = await api.post(path, { ...request, submissionId });
      return status === 200 ? (await completionOf(submissionId)).status.code : body.grpcCodeValue;
    };
    const codes = await Promise.all(ways.map(outcome));
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    const losers = new Set(codes.filter((code) => code !== 0));
    // Those that meet one in flight would be ABORTED, 10; here none is in flight for long.
    expect([...losers]).toEqual([ALREADY_EXISTS]);
    expect(await activeOf(alice)).toBe(1);
  }
  const ten = (way: (at: number) => string) => Array.from({ length: 10 }, (_, at) => way(at));

  reproduce(
    'DeduplicateParallelSubmissionsUsingCommandSubmissionService',
    'one of ten is accepted',
    () => tenAtOnce(ten(() => SUBMIT)),
  );
  reproduce('DeduplicateParallelSubmissionsUsingCommandService', 'one of ten is accepted', () =>
    tenAtOnce(ten(() => SUBMIT_AND_WAIT)),
  );
  reproduce(
    'DeduplicateParallelSubmissionsUsingMixedCommandServiceAndCommandSubmissionService',
    'one of ten is accepted',
    () => tenAtOnce(ten((at) => (at % 2 === 0 ? SUBMIT : SUBMIT_AND_WAIT))),
  );
});

conformanceSuite('CommandDeduplicationPeriodValidationIT', {}, (reproduce, answerOtherwise) => {
  const submit = (more: Request) => api.post(SUBMIT, dummyRequest(alice, more));

  reproduce('ValidDeduplicationDuration', '30 minutes are accepted', async () => {
    expect((await submit(forSeconds(30 * 60))).status).toBe(200);
  });

  reproduce('NegativeDeduplicationDuration', 'INVALID_FIELD deduplication_period', async () => {
    expect(await submit(forSeconds(-1))).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_FIELD',
        cause:
          'The submitted command has a field with invalid value: Invalid field deduplication_period: Duration must be positive',
      },
    });
  });

  reproduce('NegativeOffset', 'NEGATIVE_OFFSET', async () => {
    expect(await submit(fromOffset(-12345678))).toMatchObject({
      status: 400,
      body: {
        code: 'NEGATIVE_OFFSET',
        cause:
          'Offset -12345678 in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not -12345678',
      },
    });
  });

  answerOtherwise('OffsetPruned', 'INVALID_DEDUPLICATION_PERIOD tells what is left', async () => {
    const start = await api.ledgerEnd();
    await submit({});
    const pruned = await api.ledgerEnd();
    await submit({});
    api.canticle.participant.engine.prune(pruned);
    const [early, zero] = [await submit(fromOffset(start)), await submit(fromOffset(0))];
    for (const { status, body } of [early, zero])
      expect({ status, code: body.code }).toEqual({
        status: 400,
        code: 'INVALID_DEDUPLICATION_PERIOD',
      });
    const { earliest_offset: earliest } = early.body.context;
    expect(zero.body.context.earliest_offset).toBe(earliest);
    expect((await submit(fromOffset(Number(earliest)))).status).toBe(200);
  });

  reproduce('ZeroOffset', 'accepted: from the beginning on', async () => {
    expect((await submit(fromOffset(0))).status).toBe(200);
  });
});

conformanceSuite('CompletionDeduplicationInfoIT', {}, (reproduce) => {
  const tellsWhatWasAsked = async (way: string) => {
    const first = await accepted(way, dummyRequest());
    expect(first).toMatchObject({ userId: 'tester' });
    expect(first.deduplicationPeriod).toMatchObject({ DeduplicationOffset: {} });
    const beginExclusive = await api.ledgerEnd();
    await api.ok(way, dummyRequest());
    const request = { userId: 'tester', parties: [alice], beginExclusive };
    const [{ completionResponse }] = await api.ok(
      '/v2/commands/completions?stream_idle_timeout_ms=1',
      request,
    );
    expect(completionResponse.Completion.value.submissionId).not.toBe('');
  };

  reproduce(
    'CCDIIncludeDedupInfoCommandService',
    'user, submission id and period, when waiting',
    () => tellsWhatWasAsked(SUBMIT_AND_WAIT),
  );
  reproduce(
    'CCDIIncludeDedupInfoCommandSubmissionService',
    'user, submission id and period, when not waiting',
    () => tellsWhatWasAsked(SUBMIT),
  );
});
