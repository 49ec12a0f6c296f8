/** `canticle env`, `localnet status` and `dars` with a running LocalNet: all in this process, because main() accepts a terminal. */
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { startLocalnet } from 'canticle';
import { main } from '../../src/cli/main.js';
import { describeWithDars } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

class TestTerminal {
  readonly version = '0';
  readonly stdin = new PassThrough();
  readonly signals = new EventEmitter();
  readonly out = new EventEmitter();
  printed = '';
  errors = '';
  readonly stdout = {
    write: (text: string) => {
      this.printed += text;
      this.out.emit('text');
    },
  };
  readonly stderr = { write: (text: string) => (this.errors += text) };
}

async function run(...argv: string[]) {
  const terminal = new TestTerminal();
  const status = await main(argv, terminal);
  return { status, stdout: terminal.printed, stderr: terminal.errors };
}

describe('with a running LocalNet', () => {
  let terminal: TestTerminal;
  let ended: Promise<number>;
  let file: string;
  beforeAll(async () => {
    file = join(folder(), 'ports.json');
    terminal = new TestTerminal();
    const release = ['--splice', '0.9', '--splice-dars', 'off'];
    const flags = ['--ports', 'auto', ...release, '--port-file', file];
    ended = main(['localnet', ...flags], terminal);
    while (!terminal.printed.includes('LocalNet is ready.'))
      await new Promise((resolve) => terminal.out.once('text', resolve));
  });
  afterAll(async () => {
    terminal.signals.emit('SIGTERM');
    expect(await ended).toBe(0);
    expect(await run('localnet', 'status', '--port-file', file)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^canticle: failed to read the port file/),
    });
  });

  const environment = async (...flags: string[]) => {
    const { status, stdout } = await run('env', '--port-file', file, ...flags);
    expect(status).toBe(0);
    return stdout;
  };

  it('prints the environment variables of tools, with tokens that the services accept', async () => {
    const variables = JSON.parse(await environment('--format', 'json')) as Record<string, string>;
    expect(variables).toMatchObject({
      AUTH_MODE: 'shared-secret',
      CANTON_LOCALNET_PROFILE: 'b-validator-1',
      CANTON_LOCALNET_APP_USER_CLIENT_ID: 'ledger-api-user',
      CANTON_LOCALNET_APP_PROVIDER_CLIENT_SECRET: 'unsafe',
      CANTON_SV_PARTY: expect.stringMatching(/^sv::1220/),
      CANTON_DSO_PARTY: expect.stringMatching(/^DSO::1220/),
      IMAGE_TAG: '0.9.0',
      SPLICE_VERSION: '0.9.0',
      CANTON_SPLICE_VERSION: '0.9.0',
      CANTON_LOCALNET_SPLICE_VERSION: '0.9.0',
      CANTON_ACT_AS: expect.stringMatching(/^app_user_localnet-localparty-1::/),
    });
    expect(variables['CANTON_JSON_LEDGER_API_URL']).toBe(
      variables['CANTON_LOCALNET_APP_PROVIDER_JSON_API_URL'],
    );
    const answer = await fetch(`${variables['CANTON_JSON_API_URL']}/v2/users/app-user`, {
      headers: { authorization: `Bearer ${variables['CANTON_JWT']}` },
    });
    expect(((await answer.json()) as any).user.primaryParty).toBe(variables['CANTON_ACT_AS']);
    const scan = await fetch(`${variables['CANTON_LOCALNET_SCAN_URL']}/registry/metadata/v1/info`);
    expect(((await scan.json()) as any).adminId).toBe(variables['CANTON_DSO_PARTY']);
  });

  it('prints the variables of another node, as shell commands and for .env', async () => {
    const dotenv = (await environment('--node', 'sv')).trimEnd().split('\n');
    expect(dotenv).toContain('CANTON_LOCALNET_PROFILE=sv-validator-1');
    const shell = (await environment('--format', 'shell', '--node', 'sv')).trimEnd().split('\n');
    expect(shell).toEqual(dotenv.map((line) => `export ${line.replace('=', "='")}'`));
    expect(await run('env', '--port-file', file, '--node', 'bank')).toMatchObject({
      status: 1,
      stderr:
        "canticle: no node is called 'bank'. Use --node with one of sv, app-provider, app-user.\n",
    });
  });

  it("adds them to a GitHub job's environment file, and masks the tokens", async () => {
    const given = process.env['GITHUB_ENV'];
    const exports = join(folder(), 'github-env');
    writeFileSync(exports, 'BEFORE=1\n');
    try {
      process.env['GITHUB_ENV'] = exports;
      const printed = await environment('--format', 'github');
      const variables = readFileSync(exports, 'utf8');
      expect(variables).toMatch(/^BEFORE=1\nCANTON_JSON_API_URL=http/);
      const [, token] = /^CANTON_JWT=(.+)$/m.exec(variables)!;
      expect(printed.split('\n')).toContain(`::add-mask::${token}`);
      delete process.env['GITHUB_ENV'];
      expect((await run('env', '--port-file', file, '--format', 'github')).stderr).toContain(
        'GITHUB_ENV is not set',
      );
    } finally {
      if (given === undefined) delete process.env['GITHUB_ENV'];
      else process.env['GITHUB_ENV'] = given;
    }
  });

  it('lists the running services', async () => {
    const { status, stdout } = await run('localnet', 'status', '--json', '--port-file', file);
    const services = JSON.parse(stdout) as { what: string; isUp: boolean }[];
    expect(services.map(({ what, isUp }) => [what, isUp])).toEqual(
      [
        ...['sv', 'app-provider', 'app-user'].flatMap((name) => [
          `JSON Ledger API of ${name}`,
          `validator of ${name}`,
        ]),
        'Scan',
        'SV app',
      ].map((what) => [what, true]),
    );
    expect(status).toBe(0);
  });
});

it('prints the token URL and the client if the LocalNet uses OAuth2', async () => {
  const file = join(folder(), 'oauth2.json');
  const terminal = new TestTerminal();
  const flags = ['--ports', 'auto', '--splice-dars', 'off', '--auth', 'oauth2'];
  const ended = main(['localnet', ...flags, '--port-file', file], terminal);
  while (!terminal.printed.includes('LocalNet is ready.'))
    await new Promise((resolve) => terminal.out.once('text', resolve));
  const { stdout } = await run('env', '--format', 'json', '--port-file', file);
  const variables = JSON.parse(stdout) as Record<string, string>;
  expect(variables).toMatchObject({
    AUTH_MODE: 'oauth2',
    CANTON_LOCALNET_APP_USER_TOKEN_URL: expect.stringMatching(
      /\/realms\/AppUser\/protocol\/openid-connect\/token$/,
    ),
    CANTON_LOCALNET_APP_USER_CLIENT_ID: 'app-user-validator',
    CANTON_LOCALNET_SV_CLIENT_ID: 'ledger-api-user',
  });
  expect(terminal.printed).toContain(variables['CANTON_LOCALNET_APP_USER_CLIENT_SECRET']);
  const answer = await fetch(`${variables['CANTON_JSON_API_URL']}/v2/users`, {
    headers: { authorization: `Bearer ${variables['CANTON_JWT']}` },
  });
  expect(answer.status).toBe(200);
  // The printed example uses one node: the node of the token.
  const [, example, authorization] = /curl (\S+) -H "Authorization: (Bearer \S+)"/.exec(
    terminal.printed,
  )!;
  expect((await fetch(example!, { headers: { authorization: authorization! } })).status).toBe(200);
  const services = await run('localnet', 'status', '--port-file', file);
  expect(services.stdout).toMatch(/^up +Keycloak of app-provider .*\/realms\/AppProvider\//m);
  expect(services.stdout).toMatch(/^up +Keycloak of app-user .*\/realms\/AppUser\//m);
  expect(services).toMatchObject({
    status: 0,
    stdout: expect.not.stringMatching(/Keycloak of sv|^down/m),
  });
  terminal.signals.emit('SIGINT');
  expect(await ended).toBe(0);
});

it('names the address that it tried if no LocalNet runs', async () => {
  // No process listens on reserved ports.
  const beyond = await run('env', '--port-offset', '60001');
  expect(beyond.stderr).toContain('Expected a whole number from 0 to 60000.');
  const { status, stderr } = await run('env', '--port-offset', '60000', '--host', '127.0.0.9');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^canticle: no LocalNet answers at http:\/\/\S+: .*\. Start one with canticle localnet, or pass --port-offset or --port-file\.\n$/,
  );
});

describeWithDars("a LocalNet with Splice's DARs", ['splice-amulet-0.1.22.dar'], () => {
  it('names the packages of another release that it runs instead', async () => {
    const terminal = new TestTerminal();
    const flags = ['--ports', 'auto', '--splice', '0.8'];
    const ended = main(['localnet', ...flags], terminal);
    while (!terminal.printed.includes('LocalNet is ready.'))
      await new Promise((resolve) => terminal.out.once('text', resolve));
    terminal.signals.emit('SIGTERM');
    await ended;
    expect(terminal.printed).toMatch(
      / Other release {5}splice-amulet 0\.1\.22 instead of 0\.1\.23, /,
    );
  });
});

describe('dars', () => {
  const FILES = [
    'splice-amulet-0.1.9.dar',
    'splice-amulet-0.1.22.dar',
    'splice-wallet-0.1.14.dar',
    'splice-validator-lifecycle-0.1.9.dar',
    'splice-validator-lifecycle-0.1.10.dar',
    'not-a-dar.txt',
  ];
  const filled = (files: readonly string[]) => {
    const dars = mkdtempSync(join(folder(), 'dars-'));
    for (const name of files) writeFileSync(join(dars, name), '');
    return dars;
  };
  /** The chosen version of a package in a release. */
  const chosen = async (dars: string, splice: string, name: string) => {
    const { stdout } = await run('dars', '--folder', dars, '--splice', splice, '--json');
    return JSON.parse(stdout).dars.find((each: { name: string }) => each.name === name);
  };

  it('lists the DARs that it found, the outdated DARs, and where to get the others', async () => {
    const dars = filled(FILES);
    const { status, stdout } = await run('dars', '--folder', dars);
    expect(status).toBe(1);
    expect(stdout).toContain(`The packages of Splice 0.7.4 in ${dars}:\n`);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/, ' '));
    expect(lines).toEqual(
      expect.arrayContaining([
        'splice-amulet 0.1.22',
        'splice-wallet 0.1.14: too old, a new network takes 0.1.15 or later',
        'splice-validator-lifecycle 0.1.9 instead of 0.1.8, which is missing',
        'splice-dso-governance missing, 0.1.28, for sv alone',
      ]),
    );
    expect(stdout).toContain(`\n  ${'splice-amulet'.padEnd(46)}0.1.22\n`);
    expect(stdout).toContain('https://github.com/canton-network/splice');
  });

  it('has none from a folder that does not exist', async () => {
    const { status, stdout } = await run('dars', '--json', '--folder', join(folder(), 'nowhere'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\{\n {2}"folder"/);
    const { dars } = JSON.parse(stdout) as { dars: readonly { version?: string }[] };
    expect(dars.filter(({ version }) => version !== undefined)).toEqual([]);
  });

  it('chooses those of a release, or else the nearest ones (R-08-007)', async () => {
    const dars = filled([
      ...['0.1.21', '0.1.22', '0.1.23', '0.1.25'].map((each) => `splice-amulet-${each}.dar`),
      'splice-wallet-0.1.23.dar',
      'splice-dso-governance-0.1.30.dar',
    ]);
    const versions = async (name: string) =>
      Promise.all(
        ['0.7.4', '0.8', '0.9', '0.10'].map(
          async (splice) => (await chosen(dars, splice, name)).version,
        ),
      );
    expect(await versions('splice-amulet')).toEqual(['0.1.22', '0.1.23', '0.1.25', '0.1.25']);
    expect(await versions('splice-wallet')).toEqual(['0.1.23', '0.1.23', '0.1.23', '0.1.23']);
    expect(await versions('splice-dso-governance')).toEqual(Array(4).fill('0.1.30'));
    expect(await chosen(dars, '0.9', 'splice-amulet')).toEqual({
      name: 'splice-amulet',
      version: '0.1.25',
      path: join(dars, 'splice-amulet-0.1.25.dar'),
      expected: '0.1.23',
      orLater: true,
      isOfSv: false,
    });
    const { stdout } = await run('dars', '--folder', dars, '--splice', '0.9');
    expect(stdout).toContain('0.1.23 instead of 0.1.24 or later, which is missing\n');
    expect(stdout).toContain('  0.1.30, for sv alone\n'.trimStart());
  });

  it('accepts a folder with all packages of the release', async () => {
    const { stdout } = await run('dars', '--splice', '0.8', '--json', '--folder', filled([]));
    const all: { name: string; expected: string }[] = JSON.parse(stdout).dars;
    const dars = filled(all.map(({ name, expected }) => `${name}-${expected}.dar`));
    expect((await run('dars', '--splice', '0.8', '--folder', dars)).status).toBe(0);
    expect((await run('dars', '--splice', '0.9', '--folder', dars)).status).toBe(0);
    const other = await run('dars', '--folder', dars);
    expect(other.status).toBe(1);
    expect(other.stdout).toContain('0.1.23 instead of 0.1.22, which is missing\n');
  });
});

it.each([
  [['sandbx'], "unknown command 'sandbx' (Did you mean sandbox?)"],
  [['nonsense'], "unknown command 'nonsense'. canticle --help lists the commands."],
  [
    ['my.dar'],
    "unknown command 'my.dar' (Did you mean canticle test my.dar, or canticle inspect my.dar?)",
  ],
  [['serve'], "unknown command 'serve' (Did you mean canticle sandbox, or canticle localnet?)"],
  [['stop'], "unknown command 'stop' (Did you mean canticle localnet stop?)"],
  [
    ['localnet', 'statu'],
    "'statu' is neither a file nor a command of localnet. Did you mean canticle localnet status?",
  ],
])('%j suggests a command', async (argv, suggestion) => {
  expect(await run(...argv)).toMatchObject({ status: 1, stderr: `canticle: ${suggestion}\n` });
});

it.each(['-c', '--config'])('sandbox %s FILE names its replacement', async (flag) => {
  const { status, stderr } = await run('sandbox', flag, 'canton.conf');
  expect(status).toBe(1);
  expect(stderr).toContain(
    "Canticle does not read Canton's configuration files. Use flags for ports",
  );
  expect(stderr).toContain('canticle sandbox FILE');
});

it('does not stop a missing LocalNet, or one with an unknown process', async () => {
  const absent = await run('localnet', 'stop', '--port-offset', '59000');
  expect(absent).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no LocalNet answers'),
  });
  const other = await startLocalnet({ ports: 'auto', spliceDars: false });
  const portFile = join(folder(), 'ports.json');
  const { ledgerApi, validator } = other.main;
  const port = (url: string) => Number(new URL(url).port);
  const ports = { jsonApi: port(ledgerApi), validator: port(validator), ui: 1 };
  writeFileSync(portFile, JSON.stringify({ sv: ports }));
  const unknown = await run('localnet', 'stop', '--port-file', portFile);
  expect(unknown).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('was not started with canticle localnet on this machine'),
  });
  await other.close();
});
