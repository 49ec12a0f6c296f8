/**
 * Requests over a port and in this process, with and without an application before the ledger. The same requests in the same order
 * get the same answers, byte for byte.
 */
import { startCanticle, type Canticle } from 'canticle';
import { byFetch, byHandle, byPort, type SentRequest, type Answer, type Way } from './ways.js';

const json = { 'content-type': 'application/json' };
const page = { origin: 'https://wallet.example' };
const post = (path: string, body: string, headers: SentRequest['headers'] = json): SentRequest => ({
  method: 'POST',
  path,
  body,
  headers,
});

/** In their order, as some change the ledger. */
const REQUESTS: readonly SentRequest[] = [
  { path: '/v2/version' },
  { path: '/v2/version', method: 'HEAD' },
  { path: '/livez' },
  { path: '/docs/asyncapi' },
  post('/v2/parties', '{"partyIdHint":"alice"}'),
  post('/v2/parties', '{"partyIdHint":"alice"}'),
  post('/v2/parties', '{"partyIdHint":'),
  post('/v2/parties', ''),
  post('/v2/dars', 'no archive', { 'content-type': 'application/octet-stream' }),
  post(
    '/v2/updates?stream_idle_timeout_ms=1',
    '{"beginExclusive":0,"filter":{"filtersForAnyParty":{}}}',
  ),
  { path: '/v2/parties?filter-party=alice', headers: { accept: 'text/html' } },
  { path: '/v2/parties?pageSize=x' },
  { path: '/v2/users', headers: { authorization: 'Basic eA==' } },
  { path: '/v2/nothing' },
  { path: '/v2/nothing', headers: { host: 'ledger.example' } },
  { path: '/v2/parties', method: 'DELETE' },
  { path: '//v2/version' },
  { path: '/v2/parties/a|b' },
  { path: `/v2/parties/${'x'.repeat(2048)}` },
  { path: '/v2/version', headers: { long: 'x'.repeat(8193) } },
  { path: '/participants/other/v2/parties/participant-id' },
  { path: '/participants/nobody/v2/version' },
  { path: '/api/scan/v0/dso-party-id', headers: page },
  {
    path: '/api/scan/v0/dso-party-id',
    method: 'OPTIONS',
    headers: { ...page, 'access-control-request-method': 'GET' },
  },
  { path: '/api/scan/v0/nothing' },
  { path: '/registry/metadata/v1/info' },
  post('/canticle/v1/time/advance', '{"duration":"P1D"}'),
  { path: '/canticle/v1/issuer/.well-known/openid-configuration' },
  post('/canticle/v1/issuer/token', 'grant_type=none', {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  { path: '/canticle/v1/requests' },
];

const WAYS: readonly [string, Way, { readonly hasApp: boolean }][] = [
  ['over a port, through middleware', byPort, { hasApp: true }],
  ['by fetch', byFetch, { hasApp: false }],
  ['by fetch, through middleware', byFetch, { hasApp: true }],
  ['by handle', byHandle, { hasApp: false }],
  ['by handle, through middleware', byHandle, { hasApp: true }],
];

/** Its URL is in some answers: thus each way has the port that the one before had. */
async function answersOf(way: Way, port: number, hasApp: boolean): Promise<readonly Answer[]> {
  const allowOrigins = [page.origin];
  const options = { seed: 3, port, participants: ['sandbox', 'other'], allowOrigins };
  const canticle: Canticle = await startCanticle(options);
  if (hasApp) canticle.app.use((_, __, next) => next());
  const answers: Answer[] = [];
  for (const request of REQUESTS) answers.push(await way(canticle, request));
  await canticle.close();
  return answers;
}

let port: number;
let expected: readonly Answer[];
beforeAll(async () => {
  const free = await startCanticle();
  port = free.port;
  await free.close();
  expected = await answersOf(byPort, port, false);
  expect(expected.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
});

it.each(WAYS)('%s, the answers are the same as over a plain port', async (_, way, { hasApp }) => {
  const answers = await answersOf(way, port, hasApp);
  for (const [index, request] of REQUESTS.entries())
    expect({ request, ...answers[index] }).toEqual({ request, ...expected[index] });
});
