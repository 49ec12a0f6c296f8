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
      { nth: 2 },
    ];
    for (const when of others) fault({ lose: 'request' }, { when, optional: true });
    canticle.faults.add({ on: 'getV2Version', do: { refuse: 503 }, optional: true });
    await api.post(PATH, creating('one'));
    expect(canticle.faults.list().map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it.each([
    [
      { on: 'postV2CommandsSubmit', do: { repeat: 1 } },
      "'on' cannot be \"postV2CommandsSubmit\": there is no operation 'postV2CommandsSubmit'. There are: postV2Commands",
    ],
    [
      { on: 'getV2Verson', do: { repeat: 1 } },
      "'on' cannot be \"getV2Verson\": there is no operation 'getV2Verson'. Did you mean 'getV2Version'?",
    ],
    [{ on: [], do: { repeat: 1 } }, "'on' cannot be []. Expected the id"],
    [{ on: ['*', 5], do: { repeat: 1 } }, "'on' cannot be 5. Expected a text."],
    [{ on: '*', wen: {}, do: { repeat: 1 } }, "The rule has no 'wen'. Did you mean 'when'?"],
    [
      { on: '*', do: { repeat: 1 }, optional: 'no' },
      '\'optional\' cannot be "no". Expected true or',
    ],
    [{ on: '*', do: {} }, "'do' cannot be {}. Expected an object with one of lose"],
    [{ on: '*', do: 'lose' }, '\'do\' cannot be "lose". Expected an object'],
    [{ on: '*', do: { repeat: 1, lose: 'answer' } }, "'do' has 'repeat' and 'lose'. Expected one"],
    [{ on: '*', do: { los: 'answer' } }, "'do' has no 'los'. Did you mean 'lose'?"],
    [
      { on: '*', do: { lose: 'answer', ass: 502 } },
      "'do' with 'lose' has no 'ass'. Did you mean 'as'?",
    ],
    [{ on: '*', when: 5, do: { repeat: 1 } }, "'when' cannot be 5. Expected an object."],
    [5, 'Expected an object: { on, when, do }.'],
    [
      { on: '*', when: { tmes: 1 }, do: { repeat: 1 } },
      "'when' has no 'tmes'. Did you mean 'times'?",
    ],
  ])('reject %j, because a member is wrong', (rule, why) => {
    expect(() => canticle.faults.add(rule as never)).toThrow(`Invalid fault rule: ${why}`);
  });

  it.each([
    [{ participant: 'sandbx' }, `"sandbx". Did you mean 'sandbox'?`],
    [{ host: '' }, '"". Expected a text.'],
    [{ nth: 0 }, '0. Expected an integer from 1 to 2147483647, or a list'],
    [{ nth: [] }, '[]. Expected an integer from 1 to 2147483647, or a list'],
    [{ nth: [1, 'x'] }, '[1,"x"]. Expected an integer'],
    [{ times: '2' }, '"2". Expected an integer from 1 to'],
    [{ times: 2 ** 31 }, '2147483648. Expected an integer from 1 to'],
    [{ probability: 1.1 }, '1.1. Expected a number from 0 to 1.'],
    [{ probability: -0.1 }, '-0.1. Expected a number from 0 to 1.'],
  ])('reject the condition %j', (when, why) => {
    const [name] = Object.keys(when);
    expect(() => canticle.faults.add({ on: '*', when, do: { repeat: 1 } } as never)).toThrow(
      `Invalid fault rule: 'when.${name}' cannot be ${why}`,
    );
  });

  it.each([
    ['pause', { pause: 'unknown' }, `"unknown". There are: global.`],
    ['resume', { resume: 'globl' }, `"globl". Did you mean 'global'?`],
    ['disconnect', { disconnect: 'globl' }, `"globl". Did you mean 'global'?`],
    ['reconnect', { reconnect: 'globl' }, `"globl". Did you mean 'global'?`],
    ['at', { disconnect: 'global', at: 'sandbx' }, `"sandbx". Did you mean 'sandbox'?`],
    ['at', { restart: true, at: 'sandbx' }, `"sandbx". Did you mean 'sandbox'?`],
    ['at', { unvet: 'any', at: 'sandbx' }, `"sandbx". Did you mean 'sandbox'?`],
    ['lose', { lose: 'answr' }, `"answr". Did you mean 'answer'?`],
    ['lose', { lose: undefined }, 'undefined. There are: request, answer.'],
    ['as', { lose: 'answer', as: 500 }, `500. Did you mean '502'?`],
    ['of', { delay: 1, of: 'complete' }, `"complete". Did you mean 'completion'?`],
    ['hold', { hold: 'anser' }, `"anser". Did you mean 'answer'?`],
    ['delay', { delay: [50, 5] }, '[50,5]. Expected an integer from 0 to 2147483647, or the least'],
    ['delay', { delay: 2 ** 31 }, '2147483648. Expected an integer from 0 to'],
    ['delay', { delay: [1, -1] }, '[1,-1]. Expected an integer'],
    ['delay', { delay: ['1', 2] }, '["1",2]. Expected an integer'],
    ['delay', { delay: [1, 2, 3] }, '[1,2,3]. Expected an integer'],
    ['shuffle', { shuffle: 0 }, '0. Expected an integer from 1'],
    ['truncate', { truncate: '0.5' }, '"0.5". Expected a number from 0 to 1.'],
    ['slow', { slow: 0, pause: 1 }, '0. Expected an integer from 1'],
    ['pause', { slow: 2, pause: -1 }, '-1. Expected an integer from 0'],
    [
      'refuse',
      { refuse: 'BACKPRESSURE' },
      `"BACKPRESSURE". Did you mean 'PARTICIPANT_BACKPRESSURE'?`,
    ],
    ['refuse', { refuse: 504 }, `504. Did you mean '503'?`],
    ['retryAfter', { refuse: 503, retryAfter: 0.5 }, '0.5. Expected an integer'],
    [
      'reject',
      { reject: 'LOCAL_VERDICT_TIMEUT' },
      `"LOCAL_VERDICT_TIMEUT". Did you mean 'LOCAL_VERDICT_TIMEOUT'?`,
    ],
    ['repeat', { repeat: 0 }, '0. Expected an integer from 1'],
    [
      'cut',
      { cut: 'reasignment' },
      `"reasignment". Expected an integer from 0 to 2147483647. Did you mean 'reassignment'?`,
    ],
    ['as', { cut: 1, as: 'closed' }, `"closed". Did you mean 'close'?`],
    ['stall', { stall: -1 }, '-1. Expected an integer from 0'],
    ['behind', { behind: 0 }, '0. Expected an integer from 1'],
    ['alter', { alter: {} }, '{}. Expected an object with at least one member.'],
    ['prune', { prune: 1.5 }, '1.5. Expected an integer from 0'],
    ['advance', { advance: '1h' }, '"1h". Expected a duration, such as PT10M'],
    ['revoke', { revoke: '' }, '"". Expected a text.'],
    ['party', { revoke: 'u', party: 5 }, '5. Expected a text.'],
    ['right', { grant: 'u', party: 'p', right: 'actas' }, `"actas". Did you mean 'actAs'?`],
    ['vet', { vet: 5 }, '5. Expected a text.'],
    ['rival', { rival: false }, 'false. Expected true.'],
    ['answer', { answer: 'x' }, '"x". Expected an object: { status, headers, body }.'],
    [
      'answer',
      { answer: { stats: 1 } },
      `{"stats":1}. An answer has no 'stats'. Did you mean 'status'?`,
    ],
    [
      'answer',
      { answer: { status: 199 } },
      '{"status":199}. Its status is an integer from 200 to 599.',
    ],
    [
      'answer',
      { answer: { status: 600 } },
      '{"status":600}. Its status is an integer from 200 to 599.',
    ],
    [
      'answer',
      { answer: { headers: { 'a b': 'c' } } },
      '{"headers":{"a b":"c"}}. Its headers are texts by name.',
    ],
    [
      'answer',
      { answer: { headers: { a: 'b\nc' } } },
      '{"headers":{"a":"b\\nc"}}. Its headers are texts',
    ],
    ['answer', { answer: { headers: { a: 5 } } }, '{"headers":{"a":5}}. Its headers are texts'],
  ])("reject 'do.%s' of %j", (member, action, why) => {
    expect(() => canticle.faults.add({ on: '*', do: action } as never)).toThrow(
      `Invalid fault rule: 'do.${member}' cannot be ${why}`,
    );
  });

  it.each([
    [{ slow: 2 }, "'do' with 'slow' needs 'pause'."],
    [{ grant: 'u' }, "'do' with 'grant' needs 'party'."],
  ])('reject %j, because a member is missing', (action, why) => {
    expect(() => canticle.faults.add({ on: '*', do: action } as never)).toThrow(why);
  });

  it('accept the ids of a synchronizer and of a participant, and the largest numbers', () => {
    const [global] = canticle.network.synchronizers;
    const { id } = canticle.network.participants[0]!;
    const actions = [
      { pause: global!.id },
      { resume: global!.physicalId },
      { disconnect: 'global', at: id },
      { delay: [7, 7] },
      { delay: 2 ** 31 - 1 },
      { delay: [0, 1] },
      { truncate: 0 },
      { truncate: 1 },
      { alter: { a: 1 } },
      { answer: { status: 200 } },
      { answer: { status: 599, headers: { 'x-y': 'a\tb' }, body: null } },
    ];
    for (const action of actions)
      canticle.faults.add({
        on: '*',
        do: action,
        when: { nth: [2], times: 2 ** 31 - 1 },
        optional: true,
      } as never);
    expect(canticle.faults.list()).toHaveLength(actions.length);
  });

  it('reject a value with an error that shows its first 200 characters', () => {
    const add = (length: number) => () =>
      canticle.faults.add({ on: '*', do: { pause: 'x'.repeat(length) } });
    expect(add(198)).toThrow(`"${'x'.repeat(198)}". There are`);
    expect(add(199)).toThrow(`"${'x'.repeat(199)}…. There are`);
  });

  it('do not apply to controls', async () => {
    // A control is never met: it is how a fault is taken away.
    canticle.faults.add({ on: '*', do: { lose: 'request' }, optional: true });
    expect((await canticle.handle({ path: '/canticle/v1/time' })).status).toBe(200);
  });
});

it('the journal shows a range of delays as one', async () => {
  fault({ delay: [0, 1] });
  await api.post(PATH, creating('one'));
  expect(newest()?.faults).toMatchObject([{ fault: 'delay: 0–1' }]);
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
