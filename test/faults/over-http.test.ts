/** Faults over HTTP: the client's view of each, the ledger afterwards, and the journal's entry. */
import { request as httpRequest } from 'node:http';
import type { FaultAction, FaultRule, OperationId } from 'canticle';
import { model } from '../support/daml/model-package.js';
import { create, exercise } from '../support/ledger-api.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ seed: 3 });
const { canticle } = api;
const [alice] = useParties(api, 'alice');
const OPERATION = 'postV2CommandsSubmit-and-wait';
const PATH = '/v2/commands/submit-and-wait';
const DUMMY = model('Dummy');

const creating = (commandId: string) =>
  api.commands(create(DUMMY, { operator: alice }), { actAs: alice, commandId });
const active = () => canticle.participant.activeContracts({ template: DUMMY }).length;
const newest = () => canticle.requests.list().at(-1);
const fault = (action: FaultAction, more: Omit<Partial<FaultRule<OperationId>>, 'do'> = {}) =>
  canticle.faults.add({ on: OPERATION, ...more, do: action });

const init = (commandId: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(creating(commandId)),
});
const WAYS = {
  'over the port': (id: string) => fetch(canticle.url + PATH, init(id)),
  'by fetch': (id: string) => canticle.fetch(new Request(canticle.url + PATH, init(id))),
};
const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => 'answered',
    ({ cause, code }: { cause?: { code?: string }; code?: string }) => cause?.code ?? code,
  );

describe.each(Object.entries(WAYS))('%s', (_, submit) => {
  it('loses a request before its execution or an answer after it, and the client sees the same error', async () => {
    const request = fault({ lose: 'request' }, { when: { nth: 1 } });
    expect(await codeOf(submit('one'))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect([active(), request.hits]).toEqual([0, 1]);
    expect(newest()).toMatchObject({
      operation: OPERATION,
      outcome: 'refused',
      faults: [{ id: request.id, fault: 'lose: request' }],
    });
    const answer = fault({ lose: 'answer' }, { when: { commandId: 'two' } });
    expect(await codeOf(submit('two'))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(active()).toBe(1);
    expect(newest()).toMatchObject({
      outcome: 'answered',
      offset: expect.any(Number),
      faults: [{ id: answer.id, fault: 'lose: answer' }],
    });
    expect((await submit('three')).status).toBe(200);
    expect(newest()).not.toHaveProperty('faults');
  });

  it('a proxy answers in place of the participant', async () => {
    fault({ lose: 'answer', as: 504 });
    const answer = await submit('one');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([504, 'text/html']);
    expect(await answer.text()).toContain('<h1>504 Gateway Time-out</h1>');
    expect(active()).toBe(1);
    canticle.faults.reset();
    fault({ refuse: 429, retryAfter: 7 });
    const refused = await submit('two');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    expect(active()).toBe(1);
  });

  it('truncates an answer after half of its body', async () => {
    fault({ truncate: 0.5 });
    const answer = await submit('one');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(active()).toBe(1);
  });

  it('sends a slow body completely', async () => {
    fault({ slow: 5, pause: 1 });
    expect(await (await submit('one')).json()).toMatchObject({ updateId: expect.any(String) });
  });

  it('a restart ends an answer while it is sent', async () => {
    fault({ slow: 2, pause: 60 });
    const answer = await submit('one');
    const read = answer.text();
    canticle.faults.restart('sandbox');
    await expect(read).rejects.toThrow();
    expect([answer.status, active()]).toEqual([200, 1]);
  });
});

it('`handle` reports a broken connection', async () => {
  fault({ lose: 'answer' });
  const handle = () => canticle.handle({ path: PATH, body: creating('one') });
  expect(await codeOf(handle())).toBe('ECONNRESET');
});

it('a participant refuses with retry information, and does not execute the request', async () => {
  fault({ refuse: 'PARTICIPANT_BACKPRESSURE' }, { when: { times: 1 } });
  const { status, body } = await api.post(PATH, creating('one'));
  expect(body).toMatchObject({
    code: 'PARTICIPANT_BACKPRESSURE',
    retryInfo: '1 second',
    context: { reason: 'Maximum number of in-flight requests reached' },
  });
  expect([status, active()]).toEqual([409, 0]);
  expect(newest()).toMatchObject({ error: 'PARTICIPANT_BACKPRESSURE', outcome: 'refused' });
  await api.post(PATH, creating('one'));
});

it.each([
  ['LOCAL_VERDICT_LOCKED_CONTRACTS', 409],
  ['LOCAL_VERDICT_INACTIVE_CONTRACTS', 404],
  ['MEDIATOR_SAYS_TX_TIMED_OUT', 409],
  ['NOT_SEQUENCED_TIMEOUT', 409],
  ['SEQUENCER_REQUEST_FAILED', 409],
] as const)('%s appears in the answer and in a completion', async (code, status) => {
  const { contractId } = canticle.participant.activeContracts({ template: DUMMY })[0] ?? {
    contractId: canticle.participant.create(DUMMY, { operator: alice }, { actAs: alice }),
  };
  const consuming = api.commands(exercise(DUMMY, contractId, 'Consume'), { actAs: alice });
  // It happens to what uses a contract alone.
  const rule = fault({ reject: code }, { when: { choice: 'Consume', times: 1 } });
  await api.post(PATH, creating('other'));
  const answer = await api.post(PATH, consuming);
  expect([answer.status, answer.body.code, rule.hits]).toEqual([status, code, 1]);
  const request = { userId: 'tester', parties: [alice], beginExclusive: 0 };
  const { body: completions } = await api.post('/v2/commands/completions', request);
  const statuses = completions.map((each: any) => each.completionResponse.Completion?.value.status);
  expect(statuses.at(-1)).toMatchObject({ message: expect.stringContaining(code) });
  // A rejected command may be submitted again.
  await api.post(PATH, consuming);
});

it('a request that a proxy repeats takes effect once, and its client receives the duplicate error', async () => {
  fault({ repeat: 1 });
  const { body } = await api.post(PATH, creating('one'));
  expect([body.code, active()]).toEqual(['DUPLICATE_COMMAND', 1]);
  expect(canticle.requests.list({ operation: OPERATION })).toHaveLength(2);
});

it('another submission archives the contract that the client wants to use', async () => {
  const contractId = canticle.participant.create(DUMMY, { operator: alice }, { actAs: alice });
  fault({ rival: true }, { when: { party: 'alice', template: 'Test:Dummy' } });
  const consuming = api.commands(exercise(DUMMY, contractId, 'Consume'), { actAs: alice });
  const { body } = await api.post(PATH, consuming);
  expect([body.code, active()]).toEqual(['CONTRACT_NOT_FOUND', 0]);
});

it('prunes history during a read, and advances time during a submission', async () => {
  await api.post(PATH, creating('one'));
  await api.post(PATH, creating('two'));
  canticle.faults.add({ on: 'postV2Updates', do: { prune: 0 } });
  const filter = { filtersForAnyParty: {} };
  const { body } = await api.post('/v2/updates', { beginExclusive: 0, endInclusive: 2, filter });
  expect(body.code).toBe('PARTICIPANT_PRUNED_DATA_ACCESSED');
  const before = canticle.time;
  fault({ advance: 'PT1H' }, { when: { nth: 1 } });
  await api.post(PATH, creating('three'));
  expect(Date.parse(canticle.time) - Date.parse(before)).toBeGreaterThanOrEqual(3_600_000);
});

it('holds calls until the test releases them, individually or together', async () => {
  const rule = fault({ hold: 'request' });
  const order: string[] = [];
  const pending = ['one', 'two', 'three'].map((id) =>
    canticle.handle({ path: PATH, body: creating(id) }).then(() => order.push(id)),
  );
  await new Promise(setImmediate);
  expect(canticle.faults.held).toHaveLength(3);
  expect(active()).toBe(0);
  expect(canticle.faults.step()).toBe(true);
  await pending[0];
  expect([order, active()]).toEqual([['one'], 1]);
  expect(canticle.faults.release(rule.id)).toBe(2);
  await Promise.all(pending);
  expect(active()).toBe(3);
});

it('the seed determines the order of concurrent requests, regardless of their arrival', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const orders: string[][] = [];
  for (const sent of [ids, [...ids].reverse()]) {
    const snapshot = canticle.snapshot();
    fault({ shuffle: ids.length });
    await Promise.all(sent.map((id) => fetch(canticle.url + PATH, init(id))));
    const request = { userId: 'tester', parties: [alice], beginExclusive: 0 };
    const { body } = await api.post('/v2/commands/completions', request);
    orders.push(
      body.flatMap((each: any) => each.completionResponse.Completion?.value.commandId ?? []),
    );
    canticle.revert(snapshot);
  }
  const [first, second] = orders;
  expect(second).toEqual(first);
  expect(first).not.toEqual(ids);
  expect([...first!].sort()).toEqual(ids);
});

describe('fault rules', () => {
  it('a probability depends on the seed, and repeats after a revert', async () => {
    const outcomes: boolean[][] = [];
    for (let round = 0; round < 2; round += 1) {
      const snapshot = canticle.snapshot();
      fault({ refuse: 503 }, { when: { probability: 0.5 } });
      const met: boolean[] = [];
      for (let call = 0; call < 12; call += 1) {
        const { status } = await canticle.handle({ path: PATH, body: creating(`c${call}`) });
        met.push(status === 503);
      }
      outcomes.push(met);
      canticle.revert(snapshot);
      expect(canticle.faults.list()).toEqual([]);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(new Set(outcomes[0]).size).toBe(2);
  });

  it('are counted, listed and removed', async () => {
    const rule = fault({ refuse: 503 }, { when: { nth: [2, 3] }, optional: true });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await canticle.handle({ path: PATH, body: creating(`c${call}`) })).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect(canticle.faults.list()).toMatchObject([{ id: rule.id, seen: 4, hits: 2 }]);
    rule.remove();
    expect(canticle.faults.list()).toEqual([]);
    expect([canticle.faults.reset(), rule.hits]).toEqual([0, 0]);
  });

  it('do not match other parties, commands, templates or operations', async () => {
    const others: FaultRule['when'][] = [
      { party: 'bob' },
      { commandId: 'other' },
      { template: 'Test:Other' },
      { choice: 'Consume' },
      { participant: 'other' },
      { nth: 2 },
    ];
    for (const when of others) fault({ lose: 'request' }, { when, optional: true });
    canticle.faults.add({ on: 'getV2Version', do: { refuse: 503 }, optional: true });
    await api.post(PATH, creating('one'));
    expect(canticle.faults.list().map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it.each([
    [
      { on: 'postV2CommandsSubmit', do: { repeat: 1 } },
      "no operation 'postV2CommandsSubmit'. There is postV2Commands",
    ],
    [
      { on: 'getV2Verson', do: { repeat: 1 } },
      "no operation 'getV2Verson'. The nearest is getV2Version.",
    ],
    [{ on: 'none of all these', do: { repeat: 1 } }, /no operation 'none of all these'\.$/],
    [{ on: '*', do: { reject: 'PARTICIPANT_BACKPRESSURE' } }, 'but NOT_SEQUENCED_TIMEOUT'],
    [{ on: '*', do: { lose: 'all' } }, "'do' cannot be"],
    [{ on: '*', do: {} }, "'do' is one of lose"],
    [{ on: '*', do: { repeat: 1, lose: 'answer' } }, "'do' has 'lose'"],
    [{ on: '*', when: { nht: 1 }, do: { repeat: 1 } }, "'when' has no 'nht'"],
    [{ on: '*', when: { probability: 2 }, do: { repeat: 1 } }, "'when.probability' cannot be 2"],
    [{ on: [], do: { repeat: 1 } }, "'on' is the id"],
  ])('reject %j', (rule, why) => {
    expect(() => canticle.faults.add(rule as never)).toThrow(why);
  });

  it('do not apply to controls', async () => {
    // A control is never met: it is how a fault is taken away.
    canticle.faults.add({ on: '*', do: { lose: 'request' }, optional: true });
    expect((await canticle.handle({ path: '/canticle/v1/time' })).status).toBe(200);
  });
});

describe('use', () => {
  it('returns an answer once, and then the network answers', async () => {
    const path = '/v2/version';
    canticle.use('getV2Version', { status: 418, body: { a: 1 } }, { once: true });
    const first = await canticle.handle({ path });
    expect([first.status, first.json()]).toEqual([418, { a: 1 }]);
    expect((await canticle.handle({ path })).status).toBe(200);
  });

  it('passes a call to the test: the newest rule answers first, and a rule without answer continues', async () => {
    const seen: unknown[] = [];
    canticle.use(OPERATION, { status: 500 });
    canticle.use(OPERATION, (call) => {
      seen.push((call.input as { body: { commandId: string } }).body.commandId);
      return { status: 202, body: 'held', headers: { 'content-type': 'text/plain' } };
    });
    const { status, body } = await canticle.handle({ path: PATH, body: creating('one') });
    expect([status, body.toString(), seen]).toEqual([202, 'held', ['one']]);
    expect(newest()).toMatchObject({ status: 202, faults: [{ fault: 'answer' }] });
    canticle.faults.reset();
    canticle.use(OPERATION, () => undefined);
    expect((await canticle.handle({ path: PATH, body: creating('two') })).status).toBe(200);
  });
});

it('a restart cuts off clients that wait for an answer', async () => {
  fault({ restart: true });
  const failure = new Promise((resolve) => {
    const outgoing = httpRequest(`${canticle.url}${PATH}`, { agent: false, method: 'POST' });
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    outgoing.end(JSON.stringify(creating('one')));
  });
  expect(await failure).toBe('ECONNRESET');
  expect(active()).toBe(1);
});
