/** `canticle.fetch`: a request of the web in, a response out, without a port, as servers and interceptors of fetch want it. */
import { setTimeout as wait } from 'node:timers/promises';
import { Hono } from 'hono';
import { createCanticle, type Canticle } from 'canticle';
import { expectValid } from '../../support/validate.js';

const BASE = 'https://ledger.example';
/** Waits longer than any test does. */
const OPEN_LIST = `${BASE}/v2/updates?stream_idle_timeout_ms=9000000000000`;
const LIST = JSON.stringify({ beginExclusive: 0, filter: { filtersForAnyParty: {} } });
const json = { 'content-type': 'application/json' };

const post = (path: string, body: BodyInit, init: RequestInit = {}) =>
  new Request(BASE + path, { method: 'POST', headers: json, body, ...init });
type BodyInit = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Chunks that are counted as they are taken. */
function streamed(chunks: Iterable<string>) {
  const counted = { taken: 0, isCancelled: false };
  const iterator = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = iterator.next();
        if (done === true) return controller.close();
        counted.taken += 1;
        controller.enqueue(Buffer.from(value));
      },
      cancel: () => void (counted.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return Object.assign(counted, { body });
}

describe.each([
  ['directly to the ledger', false],
  ['through middleware', true],
])('%s', (_, hasApp) => {
  let canticle: Canticle;
  beforeEach(() => {
    canticle = createCanticle({ seed: 1 });
    if (hasApp) canticle.app.use((_request, _response, next) => next());
  });

  it('returns the documented answers, also as an unbound function', async () => {
    // As servers use it: as an unbound function.
    const { fetch } = canticle;
    const made = await fetch(post('/v2/parties', '{"partyIdHint":"alice"}'));
    expect(made.status).toBe(200);
    await expectValid('postV2Parties', 200, await made.json());
    const refused = await fetch(post('/v2/parties', '{"partyIdHint":"alice"}'));
    expect(refused.headers.get('content-type')).toBe('application/json');
    await expectValid('postV2Parties', 499, await refused.json());
    const dso = await fetch(new Request(`${BASE}/api/scan/v0/dso-party-id`));
    await expectValid('getDsoPartyId', 200, await dso.json(), 'scan');
  });

  it('a HEAD has the headers of the GET and no body', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        canticle.fetch(new Request(`${BASE}/v2/version`, { method })),
      ),
    );
    expect(Object.fromEntries(head!.headers)).toEqual(Object.fromEntries(get!.headers));
    expect(Number(head!.headers.get('content-length'))).toBe((await get!.text()).length);
    expect([head!.status, head!.body]).toEqual([200, null]);
  });

  it('reads a chunked body, up to its limit', async () => {
    const parts = streamed(['{"party', 'IdHint":', '', '"parts"}']);
    const made = await canticle.fetch(post('/v2/parties', parts.body, { duplex: 'half' }));
    expect(await made.text()).toContain('"parts::1220');
    const megabyte = ' '.repeat(1024 * 1024);
    const endless = streamed(
      (function* () {
        for (;;) yield megabyte;
      })(),
    );
    const refused = await canticle.fetch(post('/v2/parties', endless.body, { duplex: 'half' }));
    expect([refused.status, await refused.text()]).toEqual([
      413,
      expect.stringContaining('exceeded size limit (8388608 bytes)'),
    ]);
    // One beyond the limit, and those on their way.
    expect(endless.taken).toBeLessThan(12);
    await settled(() => endless.isCancelled);
  });

  it('rejects with the reason of an aborted signal, and the request ends', async () => {
    await expect(
      canticle.fetch(post('/v2/parties', '{}', { signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ name: 'AbortError' });
    expect(canticle.requests.list()).toEqual([]);
    // A request that is aborted before it reaches the ledger is not in the journal.
    for (let patience = 0; canticle.requests.list().length === 0; patience += 1) {
      const controller = new AbortController();
      const { signal } = controller;
      const answer = canticle.fetch(new Request(OPEN_LIST, { method: 'POST', body: LIST, signal }));
      await wait(patience);
      controller.abort(new Error('enough'));
      await expect(answer).rejects.toThrow('enough');
      await wait(patience);
    }
  });

  it('rejects values that are not a Request, and a body that was read before', async () => {
    await expect(canticle.fetch('/v2/version' as never)).rejects.toThrow(
      'canticle.fetch takes a Request',
    );
    const request = post('/v2/parties', '{"partyIdHint":"bob"}');
    const clone = request.clone();
    await request.json();
    await expect(canticle.fetch(request)).rejects.toThrow(
      `Failed to answer POST ${BASE}/v2/parties: its body has been read. Hand in a clone`,
    );
    expect((await canticle.fetch(clone)).status).toBe(200);
  });

  it('uses the address in the request as its own', async () => {
    const base = `${BASE}/canticle/v1/issuer`;
    const found = await canticle.fetch(new Request(`${base}/.well-known/openid-configuration`));
    expect(await found.json()).toMatchObject({ issuer: base, jwks_uri: `${base}/jwks` });
  });

  it('can be mounted in a fetch server', async () => {
    const server = new Hono();
    server.get('/orders', (context) => context.json([]));
    server.mount('/ledger', canticle.fetch);
    expect(await (await server.request('/orders')).json()).toEqual([]);
    const made = await server.request('/ledger/v2/parties', {
      method: 'POST',
      body: '{"partyIdHint":"carol"}',
    });
    expect(await made.text()).toContain('"carol::1220');
    expect((await server.request('/ledger/v2/version', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('a slow answer of a route', () => {
  let canticle: Canticle;
  let closed: Promise<unknown>;
  let write: (text: string) => void;
  beforeEach(() => {
    canticle = createCanticle();
    canticle.app.get('/events', (request, response) => {
      response.type('text/event-stream').writeEarlyHints({ link: '</a.css>; rel=preload' });
      closed = new Promise((resolve) => response.once('close', resolve));
      write = (text) => (text === '' ? response.end() : response.write(text));
      if (request.query['length'] !== undefined)
        response.set('content-length', String(request.query['length']));
      response.flushHeaders();
    });
  });
  const open = (query = '', init: RequestInit = {}) =>
    canticle.fetch(new Request(`${BASE}/events${query}`, init));

  it('arrives as the route writes it', async () => {
    const response = await open();
    const reader = response.body!.getReader();
    for (const text of ['data: one\n\n', 'data: two\n\n']) {
      write(text);
      expect(Buffer.from((await reader.read()).value!).toString()).toBe(text);
    }
    write('');
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    await closed;
  });

  it('may be cancelled by the caller, and the route is notified', async () => {
    const response = await open();
    await response.body!.cancel();
    await closed;
  });

  it('ends with the reason of an aborted signal', async () => {
    const controller = new AbortController();
    const response = await open('', { signal: controller.signal });
    const text = response.text();
    controller.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
    await closed;
  });

  it('rejects if it ends early, or never begins', async () => {
    const response = await open('?length=9');
    write('half');
    const text = response.text();
    canticle.app.get('/gone', (request) => void request.socket.destroy());
    await expect(canticle.fetch(new Request(`${BASE}/gone`))).rejects.toThrow(
      'The connection ended before the answer did.',
    );
    write('');
    await expect(text).rejects.toThrow();
  });

  it('may be large, and have several cookies', async () => {
    const large = 'x'.repeat(3_000_000);
    canticle.app.get('/large', (_request, response) => {
      response.append('set-cookie', ['a=1', 'b=2']).send(large);
    });
    const response = await canticle.fetch(new Request(`${BASE}/large`));
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect((await response.text()) === large).toBe(true);
  });
});

async function settled(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(1);
}
