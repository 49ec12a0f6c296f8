/** Extension services at HTTP addresses, and functions that answer later. The requests and retries are those of a participant. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  createCanticle,
  startCanticle,
  startLocalnet,
  type Canticle,
  type CanticleOptions,
  type JournalEntry,
} from 'canticle';
import { clientInProcess } from '../support/client.js';
import { oraclesDar } from '../support/daml/oracles.js';
import {
  EXECUTE_FOR_TRANSACTION,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../network/external/external-party.js';
import { exercise, LedgerApi, type JsonAnswer } from '../support/ledger-api.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const ORACLE = '#oracles:Main:Oracle';
type Services = NonNullable<CanticleOptions['externalCalls']>;

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Reply {
  readonly status?: number;
  readonly body?: string;
  /** Ends the connection instead. */
  readonly isLost?: true;
  /** Never answers. */
  readonly isSilent?: true;
}

/** A service that answers each request by a function. */
let server: Server;
let received: Received[] = [];
let reply: (request: Received, index: number) => Reply | Promise<Reply> = () => ({ body: '01' });

beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          const each = { method, url, headers, body };
          received.push(each);
          void Promise.resolve(reply(each, received.length - 1)).then((answer) => {
            if (answer.isSilent === true) return;
            if (answer.isLost === true) request.socket.destroy();
            else response.writeHead(answer.status ?? 200).end(answer.body ?? '01');
          });
        });
      }).listen(0, '127.0.0.1', resolve);
    }),
);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  reply = () => ({ body: '01' });
});

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
/** Without waiting between requests. */
const quick = (more: object = {}) => ({ url: address(), retryInitialDelay: 1, ...more });

const open: Canticle[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Alice at `here` and Bob at `there`, with an oracle that one of them owns and both see. */
function network(here: Services, there: Services = here, more: CanticleOptions = {}) {
  const canticle = createCanticle({
    canton: '3.6',
    protocolVersion: 36,
    participants: [
      { name: 'here', externalCalls: here },
      { name: 'there', externalCalls: there },
    ],
    dars: [oraclesDar],
    ...more,
  });
  open.push(canticle);
  const [first, second] = canticle.participants;
  const alice = first!.allocateParty('alice');
  const bob = second!.allocateParty('bob');
  const oracleOf = (participant: typeof first, owner: string, other: string) =>
    participant!.create(ORACLE, { owner, other }, { actAs: [owner] });
  return { canticle, alice, bob, first: first!, oracleOf };
}

let sent = 0;
async function submit(
  canticle: Canticle,
  actAs: string,
  commands: readonly object[],
  at = '',
): Promise<JsonAnswer> {
  const path = `${at}/v2/commands/submit-and-wait-for-transaction`;
  const wildcard = { identifierFilter: { WildcardFilter: { value: {} } } };
  const body = {
    commands: { commands, commandId: `c-${++sent}`, userId: 'u', actAs: [actAs] },
    transactionFormat: {
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      eventFormat: { filtersByParty: { [actAs]: { cumulative: [wildcard] } } },
    },
  };
  return (await canticle.handle({ path, body })).json();
}

const asking = (oracle: string, input = 'ff', config = '0a') =>
  exercise(ORACLE, oracle, 'Ask', { config, input });

/** Alice asks her own oracle. */
function asker(services: Services, more?: CanticleOptions) {
  const { canticle, alice, first, oracleOf } = network(services, services, more);
  const oracle = oracleOf(first, alice, alice);
  const ask = (...inputs: string[]): Promise<JsonAnswer> =>
    submit(
      canticle,
      alice,
      inputs.map((input) => asking(oracle, input)),
    );
  return { canticle, alice, first, oracle, ask };
}

const resultsOf = ({ transaction }: JsonAnswer): string[] =>
  transaction.events.map((each: JsonAnswer) => each.ExercisedEvent.exerciseResult);
const lastCalls = ({ requests }: Canticle) =>
  (requests.list().at(-1) as JournalEntry).externalCalls ?? [];

it('sends the requests of a participant, to submit and to confirm (R-36-083)', async () => {
  reply = () => ({ body: 'c0ffee' });
  const { ask } = asker({ prices: `${address()}/base/` });
  expect(resultsOf(await ask('ff'))).toEqual(['c0ffee']);
  expect(received.map(({ headers }) => headers['x-daml-external-mode'])).toEqual([
    'submission',
    'validation',
  ]);
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (const request of received)
    expect(request).toMatchObject({
      method: 'POST',
      url: '/base/api/v1/external-call',
      body: 'ff',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        accept: 'text/plain',
        'x-daml-external-function-id': 'latest',
        'x-daml-external-config-hash': '0a',
        'x-request-id': expect.stringMatching(UUID),
        'idempotency-key': expect.stringMatching(UUID),
      },
    });
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(2);
  expect(received[0]!.headers).not.toHaveProperty('authorization');
});

it('sends the token of a service', async () => {
  await asker({ prices: quick({ token: 'secret' }) }).ask('ff');
  expect(received[0]!.headers.authorization).toBe('Bearer secret');
});

it.each([408, 412, 429, 500, 502, 503, 504])(
  'repeats a request after status %i, with the same key (R-36-083)',
  async (status) => {
    reply = (_, index) => (index < 3 ? { status } : { body: '02' });
    const { ask } = asker({ prices: quick() });
    expect(resultsOf(await ask('ff'))).toEqual(['02']);
    expect(received).toHaveLength(5);
    const first = received.slice(0, 4).map(({ headers }) => headers);
    expect(new Set(first.map((each) => each['idempotency-key'])).size).toBe(1);
    expect(new Set(first.map((each) => each['x-request-id'])).size).toBe(4);
  },
);

const withoutIds = (cause: string): string =>
  cause
    .replace(/call id = '[0-9a-f-]{36}'/, "call id = 'ID'")
    .replace(/(trace id = '|tid:)[0-9a-f]{32}/, '$1TRACE');
const FAILED =
  'Interpretation error: Error: External call execution failed (extensionId=prices, functionId=latest): call failed: ';
const GENERIC = (retryable: boolean) =>
  `${FAILED}External call failed (retryable = ${retryable}, external call id = 'ID', trace id = 'TRACE')`;

it.each<[string, Reply, number, boolean]>([
  ['after the last repetition', { status: 503 }, 4, true],
  ['after a lost connection', { isLost: true }, 4, true],
  ['at once for status 400', { status: 400 }, 1, false],
  ['at once for status 404', { status: 404 }, 1, false],
  ['at once for a redirection', { status: 302 }, 1, false],
  ['at once for status 204', { status: 204 }, 1, false],
])('a call fails %s (R-36-083)', async (_what, answer, requests, retryable) => {
  reply = () => answer;
  const { code, cause } = await asker({ prices: quick() }).ask('ff');
  expect([code, withoutIds(cause)]).toEqual([
    'INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED',
    GENERIC(retryable),
  ]);
  expect(cause).toContain(received.at(-1)!.headers['x-request-id']);
  expect(received).toHaveLength(requests);
});

it.each([
  [400, 'Bad Request'],
  [401, 'Unauthorized - check bearer token'],
  [403, 'Forbidden - insufficient permissions'],
  [404, 'Function not found'],
  [408, 'Request timeout'],
  [412, 'HTTP 412'],
  [429, 'Rate limit exceeded'],
  [500, 'Internal server error'],
  [502, 'Bad gateway'],
  [503, 'Service unavailable'],
  [504, 'Gateway timeout'],
])('the journal explains status %i as %s', async (status, message) => {
  reply = () => ({ status });
  const { canticle, ask } = asker({ prices: quick({ maxRetries: 0 }) });
  await ask('ff');
  expect(received).toHaveLength(1);
  expect(lastCalls(canticle)).toMatchObject([{ failure: { status, message } }]);
});

it('a call fails if nothing listens at the address', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const { canticle, ask } = asker({ prices: quick({ url: `http://127.0.0.1:${port}` }) });
  expect(withoutIds((await ask('ff')).cause)).toBe(GENERIC(true));
  expect(lastCalls(canticle)).toMatchObject([
    { failure: { status: 503, message: 'Connection failed' } },
  ]);
});

it('waits between repetitions, twice as long each time', async () => {
  const times: number[] = [];
  reply = () => {
    times.push(performance.now());
    return { status: 503 };
  };
  const settings = { retryInitialDelay: 20, retryMaxDelay: 1_000, maxRetries: 3 };
  await asker({ prices: quick(settings) }).ask('ff');
  const waits = times.slice(1).map((time, index) => time - times[index]!);
  // Timers count whole milliseconds, and begin within one.
  expect(waits.map((wait, index) => wait >= 20 * 2 ** index - 1)).toEqual([true, true, true]);
});

it('waits no longer than the limit of the delays', async () => {
  reply = () => ({ status: 503 });
  // The initial delay is longer than the time limit of this test.
  const settings = { retryInitialDelay: 1_000_000, retryMaxDelay: 20, maxRetries: 2 };
  await asker({ prices: quick(settings) }).ask('ff');
  expect(received).toHaveLength(3);
});

it('stops waiting for a silent service, and repeats the request (R-36-083)', async () => {
  reply = (_, index) => (index === 0 ? { isSilent: true } : { body: '03' });
  const { ask } = asker({ prices: quick({ requestTimeout: 50 }) });
  expect(resultsOf(await ask('ff'))).toEqual(['03']);
  expect(received).toHaveLength(3);
});

it('accepts an answer of the longest size, and no longer one (R-36-083)', async () => {
  reply = ({ body }) => ({ body: '0'.repeat(body === 'aa' ? 64 : 65) });
  const { ask } = asker({ prices: quick({ maxResponseBodyBytes: 64 }) });
  expect(resultsOf(await ask('aa'))).toEqual(['0'.repeat(64)]);
  received = [];
  const { cause } = await ask('bb');
  expect(withoutIds(cause)).toBe(
    `${FAILED}ExtensionCallError(status code = 413, message = "External call response body exceeded maximum size of 64 bytes", external call id = 'ID', retryable = false, trace id = tid:TRACE)`,
  );
  expect(received).toHaveLength(1);
});

it('accepts answers of 20 MiB by default, and no longer ones (R-36-083)', async () => {
  const longest = '0'.repeat(20 * 1024 * 1024);
  reply = ({ body }) => ({ body: body === 'aa' ? longest : `${longest}0` });
  const { ask } = asker({ prices: quick() });
  expect(resultsOf(await ask('aa'))[0]).toHaveLength(longest.length);
  expect((await ask('bb')).cause).toContain(`maximum size of ${longest.length} bytes`);
});

it('sends a configuration of 1,024 characters, and no longer one', async () => {
  const { canticle, alice, oracle } = asker({ prices: quick() });
  const longest = await submit(canticle, alice, [asking(oracle, 'ff', '0'.repeat(1024))]);
  expect(resultsOf(longest)).toEqual(['01']);
  received = [];
  const { cause } = await submit(canticle, alice, [asking(oracle, 'ff', '0'.repeat(1026))]);
  expect(withoutIds(cause)).toBe(
    `${FAILED}ExtensionCallError(status code = 400, message = "Invalid external-call HTTP header value for X-Daml-External-Config-Hash", external call id = 'ID', retryable = false, trace id = tid:TRACE)`,
  );
  expect(received).toEqual([]);
});

it.each(['0A', '01\n', 'x', '0'])('rejects the output %j', async (body) => {
  reply = () => ({ body });
  expect((await asker({ prices: quick() }).ask('ff')).code).toBe(
    'INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT',
  );
});

describe('two participants', () => {
  /** Bob asks at `there`, and Alice's participant `here` confirms. */
  async function confirmed(here: Services, there: Services): Promise<[Canticle, JsonAnswer]> {
    const { canticle, alice, bob, first, oracleOf } = network(here, there);
    const oracle = oracleOf(first, alice, bob);
    return [canticle, await submit(canticle, bob, [asking(oracle)], '/participants/there')];
  }

  it('disagree if their services do', async () => {
    reply = ({ url }) => ({ body: url.startsWith('/here') ? '02' : '01' });
    const [canticle, { code }] = await confirmed(
      { prices: `${address()}/here` },
      { prices: `${address()}/there` },
    );
    expect(code).toBe('LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT');
    expect(lastCalls(canticle)).toEqual([
      call('there', 'submission', { output: '01' }),
      call('here', 'validation', { output: '02' }),
    ]);
  });

  it('a function and an address may agree', async () => {
    const [canticle, { transaction }] = await confirmed(
      { prices: () => '01' },
      { prices: address() },
    );
    expect(transaction).toBeDefined();
    // Bob confirms his exercise at `there`.
    expect(lastCalls(canticle)).toHaveLength(3);
  });

  it('one abstains if its service fails', async () => {
    reply = ({ url }) => (url.startsWith('/here') ? { status: 400 } : { body: '01' });
    const [, { code, cause }] = await confirmed(
      { prices: `${address()}/here` },
      { prices: `${address()}/there` },
    );
    const id = received.find(({ url }) => url.startsWith('/here'))!.headers['x-request-id'];
    expect([code, cause]).toEqual([
      'CANNOT_PERFORM_ALL_VALIDATIONS',
      `Cannot perform all validations: external-call validation failed with status 400, externalCallId=${id}`,
    ]);
  });
});

const call = (participant: string, mode: string, answer: object, input = 'ff') => ({
  ...{ participant, mode, extension: 'prices', function: 'latest', config: '0a', input },
  ...answer,
});

describe('a request that waits', () => {
  /** Answers when the test says so. */
  function held() {
    const answers: ((output: string) => void)[] = [];
    let arrived = (): void => undefined;
    const prices = (): Promise<string> =>
      new Promise((resolve) => {
        answers.push(resolve);
        arrived();
      });
    const nextCall = (): Promise<void> => new Promise((resolve) => (arrived = resolve));
    return { prices, answers, nextCall };
  }

  it('asks each call once, in order, and repeats none of them', async () => {
    const calls: string[] = [];
    const prices = async (_: string, __: string, input: string): Promise<string> => {
      calls.push(input);
      return `${input}${input}`;
    };
    const { canticle, ask } = asker({ prices });
    expect(resultsOf(await ask('01', '02', '01'))).toEqual(['0101', '0202', '0101']);
    // Three to submit; the confirming participant repeats each distinct one once.
    expect(calls).toEqual(['01', '02', '01', '01', '02']);
    expect(lastCalls(canticle).map(({ mode, input }) => [mode, input])).toEqual([
      ['submission', '01'],
      ['submission', '02'],
      ['submission', '01'],
      ['validation', '01'],
      ['validation', '02'],
    ]);
  });

  it('gets what the function rejects with as a failure', async () => {
    const { cause } = await asker({ prices: () => Promise.reject(new Error('no')) }).ask('ff');
    expect(cause).toContain('External call failed (retryable = false, trace id');
  });

  it('lets other requests commit meanwhile, and has the time of its start', async () => {
    const { prices, answers, nextCall } = held();
    const { canticle, alice, first, ask } = asker({ prices });
    let arrival = nextCall();
    const waiting = ask('ff');
    await arrival;
    const { time: start } = canticle;
    canticle.advanceTime('PT2S');
    first.create(ORACLE, { owner: alice, other: alice }, { actAs: [alice] });
    const { ledgerEnd } = first;
    arrival = nextCall();
    answers[0]!('01');
    await arrival;
    answers[1]!('01');
    const { transaction } = await waiting;
    expect(transaction.offset).toBeGreaterThan(ledgerEnd);
    expect(Date.parse(transaction.effectiveAt)).toBe(Date.parse(start));
    const entry = canticle.requests.list().at(-1)!;
    expect([entry.offset, entry.updateId]).toEqual([transaction.offset, transaction.updateId]);
  });

  it('leaves no trace of the runs that stopped', async () => {
    const prepared = async (prices: Services[string]): Promise<JsonAnswer> => {
      const { canticle, alice, oracle } = asker({ prices }, { seed: 4 });
      const V4 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V4', commandId: 'asking' };
      const body = preparation(asking(oracle), alice, V4);
      return (await canticle.handle({ path: PREPARE, body })).json();
    };
    const waited = await prepared(async () => '01');
    expect(waited.preparedTransactionHash).toBeDefined();
    expect(waited).toEqual(await prepared(() => '01'));
  });

  it('fails if a revert takes it back', async () => {
    const { prices, nextCall } = held();
    const { canticle, ask } = asker({ prices });
    const snapshot = canticle.snapshot();
    const arrival = nextCall();
    const waiting = ask('ff');
    await arrival;
    canticle.revert(snapshot);
    expect(await waiting).toMatchObject({
      code: 'REQUEST_TIME_OUT',
      cause: 'Timed out while awaiting the answer of an extension service.',
    });
  });

  it('is one of at most 256 at a participant', async () => {
    const { prices, answers } = held();
    const { canticle, alice, oracle, ask } = asker({ prices });
    const all = Array.from({ length: 256 }, () => ask('ff'));
    const { code } = await ask('ff');
    expect(code).toBe('PARTICIPANT_BACKPRESSURE');
    const body = { ...preparation(asking(oracle), alice), commandId: 'prepared' };
    const prepared: JsonAnswer = (await canticle.handle({ path: PREPARE, body })).json();
    expect(prepared.code).toBe('PARTICIPANT_BACKPRESSURE');
    // Each is asked twice, and the prepared one once.
    for (let index = 0; index < 513; index += 1) {
      while (answers[index] === undefined) await new Promise(setImmediate);
      answers[index]!('01');
    }
    for (const answer of await Promise.all(all)) expect(answer.transaction).toBeDefined();
  });
});

it('inputs on another synchronizer move once, although the request waits', async () => {
  const calls: string[] = [];
  const prices = async (_: string, __: string, input: string): Promise<string> => {
    calls.push(input);
    return input;
  };
  const { canticle, alice, first } = network({ prices }, undefined, {
    synchronizers: ['one', 'two'],
  });
  const created = first.create(
    ORACLE,
    { owner: alice, other: alice },
    { actAs: [alice], synchronizer: 'two' },
  );
  const { ledgerEnd } = first;
  const seen: unknown[] = [];
  canticle.network.onCommit((update) => seen.push(update));
  const body = {
    commands: {
      commands: [asking(created, '07')],
      commandId: 'moves',
      userId: 'u',
      actAs: [alice],
      synchronizerId: canticle.network.synchronizers.find(({ alias }) => alias === 'one')!.id,
    },
  };
  const path = '/v2/commands/submit-and-wait-for-transaction';
  const { transaction }: JsonAnswer = (await canticle.handle({ path, body })).json();
  // An unassignment, an assignment, and the transaction.
  expect(transaction.offset).toBe(ledgerEnd + 3);
  expect(seen).toHaveLength(3);
  expect(calls).toEqual(['07', '07']);
});

it('an external party signs the answer of a service, and execution asks only to confirm', async () => {
  const api = new LedgerApi(
    clientInProcess({
      canton: '3.6',
      protocolVersion: 36,
      dars: [oraclesDar],
      externalCalls: { prices: quick() },
    }),
  );
  const dora = await onboard(api, 'dora');
  const V4 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V4' };
  const create = {
    CreateCommand: {
      templateId: ORACLE,
      createArguments: { owner: dora.party, other: dora.party },
    },
  };
  const made = await api.ok(PREPARE, preparation(create, dora.party, V4));
  const { transaction } = await api.ok(EXECUTE_FOR_TRANSACTION, execution(made, dora));
  const { contractId } = transaction.events[0].CreatedEvent;
  const prepared = await api.ok(PREPARE, preparation(asking(contractId), dora.party, V4));
  await api.ok(EXECUTE_FOR_TRANSACTION, execution(prepared, dora));
  expect(received.map(({ headers }) => headers['x-daml-external-mode'])).toEqual([
    'submission',
    'validation',
  ]);
});

describe('a synchronous command', () => {
  it('blocks until a service of another thread answers', async () => {
    const worker = new Worker(
      `const { createServer } = require('node:http');
       const { parentPort } = require('node:worker_threads');
       let count = 0;
       const server = createServer((request, response) =>
         response.writeHead(count++ === 0 ? 503 : 200).end('beef'));
       server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    const port = await new Promise((resolve) => worker.once('message', resolve));
    const { first, alice, oracle } = asker({ prices: quick({ url: `http://127.0.0.1:${port}` }) });
    const argument = { config: '', input: '' };
    const { result } = first.exercise(ORACLE, oracle, 'Ask', argument, { actAs: [alice] });
    expect(result).toBe('beef');
    await worker.terminate();
  });

  it('cannot get an answer from the same process', () => {
    const { first, alice, oracle } = asker({ prices: quick({ requestTimeout: 100 }) });
    const argument = { config: '', input: '' };
    expect(() => first.exercise(ORACLE, oracle, 'Ask', argument, { actAs: [alice] })).toThrow(
      'a service of the same process cannot answer: send the command to the Ledger API',
    );
  });

  it('cannot wait for an asynchronous function', () => {
    const { first, alice, oracle } = asker({ prices: async () => '01' });
    const argument = { config: '', input: '' };
    expect(() => first.exercise(ORACLE, oracle, 'Ask', argument, { actAs: [alice] })).toThrow(
      /The function of the extension service is asynchronous\. .*retryable = false/,
    );
  });
});

it('a scenario names services of the network and of a participant', async () => {
  writeFileSync(join(folder(), 'oracles.dar'), oraclesDar);
  const scenario = join(folder(), 'oracles.json');
  const text = JSON.stringify({
    canton: '3.6',
    synchronizers: [{ alias: 'global', protocolVersion: 36 }],
    externalCalls: { prices: `${address()}/all` },
    participants: ['here', { name: 'there', externalCalls: { prices: quick() } }],
    packages: ['oracles.dar'],
  });
  writeFileSync(scenario, text);
  const canticle = createCanticle({ scenario });
  open.push(canticle);
  for (const [index, prefix] of ['/all', ''].entries()) {
    const participant = canticle.participants[index]!;
    const owner = participant.allocateParty('owner');
    const oracle = participant.create(ORACLE, { owner, other: owner }, { actAs: [owner] });
    const at = `/participants/${participant.name}`;
    expect(resultsOf(await submit(canticle, owner, [asking(oracle)], at))).toEqual(['01']);
    expect(received.at(-1)!.url).toBe(`${prefix}/api/v1/external-call`);
  }
});

it('a LocalNet names services of all validators, and of one', async () => {
  const localnet = await startLocalnet({
    ports: 'auto',
    clock: 'virtual',
    spliceDars: false,
    canton: '3.6',
    protocolVersion: 36,
    externalCalls: { prices: () => '0a' },
    validators: ['app-provider', { name: 'bank', externalCalls: { prices: () => '0b' } }],
    packages: [{ dar: oraclesDar }],
  });
  const argument = { config: '', input: '' };
  const results = ['app-provider', 'bank'].map((name) => {
    const { participant, party: owner } = localnet.node(name);
    const oracle = participant.create(ORACLE, { owner, other: owner }, { actAs: [owner] });
    return participant.exercise(ORACLE, oracle, 'Ask', argument, { actAs: [owner] }).result;
  });
  expect(results).toEqual(['0a', '0b']);
  await localnet.close();
});

it('a request over gRPC waits as well', async () => {
  const canticle = await startCanticle({
    canton: '3.6',
    protocolVersion: 36,
    grpc: true,
    dars: [oraclesDar],
    externalCalls: { prices: quick() },
  });
  open.push(canticle);
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  const oracle = participant.create(ORACLE, { owner, other: owner }, { actAs: [owner] });
  const client = await GrpcClient.connect(canticle.urls.grpc!);
  const [package_, moduleName, entityName] = ['#oracles', 'Main', 'Oracle'];
  const argument = {
    record: { fields: ['0a', 'ff'].map((text) => ({ value: { text } })) },
  };
  const templateId = { packageId: package_, moduleName, entityName };
  const exercised = { templateId, contractId: oracle, choice: 'Ask', choiceArgument: argument };
  const answer = await client.call('com.daml.ledger.api.v2.CommandService/SubmitAndWait', {
    commands: {
      commands: [{ exercise: exercised }],
      commandId: 'c',
      userId: 'u',
      actAs: [owner],
    },
  });
  expect(answer).toHaveProperty('updateId');
  expect(received).toHaveLength(2);
  expect(lastCalls(canticle)).toHaveLength(2);
  client.close();
});

it('a saved world has the answers, and a trace needs no service', async () => {
  const { canticle, ask } = asker({ prices: quick() });
  const { transaction } = await ask('ff');
  const file = join(folder(), 'world.json');
  canticle.save(file);
  const loaded = createCanticle({ load: file });
  open.push(loaded);
  const { length } = received;
  expect(loaded.trace(transaction.updateId).retraced).toBe(true);
  expect(received).toHaveLength(length);
});

it('a restart of the participant drops a request that waits', async () => {
  let arrived = (): void => undefined;
  let answer = (_: string): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const prices = (): Promise<string> => {
    arrived();
    return new Promise((resolve) => (answer = resolve));
  };
  const { canticle, first, ask } = asker({ prices });
  const waiting = ask('ff').catch((error: unknown) => error);
  await arrival;
  const { ledgerEnd } = first;
  canticle.network.faults.restart('here');
  expect(await waiting).toBeInstanceOf(Error);
  answer('01');
  await new Promise(setImmediate);
  expect(first.ledgerEnd).toBe(ledgerEnd);
});

it.each(['localhost:9000', 'ftp://a', 'http://', 'http://a?b', 'http://a#b', 'http://u@a', '', 5])(
  'rejects the address %j',
  (prices) => {
    expect(() => createCanticle({ externalCalls: { prices } as never })).toThrow(
      'Expected an HTTP address, such as http://127.0.0.1:9000.',
    );
  },
);

it.each([
  [{}, 'missing option of an extension service: url'],
  [{ url: 'http://a', retries: 1 }, 'unknown option of an extension service: retries'],
])('rejects the settings %j', (prices, error) => {
  expect(() => createCanticle({ externalCalls: { prices } as never })).toThrow(error);
});

it('a refusal is explained without calling the service again', async () => {
  reply = (_, index) => ({ body: index === 0 ? '01' : 'x' });
  const { canticle, ask } = asker({ prices: quick() });
  expect((await ask('01', '02')).code).toBe('INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT');
  const { length } = received;
  expect(canticle.requests.explain('latest')!.body()).toContain('Ask');
  expect(received).toHaveLength(length);
});

it('a request may make 1,000 external calls, and no more', async () => {
  const { canticle, ask } = asker({ prices: (_, __, input) => input });
  // Each distinct call is made twice.
  const inputs = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(4, '0'));
  expect(resultsOf(await ask(...inputs))).toHaveLength(500);
  expect(lastCalls(canticle)).toHaveLength(100);
  const { cause } = await ask(...Array.from({ length: 1_001 }, () => 'ff'));
  expect(withoutIds(cause)).toBe(
    `${FAILED}ExtensionCallError(status code = 413, message = "A request may make at most 1000 external calls", retryable = false, trace id = tid:TRACE)`,
  );
});

const MAX_OUTPUTS = 32 * 1024 * 1024;

it('all outputs of a request have a largest size', async () => {
  const half = '0'.repeat(MAX_OUTPUTS / 2);
  const { canticle, ask } = asker({
    prices: (_, __, input) => (input === '02' ? `${half}00` : half),
  });
  expect(resultsOf(await ask('01'))).toEqual([half]);
  const [first] = lastCalls(canticle);
  expect(first!.output).toBe(`${'0'.repeat(1024)}… (${MAX_OUTPUTS / 2} characters)`);
  // Equal calls are made again, and confirmed once.
  expect(resultsOf(await ask('01', '01'))).toEqual([half, half]);
  expect((await ask('01', '02', '03')).cause).toContain(`at most ${MAX_OUTPUTS} characters`);
});
