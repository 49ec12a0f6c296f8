/** Conformance: command deduplication, over both ways to submit. */
import { create, eventFormat, wildcard, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const SUBMIT = '/v2/commands/async/submit';
const SUBMIT_AND_WAIT = '/v2/commands/submit-and-wait';

const api = useLedgerApi({ grpc: true });
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

async function completionsAfter(beginExclusive: number): Promise<JsonAnswer[]> {
  const request = { userId: 'tester', parties: [alice, bob], beginExclusive };
  const list = await api.ok('/v2/commands/completions?stream_idle_timeout_ms=1', request);
  return list.map(({ completionResponse }: JsonAnswer) => completionResponse.Completion.value);
}

/** The only one of the submission. */
async function completionOf(submissionId: string): Promise<JsonAnswer> {
  const all = await completionsAfter(0);
  const found = all.filter((completion) => completion.submissionId === submissionId);
  expect(found).toHaveLength(1);
  expect(found[0].offset).toBeGreaterThan(0);
  return found[0];
}

let submissions = 0;
const newSubmissionId = () => `submission-${++submissions}`;

/** Submits in one of two ways. @returns its completion */
async function accepted(path: string, request: Request): Promise<JsonAnswer> {
  const submissionId = newSubmissionId();
  await api.ok(path, { ...request, submissionId });
  const completion = await completionOf(submissionId);
  expect(completion.status).toEqual({ code: 0, message: '', details: [] });
  return completion;
}

const ALREADY_EXISTS = 6;

/** The error metadata of a completion with a refusal. */
const metadataIn = ({ status }: JsonAnswer): JsonAnswer =>
  status.details.find(({ typeUrl }: JsonAnswer) => typeUrl.endsWith('ErrorInfo')).valueDecoded
    .metadata;

/** A client that waits gets the refusal at once; others get it in the completion. Both name the first submission. */
async function deduplicated(
  path: string,
  request: Request,
  first: JsonAnswer,
): Promise<JsonAnswer> {
  const context = {
    definite_answer: 'true',
    completion_offset: String(first.offset),
    existingSubmissionId: `Some(${first.submissionId})`,
  };
  const submissionId = newSubmissionId();
  const answer = await api.post(path, { ...request, submissionId });
  if (path === SUBMIT) expect(answer.status).toBe(200);
  else await expectRefused(answer, 'DUPLICATE_COMMAND', { context });
  const completion = await completionOf(submissionId);
  expect(completion.status.code).toBe(ALREADY_EXISTS);
  expect(metadataIn(completion)).toMatchObject(context);
  return completion;
}

const offsetOf = ({ deduplicationPeriod }: JsonAnswer): number =>
  deduplicationPeriod.DeduplicationOffset.value;

const activeOf = async (party: string): Promise<number> =>
  (await api.active(eventFormat([party], wildcard()))).length;

conformanceSuite('CommandDeduplicationIT', {}, (reproduce) => {
  reproduce(
    'SimpleDeduplicationBasic',
    'rejects the second submission, and one contract exists',
    async () => {
      const request = dummyRequest(alice, forSeconds(2));
      const first = await accepted(SUBMIT, request);
      expect(first.commandId).toBe(request.commandId);
      await deduplicated(SUBMIT, request, first);
      expect(await activeOf(alice)).toBe(1);
    },
  );

  reproduce('StopOnSubmissionFailure', 'a submission that failed is not a duplicate', async () => {
    const request = { ...dummyRequest(bob), actAs: [alice] };
    for (let i = 0; i < 2; i++) {
      const answer = api.post(SUBMIT, { ...request, submissionId: newSubmissionId() });
      await expectRefused(answer, 'DAML_AUTHORIZATION_ERROR', { definite: false });
    }
  });

  reproduce(
    'SimpleDeduplicationCommandClient',
    'submit-and-wait rejects the second submission',
    async () => {
      const request = dummyRequest(alice, forSeconds(2));
      const first = await accepted(SUBMIT_AND_WAIT, request);
      await deduplicated(SUBMIT_AND_WAIT, request, first);
      expect(await activeOf(alice)).toBe(1);
    },
  );

  reproduce(
    'DeduplicationMixedClients',
    'both ways of submitting deduplicate each other, in each order',
    async () => {
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
    },
  );

  const differentSubmitters = async (way: string) => {
    const hers = dummyRequest(alice);
    const his = dummyRequest(bob, { commandId: hers.commandId });
    for (const request of [hers, his])
      await deduplicated(way, request, await accepted(way, request));
    expect([await activeOf(alice), await activeOf(bob)]).toEqual([1, 1]);
  };

  reproduce(
    'DeduplicateSubmitterBasic',
    'the same command id of another party is not a duplicate',
    () => differentSubmitters(SUBMIT),
  );
  reproduce(
    'DeduplicateSubmitterCommandClient',
    'the same command id of another party is not a duplicate',
    () => differentSubmitters(SUBMIT_AND_WAIT),
  );

  reproduce(
    'DeduplicateUsingDurations',
    'accepts the command again after the deduplication period',
    async () => {
      const request = dummyRequest(alice, forSeconds(2));
      const first = await accepted(SUBMIT, request);
      expect(first.commandId).toBe(request.commandId);
      const duplicate = await deduplicated(SUBMIT, request, first);
      api.canticle.advanceTime({ seconds: 3 });
      const second = await accepted(SUBMIT, request);
      expect(await activeOf(alice)).toBe(2);
      const sinceOffsetOf = async (completion: JsonAnswer): Promise<JsonAnswer> =>
        (await completionsAfter(offsetOf(completion) - 1)).find(
          ({ commandId, status }) =>
            commandId === request.commandId && (completion !== duplicate || status.code === 0),
        );
      expect((await sinceOffsetOf(duplicate)).offset).toBeLessThan(duplicate.offset);
      // The period of an accepted command reaches back to its earlier completion, and is not shorter than requested.
      const reached = await sinceOffsetOf(second);
      expect(reached.offset).toBe(offsetOf(second));
      const timeOf = ({ synchronizerTime }: JsonAnswer) => Date.parse(synchronizerTime.recordTime);
      expect(timeOf(second) - timeOf(reached)).toBeGreaterThanOrEqual(2_000);
    },
  );

  reproduce(
    'DeduplicateUsingOffsets',
    'rejects duplicates after the given offset, and accepts the command otherwise',
    async () => {
      const before = await accepted(SUBMIT, dummyRequest());
      const request = dummyRequest();
      const first = await accepted(SUBMIT, request);
      const again = await deduplicated(SUBMIT, { ...request, ...fromOffset(before.offset) }, first);
      const second = await accepted(SUBMIT, { ...request, ...fromOffset(again.offset) });
      expect(second.offset).toBeGreaterThan(again.offset);
      // No more recent than what was asked for.
      expect(offsetOf(again)).toBeLessThanOrEqual(first.offset);
      expect(offsetOf(second)).toBeLessThanOrEqual(again.offset);
    },
  );
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
    'accepts one of ten concurrent submissions',
    () => tenAtOnce(ten(() => SUBMIT)),
  );
  reproduce(
    'DeduplicateParallelSubmissionsUsingCommandService',
    'accepts one of ten concurrent submissions',
    () => tenAtOnce(ten(() => SUBMIT_AND_WAIT)),
  );
  reproduce(
    'DeduplicateParallelSubmissionsUsingMixedCommandServiceAndCommandSubmissionService',
    'accepts one of ten concurrent submissions',
    () => tenAtOnce(ten((at) => (at % 2 === 0 ? SUBMIT : SUBMIT_AND_WAIT))),
  );
});

conformanceSuite('CommandDeduplicationPeriodValidationIT', {}, (reproduce) => {
  const submit = (more: Request) => api.post(SUBMIT, dummyRequest(alice, more));

  reproduce('ValidDeduplicationDuration', 'accepts 30 minutes', async () => {
    expect((await submit(forSeconds(30 * 60))).status).toBe(200);
  });

  reproduce('NegativeDeduplicationDuration', 'INVALID_FIELD deduplication_period', async () => {
    await expectRefused(submit(forSeconds(-1)), 'INVALID_FIELD', {
      cause:
        'The submitted command has a field with invalid value: Invalid field deduplication_period: Duration must be positive',
    });
  });

  reproduce('NegativeOffset', 'NEGATIVE_OFFSET', async () => {
    await expectRefused(submit(fromOffset(-12345678)), 'NEGATIVE_OFFSET', {
      cause:
        'Offset -12345678 in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not -12345678',
    });
  });

  reproduce(
    'OffsetPruned',
    'rejects a pruned offset with INVALID_DEDUPLICATION_PERIOD and the earliest valid offset',
    async () => {
      const start = await api.ledgerEnd();
      await submit({});
      const pruned = await api.ledgerEnd();
      await submit({});
      api.canticle.participant.engine.prune(pruned);
      // A client that does not wait gets a completion.
      for (const offset of [start, 0]) expect((await submit(fromOffset(offset))).status).toBe(200);
      const wait = (more: Request) => api.post(SUBMIT_AND_WAIT, dummyRequest(alice, more));
      const [early, zero] = [await wait(fromOffset(start)), await wait(fromOffset(0))];
      for (const answer of [early, zero])
        await expectRefused(answer, 'INVALID_DEDUPLICATION_PERIOD', { definite: true });
      const { earliest_offset: earliest } = early.body.context;
      expect(zero.body.context.earliest_offset).toBe(earliest);
      expect((await wait(fromOffset(Number(earliest)))).status).toBe(200);
    },
  );

  reproduce('ZeroOffset', 'accepts offset 0', async () => {
    expect((await submit(fromOffset(0))).status).toBe(200);
  });
});

conformanceSuite('CompletionDeduplicationInfoIT', {}, (reproduce) => {
  /** The one completion of a submission. */
  const completed = async (way: string, more: Request = {}): Promise<JsonAnswer> => {
    const beginExclusive = await api.ledgerEnd();
    await api.ok(way, dummyRequest(alice, more));
    const [completion, ...others] = await completionsAfter(beginExclusive);
    expect([completion.status.code, others]).toEqual([0, []]);
    return completion;
  };
  const expectSubmittedValues = async (way: string) => {
    const unnamed = await completed(way);
    expect(unnamed.userId).toBe('tester');
    expect(unnamed.submissionId).toMatch(/./);
    expect(offsetOf(unnamed)).toEqual(expect.any(Number));
    const submissionId = newSubmissionId();
    expect((await completed(way, { submissionId })).submissionId).toBe(submissionId);
  };

  reproduce(
    'CCDIIncludeDedupInfoCommandService',
    'submit-and-wait completions have user, submission id and period',
    () => expectSubmittedValues(SUBMIT_AND_WAIT),
  );
  reproduce(
    'CCDIIncludeDedupInfoCommandSubmissionService',
    'submit completions have user, submission id and period',
    () => expectSubmittedValues(SUBMIT),
  );
});
