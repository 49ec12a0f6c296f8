/** `canticle script`: one script, on a separate ledger or behind an API. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { darOf, s } from '../script/script-package.js';
import { dar } from '../script/world-scripts.js';
import { e } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import {
  AUTHORITY,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../support/certificates.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();

async function script(name: string, ...flags: readonly string[]) {
  const [file, output] = [join(folder(), 'own.dar'), join(folder(), 'result.json')];
  writeFileSync(file, dar);
  writeFileSync(output, '');
  const own = ['--dar', file, '--script-name', name, '--output-file', output];
  const { status, stderr } = await runHere('script', ...own, ...flags);
  return { status, stderr, result: readFileSync(output, 'utf8').trim() };
}

it('runs on a new in-memory ledger', async () => {
  const input = join(folder(), 'input.json');
  writeFileSync(input, '"so"');
  expect(await script('Main:named', '--input-file', input)).toEqual({
    status: 0,
    stderr: '',
    result: '"so"',
  });
});

it('names the DAR that it cannot read', async () => {
  const [named, torn] = ['absent.dar', join(folder(), 'torn.dar')];
  writeFileSync(torn, 'no zip');
  for (const file of [named, torn]) {
    const { status, stderr } = await runHere('script', '--dar', file, '--all');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`canticle: failed to read ${file}: `) as string,
    });
  }
});

it('uploads the DAR to a JSON Ledger API, and runs there', async () => {
  const canticle = await startCanticle();
  const { status, result } = await script(
    'Main:setup',
    '--json-api',
    canticle.url,
    '--upload-dar',
    'true',
  );
  const template = '#script-tests:Main:Asset';
  const made = canticle.participant.activeContracts({ template });
  await canticle.close();
  expect(status).toBe(0);
  expect(made).toMatchObject([{ payload: { owner: JSON.parse(result) as string } }]);
});

it('runs against a Ledger API over gRPC', async () => {
  const canticle = await startCanticle({ grpc: true });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  const at = ['--ledger-host', host, '--ledger-port', port, '--admin-port', '1'];
  const grpc = [...at, '--upload-dar', 'true'];
  const setup = await script('Main:setup', ...grpc);
  const template = '#script-tests:Main:Asset';
  const made = canticle.participant.activeContracts({ template });
  await canticle.close();
  expect(setup.stderr).toBe('');
  expect(made).toMatchObject([{ payload: { owner: JSON.parse(setup.result) as string } }]);
  const nowhere = await script('Main:setup', '--ledger-host', '127.0.0.1', '--ledger-port', '1');
  expect(nowhere.stderr).toContain('canticle: failed to reach 127.0.0.1:1: ');
  const half = await script('Main:setup', '--ledger-host', '127.0.0.1');
  expect(half.stderr).toContain('--ledger-host and --ledger-port require each other');
});

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

it('uses TLS, with a client certificate if the participant requires one', async () => {
  const tls = { cert: SERVER_CERT, key: SERVER_KEY, clientCa: AUTHORITY };
  const before = openSockets();
  const canticle = await startCanticle({ grpc: true, tls });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  const pem = (name: string, text: string): string => {
    const file = join(folder(), name);
    writeFileSync(file, text);
    return file;
  };
  const grpc = ['--ledger-host', host, '--ledger-port', port, '--upload-dar', 'true'];
  const trusting = [...grpc, '--cacrt', pem('authority', AUTHORITY)];
  const own = ['--crt', pem('crt', CLIENT_CERT), '--pem', pem('pem', CLIENT_KEY)];
  const known = await script('Main:setup', ...trusting, ...own);
  const made = canticle.participant.activeContracts({ template: '#script-tests:Main:Asset' });
  const unknown = await script('Main:setup', ...trusting);
  const mistrusting = await script('Main:setup', ...grpc, ...own);
  const plain = await script('Main:setup', ...grpc);
  await canticle.close();
  // No connection stays open, for any answer of the other side.
  while (openSockets() > before) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(known).toMatchObject({ status: 0, stderr: '' });
  expect(made).toHaveLength(1);
  for (const { status, stderr } of [unknown, mistrusting, plain]) {
    expect(stderr).toContain(`canticle: failed to reach ${host}:${port}: `);
    expect(status).toBe(1);
  }
  const half = await script('Main:setup', ...grpc, '--crt', 'absent');
  expect(half.stderr).toContain('--crt and --pem require each other');
  const absent = await script('Main:setup', ...grpc, '--cacrt', 'absent');
  expect(absent.stderr).toContain("failed to read 'absent': ");
  const overJson = await script('Main:setup', '--json-api', 'http://127.0.0.1:1', '--tls');
  expect(overJson.stderr).toContain('need --ledger-host');
});

it('runs all scripts, or all except some, and prints a line for each', async () => {
  const file = join(folder(), 'own.dar');
  writeFileSync(file, dar);
  const several = (...flags: readonly string[]) => runHere('script', '--dar', file, ...flags);
  const named = ['--script-name', 'Main:setup', '--script-name', 'Main:counts'];
  const { stdout, status } = await several(...named);
  expect({ stdout, status }).toEqual({
    stdout: 'Main:counts SUCCESS\nMain:setup SUCCESS\n',
    status: 0,
  });
  const [summary, list] = [join(folder(), 'new', 'summary.json'), join(folder(), 'list.json')];
  const skips = [
    ...['user', 'sleeps', 'renames', 'elsewhere', 'sets', 'unvets', 'lists'],
    ...['nowhere', 'together', 'apart'],
  ].flatMap((name) => ['--skip-script-name', `Main:${name}`]);
  const all = await several('--all', ...skips, '--json-test-summary', summary);
  expect(all).toEqual({ stdout: '', stderr: '', status: 1 });
  expect(JSON.parse(readFileSync(summary, 'utf8'))).toEqual({
    'Main:counts': { result: [42] },
    'Main:refused': { error: expect.stringContaining('DAML_FAILURE') as string },
    'Main:setup': { result: 'alice' },
    'Main:shared': { result: 'bob' },
  });
  const failing = await several('--script-name', 'Main:refused');
  expect(failing.stdout).toMatch(/^Main:refused FAILURE \([^]*No, never[^]*\)\n$/);
  expect(failing.status).toBe(1);
  expect(await several('--list-scripts-json', list)).toMatchObject({ status: 0, stdout: '' });
  const names = JSON.parse(readFileSync(list, 'utf8')) as readonly string[];
  expect(names).toContain('Main:refused');
  expect(names).not.toContain('Main:named');
});

it('runs several scripts in the order of the parts of their names', async () => {
  const module = { values: { run: { type: s.of(t.unit), expression: s.finish(t.unit, e.unit) } } };
  const modules = { AA: module, 'A.B': module, A: module };
  const file = join(folder(), 'order.dar');
  writeFileSync(file, darOf(encodePackage({ name: 'order', modules })));
  const { stdout } = await runHere('script', '--dar', file, '--all');
  expect(stdout).toBe('A:run SUCCESS\nA.B:run SUCCESS\nAA:run SUCCESS\n');
});

it("writes numbers as Daml's script runner does", async () => {
  expect((await script('Main:counts')).result).toBe('[\n  42\n]');
});

it('uses the time of the ledger, or the wall clock', async () => {
  const set = '"2100-01-01T00:00:00Z"';
  const refusal = 'setTime is not supported in wallclock mode';
  const own = await script('Main:sets');
  expect(own.result).toBe(set);
  const ide = await script('Main:sets', '--ide-ledger');
  expect(ide.stderr).toContain(refusal);
  const isStatic = await script('Main:sets', '--ide-ledger', '-s');
  expect(isStatic.result).toBe(set);
  const canticle = await startCanticle({ grpc: true });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  const grpc = ['--ledger-host', host, '--ledger-port', port];
  const there = await script('Main:sets', ...grpc, '--static-time');
  const time = canticle.network.clock.now();
  const byClock = await script('Main:sets', ...grpc);
  const small = await script('Main:sets', ...grpc, '--max-inbound-message-size', '1');
  await canticle.close();
  expect(there).toEqual({ status: 0, stderr: '', result: set });
  expect(time).toBe(4_102_444_800_000_000n);
  expect(byClock.stderr).toContain(refusal);
  expect(small.stderr).toContain('gRPC message exceeds maximum size 1');
});

it('connects to several participants by name', async () => {
  const canticle = await startCanticle({
    participants: ['first', 'second'],
    dars: [dar],
    grpc: true,
  });
  const at = (address: string) => {
    const [host = '', port = ''] = address.split(':');
    return { host, port: Number(port) };
  };
  const file = join(folder(), 'participants.json');
  const config = {
    default_participant: at(canticle.urls.grpc!),
    participants: { second: at(canticle.grpcApis['second']!) },
    party_participants: {},
  };
  writeFileSync(file, JSON.stringify(config));
  const usual = await script('Main:setup', '--participant-config', file);
  const elsewhere = await script('Main:elsewhere', '--participant-config', file);
  const hosts = [usual, elsewhere].map(({ result }) =>
    canticle.network.participants.map((each) => each.hosts(JSON.parse(result) as string)),
  );
  await canticle.close();
  expect([usual.stderr, elsewhere.stderr]).toEqual(['', '']);
  expect(hosts).toEqual([
    [true, false],
    [false, true],
  ]);
  const broken = async (given: object) => {
    writeFileSync(file, JSON.stringify({ ...config, ...given }));
    return (await script('Main:setup', '--participant-config', file)).stderr;
  };
  expect(await broken({ default_participant: null })).toContain('No default participant');
  expect(await broken({ participants: { second: { host: 'a' } } })).toContain(
    'participants.second needs a host (a string) and a port (a number)',
  );
  expect(await broken({ party_participants: { bob: 1 } })).toContain('the participant of bob');
});

it.each([
  ['--all and --script-name flags are incompatible', ['--all', '--script-name', 'M:a']],
  ['--all or --script-name must be specified', []],
  ['fully cancel out to no tests', ['--script-name', 'M:a', '--skip-script-name', 'M:a']],
  ['--all and --input-file/--output-file are incompatible', ['--all', '--input-file', 'a']],
  [
    'when more than one test is specified',
    ['--script-name', 'M:a', '--script-name', 'M:b', '--output-file', 'a'],
  ],
  [
    '--json-test-summary not supported',
    ['--script-name', 'M:a', '--output-file', 'a', '--json-test-summary', 'b'],
  ],
  ['Only --dar can be provided', ['--list-scripts-json', 'a', '--all']],
  ['are mutually exclusive', ['--all', '-s', '-w']],
  ['--static-time needs gRPC', ['--all', '-s', '--json-api', 'http://a']],
  ['only available with --ide-ledger', ['--all', '--ide-ledger-protocol-version', 'V34']],
  [
    "must be V34 or V35, not 'VDev'",
    ['--all', '--ide-ledger', '--ide-ledger-protocol-version', 'VDev'],
  ],
  ['Cannot upload a DAR to a new ledger', ['--all', '--upload-dar', 'yes']],
  ["--upload-dar must be true or false, not 'maybe'", ['--all', '--upload-dar', 'maybe']],
  [
    '--json-api and --ide-ledger name two ledgers',
    ['--all', '--json-api', 'http://a', '--ide-ledger'],
  ],
])("rejects the flags that Daml's script runner rejects: %s", async (text, flags) => {
  const { stderr, status } = await runHere('script', '--dar', 'absent.dar', ...flags);
  expect(stderr).toContain(text);
  expect(status).toBe(1);
});

it('reports why a script failed', async () => {
  const refused = await script('Main:refused');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^canticle: Script Main:refused failed: Submit failed: DAML_FAILURE/,
  );
  const absent = await script('Main:absent');
  expect(absent.status).toBe(1);
  expect(absent.stderr).toContain('script-tests-1.0.0 has no script Main:absent. It has Main:');
  const nowhere = await script('Main:setup', '--json-api', 'http://127.0.0.1:1');
  expect(nowhere.stderr).toContain('canticle: failed to reach http://127.0.0.1:1: ');
});
