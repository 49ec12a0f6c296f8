/** The access of pages, by the headers of a browser: each rule met and broken. */
import { corsHeaders, preflightHeaders, preflightRefusal } from '../../src/http/pages/cors.js';
import { isDisguised } from '../../src/http/pages/disguised-body.js';
import { PageGuard } from '../../src/http/pages/page-guard.js';

type Given = Readonly<Record<string, string>>;
const of =
  (headers: Given) =>
  (name: string): string | undefined =>
    headers[name];
const PAGE = 'https://page.example';
const LOCAL = 'http://localhost:3000';
const guard = (...allowed: readonly string[]) => new PageGuard(allowed);

it('an origin below localhost may have up to 240 characters', () => {
  const isFamiliar = (length: number) =>
    guard().isFamiliar(`http://${'a'.repeat(length)}.localhost:3000`);
  expect([isFamiliar(240), isFamiliar(241)]).toEqual([true, false]);
});

describe('host names of this machine', () => {
  const isAllowed = (host: string, ...allowed: readonly string[]) =>
    guard(...allowed).refusal('scan', of({ host })) === undefined;
  it.each([
    'localhost',
    'canticle:80',
    'my_host-1',
    'a.localhost:80',
    `${'a.'.repeat(119)}ab.localhost`,
    `${'a.'.repeat(119)}ab.internal`,
    'host.docker.internal',
    '192.0.2.1:80',
    '[::1]:80',
    'x'.repeat(63),
  ])('include %s', (host) => expect(isAllowed(host)).toBe(true));

  it.each([
    'page.example',
    'localhost.example',
    `${'a.'.repeat(120)}ab.localhost`,
    `${'a.'.repeat(120)}ab.internal`,
    'internal.example:80',
    'x'.repeat(64),
    'an empty name',
    '',
  ])('exclude %s', (host) => expect(isAllowed(host)).toBe(false));

  it('appear in the error about a foreign host, with the option that allows it', () => {
    expect(guard().refusal('registry', of({ host: 'page.example:80' }))).toBe(
      "The host 'page.example:80' is not one of this machine. Allow it: --allow-origin http://page.example:80, or the option allowOrigins.",
    );
  });

  it('include the host of an allowed origin, or any host if all origins are allowed', () => {
    expect(isAllowed('page.example:80', PAGE)).toBe(true);
    expect(isAllowed('PAGE.example', `${PAGE}:8443/`)).toBe(true);
    expect(isAllowed('other.example', PAGE)).toBe(false);
    expect(isAllowed('other.example', '*')).toBe(true);
    expect(isAllowed('page.example', 'page.example')).toBe(false);
  });

  it('are required for controls, Scan and the registry only', () => {
    const host = { host: 'page.example' };
    const apis = ['control', 'scan', 'registry', 'ledger', 'validator', 'wallet', 'sv'] as const;
    expect(apis.map((api) => guard().refusal(api, of(host)) === undefined)).toEqual([
      ...[false, false, false],
      ...[true, true, true, true],
    ]);
    expect(guard().refusal('control', of({}))).toBeUndefined();
  });
});

describe('pages', () => {
  const host = '127.0.0.1:7575';
  const own = `http://${host}`;
  /** Whether a page may use controls, streams, a proxy, and a proxy that adds credentials. */
  const may = (origin: string, ...allowed: readonly string[]) => {
    const pages = guard(...allowed);
    const header = of({ host, origin });
    return [
      pages.refusal('control', header),
      pages.streamRefusal(header),
      pages.proxyRefusal(header, false),
      pages.proxyRefusal(header, true),
    ].map((refusal) => refusal === undefined);
  };
  const [ALL, NONE, LOCALS] = [
    Array(4).fill(true),
    Array(4).fill(false),
    [false, true, true, false],
  ];

  it('of the same origin may use all APIs, and pages on this machine all except controls', () => {
    expect(may(own)).toEqual(ALL);
    for (const origin of [LOCAL, 'http://127.0.0.1:1', 'http://[::1]:1', 'http://a.localhost'])
      expect([origin, ...may(origin)]).toEqual([origin, ...LOCALS]);
    for (const origin of [PAGE, 'null', '', 'http://127.0.0.1.example', 'http://192.0.2.1'])
      expect([origin, ...may(origin)]).toEqual([origin, ...NONE]);
  });

  it('with an allowed origin may use all APIs, in any spelling', () => {
    expect(may(PAGE, `${PAGE}/`)).toEqual(ALL);
    expect(may('https://PAGE.example', PAGE)).toEqual(ALL);
    expect(may(`${PAGE}:8443`, PAGE)).toEqual(NONE);
    expect(may(PAGE, '*')).toEqual(ALL);
  });

  it('receive an error with the option that allows them', () => {
    expect(guard().proxyRefusal(of({ host, origin: PAGE }), false)).toBe(
      `Pages from '${PAGE}' may not ask this. Allow them: --allow-origin ${PAGE}, or the option allowOrigins.`,
    );
  });

  it('are identified by their origin, and a stream checks the host only if an origin is present', () => {
    expect(guard().streamRefusal(of({ host: 'page.example' }))).toBeUndefined();
    expect(guard().streamRefusal(of({ host: 'page.example', origin: own }))).toMatch('The host');
    expect(guard().proxyRefusal(of({ host: 'page.example' }), false)).toMatch('The host');
    expect(guard().proxyRefusal(of({ host }), true)).toBeUndefined();
    // The host is compared in lower case.
    expect(
      guard().refusal('control', of({ host: 'LOCALHOST:1', origin: 'http://localhost:1' })),
    ).toBeUndefined();
  });
});

describe('CORS headers', () => {
  const shared = (api: 'scan' | 'ledger' | 'control', headers: Given, ...allowed: string[]) =>
    corsHeaders(guard(...allowed), api, of(headers));
  const read = (origin: string) => ({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'traceparent',
    vary: 'Origin',
  });
  const withCredentials = { 'access-control-allow-credentials': 'true' };

  it('let any page read Scan, and allowed pages the Ledger API and controls', () => {
    expect(shared('scan', {})).toBeUndefined();
    expect(shared('scan', { origin: PAGE })).toEqual(read(PAGE));
    expect(shared('scan', { origin: LOCAL })).toEqual({ ...read(LOCAL), ...withCredentials });
    for (const api of ['ledger', 'control'] as const) {
      expect(shared(api, { origin: LOCAL })).toBeUndefined();
      expect(shared(api, { origin: PAGE }, PAGE)).toEqual({ ...read(PAGE), ...withCredentials });
    }
  });

  it('answer preflight requests', () => {
    const preflight = { origin: PAGE, 'access-control-request-method': 'PUT' };
    const before = (method: string, headers: Given, api: 'scan' | 'ledger' = 'scan') => [
      preflightHeaders(guard(), api, method, of(headers)),
      preflightRefusal(guard(), api, method, of(headers)),
    ];
    const answer = {
      ...read(PAGE),
      'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
      'access-control-max-age': '1800',
    };
    expect(before('OPTIONS', preflight)).toEqual([answer, undefined]);
    const named = { ...preflight, 'access-control-request-headers': 'x-a' };
    expect(before('OPTIONS', named)).toEqual([
      { ...answer, 'access-control-allow-headers': 'x-a' },
      undefined,
    ]);
    expect(before('GET', preflight)).toEqual([undefined, undefined]);
    expect(before('OPTIONS', { origin: PAGE })).toEqual([undefined, undefined]);
    expect(before('GET', preflight, 'ledger')).toEqual([undefined, undefined]);
    expect(before('OPTIONS', { origin: PAGE }, 'ledger')).toEqual([undefined, undefined]);
    const { origin: _, ...nowhere } = preflight;
    expect(before('OPTIONS', nowhere, 'ledger')).toEqual([undefined, undefined]);
    expect(before('OPTIONS', preflight, 'ledger')).toEqual([
      undefined,
      expect.stringContaining(`Pages from '${PAGE}' may not ask this.`),
    ]);
  });
});

describe('a control body with another content type than JSON', () => {
  const JSON_BODY = { contentType: 'application/json' };
  const disguised = (type: string | undefined, more: object = {}, bytes = Buffer.from('{}')) =>
    isDisguised(
      of(type === undefined ? {} : { 'content-type': type }),
      { api: 'control', request: JSON_BODY, ...more } as never,
      bytes,
    );

  it('is rejected if a page can send it without a preflight request', () => {
    for (const type of [undefined, 'text/plain', 'application/x-json', 'application/jsonx'])
      expect([type, disguised(type)]).toEqual([type, true]);
    for (const type of [
      'application/json',
      ' Application/JSON ; charset=x',
      'application/a.b+json',
    ])
      expect([type, disguised(type)]).toEqual([type, false]);
    expect(disguised(`application/${'x'.repeat(100)}+json`)).toBe(false);
    expect(disguised(`application/${'x'.repeat(101)}+json`)).toBe(true);
  });

  it('is accepted in other APIs, for binary bodies, or if it is empty', () => {
    expect(disguised('text/plain', { api: 'ledger' })).toBe(false);
    expect(disguised('text/plain', { request: { contentType: 'application/octet-stream' } })).toBe(
      false,
    );
    expect(disguised('text/plain', { request: undefined })).toBe(false);
    expect(disguised('text/plain', {}, Buffer.alloc(0))).toBe(false);
    expect(isDisguised(of({}), { api: 'control', request: JSON_BODY } as never, undefined)).toBe(
      false,
    );
  });
});
