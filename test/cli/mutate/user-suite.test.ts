/** `canticle mutate DAR -- COMMAND`: the tests of a user, in their own processes, against mutants. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withFiles } from '../../../src/cli/mutate/user-suite.js';
import { offersDar } from '../../mutating/tested-offers.js';
import { ensureBuilt, root } from '../../repository/built-package.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere, runHere } from '../in-process.js';

interface Report {
  readonly tests: readonly { readonly name: string }[];
  readonly mutants: readonly {
    readonly status: string;
    readonly key: string;
    readonly by?: string;
    readonly tests: readonly string[];
  }[];
}

const home = useTemporaryFolder();
const dar = () => join(home(), 'offers.dar');

beforeAll(() => {
  ensureBuilt();
  mkdirSync(join(home(), 'node_modules'));
  symlinkSync(root, join(home(), 'node_modules', 'canticle'));
  writeFileSync(dar(), offersDar());
}, 60_000);

/** A test file of `node --test` that creates a contract, and returns its path. */
function testFile(name: string, template: string, price: number, expected: string): string {
  const path = join(home(), `${name}.test.mjs`);
  const lines = [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { createCanticle } from 'canticle';",
    `test('${name}', async () => {`,
    `  const canticle = await createCanticle({ dars: [${JSON.stringify(dar())}] });`,
    "  const [seller, buyer] = ['seller', 'buyer'].map((hint) => canticle.participant.allocateParty(hint));",
    `  const payload = { seller, buyer, price: '${price}' };`,
    `  const create = () => canticle.participant.create('#script-cases:Main:${template}', payload, { actAs: [seller, buyer] });`,
    `  ${expected}`,
    '});',
    '',
  ];
  writeFileSync(path, lines.join('\n'));
  return path;
}

it('runs only the files that reach a mutant, and reports what they notice', async () => {
  const free = testFile('free', 'Offer', 0, 'assert.throws(create);');
  const paid = testFile('paid', 'Quote', 3, 'create();');
  const keys = [
    'Main:Offer precondition#0',
    'Main:Quote observers#0',
    'Main:Offer Accept consuming#0',
  ];
  const { status, stdout } = await runHere(
    ...['mutate', dar(), '--json', ...keys.flatMap((key) => ['--only', key])],
    ...['--', process.execPath, '--test', free, paid],
  );
  expect(status).toBe(0);
  const { tests, mutants } = JSON.parse(stdout) as Report;
  const names = (files: readonly string[]) => files.map((file) => basename(file));
  expect(names(tests.map(({ name }) => name))).toEqual(['free.test.mjs', 'paid.test.mjs']);
  const shown = mutants.map(({ status: how, key, tests: reaching, by = '' }) => [
    how,
    key,
    ...names(reaching),
    by && `by ${basename(by)}`,
  ]);
  expect(shown).toEqual([
    ['survived', 'Main:Quote observers#0', 'paid.test.mjs', ''],
    ['not reached', 'Main:Offer Accept consuming#0', ''],
    ['killed', 'Main:Offer precondition#0', 'free.test.mjs', 'by free.test.mjs'],
  ]);
}, 60_000);

it('names the files to runners that take them', () => {
  const files = ['/a.test.ts'];
  expect(withFiles(['npx', 'jest'], files)).toEqual([
    'npx',
    'jest',
    '--runTestsByPath',
    '/a.test.ts',
  ]);
  expect(withFiles(['node_modules/.bin/vitest', 'run'], files)).toEqual([
    'node_modules/.bin/vitest',
    'run',
    '/a.test.ts',
  ]);
  expect(withFiles(['node', '--test'], files)).toEqual(['node', '--test', '/a.test.ts']);
  expect(
    withFiles(['node', '--test', '/a.test.ts', '/b.test.ts'], files, [...files, '/b.test.ts']),
  ).toEqual(['node', '--test', '/a.test.ts']);
  expect(withFiles(['npm', 'test'], files)).toEqual(['npm', 'test']);
  expect(withFiles(['npx', 'jest'], [''])).toEqual(['npx', 'jest']);
});

it('needs a command that succeeds without mutants', async () => {
  const command = [process.execPath, '-e', 'process.exit(1)'];
  const { status, stderr } = await runHere('mutate', dar(), '--', ...command);
  expect(status).toBe(1);
  expect(stderr).toContain('fails without mutants');
});

describe('the time of a run', () => {
  /** A test that reaches a mutant, and does not end if one is compiled. */
  const hanging = (): string => {
    const path = testFile('hanging', 'Offer', 0, 'assert.throws(create);');
    const waits = [
      "import { readFileSync } from 'node:fs';",
      "const { only } = JSON.parse(readFileSync(process.env.CANTICLE_MUTANT, 'utf8'));",
      'if (only !== undefined) setInterval(() => {}, 1_000_000);',
    ];
    writeFileSync(path, `${waits.join('\n')}\n${readFileSync(path, 'utf8')}`);
    return path;
  };

  /** A clock on which the run without mutants takes this many milliseconds. The limit of a later run passes at once. */
  class Timed extends CommandHere {
    readonly limits: number[] = [];
    private took: number | undefined = undefined;
    private looks = 0;

    static run(took: number, file: string): Timed {
      const key = ['--only', 'Main:Offer precondition#0', '--json'];
      const command = [process.execPath, '--test', file];
      const timed = new Timed('mutate', dar(), ...key, '--', ...command);
      timed.took = took;
      return timed;
    }

    protected override get parts() {
      return {
        clock: {
          now: () => (this.looks++ === 0 ? 0 : this.took!),
          after: (milliseconds: number, call: () => void) => {
            this.limits.push(milliseconds);
            if (this.limits.length > 1) setImmediate(call);
            return () => undefined;
          },
        },
      };
    }
  }

  it.each([
    [2_999, 30_000],
    [3_000, 30_000],
    [3_001, 30_010],
  ])(
    'is limited to ten times that without mutants, and is at least 30 s: %i',
    async (took, limit) => {
      const timed = Timed.run(took, hanging());
      const { stdout } = await timed.ended();
      expect(timed.limits).toEqual([1_800_000, limit]);
      const { mutants } = JSON.parse(stdout) as Report;
      expect(mutants.map(({ status }) => status)).toEqual(['timeout']);
    },
    60_000,
  );
});
