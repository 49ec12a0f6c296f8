/** Rehearsals of the examples and of a recording by the built command. Their outcomes are known by hand. */
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installBuilt, root } from '../../repository/built-package.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();
const projectOf = (name: string) => join(home(), name, 'project');
const packageIn = (project: string) => join(project, 'node_modules', 'canticle');

const EXAMPLES = ['rehearsal', 'jest'];
beforeAll(() => {
  for (const name of EXAMPLES) {
    const project = projectOf(name);
    cpSync(join(root, 'examples', name), project, {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
    installBuilt(project);
  }
  const jest = join(projectOf('jest'), 'node_modules', 'jest');
  symlinkSync(join(root, 'node_modules', 'jest'), jest);
}, 60_000);

/** Runs the command in an example. */
function rehearse(name: string, ...args: readonly string[]) {
  const cwd = projectOf(name);
  const command = [join(packageIn(cwd), 'bin', 'canticle.js'), 'rehearse', ...args];
  const { NODE_OPTIONS: _, JEST_WORKER_ID: __, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const NEW_TIMES = [
  '  · new member: GET /v2/state/ledger-end (1 call)',
  '      /synchronizerTimes is new',
];

test('a program that uses disabled and removed parts of the Ledger API', () => {
  const ran = rehearse('rehearsal', '--to', '3.6,3.7', '--', 'node', 'application.mjs');
  const get = (line: string) => `      application.mjs:31:17, called at application.mjs:${line}`;
  const post = (line: string) => `      application.mjs:36:24, called at application.mjs:${line}`;
  const common = [
    '  ✗ other text: GET /v2/users/{user-id} (1 call)',
    '      /resources/*/*: "ErrorResource(USER)" becomes "USER"',
    get('26:7'),
    ...NEW_TIMES,
    get('17:26'),
  ];
  expect(ran.lines).toEqual([
    'node application.mjs, from Canton 3.5 to Canton 3.6: 6 calls compared',
    '  ✗ disabled: GET /v2/interactive-submission/preferred-package-version (1 call)',
    '      DEPRECATED_API_DISABLED',
    '      Use POST /v2/interactive-submission/preferred-packages. enableDeprecatedEndpoints34 and --enable-deprecated-endpoints-34 enable it again.',
    get('16:7'),
    '  ✗ disabled: POST /v2/package-vetting (2 calls)',
    '      DEPRECATED_API_DISABLED',
    '      Use POST /v2/package-vetting/update. enableDeprecatedEndpoints35 and --enable-deprecated-endpoints-35 enable it again.',
    post('14:9'),
    '  ✗ disabled: POST /v2/updates (1 call)',
    '      DEPRECATED_API_DISABLED',
    '      Use updateFormat. enableDeprecatedParameters34 and --enable-deprecated-parameters-34 enable it again.',
    post('18:7'),
    ...common,
    '  Canton 3.6 breaks 5 calls in 4 ways, and 0 tests.',
    'node application.mjs, from Canton 3.5 to Canton 3.7: 6 calls compared',
    '  ✗ removed: GET /v2/interactive-submission/preferred-package-version (1 call)',
    '      the release does not have it',
    '      Use POST /v2/interactive-submission/preferred-packages.',
    get('16:7'),
    '  ✗ removed: POST /v2/package-vetting (2 calls)',
    '      the release does not have it',
    '      Use POST /v2/package-vetting/update.',
    post('14:9'),
    '  ✗ rejected: POST /v2/updates (1 call)',
    '      400 MISSING_FIELD: The submitted command is missing a mandatory field: update_format',
    '      Use updateFormat.',
    post('18:7'),
    ...common,
    '  Canton 3.7 breaks 5 calls in 4 ways, and 0 tests.',
  ]);
  expect(ran.status).toBe(1);
}, 60_000);

test('the tests of jest, which are ready for the last release', () => {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
  const ran = rehearse('jest', '--to', '3.7', '--', 'node', ...jest);
  expect(ran.lines).toEqual([
    `node ${jest.join(' ')}, from Canton 3.5 to Canton 3.7: 7 calls compared`,
    '  · new member: GET /v2/state/ledger-end (3 calls)',
    '      /synchronizerTimes is new',
    '      production-urls.test.js, the wallet finds its participant',
    '      wallet.js:25:26, called at transfer.test.js:44:45, the wallet lists what its party holds',
    '      wallet.js:25:26, called at transfer.test.js:52:26, the wallet forwards errors of the ledger',
    '  Canton 3.7 breaks nothing here.',
  ]);
  expect(ran.status).toBe(0);
}, 120_000);

test('a scenario, which gets new members only', () => {
  const ran = rehearse('jest', '--to', '3.6,3.7', '--scenario', 'reassignment.yaml');
  const to = (release: string) => [
    expect.stringMatching(
      `^reassignment\\.yaml, from Canton 3\\.5 to Canton ${release}: \\d+ calls compared$`,
    ),
    ...NEW_TIMES,
    '      reassignment.yaml, the start',
    '  · new member: POST /v2/commands/submit-and-wait-for-transaction (1 call)',
    '      /transaction/transactionHash is new',
    '      reassignment.yaml, step 1 (create), line 8',
    '  · new member: POST /v2/updates (1 call)',
    '      /*/update/Transaction/value/transactionHash is new',
    '      reassignment.yaml, the end',
    `  Canton ${release} breaks nothing here.`,
  ];
  expect(ran.lines).toEqual([...to('3.6'), ...to('3.7')]);
  expect(ran.status).toBe(0);
}, 60_000);

test('a recording, in the world of a scenario', () => {
  const recording = join(root, 'fixtures', 'exchanges', 'ledger.har');
  cpSync(recording, join(projectOf('jest'), 'ledger.har'));
  const world = 'node_modules/canticle/scenarios/welcome.yaml';
  const args = ['--recording', 'ledger.har', '--scenario', world];
  const ran = rehearse('jest', '--to', '3.6', ...args);
  expect(ran.lines).toEqual([
    `ledger.har, ${world}, from Canton 3.5 to Canton 3.6: 16 calls compared`,
    '  ✗ other text: POST /v2/commands/submit-and-wait-for-transaction (1 call)',
    '      /resources/*/*: "ErrorResource(CONTRACT_ID)" becomes "CONTRACT_ID"',
    '      ledger.har, exchange 10',
    '  · new member: GET /v2/state/ledger-end (2 calls)',
    '      /synchronizerTimes is new',
    '      ledger.har, exchange 11',
    '      ledger.har, exchange 5',
    '  · new member: POST /v2/commands/submit-and-wait-for-transaction (2 calls)',
    '      /transaction/transactionHash is new',
    '      ledger.har, exchange 6',
    '      ledger.har, exchange 9',
    '  · new member: WS /v2/updates (1 call)',
    '      /update/Transaction/value/transactionHash is new',
    '      ledger.har, exchange 16',
    '  Canton 3.6 breaks 1 call in 1 way, and 0 tests.',
  ]);
  expect(ran.status).toBe(1);
}, 60_000);
