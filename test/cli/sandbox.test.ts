/** `canticle sandbox` as a process: the ready line, the port files, the ways to stop it, and clear refusals. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensureBuilt, root } from '../repository/built-package.js';
import { type Ending, RunningCommand } from './running-sandbox.js';
import { runHere } from './in-process.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const started: RunningCommand[] = [];
const folder = useTemporaryFolder();

function canticle(...args: string[]): RunningCommand {
  const command = new RunningCommand(...args);
  started.push(command);
  return command;
}

const sandbox = (...args: string[]) => canticle('sandbox', '--json-api-port', '0', ...args);

function expectOneLine(ending: Ending, line: RegExp): void {
  expect(ending.stderr).toMatch(line);
  expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(ending.stdout).toBe('');
  expect(ending.status).toBe(1);
}

beforeAll(ensureBuilt, 60_000);
afterEach(() => Promise.all(started.splice(0).map((command) => command.kill())));

describe('when it is ready', () => {
  it('prints the URL of each API, and then the line that scripts wait for', async () => {
    const lines = (await sandbox().ready()).trimEnd().split('\n');
    const apis = lines.slice(0, -1).map((line) => line.replace(/:\d+/, ':PORT'));
    expect(apis).toEqual([
      'JSON Ledger API  http://127.0.0.1:PORT',
      'Scan             http://127.0.0.1:PORT/api/scan',
      'Token registry   http://127.0.0.1:PORT',
      'Validator        http://127.0.0.1:PORT/api/validator',
      'Controls         http://127.0.0.1:PORT/canticle/v1',
      'Inspector        http://127.0.0.1:PORT/canticle/',
    ]);
    expect(lines.at(-1)).toBe('Canton sandbox is ready.');
  });

  it('prints the gRPC ports of each participant', async () => {
    const flags = ['--ledger-api-port=0', '--admin-api-port=0', '--multi-sync'];
    const lines = (await sandbox(...flags).ready()).split('\n');
    const anyPort = lines.map((line) => line.replace(/:\d+/, ':PORT'));
    const from = anyPort.indexOf('gRPC Ledger API  127.0.0.1:PORT');
    const others = ['  of pebblebox    127.0.0.1:PORT', '  of sidebox      127.0.0.1:PORT'];
    expect(anyPort.slice(from + 1, from + 6)).toEqual([
      ...others,
      'gRPC admin API   127.0.0.1:PORT',
      ...others,
    ]);
  });

  it('answers at the port in the port files', async () => {
    const files = ['ports.json', 'canton-ports.json', 'port.txt'].map((name) =>
      join(folder(), name),
    );
    const [ports, cantonPorts, port] = files as [string, string, string];
    const flags = ['--port-file', ports, '--canton-port-file', cantonPorts];
    await sandbox(...flags, '--json-api-port-file', port).ready();

    const { sandbox: listening } = JSON.parse(readFileSync(ports, 'utf8'));
    expect(readFileSync(cantonPorts, 'utf8')).toBe(`{"sandbox":{"jsonApi":${listening.jsonApi}}}`);
    expect(readFileSync(port, 'utf8')).toBe(String(listening.jsonApi));
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${listening.jsonApi}/livez`)).status).toBe(200);
  });

  it('suggests URLs that answer with 200, in the world of a scenario', async () => {
    const printed = await sandbox(join(root, 'scenarios', 'welcome.yaml')).ready();
    const [, suggestions] = printed.split('Canton sandbox is ready.');
    const urls = [...suggestions!.matchAll(/curl (\S+)/g)].map((match) => match[1]!);
    expect(urls).not.toEqual([]);
    for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  });

  it.each([
    [[], [['sandbox', 'synchronizer-1']]],
    [
      ['--multi-sync'],
      [
        ['sandbox', 'synchronizer-1', 'synchronizer-2'],
        ['pebblebox', 'synchronizer-1', 'synchronizer-2'],
        ['sidebox', 'synchronizer-2'],
      ],
    ],
  ])(
    "starts with the users, parties and synchronizers of Canton's sandbox: %j",
    async (flags, all) => {
      const printed = await sandbox(...flags).ready();
      const urls = [...printed.matchAll(/^(?:JSON| {2}of).*(http:\S+)/gm)].map(
        (match) => match[1]!,
      );
      const states = urls.map(async (url) => {
        const read = async (path: string): Promise<any> => (await fetch(url + path)).json();
        const { users } = await read('/v2/users');
        const { partyDetails } = await read('/v2/parties');
        const { connectedSynchronizers } = await read('/v2/state/connected-synchronizers');
        expect(users.map(({ id }: any) => id)).toEqual(['participant_admin']);
        const own = partyDetails.filter(({ isLocal }: any) => isLocal);
        return [
          ...own.map(({ party }: any) => party.split('::')[0]),
          ...connectedSynchronizers.map(({ synchronizerAlias: alias }: any) => alias),
        ];
      });
      expect(await Promise.all(states)).toEqual(all);
    },
  );

  it('explains refused submissions on stderr with --verbose', async () => {
    const world = join(root, 'scenarios', 'welcome.yaml');
    const running = sandbox('--verbose', '--shutdown-stdin-close', world);
    const url = /http:\S+/.exec(await running.ready())![0];
    const template = '#canticle-quickstart:Quickstart.Iou:Iou';
    const exercise = {
      templateId: template,
      contractId: `00${'ab'.repeat(32)}ca121220${'ab'.repeat(32)}`,
    };
    const command = { ...exercise, choice: 'Archive', choiceArgument: {} };
    const actAs = [`nobody::1220${'ab'.repeat(32)}`];
    const { status } = await fetch(`${url}/v2/commands/submit-and-wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        commandId: 'archive',
        userId: 'participant_admin',
        actAs,
        commands: [{ ExerciseCommand: command }],
      }),
    });
    running.process.stdin.end();
    const { stderr } = await running.ended();
    expect(stderr).toContain(`POST /v2/commands/submit-and-wait: ${status}\n`);
    expect(stderr).toContain('nobody at sandbox, command archive\n');
    expect(stderr).toContain(
      'ExerciseCommand #canticle-quickstart:Quickstart.Iou:Iou Archive on 00ababababab…',
    );
  });

  it.each([
    [
      'pretty',
      /^\S+Z {2}GET {4}\/v2\/version {2}200 {2}[\d.]+ ms\n\S+Z {2}GET {4}\/nowhere {2}404 [^\n]*\n\S+Z {2}GET {4}\/v2\/parties {2}503 {2}[\d.]+ ms {2}⚡ refuse: 503/,
    ],
    [
      'json',
      /^\{"id":1,.*"operation":"getV2Version".*"durationMs":[\d.]+.*\}\n\{"id":2,.*\}\n\{"id":3,.*"status":503,.*"faults":\[\{"id":"f1","fault":"refuse: 503"\}\].*\}\n$/,
    ],
  ])('prints a line for each request, %s, with its error', async (form, lines) => {
    const faults = join(folder(), 'faults.yaml');
    writeFileSync(faults, '- { on: getV2Parties, do: { refuse: 503 } }');
    const flags = ['--log', form, '--journal', 'full', '--faults', faults];
    const running = sandbox(...flags, '--shutdown-stdin-close');
    const url = /http:\S+/.exec(await running.ready())![0];
    for (const path of ['/v2/version', '/nowhere', '/v2/parties'])
      await (await fetch(url + path)).text();
    running.process.stdin.end();
    expect((await running.ended()).stderr).toMatch(lines);
  });

  it('names the Canton flags that have no effect', async () => {
    const running = sandbox('--mediator-admin-port', '6867', '--shutdown-stdin-close');
    await running.ready();
    running.process.stdin.end();
    expect((await running.ended()).stderr).toBe(
      'canticle: --mediator-admin-port ignored: Canticle has no server for it.\n',
    );
  });

  it('serves gRPC on the port that the flags name, and prints the port', async () => {
    const file = join(folder(), 'ports.json');
    const flags = ['--ledger-api-port', '0', '--port-file', file, '--shutdown-stdin-close'];
    const running = sandbox(...flags);
    const [, port] = /gRPC Ledger API {2}127\.0\.0\.1:(\d+)\n/.exec(await running.ready())!;
    const { sandbox: ports } = JSON.parse(readFileSync(file, 'utf8'));
    expect(ports).toEqual({ ledgerApi: Number(port), jsonApi: expect.any(Number) });
    const grpc = await GrpcClient.connect(`127.0.0.1:${port}`);
    expect(await grpc.call('StateService/GetLedgerEnd')).toEqual({ offset: expect.any(String) });
    grpc.close();
    running.process.stdin.end();
    expect((await running.ended()).status).toBe(0);
  });

  it('deletes its own port files when it ends', async () => {
    const [mine, others] = [join(folder(), 'mine.json'), join(folder(), 'others.json')];
    const flags = ['--port-file', mine, '--canton-port-file', others, '--shutdown-stdin-close'];
    const running = sandbox(...flags);
    await running.ready();
    writeFileSync(others, '{"sandbox":{"jsonApi":1}}');
    running.process.stdin.end();
    expect((await running.ended()).status).toBe(0);
    expect([existsSync(mine), existsSync(others)]).toEqual([false, true]);
  });

  it('deletes the port file of an earlier run if it cannot start', async () => {
    const file = join(folder(), 'stale.json');
    writeFileSync(file, '{"sandbox":{"jsonApi":1}}');
    await sandbox('--port-file', file, '--dar', join(folder(), 'absent.dar')).ended();
    expect(existsSync(file)).toBe(false);
  });
});

describe('stops', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'on %s, although a client keeps a connection open',
    async (signal) => {
      const command = sandbox();
      const url = /http:\S+/.exec(await command.ready())![0];
      const agent = new Agent({ keepAlive: true });
      const [answer] = await once(get(`${url}/livez`, { agent }), 'response');
      answer.resume();
      await once(answer, 'end');

      command.process.kill(signal);
      expect(await command.ended()).toMatchObject({ status: 0, stderr: '' });
      agent.destroy();
    },
  );

  it('at the end of stdin, with --shutdown-stdin-close', async () => {
    const command = sandbox('--shutdown-stdin-close');
    await command.ready();
    command.process.stdin.end();
    expect(await command.ended()).toMatchObject({ status: 0, stderr: '' });
  });

  it('when the shell ends in which npx started it', async () => {
    const line = `'${process.execPath}' '${join(root, 'bin', 'canticle.js')}' sandbox --port 0; true`;
    const env = { ...process.env, npm_lifecycle_event: 'npx' };
    const shell = spawn('sh', ['-c', line], { env });
    let printed = '';
    shell.stdout.on('data', (chunk) => (printed += chunk));
    while (!printed.includes('Canton sandbox is ready.')) await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    // Its output belongs to the sandbox as well: it is closed when both have ended.
    await once(shell, 'close');
    await expect(fetch(`${/http:\S+/.exec(printed)![0]}/livez`)).rejects.toThrow();
  });

  it('not at the end of stdin without the flag', async () => {
    const command = sandbox();
    const url = /http:\S+/.exec(await command.ready())![0];
    command.process.stdin.end();
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(command.process.exitCode).toBeNull();
  });
});

describe('reports in one line', () => {
  /** In this process: but for the first, nothing here is about a process. */
  const refused = (...args: string[]) => runHere('sandbox', '--json-api-port', '0', ...args);

  it('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const ending = await canticle('sandbox', '--json-api-port', String(port)).ended();
    expectOneLine(ending, /^canticle: failed to listen on 127\.0\.0\.1:\d+: the port is taken\./);
    other.close();
  });

  it('a missing DAR file', async () => {
    const ending = await refused('--dar', join(folder(), 'absent.dar'));
    expectOneLine(ending, /failed to read the DAR file '.*absent\.dar': no such file or folder\./);
  });

  it('a DAR that is neither a file nor in the DAR folder', async () => {
    const ending = await refused('--amulet', 'absent.dar');
    expectOneLine(
      ending,
      /failed to read the DAR file 'absent\.dar': .*set CANTICLE_DARS to its folder\./,
    );
  });

  it('a DAR file that is not an archive', async () => {
    const file = join(folder(), 'text.dar');
    writeFileSync(file, 'this is no archive');
    expectOneLine(
      await refused('--dar', file),
      /^canticle: failed to start: INVALID_DAR: .*text\.dar: \S/,
    );
  });

  it.each(['a folder', 'a link'])('a port file whose path is %s', async (what) => {
    const path = join(folder(), what);
    if (what === 'a folder') mkdirSync(path);
    else symlinkSync('/dev/null', path);
    const { status, stderr } = await refused('--port-file', path);
    expect(status).toBe(1);
    expect(stderr).toMatch(/failed to write the port file '.*': the path exists and is not a re/);
    expect(lstatSync(path).isFile()).toBe(false);
  });

  it('a port file in a missing folder', async () => {
    const ended = refused('--port-file', join(folder(), 'absent', 'ports.json'));
    expectOneLine(await ended, /failed to write the port file '.*': no such file or folder\./);
  });

  it('an address that is not on this machine', async () => {
    const ending = await refused('--host', '192.0.2.1');
    expectOneLine(ending, /failed to listen on 192\.0\.2\.1:0: this machine has no such address\./);
  });

  it.each([
    [['sandbox', '--json-api-port', 'http'], /'http' is invalid.* Expected a whole number/],
    [['sandbox', '--json-api-port', '65536'], /Expected a whole number from 0 to 65535\./],
    [['sandbox', '--json-api-port', '-1'], /Expected a whole number/],
    [['sandbox', '--seed', '1.5'], /Expected a whole number, 0 or more\./],
    [['sandbox', '--time', 'tomorrow'], /Expected a time in UTC, such as 2026-01-01T00:00:00Z\./],
    [['sandbox', '--time', '2026-02-30T00:00:00Z'], /Expected a time/],
    [['sandbox', '--time', '2026-01-01T00:00:00+01:00'], /Expected a time/],
    [['sandbox', '--static-time', '--wall-clock-time'], /cannot be used with option/],
    [
      ['sandbox', '--time', '2026-01-01T00:00:00Z', '--wall-clock-time'],
      /cannot be used with option/,
    ],
    [['sandbox', '--admin-token', 'a'], /--admin-token needs --auth\./],
    [['sandbox', '--privileged'], /--privileged needs --auth\./],
    [
      ['sandbox', '--tls-client-ca', __filename],
      /--tls-client-ca needs --tls-cert and --tls-key\./,
    ],
    [['sandbox', '--at', '3'], /fork flags need --fork or --fork-scan\./],
    [['sandbox', '--port-fil', 'x'], /unknown option '--port-fil'.*Did you mean --port-file\?/],
    [['sandbox', 'a.yaml', 'b.yaml'], /too many arguments/],
    [['sandbox', 'absent.yaml'], /failed to read the scenario 'absent\.yaml': no such file in /],
    [['sandcastle'], /unknown command 'sandcastle'/],
  ])('%j', async (args, line) => {
    expectOneLine(await runHere(...args), line);
  });
});

describe('other commands', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
    expect(await canticle('--version').ended()).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
    });
  });

  it('documents each of its flags on the page of flags', async () => {
    const { stdout } = await runHere('sandbox', '--help');
    const flags = [...stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, flag]) => flag!);
    expect(flags.length).toBeGreaterThan(20);
    const page = readFileSync(join(__dirname, '../../docs/reference/flags.md'), 'utf8');
    expect(flags.filter((flag) => !page.includes(`\`${flag}`))).toEqual([]);
  });

  it('prints its flags with --help', async () => {
    const { status, stdout } = await runHere('sandbox', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--json-api-port <port>');
  });
});
