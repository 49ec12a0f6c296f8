/** `canticle env` and `localnet status` with servers other than a LocalNet: the size and time of answers are limited. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();
const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A port file whose every service is the server. */
async function portFile(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const path = join(folder(), `${port}.json`);
  const own = { http: port };
  const node = { jsonApi: port, validator: port, ui: port };
  const services = { sv: node, scan: own, 'sv-app': own, keycloak: own };
  writeFileSync(path, JSON.stringify(services));
  return path;
}

const FACTS = {
  dso_party_id: 'DSO::1220',
  party_id: 'sv::1220',
  user_name: 'ledger-api-user',
  version: '0.7.4',
};
/** Answers all that is asked with the same text. */
const answering =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);
const envBeside = async (server: Server, ...flags: string[]) =>
  runHere('env', '--node', 'sv', '--port-file', await portFile(server), ...flags);

const MAX = 1024 * 1024;

it('accepts an answer of 1 MiB, and rejects a longer one', async () => {
  const longest = JSON.stringify(FACTS).padEnd(MAX);
  const taken = await envBeside(createServer(answering(longest)), '--format', 'json');
  expect(taken).toMatchObject({ status: 0, stderr: '' });
  const variables = JSON.parse(taken.stdout) as object;
  expect(variables).toMatchObject({ CANTON_DSO_PARTY: 'DSO::1220', CANTON_ACT_AS: 'sv::1220' });
  expect(taken.stdout).toBe(`${JSON.stringify(variables, undefined, 2)}\n`);
  const longer = await envBeside(createServer(answering(`${longest} `)));
  expect(longer).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('its answer has more than 1048576 bytes'),
  });
});

it('decodes characters that are split between chunks', async () => {
  const party = 'ü'.repeat(10);
  const bytes = Buffer.from(JSON.stringify({ ...FACTS, party_id: party }));
  const inPieces: RequestListener = (_, response) => {
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  };
  const { status, stderr } = await envBeside(createServer(inPieces));
  // The value is whole, and none of a LocalNet.
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `canticle: the service returned an unexpected value for CANTON_ACT_AS. Is it a LocalNet? Value: ${party}\n`,
  });
});

it('shows the first 60 characters of a value that no LocalNet returns', async () => {
  const party = `'${'x'.repeat(70)}`;
  const server = createServer(answering(JSON.stringify({ ...FACTS, party_id: party })));
  const { stderr } = await envBeside(server);
  expect(stderr).toBe(
    `canticle: the service returned an unexpected value for CANTON_ACT_AS. Is it a LocalNet? Value: '${'x'.repeat(59)}\n`,
  );
});

it('requests tokens with a form, and sends all other requests without a body', async () => {
  const requests = new Set<string>();
  const answer = JSON.stringify({ ...FACTS, user_name: 'somebody', access_token: 'token' });
  const server = createServer(({ method, headers }, response) => {
    requests.add(`${method} ${headers['content-type']}`);
    response.end(answer);
  });
  const { stdout } = await envBeside(server, '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ AUTH_MODE: 'oauth2', CANTON_JWT: 'token' });
  expect([...requests].sort()).toEqual(['GET undefined', 'POST application/x-www-form-urlencoded']);
});

it('says why a service is down', async () => {
  const failing = createServer((_, response) => void response.writeHead(503).end());
  const path = await portFile(failing);
  const { status, stdout } = await runHere('localnet', 'status', '--port-file', path);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^down +Scan +http:\/\/127\.0\.0\.1:\d+\/api\/scan\/readyz: it answers 503$/m,
  );
  const cut = createServer((request) => void request.socket.destroy());
  const other = await runHere('localnet', 'status', '--port-file', await portFile(cut));
  expect(other.stdout).toMatch(/^down .*: socket hang up$/m);
  const broken = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('x');
    setTimeout(() => response.destroy(), 20);
  });
  const third = await runHere('localnet', 'status', '--port-file', await portFile(broken));
  expect(third.stdout).toMatch(/^down .*: aborted$/m);
});

it('waits five seconds for a handshake, and for each answer', async () => {
  const ended: Promise<unknown>[] = [];
  const silent = createTcpServer((socket) => {
    socket.on('error', () => undefined).resume();
    ended.push(new Promise((resolve) => socket.once('close', resolve)));
  });
  const path = await portFile(silent);
  const begun = performance.now();
  const { status, stdout } = await runHere('localnet', 'status', '--port-file', path);
  const took = performance.now() - begun;
  expect(status).toBe(1);
  expect(stdout).toMatch(/^down +Scan +http:.*: it took longer than 5000 milliseconds$/m);
  expect(took).toBeGreaterThan(14_900);
  await Promise.all(ended);
  expect(ended).toHaveLength(6);
}, 40_000);
