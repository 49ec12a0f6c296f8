/** The projects in examples/, as their users have them: installed from the packed package, and passing. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { CoverageReport } from 'canticle';
import { readDar } from '../../src/daml/index.js';
import { mintingSplit } from '../fuzzing/zoo/value.js';
import { ensureBuilt, packed, root, run } from '../repository/built-package.js';
import {
  allocate,
  ANSWER,
  asset,
  createCmd,
  darOf,
  packageOf,
  steps,
  submit,
} from '../script/script-package.js';
import { e } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import { browserPath } from '../support/browser.js';
import { oraclesDar } from '../support/daml/oracles.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const exampleOf = (name: string) => join(root, 'examples', name);
const ownModules = join(root, 'node_modules');
const tsc = join(ownModules, 'typescript-7', 'bin', 'tsc');
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    scripts: { readonly test: string };
    dependencies?: Record<string, string>;
    devDependencies: Record<string, string>;
  };

/** The package as npm packs it. */
function pack(home: string): string {
  const { archive } = packed(home);
  const unpacked = join(home, 'canticle');
  mkdirSync(unpacked);
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', unpacked], home);
  // Where the packed package finds its dependencies.
  symlinkSync(ownModules, join(home, 'node_modules'));
  return unpacked;
}

/** An example in a separate folder, with our own installed modules in place of downloads. */
function install(
  name: string,
  home: string,
  unpacked: string,
  notHere: readonly string[] = [],
): string {
  const example = exampleOf(name);
  const project = join(home, name);
  const modules = join(project, 'node_modules');
  cpSync(example, project, { recursive: true, filter: (file) => !file.includes('node_modules') });
  cpSync(unpacked, join(modules, 'canticle'), { recursive: true });
  const { dependencies, devDependencies } = manifestOf(example);
  for (const each of Object.keys({ ...dependencies, ...devDependencies }))
    if (each !== 'canticle' && !notHere.includes(each)) {
      mkdirSync(dirname(join(modules, each)), { recursive: true });
      symlinkSync(join(ownModules, each), join(modules, each));
    }
  return project;
}

/** Runs the script `test` of a project as npm does. */
function runTests(project: string, ...args: readonly string[]): void {
  const { scripts } = manifestOf(project);
  const path = `PATH="${join(ownModules, '.bin')}:$PATH"`;
  run('sh', ['-c', `${path} ${scripts.test} "$@"`, 'test', ...args], project);
}

/** A DAR of scripts, and a test that declares these. */
function addScripts(project: string): void {
  const alice = e.var('alice');
  const makes = {
    result: ANSWER,
    code: steps(
      [['alice', t.party, allocate('alice')]],
      [ANSWER, submit(alice, [createCmd(asset(alice))])],
    ),
  };
  writeFileSync(join(project, 'own.dar'), darOf(packageOf({ makes })));
  const text = "import { damlTests } from 'canticle/vitest';\ndamlTests('own.dar');\n";
  writeFileSync(join(project, 'scripts.test.ts'), text);
}

/** A port of the loopback address that nothing uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

// Bun has a hundred megabytes: who has it, runs it.
const bun = spawnSync('bun', ['--version'], { encoding: 'utf8' }).status === 0;

describe('the examples', () => {
  const home = useTemporaryFolder();
  let unpacked: string;
  beforeAll(() => {
    ensureBuilt();
    unpacked = pack(home());
  }, 60_000);

  it.each([
    [
      'jest',
      ['--json', '--maxWorkers=2', '--outputFile'],
      ['one-call.test.js', 'production-urls.test.js', 'reassignment.test.cjs', 'transfer.test.js'],
    ],
    [
      'vitest',
      ['--reporter=json', '--maxWorkers=2', '--outputFile'],
      [
        'behind-msw.test.ts',
        'first.test.js',
        'ledger-time.test.ts',
        'scripts.test.ts',
        'transfer.test.ts',
      ],
    ],
  ])(
    '%s passes with the packed package',
    (name, reporting, files) => {
      const project = install(name, home(), unpacked);
      const report = join(home(), `${name}.json`);
      if (name === 'vitest') addScripts(project);
      runTests(project, ...reporting, report);
      const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
        success: boolean;
        testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
      };
      expect(success).toBe(true);
      expect(testResults.map((each) => each.name.slice(project.length + 1)).sort()).toEqual(files);
      const ofScripts = testResults.find((each) => each.name.endsWith('scripts.test.ts'));
      if (name === 'vitest')
        expect(ofScripts?.assertionResults).toMatchObject([
          { fullName: 'own.dar Main:makes', status: 'passed' },
        ]);
    },
    60_000,
  );

  it.each(['node-test', 'msw'])(
    '%s passes with the packed package',
    (name) => {
      const project = install(name, home(), unpacked);
      writeFileSync(join(project, 'oracles.dar'), oraclesDar);
      // Node has a built-in WebSocket from release 22 on.
      const flags = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [];
      const printed = run('node', [...flags, '--test', '--test-reporter=tap'], project);
      expect(printed).toMatch(/^# pass (?:[5-9]|10)$/m);
      expect(printed).toMatch(/^# skipped 0$/m);
    },
    60_000,
  );

  it('the unit tests of react pass with the packed package, and its type check', () => {
    const project = install('react', home(), unpacked);
    runTests(project);
    run(process.execPath, [tsc, '-p', '.'], project);
  }, 60_000);

  const browser = browserPath();
  (browser === undefined ? it.skip : it).each([
    ['playwright', 5],
    ['react', 1],
  ])(
    `the tests of %s in a browser pass with the packed package${browser === undefined ? ' (needs programs: chromium)' : ''}`,
    async (name, expected) => {
      const project = join(home(), name);
      if (!existsSync(project)) install(name, home(), unpacked);
      const path = `${join(ownModules, '.bin')}:${process.env['PATH']}`;
      const env = [`CANTICLE_BROWSER=${browser}`, `PORT=${await freePort()}`, `PATH=${path}`];
      const cli = join(ownModules, '@playwright', 'test', 'cli.js');
      const printed = run(
        'env',
        ['-u', 'JEST_WORKER_ID', ...env, 'node', cli, 'test', '--reporter=json'],
        project,
      );
      expect(JSON.parse(printed)).toMatchObject({ stats: { expected, unexpected: 0 } });
    },
    60_000,
  );

  it('fuzzing finds the bug of the token, and nothing after its fix', () => {
    const project = install('fuzzing', home(), unpacked);
    const testing = (dar: string) => {
      const env = { ...process.env, DAR: dar };
      return spawnSync('npm', ['test', '--silent'], { cwd: project, env, encoding: 'utf8' });
    };
    const [faulty, fixed] = ['token-1.0.0.dar', 'token-1.0.1.dar'];
    const found = testing(faulty!);
    expect(found.stdout).toContain('Main:Token.Split increases the sum of amount');
    expect(found.status).toBe(1);
    expect(testing(fixed!)).toMatchObject({ status: 0 });
    for (const [dar, isFixed] of [
      [faulty!, false],
      [fixed!, true],
    ] as const) {
      const { main } = readDar(readFileSync(join(project, dar)));
      expect(main.id).toBe(mintingSplit(isFixed, { name: main.name, version: main.version }).id);
    }
  }, 60_000);

  it('node:test does not allow concurrent tests, except without reverts', () => {
    const text = `
      import { describe, test } from 'node:test';
      import { useCanticle } from 'canticle/node-test';
      useCanticle({ seed: 7, listen: false, revert: process.env.REVERT });
      const waits = () => new Promise((resolve) => setTimeout(resolve, 20));
      describe('both', { concurrency: true }, () => [1, 2].map((n) => test('the ' + n, waits)));`;
    const project = join(home(), 'node-test');
    writeFileSync(join(project, 'beside.mjs'), text);
    const inEach = () => run('node', ['--test', 'beside.mjs'], project);
    expect(inEach).toThrow('Failed to begin a concurrent test');
    writeFileSync(join(project, 'beside.mjs'), text.replace('process.env.REVERT', "'never'"));
    expect(inEach()).toMatch(/pass 2/);
  }, 60_000);

  (bun ? it : it.skip)('bun-test passes with the packed package (needs programs: bun)', () => {
    const project = install('bun-test', home(), unpacked, ['@types/bun']);
    const { status, stderr } = spawnSync('bun', ['test'], { cwd: project, encoding: 'utf8' });
    expect(stderr).toMatch(/^ 3 pass$/m);
    expect(status).toBe(0);
  });

  it('jest writes the choice coverage of all its files, with or without workers', () => {
    const file = join(home(), 'jest', 'coverage', 'choices.json');
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as CoverageReport;
    expect(packages.map(({ name }) => name)).toEqual(['canticle-test-token']);
    const token = packages[0]!.templates.find(({ name }) => name === 'Canticle.TestToken:Token')!;
    // Each of its tests begins with a mint.
    expect(token.created).toBeGreaterThan(2);
  });

  it('a failed test leaves its network and its page open until the user ends it, under each runner', async () => {
    const runners = {
      jest: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'kept.test.js'],
      vitest: ['node_modules/vitest/vitest.mjs', 'run', 'kept.test.js'],
      'node-test': ['--test', 'kept.test.js'],
      ...(bun && { 'bun-test': ['test', 'kept.test.js'] }),
    };
    const shown = async ([name, args]: [string, string[]]) => {
      const project = join(home(), name);
      const tests = { vitest: 'vitest', 'node-test': 'node:test' }[name];
      const text = `
        import { useCanticle${name === 'bun-test' ? ', test' : ''} } from 'canticle/${name}';
        ${tests === undefined ? '' : `import { test } from '${tests}';`}
        const { participant } = useCanticle({ seed: 1 });
        test('fails', () => {
          participant.allocateParty('alice');
          throw new Error('on purpose');
        });`;
      writeFileSync(join(project, 'kept.test.js'), text);
      const env = { ...process.env, CANTICLE_KEEP: '1' };
      // A separate process group, like the one that Ctrl+C ends in a terminal.
      const program = name === 'bun-test' ? 'bun' : process.execPath;
      const runner = spawn(program, args, { cwd: project, env, detached: true });
      const ended = new Promise((resolve) => runner.once('exit', resolve));
      let output = '';
      const url = await new Promise<string>((resolve, reject) => {
        const hear = (chunk: Buffer) => {
          output += chunk.toString();
          const [, inspector] = /Its network stays open: (\S+)/.exec(output) ?? [];
          if (inspector !== undefined) resolve(inspector);
        };
        runner.stdout.on('data', hear);
        runner.stderr.on('data', hear);
        void ended.then(() => reject(new Error(output)));
      });
      const page = await fetch(url);
      const updates = await fetch(new URL('v1/inspection/updates', url));
      const [newest] = ((await updates.json()) as any).updates;
      process.kill(-runner.pid!, 'SIGINT');
      await ended;
      const isNamed = output.includes('fails: on purpose');
      return [name, page.status, newest.summary[0].replace(/::.*/, ''), isNamed];
    };
    expect(await Promise.all(Object.entries(runners).map(shown))).toEqual(
      // Bun gives hooks no failure.
      Object.keys(runners).map((name) => [name, 200, 'added alice', name !== 'bun-test']),
    );
  }, 60_000);

  it.each([
    ['jest', ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'refused.test.js']],
    ['vitest', ['node_modules/vitest/vitest.mjs', 'run', 'refused.test.js']],
    ['node-test', ['--test', 'refused.test.js']],
  ])(
    'a failed test of %s lists its refused requests',
    (name, args) => {
      const project = install(name, join(home(), 'refused'), unpacked);
      const tests = { vitest: 'vitest', 'node-test': 'node:test' }[name];
      const text = `
      import { useCanticle } from 'canticle/${name}';
      ${tests === undefined ? '' : `import { test } from '${tests}';`}
      const canticle = useCanticle({ seed: 1 });
      const ask = async (path) => (await fetch(canticle.urls.ledgerApi + path)).status;
      test('passes', async () => {
        await ask('/v2/users/of-the-first');
      });
      test('fails', async () => {
        await ask('/v2/version');
        await ask('/v2/users/of-the-second');
        throw new Error('on purpose');
      });`;
      writeFileSync(join(project, 'refused.test.js'), text);
      const ran = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
      const output = ran.stdout + ran.stderr;
      expect(ran.status).toBe(1);
      const refused =
        /Rejected requests of this test:[^]{0,40}GET \/v2\/users\/of-the-second: 404 USER_NOT_FOUND/;
      expect(output).toMatch(refused);
      expect(output.search(/on purpose/)).toBeLessThan(output.search(refused));
      expect(output).not.toContain('of-the-first');
      expect(output).not.toContain('/v2/version:');
    },
    60_000,
  );

  it('vitest passes the type check, matchers included', () => {
    const project = install('vitest', join(home(), 'typed'), unpacked);
    const options =
      '--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node';
    const files = ['behind-msw.test.ts', 'ledger-time.test.ts', 'transfer.test.ts'];
    run(process.execPath, [tsc, ...options.split(' '), ...files], project);
  }, 60_000);

  it.each(['jest', 'vitest', 'node-test', 'bun-test', 'msw', 'playwright', 'react', 'storybook'])(
    '%s requires the current version',
    (name) => {
      const { devDependencies } = manifestOf(exampleOf(name));
      expect(devDependencies.canticle).toBe(`^${manifestOf(root).version}`);
    },
  );
});
