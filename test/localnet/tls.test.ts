/** A LocalNet with TLS: HTTP and gRPC on the ports of each node, its host names, Keycloak, and the URLs that it returns. */
import { writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { startCanticle, startLocalnet, type Localnet } from 'canticle';
import { WebSocket } from 'ws';
import {
  AUTHORITY,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../support/certificates.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { send, type RequestOptions } from './send.js';

const tls = { cert: SERVER_CERT, key: SERVER_KEY };
const options = { seed: 1, spliceDars: false, grpc: true, tls } as const;
const folder = useTemporaryFolder();
let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet({ ...options, auth: 'oauth2' });
});
afterAll(() => localnet.close());

const trusting = { ca: AUTHORITY };
const ssl = credentials.createSsl(Buffer.from(AUTHORITY));
const INFO = 'com.digitalasset.canton.connection.v30.ApiInfoService/GetApiInfo';
const GRPC_HOST = 'grpc-ledger-api.localhost';
const portOf = (name: string, of = localnet) =>
  of.openPorts.find((each) => each.name === name)!.port;
/** Requests a URL of a LocalNet, and trusts the authority alone. */
const sendTo = (url: string, more: RequestOptions = {}) => {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  expect(protocol).toBe('https:');
  return send(Number(port), hostname, pathname + search, { tls: trusting, ...more });
};

it('returns HTTPS URLs only, and answers at each of them', async () => {
  const { ledgerApi, validator, scan, registry, sv, inspector } = localnet.urls;
  const nodes = localnet.nodes.flatMap((node) => [
    `${node.ledgerApi}/livez`,
    `${node.validator}/readyz`,
  ]);
  const others = [
    `${ledgerApi}/livez`,
    `${validator}/readyz`,
    `${scan}/readyz`,
    `${registry}/registry/metadata/v1/info`,
    `${sv}/readyz`,
    inspector,
  ];
  for (const url of [...nodes, ...others]) expect((await sendTo(url)).status).toBe(200);
  const { status } = await sendTo(`${localnet.urls.control}/time`);
  expect(status).toBe(200);
  expect(JSON.stringify(localnet.environment())).not.toContain('http://');
  expect(localnet.environment()).toMatchObject({
    CANTON_LOCALNET_SV_ADMIN_GRPC_URL: `https://${localnet.sv.grpcAdmin}`,
    CANTON_LOCALNET_APP_USER_GRPC_URL: `https://${localnet.appUser.grpc}`,
  });
});

it.each([
  ['sv/ui', 'scan.localhost', '/api/scan/v0/dso-party-id', 200],
  ['sv/ui', 'sv.localhost', '/api/sv/readyz', 200],
  ['app-user/ui', 'wallet.localhost', '/api/validator/readyz', 200],
  ['app-provider/ui', 'ans.localhost', '/api/validator/readyz', 200],
  ['app-provider/ui', 'json-ledger-api.localhost', '/v2/version', 200],
  ['app-user/ui', GRPC_HOST, '/v2/version', 502],
])('%s answers as %s with a certificate for that name', async (name, host, path, status) => {
  expect(await send(portOf(name), host, path, { tls: trusting })).toMatchObject({ status });
});

it('opens a WebSocket, and closes it when the LocalNet closes', async () => {
  const other = await startLocalnet(options);
  const protocols = [`jwt.token.${other.appUser.token()}`, 'daml.ws.auth'];
  const socket = new WebSocket(
    `${other.appUser.ledgerApi.replace(/^http/, 'ws')}/v2/updates`,
    protocols,
    trusting,
  );
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await other.close();
  expect(await ended).toBe(1001);
});

it('serves the Ledger API and the admin API of each node over gRPC', async () => {
  for (const { grpc, grpcAdmin } of localnet.nodes)
    for (const [address, name] of [
      [grpc!, 'ledger-api'],
      [grpcAdmin!, 'admin-api'],
    ] as const) {
      const client = await GrpcClient.connect(address, 'v1', { security: ssl });
      expect(await client.call(INFO)).toEqual({ name });
      client.close();
    }
});

it.each(['app-user', 'app-provider'])(
  'serves the Ledger API of %s over gRPC at its host name',
  async (name) => {
    const { ui, participant } = localnet.node(name);
    const client = await GrpcClient.connect(new URL(ui).host, 'v1', {
      security: ssl,
      authority: `${GRPC_HOST}:2000`,
    });
    const { participantId } = await client.call(
      'admin.PartyManagementService/GetParticipantId',
      {},
      { token: localnet.node(name).token() },
    );
    expect(participantId).toBe(participant.id);
    client.close();
    const elsewhere = { security: ssl, authority: 'wallet.localhost' };
    await expect(GrpcClient.connect(new URL(ui).host, 'v1', elsewhere)).rejects.toBeDefined();
  },
);

/** The protocol that a port of virtual hosts chooses. */
const agreed = (servername: string | undefined, ALPNProtocols: string[] | undefined) =>
  new Promise<unknown>((resolve) => {
    const port = portOf('app-user/ui');
    const name = servername === undefined ? {} : { servername };
    const offer = ALPNProtocols && { ALPNProtocols };
    const socket = connect({ host: '127.0.0.1', port, ...trusting, ...name, ...offer }, () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.on('error', () => resolve('refused'));
  });

it.each([
  ['wallet.localhost', ['h2', 'http/1.1'], 'http/1.1'],
  [undefined, ['h2', 'http/1.1'], 'http/1.1'],
  [GRPC_HOST, ['http/1.1', 'h2'], 'h2'],
  [GRPC_HOST, ['http/1.1'], 'http/1.1'],
  ['wallet.localhost', ['h2'], 'h2'],
  ['wallet.localhost', undefined, false],
  ['wallet.localhost', ['acme-tls/1'], 'refused'],
])('for %s with %j, selects %s as the HTTP version', async (name, offered, taken) => {
  expect(await agreed(name, offered)).toBe(taken);
});

it('does not answer without TLS', async () => {
  for (const { name } of localnet.openPorts.filter(({ name }) => !name.includes('/grpc')))
    await expect(send(portOf(name), 'localhost', '/livez')).rejects.toThrow();
});

describe('with OAuth2', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('issues tokens whose issuer is an HTTPS URL', async () => {
    const { issuer, tokenUrl, clientId, clientSecret } = localnet.appUser.oauth2!;
    const found = JSON.parse((await sendTo(`${issuer}/.well-known/openid-configuration`)).text);
    expect(found).toMatchObject({ issuer, token_endpoint: tokenUrl });
    expect(JSON.stringify(found)).not.toContain('http://');
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString();
    const { text } = await sendTo(tokenUrl, { method: 'POST', headers: form, body });
    const token = JSON.parse(text)['access_token'] as string;
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    expect(iss).toBe(issuer);
    const headers = { authorization: `Bearer ${token}` };
    const users = await sendTo(`${localnet.appUser.ledgerApi}/v2/users`, { headers });
    expect(users.status).toBe(200);
  });

  it('logs in HTTPS pages, with secure cookies', async () => {
    const { issuer } = localnet.appUser.oauth2!;
    const openLogin = (redirect_uri: string) =>
      sendTo(
        `${issuer}/protocol/openid-connect/auth?${new URLSearchParams({
          client_id: 'app-user-wallet',
          response_type: 'code',
          redirect_uri,
        }).toString()}`,
      );
    const { status, headers, text } = await openLogin('https://wallet.localhost:2000/');
    expect([status, String(headers['set-cookie'])]).toEqual([
      200,
      expect.stringMatching(/; HttpOnly; SameSite=None; Secure$/),
    ]);
    expect(text).toContain(`action="${issuer.replace(/\/realms.*/, '')}`);
    expect(await openLogin('http://wallet.localhost:2000/')).toMatchObject({ status: 400 });
  });
});

it('requires client certificates on each port with the option clientCa', async () => {
  const mutual = await startLocalnet({ ...options, tls: { ...tls, clientCa: AUTHORITY } });
  const known = { ...trusting, cert: CLIENT_CERT, key: CLIENT_KEY };
  const ports = mutual.openPorts.filter(({ name }) => !name.includes('/grpc'));
  for (const { port } of ports) {
    await expect(send(port, 'localhost', '/', { tls: trusting })).rejects.toThrow();
    expect((await send(port, 'localhost', '/', { tls: known })).status).toEqual(expect.any(Number));
  }
  const security = credentials.createSsl(
    ...[AUTHORITY, CLIENT_KEY, CLIENT_CERT].map((each) => Buffer.from(each)),
  );
  for (const target of [
    { address: mutual.appUser.grpc! },
    { address: mutual.appUser.grpcAdmin! },
    { address: new URL(mutual.appUser.ui).host, authority: GRPC_HOST },
  ]) {
    const { address, ...rest } = target;
    const client = await GrpcClient.connect(address, 'v1', { security, ...rest });
    expect(await client.call(INFO)).toMatchObject({ name: expect.stringMatching(/-api$/) });
    client.close();
    await expect(
      GrpcClient.connect(address, 'v1', { security: ssl, ...rest }),
    ).rejects.toBeDefined();
  }
  await mutual.close();
});

it('closes at once although clients have not started their TLS handshake', async () => {
  const other = await startLocalnet(options);
  const sandbox = await startCanticle({ tls, grpc: true });
  const ports = [
    ...other.openPorts.map(({ port }) => port),
    ...[sandbox.port, Number(sandbox.urls.grpc!.split(':')[1])],
  ];
  const sockets = ports.map((port) => connectPlain(port, '127.0.0.1'));
  const opened = sockets.map((each) => new Promise((resolve) => each.once('connect', resolve)));
  await Promise.all(opened);
  // A server that answered a later connection has accepted the earlier one.
  await Promise.all([sendTo(`${other.appUser.ui}/`), sendTo(`${sandbox.url}/livez`)]);
  const ended = sockets.map((each) => {
    each.on('error', () => undefined);
    return new Promise((resolve) => each.once('close', resolve));
  });
  await Promise.all([other.close(), sandbox.close(), ...ended]);
}, 20_000);

describe('configured in a file', () => {
  const indented = (pem: string) => pem.trimEnd().replace(/^/gm, '    ');
  const file = (text: string) => {
    const path = join(folder(), 'network.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('accepts certificate and key as PEM', async () => {
    const text = `tls:\n  cert: |\n${indented(SERVER_CERT)}\n  key: |\n${indented(SERVER_KEY)}\nvalidators: [bank]\n`;
    const said = await startLocalnet({ config: file(text), spliceDars: false });
    expect((await sendTo(`${said.node('bank').ledgerApi}/livez`)).status).toBe(200);
    await said.close();
  });

  it('rejects a certificate without a key', async () => {
    await expect(startLocalnet({ config: file('tls: { cert: x }') })).rejects.toThrow(
      /option of tls.*key|key.*tls/,
    );
  });
});
