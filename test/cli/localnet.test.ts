/** `canticle localnet` as people and their scripts meet it: what it says, its port file, its refusals, its end. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensureBuilt } from '../repository/built-package.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { RunningCommand } from './running-sandbox.js';

const started: RunningCommand[] = [];
const folder = useTemporaryFolder();

/** Without Splice's DARs, which may be missing. */
function localnet(...args: string[]): RunningCommand {
  const command = new RunningCommand('localnet', '--splice-dars', 'off', ...args);
  started.push(command);
  return command;
}

beforeAll(ensureBuilt, 60_000);
afterEach(() => Promise.all(started.splice(0).map((command) => command.kill())));

it('prints addresses and missing parts, writes its port file, and ends on a signal', async () => {
  const file = join(folder(), 'ports.json');
  const running = localnet('--ports', 'auto', '--port-file', file, '--multi-sync');
  const printed = await running.ready('LocalNet is ready.\n');
  const urls = [...printed.matchAll(/http:\/\/127\.0\.0\.1:(\d+)\S*/g)].map(([url]) => url);
  for (const node of ['sv', 'app-provider', 'app-user'])
    expect(printed).toMatch(new RegExp(`^${node} +JSON Ledger API +http://127`, 'm'));
  expect(printed).toMatch(/^ +gRPC Ledger API +127\.0\.0\.1:\d+$/m);
  expect(printed).toMatch(/^network +Scan +http:\/\/127\S+\/api\/scan$/m);
  expect(printed).toContain('this LocalNet uses a simplified Amulet');
  expect(printed.endsWith('\nLocalNet is ready.\n')).toBe(true);

  const ports = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number>>;
  const services = ['jsonApi', 'grpc', 'grpcAdmin', 'validator', 'ui'];
  const each = Object.fromEntries(services.map((name) => [name, expect.any(Number)]));
  expect(ports).toEqual({
    sv: each,
    'app-provider': each,
    'app-user': each,
    scan: { http: expect.any(Number) },
    'sv-app': { http: expect.any(Number) },
  });
  const ledgerApi = `http://127.0.0.1:${ports['app-user']!['jsonApi']}`;
  expect(urls).toContain(ledgerApi);
  const authorization = /Authorization: (Bearer [^"]+)/.exec(printed)![1]!;
  const answer = await fetch(`${ledgerApi}/v2/state/connected-synchronizers`, {
    headers: { authorization },
  });
  const { connectedSynchronizers } = (await answer.json()) as {
    connectedSynchronizers: { synchronizerAlias: string }[];
  };
  expect(connectedSynchronizers.map((each) => each.synchronizerAlias)).toEqual([
    'global',
    'app-synchronizer',
  ]);

  const stopping = new RunningCommand('localnet', 'stop', '--port-file', file);
  expect(await stopping.ended()).toEqual({
    status: 0,
    stdout: 'LocalNet is stopped.\n',
    stderr: '',
  });
  expect(await running.ended()).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(file)).toBe(false);
});

it('reports a port in use, its service, and the remedy in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  try {
    const { status, stdout, stderr } = await localnet(
      ...['--ports', 'auto', '--scan-port', String(port)],
    ).ended();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `canticle: failed to listen on port ${port} for Scan: the port is taken. Choose others with --port-offset or --ports auto (portOffset, ports: 'auto').\n`,
    );
  } finally {
    taken.close();
  }
});
