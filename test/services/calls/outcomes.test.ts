/** Which APIs look at a token at all, and what the journal makes of the status and the bytes of an answer. */
import { createHmac } from 'node:crypto';
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';

let canticle: Canticle;
let grpc: GrpcClient;
beforeAll(async () => {
  canticle = await startCanticle({
    seed: 1,
    auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] },
    grpc: { adminApiPort: 0 },
    journal: 'full',
  });
  grpc = await GrpcClient.connect(canticle.urls.grpcAdmin!);
});
afterAll(async () => {
  grpc.close();
  await canticle.close();
});

/** For an unknown user, whom the Ledger API rejects before it reads the request. */
const token = ((): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'nobody', scope: 'daml_ledger_api' })}`;
  return `${signed}.${createHmac('sha256', 'unsafe').update(signed).digest('base64url')}`;
})();
const newest = () => canticle.requests.list().at(-1)!;

it('only the Ledger API rejects the token of an unknown user', async () => {
  const get = (path: string) =>
    canticle.handle({ path, headers: { authorization: `Bearer ${token}` } });
  expect((await get('/v2/parties')).status).toBe(403);
  expect((await get('/api/scan/v0/dso-party-id')).status).toBe(200);
  await grpc.call(
    'com.digitalasset.canton.admin.participant.v30.PackageService/ListPackages',
    {},
    { token },
  );
  expect(newest()).toMatchObject({ api: 'admin', outcome: 'answered' });
});

it.each([
  [399, 'answered'],
  [400, 'refused'],
] as const)('an answer with status %s counts as %s', async (status, outcome) => {
  const times = 1;
  canticle.faults.add({ on: 'getV2Version', when: { times }, do: { answer: { status } } });
  await canticle.handle({ path: '/v2/version' });
  expect(newest()).toMatchObject({ status, outcome });
});

it.each([
  ['complete up to the limit of the journal', 65_536, /^x{65536}$/],
  ['shortened if it is longer', 65_537, /^x+… \(65537 characters\)$/],
  ['replaced by its length if it is four times as long', 262_145, /^\(262145 bytes\)$/],
])('a body is %s', async (_, length, shown) => {
  const body = Buffer.from('x'.repeat(length));
  await canticle.handle({ method: 'POST', path: '/canticle/v1/time/advance', body });
  expect(newest().request!.body).toMatch(shown);
});
