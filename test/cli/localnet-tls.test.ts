/** `canticle localnet` with TLS, and `env`, `localnet status` and `localnet stop` for it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { ensureBuilt } from '../repository/built-package.js';
import {
  AUTHORITY,
  CERT_OF_FEW_NAMES,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../support/certificates.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { CommandHere, runHere } from './in-process.js';
import { RunningCommand } from './running-sandbox.js';

const folder = useTemporaryFolder();
const file = (name: string) => join(folder(), name);
beforeAll(() => {
  const files = {
    'ca.pem': AUTHORITY,
    'cert.pem': SERVER_CERT,
    'few.pem': CERT_OF_FEW_NAMES,
    'key.pem': SERVER_KEY,
    'client.pem': CLIENT_CERT,
    'client-key.pem': CLIENT_KEY,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text);
});

const TRUST = () => ['--tls-ca', file('ca.pem')];
const CLIENT = () => ['--tls-cert', file('client.pem'), '--tls-key', file('client-key.pem')];
const running: CommandHere[] = [];
/** @param portFile gets the ports, which are any free ones */
async function started(portFile: string, ...flags: string[]): Promise<CommandHere> {
  const served = ['--tls-key', file('key.pem'), '--port-file', file(portFile)];
  const all = ['--ports', 'auto', '--splice-dars', 'off', ...served, ...flags];
  const command = new CommandHere('localnet', ...all);
  running.push(command);
  await Promise.race([
    command.until('LocalNet is ready.'),
    command.ended().then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return command;
}
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.stop();
    expect(await command.ended()).toMatchObject({ status: 0, stderr: '' });
  }
});

const answerOf = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(url, { ca: AUTHORITY, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });

const variablesOf = async (portFile: string, ...flags: string[]) => {
  const where = ['--port-file', file(portFile), '--format', 'json'];
  const { status, stdout, stderr } = await runHere('env', ...where, ...flags);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, string>;
};

it('prints HTTPS addresses, and `env` and `status` trust them with the flag for the authority', async () => {
  const { stdout } = await started('ports.json', '--tls-cert', file('cert.pem'));
  expect(stdout).not.toContain('http://');
  expect(stdout).toMatch(/^TLS +Certificate +CN=localhost, signed by CN=canticle test authority$/m);
  expect(stdout).not.toContain('Missing names');

  const variables = await variablesOf('ports.json', ...TRUST());
  expect(variables['NODE_EXTRA_CA_CERTS']).toBe(file('ca.pem'));
  expect(Object.values(variables).join('\n')).not.toContain('http://');
  const authorization = `Bearer ${variables['CANTON_JWT']}`;
  const { status } = await answerOf(`${variables['CANTON_JSON_API_URL']}/v2/users`, {
    authorization,
  });
  expect(status).toBe(200);
  const grpc = await GrpcClient.connect(
    variables['CANTON_LOCALNET_APP_USER_GRPC_URL']!.replace('https://', ''),
    'v1',
    { security: credentials.createSsl(Buffer.from(AUTHORITY)) },
  );
  expect(
    await grpc.call('VersionService/GetLedgerApiVersion', {}, { token: variables['CANTON_JWT'] }),
  ).toMatchObject({ version: expect.any(String) });
  grpc.close();

  const result = await runHere('localnet', 'status', '--port-file', file('ports.json'), ...TRUST());
  expect(result.status).toBe(0);
  expect(result.stdout.trimEnd().split('\n')).toHaveLength(8);
  for (const line of result.stdout.trimEnd().split('\n')) expect(line).toMatch(/^up .* https:/);
});

it('`env` and `status` do not trust it without its authority', async () => {
  await started('ports.json', '--tls-cert', file('cert.pem'));
  const where = ['--port-file', file('ports.json')];
  const why =
    /the certificate is not trusted \(.*\)\. Name its authority with --tls-ca, or in NODE_EXTRA_CA_CERTS/;
  const status = await runHere('localnet', 'status', ...where);
  expect(status).toMatchObject({ status: 1, stdout: expect.stringMatching(why) });
  const env = await runHere('env', ...where);
  expect(env).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(why) });
});

it('names the hosts that the certificate does not cover, at start-up and in `status`', async () => {
  const { stdout } = await started('ports.json', '--tls-cert', file('few.pem'));
  expect(stdout).toMatch(
    /^ +Missing names +sv\.localhost, scan\.localhost, wallet\.localhost, canton\.localhost, ans\.localhost, .*: clients reject the certificate at these names$/m,
  );
  // Scan and the SV app have their own ports, which clients call by the address.
  const statusBy = (portFile: string) =>
    runHere('localnet', 'status', '--port-file', file(portFile), ...TRUST());
  expect(await statusBy('ports.json')).toMatchObject({ status: 0 });
  hostsAlone('ports.json', 'hosts.json');
  const { status, stdout: output } = await statusBy('hosts.json');
  expect(status).toBe(1);
  expect(output).toMatch(
    /^down +Scan +https:\/\/scan\.localhost:\d+\/\S+: the certificate has other names \(.*scan\.localhost/m,
  );
});

/** The same ports without the separate ones of Scan and the SV app. */
function hostsAlone(portFile: string, without: string): void {
  const { scan, 'sv-app': sv, ...nodes } = JSON.parse(readFileSync(file(portFile), 'utf8'));
  expect([scan, sv]).toEqual([{ http: expect.any(Number) }, { http: expect.any(Number) }]);
  writeFileSync(file(without), JSON.stringify(nodes));
}

it('answers `env` and `status` under its host names', async () => {
  await started('ports.json', '--tls-cert', file('cert.pem'));
  hostsAlone('ports.json', 'hosts.json');
  const variables = await variablesOf('hosts.json', ...TRUST());
  expect(variables['SCAN_API_URL']).toMatch(/^https:\/\/scan\.localhost:\d+\/api\/scan$/);
  const where = ['--port-file', file('hosts.json'), ...TRUST()];
  expect(await runHere('localnet', 'status', ...where)).toMatchObject({ status: 0 });
});

it('requires a client certificate, which `status` and `env` send', async () => {
  const own = ['--tls-cert', file('cert.pem'), '--tls-client-ca', file('ca.pem')];
  await started('ports.json', ...own);
  const where = ['--port-file', file('ports.json'), ...TRUST()];
  expect(await runHere('localnet', 'status', ...where)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      'the LocalNet requires a client certificate. Give one with --tls-cert and --tls-key',
    ),
  });
  expect(await runHere('localnet', 'status', ...where, ...CLIENT())).toMatchObject({ status: 0 });
  expect(await variablesOf('ports.json', ...TRUST(), ...CLIENT())).toMatchObject({
    CANTON_JSON_API_URL: expect.stringMatching(/^https:/),
  });
  expect(
    await runHere('localnet', 'status', ...where, '--tls-cert', file('client.pem')),
  ).toMatchObject({
    status: 1,
    stderr: 'canticle: A certificate needs both --tls-cert and --tls-key.\n',
  });
});

it('issues OAuth2 tokens over HTTPS, and prints an example with the URL of its token endpoint', async () => {
  const flags = ['--tls-cert', file('cert.pem'), '--auth', 'oauth2'];
  const { stdout } = await started('ports.json', ...flags);
  const [, url, token] =
    /^app-user +Example +curl (https:\S+) -H "Authorization: Bearer (\S+)"$/m.exec(stdout)!;
  expect((await answerOf(url!, { authorization: `Bearer ${token}` })).status).toBe(200);
  const variables = await variablesOf('ports.json', ...TRUST());
  expect(variables).toMatchObject({
    AUTH_MODE: 'oauth2',
    CANTON_LOCALNET_APP_USER_TOKEN_URL: expect.stringMatching(
      /^https:\/\/127\.0\.0\.1:\d+\/realms/,
    ),
  });
  const result = await runHere('localnet', 'status', '--port-file', file('ports.json'), ...TRUST());
  expect(result).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^up +Keycloak of app-user +https:/m),
  });
});

it('prints the path of the authority, and rejects a path that needs quotes', async () => {
  await started('ports.json', '--tls-cert', file('cert.pem'));
  const nameOf = async (name: string, format: string) => {
    mkdirSync(file(name), { recursive: true });
    const ca = join(file(name), 'ca.pem');
    writeFileSync(ca, AUTHORITY);
    const where = ['--port-file', file('ports.json'), '--format', format, '--tls-ca', ca];
    const { stdout, stderr } = await runHere('env', ...where);
    return { ca, printed: stdout.split('\n').find((line) => line.includes('EXTRA_CA')), stderr };
  };
  const dotenv = await nameOf('my (ü) files', 'dotenv');
  expect(dotenv.printed).toBe(`NODE_EXTRA_CA_CERTS=${dotenv.ca}`);
  const shell = await nameOf('my (ü) files', 'shell');
  expect(shell.printed).toBe(`export NODE_EXTRA_CA_CERTS='${shell.ca}'`);
  expect(execFileSync('sh', ['-c', `${shell.printed}; printf %s "$NODE_EXTRA_CA_CERTS"`])).toEqual(
    Buffer.from(shell.ca),
  );
  for (const name of ["it's", '$HOME', 'a"b', 'a`b']) {
    const { printed, stderr } = await nameOf(name, 'shell');
    expect([printed, stderr]).toEqual([undefined, expect.stringContaining('Use another path')]);
  }
});

it('rejects a certificate without its key, and files without a certificate or key', async () => {
  expect(await runHere('localnet', '--tls-cert', file('cert.pem'))).toMatchObject({
    status: 1,
    stderr: 'canticle: --tls-cert needs --tls-key.\n',
  });
  const wrong = ['--ports', 'auto', '--splice-dars', 'off', '--tls-key', file('ca.pem')];
  expect(await runHere('localnet', ...wrong, '--tls-cert', file('cert.pem'))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^canticle: failed to start: .*\n$/),
  });
});

describe('in a separate process', () => {
  beforeAll(ensureBuilt, 60_000);

  it.each([
    ['serves a certificate of an unknown authority', []],
    ['requires a client certificate', ['--tls-client-ca', 'ca.pem']],
  ])('stops on `localnet stop` without certificates if it %s', async (_, flags) => {
    const [client, ca] = flags;
    const running = new RunningCommand(
      ...['localnet', '--ports', 'auto', '--splice-dars', 'off', '--port-file', file('own.json')],
      ...['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')],
      ...(client === undefined ? [] : [client, file(ca!)]),
    );
    try {
      await running.ready('LocalNet is ready.\n');
      const stopping = new RunningCommand('localnet', 'stop', '--port-file', file('own.json'));
      expect(await stopping.ended()).toEqual({
        status: 0,
        stdout: 'LocalNet is stopped.\n',
        stderr: '',
      });
      expect(await running.ended()).toMatchObject({ status: 0, stderr: '' });
      expect(existsSync(file('own.json'))).toBe(false);
    } finally {
      await running.kill();
    }
  });
});
