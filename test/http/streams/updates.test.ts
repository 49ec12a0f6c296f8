/** Updates over a WebSocket: the handshake, what comes and in which order, how a stream ends and is taken up again. */
import { offsetOf, StreamClient } from '../../support/stream-client.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
let api: LedgerApi;
let alice: string;
let bob: string;
const clients: StreamClient[] = [];

beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await api.client.close();
});

const dummy = (operator: string) => api.submit(create(DUMMY, { operator }), { actAs: operator });
const formatFor = (...parties: string[]) =>
  updateFormat('ACS_DELTA', eventFormat(parties, wildcard()));

async function updates(
  parties: string[],
  range: { beginExclusive: number; endInclusive?: number; descendingOrder?: boolean },
) {
  const client = new StreamClient(`${api.canticle.url}/v2/updates`);
  clients.push(client);
  return client.send({ ...range, updateFormat: formatFor(...parties) });
}

it('sends existing and new updates, one element per frame, as in the list (B-WS-003)', async () => {
  const begin = await api.ledgerEnd();
  await dummy(alice);
  await dummy(bob);
  const client = await updates([alice], { beginExclusive: begin });
  await client.take(1);
  await dummy(bob);
  await dummy(alice);
  const elements = await client.take(2);
  const list = await api.updates(formatFor(alice), { beginExclusive: begin });
  expect(elements.map(({ update }) => update)).toEqual(list);
});

it('the server selects the subprotocol even without a request (B-WS-004)', async () => {
  const client = await new StreamClient(`${api.canticle.url}/v2/updates`).opened();
  expect(client.socket.protocol).toBe('daml.ws.auth');
  await client.close();
  const both = await new StreamClient(`${api.canticle.url}/v2/updates`, {
    protocols: ['jwt.token.', 'daml.ws.auth'],
  }).opened();
  expect(both.socket.protocol).toBe('daml.ws.auth');
  await both.close();
});

it('a stream with an end closes without a checkpoint (B-WS-006, B-CHK-001)', async () => {
  const begin = await api.ledgerEnd();
  for (let i = 0; i < 3; i++) await dummy(alice);
  const endInclusive = begin + 2;
  const client = await updates([alice], { beginExclusive: begin, endInclusive });
  expect((await client.all()).map(offsetOf)).toEqual([begin + 1, begin + 2]);
  const backwards = await updates([alice], {
    beginExclusive: begin,
    endInclusive,
    descendingOrder: true,
  });
  expect((await backwards.all()).map(offsetOf)).toEqual([begin + 2, begin + 1]);
});

it('reads only the first request frame (B-WS-005)', async () => {
  const begin = await api.ledgerEnd();
  const client = await updates([alice], { beginExclusive: begin });
  await client.send('no request at all');
  await dummy(alice);
  await client.take(1);
  expect(client.frames.filter(({ code }) => code !== undefined)).toEqual([]);
});

it('an error arrives as a frame, and then the stream ends (B-WS-007)', async () => {
  const client = await updates([alice], { beginExclusive: 1000 });
  const [error, ...more] = await client.all();
  expect(more).toEqual([]);
  expect(error).toMatchObject({
    code: 'OFFSET_AFTER_LEDGER_END',
    errorCategory: 12,
    grpcCodeValue: 11,
  });
  expect(await client.closed).toBe(1000);
});

it.each([
  ['{', 'exhausted input'],
  ['{"beginExclusive": "x"}', 'beginExclusive'],
  ['[]', 'beginExclusive'],
])('rejects a frame that is not a request: %s (B-WS-008)', async (text, reason) => {
  const client = await new StreamClient(`${api.canticle.url}/v2/updates`).send(text);
  const [error] = await client.all();
  expect(error).toMatchObject({
    code: 'LEDGER_API_INTERNAL_ERROR',
    errorCategory: 4,
    grpcCodeValue: 13,
  });
  expect(error.cause).toContain(`Cannot decode frame: Text(${text},true,None)`);
  expect(error.cause).toContain(reason);
});

it('can be resumed after a disconnect without loss or repetition', async () => {
  let next = await api.ledgerEnd();
  const begin = next;
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    const client = await updates([alice, bob], { beginExclusive: next });
    await dummy(round % 2 === 0 ? alice : bob);
    await client.take(1);
    const offsets = client.elements.map(offsetOf);
    seen.push(...offsets);
    next = offsets.at(-1)!;
    await client.close();
    await dummy(bob);
  }
  const rest = await updates([alice, bob], {
    beginExclusive: next,
    endInclusive: await api.ledgerEnd(),
  });
  seen.push(...(await rest.all()).map(offsetOf));
  const list = await api.updates(formatFor(alice, bob), { beginExclusive: begin });
  expect(seen).toEqual(list.map((update: unknown) => offsetOf({ update })));
});

it('ends when the server closes', async () => {
  const client = await updates([alice], { beginExclusive: 0 });
  await dummy(alice);
  await client.take(1);
  await api.canticle.close();
  expect(await client.closed).toBe(1001);
});

it('records each frame in the journal of requests', async () => {
  await (await updates([alice], { beginExclusive: 1000 })).all();
  expect(api.canticle.requests.list().slice(-2)).toMatchObject([
    {
      operation: 'postV2Updates',
      method: 'GET',
      path: '/v2/updates',
      status: 101,
      outcome: 'answered',
    },
    {
      operation: 'postV2Updates',
      status: 400,
      outcome: 'refused',
      error: 'OFFSET_AFTER_LEDGER_END',
    },
  ]);
});
