/** A ledger time that is still to come: by the wall clock a submission is held back until then (B-CMD-070 to B-CMD-072). */
import { createCanticle, type Canticle, type CanticleOptions } from 'canticle';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
/** The clock of the machine moves only when a test moves it. */
beforeEach(() => {
  const real = ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime'] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
});
const turn = () => new Promise((resolve) => setImmediate(resolve));
const advance = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
/** Resolves when a submission waits for its ledger time. */
async function waiting(): Promise<void> {
  while (jest.getTimerCount() === 0) await turn();
  for (let more = 0; more < 5; more += 1) await turn();
}

const created: Canticle[] = [];
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(created.splice(0).map((each) => each.close()));
});

function ledger(options: CanticleOptions = { clock: 'wall' }) {
  const canticle = createCanticle(options);
  created.push(canticle);
  const alice = canticle.participant.allocateParty('alice');
  const post = async (path: string, body: object) => {
    const request = new Request(`http://canticle${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await canticle.fetch(request);
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };
  const submission = (times: object, commandId = 'c') => ({
    commands: [{ CreateCommand: { templateId: IOU, createArguments: iou } }],
    commandId,
    userId: 'u',
    actAs: [alice],
    ...times,
  });
  const contracts = () => canticle.participant.activeContracts({ party: alice }).length;
  return { canticle, alice, post, submission, contracts };
}

const inMilliseconds = (time: number) => ({
  minLedgerTimeAbs: new Date(Date.now() + time).toISOString(),
});

it('waits until its ledger time, and is then accepted', async () => {
  const { post, submission, contracts } = ledger();
  await post('/v2/commands/submit-and-wait', submission({}, 'first'));
  const times = inMilliseconds(500);
  const answer = post('/v2/commands/submit-and-wait-for-transaction', {
    commands: submission(times),
  });
  await waiting();
  await advance(499);
  expect(contracts()).toBe(1);
  await advance(1);
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(times.minLedgerTimeAbs));
  expect(Date.parse(body.transaction.effectiveAt)).toBe(Date.parse(times.minLedgerTimeAbs));
  expect(contracts()).toBe(2);
});

it('also delays the answer to an asynchronous submission', async () => {
  const { post, submission, contracts } = ledger();
  const rel = { minLedgerTimeRel: { seconds: 0, nanos: 300_000_000 } };
  const answer = post('/v2/commands/async/submit', submission(rel));
  await waiting();
  // The network's clock has microseconds, and can be a few milliseconds ahead of that of the machine.
  await advance(310);
  expect(await answer).toEqual({ status: 200, body: {} });
  expect(contracts()).toBe(1);
});

it('is interpreted at once, and rejected at once if this fails', async () => {
  const { post, submission, alice } = ledger();
  const commands = [
    {
      CreateCommand: {
        templateId: IOU,
        createArguments: {
          issuer: alice,
          owner: alice,
          currency: 'EUR',
          amount: '-1.0',
          observers: [],
        },
      },
    },
  ];
  const { status } = await post('/v2/commands/submit-and-wait', {
    ...submission(inMilliseconds(3_600_000)),
    commands,
  });
  expect(status).toBe(400);
});

it('returns 503 after the request timeout, and continues', async () => {
  const { post, submission, contracts } = ledger({ clock: 'wall', requestTimeout: 100 });
  const answer = post('/v2/commands/submit-and-wait', submission(inMilliseconds(500)));
  await waiting();
  await advance(100);
  expect((await answer).status).toBe(503);
  expect(contracts()).toBe(0);
  await advance(400);
  expect(contracts()).toBe(1);
});

it('submitted twice during the delay is a duplicate the second time', async () => {
  const { post, submission } = ledger();
  const times = inMilliseconds(300);
  const both = [1, 2].map(() => post('/v2/commands/submit-and-wait', submission(times, 'same')));
  await waiting();
  await advance(300);
  const answers = await Promise.all(both);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.map(({ body }) => body.code)).toContain('DUPLICATE_COMMAND');
});

it('is dropped if a revert undoes it', async () => {
  const { canticle, post, submission, contracts } = ledger();
  const snapshot = canticle.snapshot();
  const answer = post('/v2/commands/submit-and-wait', submission(inMilliseconds(200)));
  await waiting();
  await advance(50);
  canticle.revert(snapshot);
  expect((await answer).body.code).toBe('REQUEST_TIME_OUT');
  await advance(250);
  expect(contracts()).toBe(0);
});

it('is rejected if the time is more than 292 years ahead', async () => {
  const { post, submission } = ledger();
  const { status, body } = await post(
    '/v2/commands/submit-and-wait',
    submission({ minLedgerTimeAbs: '9999-12-31T23:59:59Z' }),
  );
  expect([status, body]).toEqual([
    500,
    expect.objectContaining({ code: 'NA', correlationId: null, traceId: null }),
  ]);
});

it('is rejected at once with virtual time', async () => {
  const { post, submission, canticle } = ledger({});
  const later = new Date(Date.parse(canticle.time) + 3_600_000).toISOString();
  const { body } = await post(
    '/v2/commands/submit-and-wait',
    submission({ minLedgerTimeAbs: later }),
  );
  expect(body.code).toBe('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND');
});

it.each([{ clock: 'wall' }, {}] as const)(
  'is rejected if Daml cannot represent the time: %j',
  async (options) => {
    const { post, submission } = ledger(options);
    const rel = { minLedgerTimeRel: { seconds: 315_576_000_000 } };
    const { status, body } = await post('/v2/commands/submit-and-wait', submission(rel));
    expect([status, body.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(body.cause).toMatch(
      /Can not represent command ledger time \+1\d{4}-\d\d-\d\dT[\d:.]+Z as a Daml timestamp$/,
    );
  },
);
