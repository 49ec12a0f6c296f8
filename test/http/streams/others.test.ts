/** The other streams, and requests with a missing or an unexpected WebSocket. */
import { request } from 'node:http';
import { refusedUpgrade, StreamClient } from '../../support/stream-client.js';
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

beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(() => api.client.close());

const dummy = (operator: string, userId = 'tester') =>
  api.submit(create(DUMMY, { operator }), { actAs: operator, userId });
const open = (path: string, body: unknown) =>
  new StreamClient(`${api.canticle.url}${path}`).send(body);

describe('/v2/state/active-contracts', () => {
  it('sends the contracts that were active, then closes, even if some are archived meanwhile', async () => {
    for (let i = 0; i < 200; i++) await dummy(alice);
    const activeAtOffset = await api.ledgerEnd();
    const body = { activeAtOffset, eventFormat: eventFormat([alice], wildcard()) };
    const list = await api.acs(eventFormat([alice], wildcard()), { activeAtOffset });
    const client = await open('/v2/state/active-contracts', body);
    await client.take(1);
    for (const { contractEntry } of list.slice(-50)) {
      const { contractId } = contractEntry.JsActiveContract.createdEvent;
      api.canticle.participant.archive(DUMMY, contractId, { actAs: [alice] });
    }
    expect(await client.all()).toEqual(list);
  });

  it('continues from a continuation token', async () => {
    for (let i = 0; i < 3; i++) await dummy(alice);
    const body = {
      activeAtOffset: await api.ledgerEnd(),
      eventFormat: eventFormat([alice], wildcard()),
    };
    const all = await (await open('/v2/state/active-contracts', body)).all();
    const rest = await open('/v2/state/active-contracts', {
      ...body,
      streamContinuationToken: all[0].streamContinuationToken,
    });
    expect(await rest.all()).toEqual(all.slice(1));
  });
});

describe('completions', () => {
  it('of one user and its parties', async () => {
    const beginExclusive = await api.ledgerEnd();
    const client = await open('/v2/commands/completions', {
      userId: 'tester',
      parties: [alice],
      beginExclusive,
    });
    await dummy(bob);
    await dummy(alice, 'another');
    const { updateId, completionOffset } = await dummy(alice);
    const [element] = await client.take(1);
    expect(element.completionResponse.Completion.value).toMatchObject({
      updateId,
      offset: completionOffset,
      userId: 'tester',
      actAs: [alice],
    });
    await client.close();
  });

  it('of all users, if the request names no party', async () => {
    const beginExclusive = await api.ledgerEnd();
    const client = await open('/v2/commands/command-completions', { beginExclusive });
    await dummy(bob);
    await dummy(alice, 'another');
    const users = (await client.take(2)).map(
      ({ completionResponse }) => completionResponse.Completion.value.userId,
    );
    expect(users).toEqual(['tester', 'another']);
    await client.close();
  });
});

describe('each stream', () => {
  const filter = () => ({ filter: { filtersByParty: { [alice]: {} } }, verbose: true });
  const updates = () => updateFormat('LEDGER_EFFECTS', eventFormat([alice]));
  const end = () => api.canticle.participant.engine.log.end;
  const range = () => ({ beginExclusive: 0, endInclusive: end() });
  const REQUESTS: Record<string, () => object> = {
    '/v2/updates': () => ({ ...range(), updateFormat: updates() }),
    '/v2/updates/flats': () => ({ ...range(), ...filter() }),
    '/v2/updates/trees': () => ({ ...range(), ...filter() }),
    '/v2/state/active-contracts': () => ({
      activeAtOffset: end(),
      eventFormat: eventFormat([alice]),
    }),
    '/v2/commands/completions': () => ({ userId: 'tester', parties: [alice] }),
    '/v2/commands/command-completions': () => ({ parties: [alice] }),
  };

  it.each(Object.keys(REQUESTS))(
    '%s is a list for POST, and sends a frame for each element over WebSocket (B-WS-001, B-WS-002)',
    async (path) => {
      await dummy(alice);
      const list = await api.ok(`${path}?stream_idle_timeout_ms=20`, REQUESTS[path]!());
      expect(list).toHaveLength(1);
      const client = await open(path, REQUESTS[path]!());
      expect(await client.take(1)).toEqual(list);
      await client.close();
    },
  );

  it('ends as a list even without an idle timeout (B-WS-011, B-WS-017)', async () => {
    await dummy(alice);
    const paths = ['/v2/commands/completions', '/v2/commands/command-completions', '/v2/updates'];
    const open = { beginExclusive: 0, updateFormat: updates() };
    const lists = await Promise.all(
      paths.map((path) => api.ok(path, path === '/v2/updates' ? open : REQUESTS[path]!())),
    );
    expect(lists.map((list) => list.length)).toEqual([1, 1, 1]);
  });

  it('has the status of its error as a list (B-WS-022)', async () => {
    const body = { beginExclusive: 1_000, updateFormat: updates() };
    expect(await api.post('/v2/updates', body)).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_AFTER_LEDGER_END', grpcCodeValue: 11 },
    });
  });

  it('has the trace context of each submission, not of the stream request (B-GEN-013)', async () => {
    const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
    const client = await new StreamClient(`${api.canticle.url}/v2/updates`, {
      headers: { traceparent: trace('a') },
    }).send({ beginExclusive: await api.ledgerEnd(), updateFormat: updates() });
    const commands = api.commands(create(DUMMY, { operator: alice }), { actAs: alice });
    await api.client.ledger('POST', '/v2/commands/submit-and-wait', commands, {
      headers: { traceparent: trace('b') },
    });
    await dummy(alice);
    const seen = (await client.take(2)).map(
      ({ update }) => update.Transaction.value.traceContext.traceparent.split('-')[1],
    );
    expect(seen[0]).toBe('b'.repeat(32));
    expect(seen[1]).not.toBe('a'.repeat(32));
    await client.close();
  });
});

describe('other upgrade requests', () => {
  it('a WebSocket for a path without a stream gets an HTTP answer', async () => {
    expect(await refusedUpgrade(`${api.canticle.url}/v2/state/ledger-end`)).toEqual({
      status: 200,
      body: { offset: await api.ledgerEnd() },
    });
    expect((await refusedUpgrade(`${api.canticle.url}/v2/nothing`)).status).toBe(404);
  });

  it('a plain GET of a stream finds nothing (B-GEN-007)', async () => {
    expect(await api.client.send('GET', '/v2/updates')).toMatchObject({
      status: 404,
      body: { errors: [`HttpMethod(GET), uri: ${api.canticle.url}/v2/updates`], status: 404 },
    });
    expect((await api.client.send('HEAD', '/v2/updates')).status).toBe(404);
    expect((await api.client.send('DELETE', '/v2/updates')).status).toBe(405);
  });

  it('a request that offers HTTP/2 gets an HTTP/1.1 answer', async () => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ partyIdHint: 'carol' });
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(
        `${api.canticle.url}/v2/parties`,
        { method: 'POST', headers },
        (incoming) => {
          let text = '';
          incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
          incoming.on('end', () => resolve({ status: incoming.statusCode!, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).partyDetails.party).toMatch(/^carol::/);
  });
});
