/** `canticle rehearse`: its runs, its report and its exit statuses, with outcomes that are known by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandHere, runHere } from './in-process.js';
import { usePrograms } from './rehearse/programs.js';

const { home, program, rehearse } = usePrograms('ws');

const LEGACY = [
  "await call('GET', '/v2/users/nobody');",
  "await call('GET', '/v2/state/ledger-end');",
  "for (let i = 0; i < 2; i += 1) await call('POST', '/v2/package-vetting', { changes: [] });",
];

describe('a command', () => {
  test('is reported with each effect, its replacement, its place and its count', async () => {
    const file = program('legacy', LEGACY);
    const { status, stdout } = await rehearse('3.6', file);
    expect(stdout.split('\n').slice(1)).toEqual([
      '  ✗ disabled: POST /v2/package-vetting (2 calls)',
      '      DEPRECATED_API_DISABLED',
      '      Use POST /v2/package-vetting/update. enableDeprecatedEndpoints35 and --enable-deprecated-endpoints-35 enable it again.',
      expect.stringMatching(/^ {6}.*legacy\.mjs:5:3, called at .*legacy\.mjs:8:38$/),
      '  ✗ other text: GET /v2/users/{user-id} (1 call)',
      '      /resources/*/*: "ErrorResource(USER)" becomes "USER"',
      expect.stringMatching(/^ {6}.*legacy\.mjs:5:3, called at .*legacy\.mjs:6:7$/),
      '  · new member: GET /v2/state/ledger-end (1 call)',
      '      /synchronizerTimes is new',
      expect.stringMatching(/^ {6}.*legacy\.mjs:5:3, called at .*legacy\.mjs:7:7$/),
      '  Canton 3.6 breaks 3 calls in 2 ways, and 0 tests.',
      '',
    ]);
    expect(status).toBe(1);
  });

  test('ends with 0 if nothing breaks, also if an answer has a new member', async () => {
    const file = program('good', ["await call('GET', '/v2/state/ledger-end');"]);
    const { status, stdout } = await rehearse('3.5,3.6', file);
    expect(stdout).toMatch(
      /to Canton 3\.5: 1 call compared\n {2}Canton 3\.5 breaks nothing here\.\n/,
    );
    expect(stdout).toMatch(/to Canton 3\.6: 1 call compared\n {2}· new member/);
    expect(stdout).toContain('Canton 3.6 breaks nothing here.');
    expect(status).toBe(0);
  });

  test('is reported as JSON, as JUnit and as the summary of a pull request', async () => {
    const file = program('reports', LEGACY);
    const [junit, summary] = ['junit.xml', 'summary.md'].map((name) => join(home(), name));
    const flags = ['--json', '--junit', junit!, '--summary', summary!];
    const { stdout } = await rehearse('3.7', file, ...flags);
    expect(JSON.parse(stdout)).toMatchObject({
      current: ['Canton 3.5'],
      runs: [
        {
          release: 'Canton 3.7',
          status: 0,
          compared: 4,
          findings: expect.arrayContaining([
            expect.objectContaining({
              kind: 'removed',
              call: 'POST /v2/package-vetting',
              count: 2,
              instead: 'POST /v2/package-vetting/update',
            }),
          ]),
        },
      ],
    });
    expect(readFileSync(junit!, 'utf8')).toMatch(/<testsuites errors="0" failures="[1-9]/);
    const text = readFileSync(summary!, 'utf8');
    expect(text).toMatch(/^## Canton 3\.5 to Canton 3\.7\n/);
    expect(text).toMatch(
      /\| removed \| POST \/v2\/package-vetting \| .* \| 2 \| .*legacy|\| removed \| POST \/v2\/package-vetting \|/,
    );
    expect(text).toContain('Use POST /v2/package-vetting/update.');
  });

  test('sees streams over WebSockets', async () => {
    const file = program('streams', [
      "const { WebSocket } = await import('ws');",
      "const socket = new WebSocket(canticle.url.replace('http', 'ws') + '/v2/updates', ['daml.ws.auth']);",
      "await new Promise((done) => socket.once('open', done));",
      'const filter = { filtersForAnyParty: { cumulative: [] } };',
      'socket.send(JSON.stringify({ beginExclusive: 0, endInclusive: 1, filter, verbose: true }));',
      "await new Promise((done) => socket.once('close', done));",
    ]);
    const { stdout } = await rehearse('3.6', file);
    expect(stdout).toContain('✗ disabled: WS /v2/updates (1 call)\n');
    expect(stdout).toContain('Use updateFormat. enableDeprecatedParameters34');
    expect(stdout).toMatch(/streams\.mjs:7:16\n/);
  });

  test('that makes no call ends with 2', async () => {
    const file = join(home(), 'idle.mjs');
    writeFileSync(file, 'process.exitCode = 3;');
    const { status, stdout, stderr } = await rehearse('3.6', file);
    expect(stderr).toMatch(
      /failed to rehearse: .*idle\.mjs makes no call to a Canticle, and ends with 3\.\n$/,
    );
    expect([status, stdout]).toEqual([2, '']);
  });

  test('that fails at its release already ends with 2, after the report', async () => {
    const file = program('failing', [...LEGACY, 'process.exitCode = 1;']);
    const { status, stdout, stderr } = await rehearse('3.6', file);
    expect(stdout).toContain('The command ends with 1.');
    expect(stderr).toMatch(/the command ends with 1 at its release already\.\n$/);
    expect(status).toBe(2);
  });

  test('that fails only at another release ends with 1', async () => {
    const line = 'if (process.env.CANTICLE_CANTON) process.exitCode = 4;';
    const file = program('later', ["await call('GET', '/v2/version');", line]);
    const { status, stdout } = await rehearse('3.6', file);
    expect(stdout).toContain('The command ends with 4.');
    expect(status).toBe(1);
  });

  test('that takes too long, or cannot start, ends with 2', async () => {
    const file = program('slow', [
      'setInterval(() => undefined, 1000);',
      'await new Promise(() => undefined);',
    ]);
    const late = await rehearse('3.6', file, '--timeout', '3');
    expect(late.stderr).toMatch(/the command at its release took more than 3 seconds\.\n$/);
    expect(late.status).toBe(2);
    const absent = await runHere('rehearse', '--to', '3.6', '--', join(home(), 'absent'));
    expect(absent.stderr).toMatch(/failed to start '.*absent': /);
    expect(absent.status).toBe(2);
  });

  test('ends with the rehearsal', async () => {
    const file = program('stopped', [
      "console.log('begun');",
      'await new Promise((done) => setTimeout(done, 60_000));',
    ]);
    const command = new CommandHere('rehearse', '--to', '3.6', '--', process.execPath, file);
    await command.until('begun');
    command.stop();
    const { status, stderr } = await command.ended();
    expect(stderr).toMatch(/the command at its release was stopped\.\n$/);
    expect(status).toBe(2);
  });
});

test('a scenario is sent over the Ledger API, and its steps are the places', async () => {
  const file = join(home(), 'world.yaml');
  const lines = ['parties: [alice]', 'steps:', '  - { mint: 100, to: alice }', ''];
  writeFileSync(file, lines.join('\n'));
  const { status, stdout, stderr } = await runHere('rehearse', '--to', '3.6', '--scenario', file);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/world\.yaml, from Canton 3\.5 to Canton 3\.6: \d+ calls compared\n/);
  expect(stdout).toMatch(/new member: .*\n.*is new\n.*world\.yaml, /);
  // Calls that only look at the participant first are Canticle's, not the scenario's.
  expect(stdout).not.toContain('/v2/users');
  expect(stdout).toContain('Canton 3.6 breaks nothing here.');
  expect(status).toBe(0);
});

test('a recording is sent again, and its exchanges are the places', async () => {
  const file = join(home(), 'calls.har');
  const entry = (path: string) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 0,
    request: {
      ...{ method: 'GET', url: `http://localhost${path}`, httpVersion: 'HTTP/1.1' },
      ...{ cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: 0 },
    },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', cookies: [], headers: [] },
      content: { size: 2, mimeType: 'application/json', text: '{}' },
      ...{ redirectURL: '', headersSize: -1, bodySize: 2 },
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  });
  const entries = [entry('/v2/version'), entry('/v2/state/active-contracts-page?x=1')];
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: {}, entries } }));
  const { status, stdout, stderr } = await runHere('rehearse', '--to', '3.6', '--recording', file);
  expect(stderr).toBe('');
  // The request that looks for authorization first is Canticle's, not the recording's.
  expect(stdout).toMatch(/2 calls compared\n/);
  expect(stdout).toMatch(/ {6}.*calls\.har, exchange 2\n/);
  expect(status).toBe(1);
});

test.each([
  ['that is absent', undefined, /failed to rehearse: .*ENOENT|no such file/i],
  ['that is broken', '{"log":', /failed to rehearse: /],
  ['with an invalid exchange', '{"log":{"entries":[{"request":5}]}}', /failed to rehearse: /],
  ['without exchanges', '{"log":{"entries":[]}}', /makes no call to a Canticle\.\n$/],
])('a recording %s ends with 2', async (name, text, expected) => {
  const file = join(home(), `${name.replaceAll(' ', '-')}.har`);
  if (text !== undefined) writeFileSync(file, text);
  const { status, stdout, stderr } = await runHere(
    ...['rehearse', '--to', '3.6', '--recording', file],
  );
  expect(stderr).toMatch(expected);
  expect([status, stdout]).toEqual([2, '']);
});

test('a command that a signal ends says so', async () => {
  const file = join(home(), 'killed.mjs');
  writeFileSync(file, "process.kill(process.pid, 'SIGKILL');");
  const { status, stderr } = await rehearse('3.6', file);
  expect(stderr).toMatch(/makes no call to a Canticle, and ends by a signal\.\n$/);
  expect(status).toBe(2);
});

test('a release that is named twice is rehearsed once', async () => {
  const file = program('once', ["await call('GET', '/v2/version');"]);
  const { stdout } = await rehearse('3.6,3.6', file, '--json');
  const { runs } = JSON.parse(stdout) as { runs: readonly object[] };
  expect(runs).toHaveLength(1);
});

test('a place may have characters beyond ASCII, and is named with the line that led to it', async () => {
  const lines = [
    'async function asked() {',
    "  await call('GET', '/v2/users/nobody');",
    '}',
    'await asked();',
  ];
  const { stdout, stderr } = await rehearse('3.6', program('тест ü', lines));
  expect(stderr).not.toContain('rror');
  expect(stdout).toMatch(/тест ü\.mjs:5:3, called at .*тест ü\.mjs:9:7\n/);
});

test.each([
  [['--to', '3.6'], /pass a command after --/],
  [['--to', '3.6', '--scenario', 'a.yaml', '--', 'node'], /pass a command after --/],
  [['--to', '3.1'], /Expected releases with commas between them, of 3\.4, 3\.5, /],
  [['--to', 'splice-0.1'], /Expected releases/],
])('the arguments %j are rejected', async (args, expected) => {
  const { status, stderr } = await runHere('rehearse', ...args);
  expect(stderr).toMatch(expected);
  expect(status).not.toBe(0);
});
