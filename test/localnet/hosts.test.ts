/** The ports and proxy hosts of a LocalNet: where each request goes (L-PORT-001, L-PORT-003, L-PORT-007, L-HOST-001 to L-HOST-009). */
import { startLocalnet, type Localnet } from 'canticle';
import { WebSocket } from 'ws';
import { send } from './send.js';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet({ seed: 1, spliceDars: false });
});
afterAll(() => localnet.close());

const portOf = (name: string) => localnet.openPorts.find((each) => each.name === name)!.port;
const bearer = (user?: string) => ({
  authorization: `Bearer ${localnet.appUser.token(user)}`,
});

const USER = '/api/validator/v0/validator-user';
const VALIDATOR = /"user_name":"ledger-api-user"/;
const NGINX_404 = /<h1>404 Not Found<\/h1>/;
const DSO = '/api/scan/v0/dso-party-id';

describe.each<[port: string, host: string, path: string, status: number, text: RegExp]>([
  // Each service on its port, and nothing else there.
  ['app-user', 'localhost', '/v2/version', 200, /"version"/],
  ['app-user', 'localhost', DSO, 404, /HttpMethod\(GET\)/],
  ['app-user', 'localhost', USER, 404, /HttpMethod\(GET\)/],
  ['app-user/validator', 'anything.example', USER, 200, VALIDATOR],
  ['app-user/validator', 'localhost', '/v2/version', 404, /"error"/],
  ['app-user/validator', 'localhost', DSO, 404, /"error"/],
  ['scan', 'localhost', DSO, 200, /"dso_party_id":"DSO::/],
  ['scan', 'localhost', '/registry/metadata/v1/info', 200, /"adminId":"DSO::/],
  ['scan', 'localhost', '/v2/version', 404, /"error"/],
  ['sv-app', 'localhost', '/api/sv/readyz', 200, /^$/],
  ['sv-app', 'localhost', '/api/scan/v0/dso-party-id', 404, /"error"/],
  // app-user's proxy: the bare name and the wallet's, by prefix of the path.
  ['app-user/ui', 'localhost', USER, 200, VALIDATOR],
  ['app-user/ui', 'wallet.localhost', USER, 200, VALIDATOR],
  ['app-user/ui', 'WALLET.localhost.', USER, 200, VALIDATOR],
  ['app-user/ui', 'wallet.localhost', '/', 200, /\/api\/validator/],
  ['app-user/ui', 'wallet.localhost', '/v2/version', 404, NGINX_404],
  ['app-user/ui', 'ans.localhost', USER, 200, VALIDATOR],
  ['app-user/ui', 'json-ledger-api.localhost', '/v2/version', 200, /"version"/],
  ['app-user/ui', 'canton.localhost', '/v2/version', 200, /"version"/],
  ['app-user/ui', 'canton.localhost', USER, 404, /HttpMethod\(GET\)/],
  ['app-user/ui', 'grpc-ledger-api.localhost', '/v2/version', 502, /Bad Gateway/],
  ['app-user/ui', 'unknown.example', USER, 200, VALIDATOR],
  ['app-user/ui', 'unknown.example', '/v2/version', 404, NGINX_404],
  // app-provider's does not name localhost: it falls to the first, that of names.
  ['app-provider/ui', 'localhost', USER, 200, VALIDATOR],
  ['app-provider/ui', 'localhost', '/v2/version', 404, NGINX_404],
  // On sv's the bare name has no service.
  ['sv/ui', 'localhost', DSO, 404, NGINX_404],
  ['sv/ui', 'unknown.example', DSO, 404, NGINX_404],
  [
    'sv/ui',
    'localhost',
    '/status',
    200,
    /^Active connections: \d+ \nserver accepts handled requests\n/,
  ],
  ['sv/ui', 'scan.localhost', DSO, 200, /"dso_party_id":"DSO::/],
  ['sv/ui', 'scan.localhost', '/registry/metadata/v1/info', 200, /"adminId":"DSO::/],
  ['sv/ui', 'sv.localhost', '/api/sv/readyz', 200, /^$/],
  ['sv/ui', 'scan.localhost', USER, 404, NGINX_404],
  ['sv/ui', 'wallet.localhost', USER, 200, VALIDATOR],
  ['sv/ui', 'canton.localhost', '/v2/version', 200, /"version"/],
  ['sv/ui', 'canton.localhost', '/docs/openapi', 200, /^openapi: /],
  ['sv/ui', 'canton.localhost', '/livez', 404, NGINX_404],
  ['sv/ui', 'json-ledger-api.localhost', '/v2/version', 404, NGINX_404],
])('%s as %s', (port, host, path, status, text) => {
  it(`${path}: ${status}`, async () => {
    const answer = await send(portOf(port), host, path);
    expect(answer).toMatchObject({ status, text: expect.stringMatching(text) });
  });
});

it("serves each node's own validator and participant on its ports", async () => {
  const nodes = [localnet.sv, localnet.appProvider, localnet.appUser];
  const parties = await Promise.all(
    nodes.map(async ({ validator }) => {
      const answer = await fetch(`${validator}/v0/validator-user`);
      return ((await answer.json()) as { party_id: string }).party_id;
    }),
  );
  expect(parties).toEqual(nodes.map(({ party }) => party));
  expect(parties.map((party) => party.replace(/::.*/, ''))).toEqual([
    'sv',
    'app_provider_localnet-localparty-1',
    'app_user_localnet-localparty-1',
  ]);
});

describe('like nginx', () => {
  const ui = 'app-user/ui';
  const JSON_HOST = 'json-ledger-api.localhost';

  it('lets any page read successful answers, but not errors', async () => {
    const well = await send(portOf(ui), JSON_HOST, '/v2/version');
    expect(well.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'Origin, Content-Type, Accept',
    });
    const refused = await send(portOf(ui), JSON_HOST, '/v2/parties');
    expect(refused.status).toBe(401);
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    const wallet = await send(portOf(ui), 'wallet.localhost', USER);
    expect(wallet.headers).not.toHaveProperty('access-control-allow-methods');
  });

  it('answers OPTIONS itself for sv, and forwards it to the participant for other nodes', async () => {
    const origin = 'https://app.example';
    const preflight = { method: 'OPTIONS', headers: { origin } };
    const answer = await send(portOf('sv/ui'), 'canton.localhost', '/v2/parties', preflight);
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
        'access-control-allow-headers': '*',
        'access-control-max-age': '1728000',
      },
    });
    expect(await send(portOf(ui), JSON_HOST, '/v2/parties', preflight)).toMatchObject({
      status: 405,
    });
  });

  it('accepts bodies of up to 1 MiB', async () => {
    const headers = { ...bearer(), 'content-type': 'application/octet-stream' };
    const tooLong = { method: 'POST', headers, body: 'x'.repeat(1024 * 1024 + 1) };
    const longest = { ...tooLong, body: 'x'.repeat(1024 * 1024) };
    expect(await send(portOf(ui), JSON_HOST, '/v2/packages', tooLong)).toMatchObject({
      status: 413,
    });
    expect(await send(portOf(ui), JSON_HOST, '/v2/packages', longest)).toMatchObject({
      status: 400,
    });
    // The participant itself reads the body, and finds that it is not a DAR.
    expect(await send(portOf('app-user'), 'localhost', '/v2/packages', tooLong)).toMatchObject({
      status: 400,
      text: expect.stringContaining('INVALID_DAR'),
    });
  });

  it("does not forward WebSockets, which the participant's port accepts", async () => {
    const opened = (port: number) =>
      new Promise<string>((resolve) => {
        const protocols = [`jwt.token.${localnet.appUser.token()}`, 'daml.ws.auth'];
        const socket = new WebSocket(`ws://127.0.0.1:${port}/v2/updates`, protocols, {
          headers: { host: JSON_HOST },
        });
        socket.on('open', () => resolve('open'));
        socket.on('error', ({ message }) => resolve(message));
        socket.on('open', () => socket.close());
      });
    expect(await opened(portOf('app-user'))).toBe('open');
    expect(await opened(portOf(ui))).toMatch(/Unexpected server response/);
  });
});
