/** examples/jest, as its user has it: installed from the packed package, and passing. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, root, run } from '../house/built-package.js';

const example = join(root, 'examples', 'jest');
const ownModules = join(root, 'node_modules');
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    devDependencies: Record<string, string>;
  };

/** The package as npm packs it, with our own installed modules in place of downloads. */
function install(home: string): string {
  const project = join(home, 'project');
  const modules = join(project, 'node_modules');
  cpSync(example, project, { recursive: true, filter: (file) => !file.includes('node_modules') });
  mkdirSync(join(modules, 'canticle'), { recursive: true });
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], root);
  const [archive] = readdirSync(home).filter((file) => file.endsWith('.tgz'));
  run(
    'tar',
    ['-xzf', join(home, archive!), '--strip-components=1', '-C', join(modules, 'canticle')],
    home,
  );
  for (const name of Object.keys(manifestOf(example).devDependencies))
    if (name !== 'canticle') symlinkSync(join(ownModules, name), join(modules, name));
  // Where the packed package finds its dependencies.
  symlinkSync(ownModules, join(home, 'node_modules'));
  return project;
}

describe('examples/jest', () => {
  let home: string;
  beforeAll(() => {
    ensureBuilt();
    home = realpathSync(mkdtempSync(join(tmpdir(), 'canticle-example-')));
  }, 60_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('passes with the packed package, as ES modules and as CommonJS', () => {
    const project = install(home);
    const report = join(home, 'report.json');
    run(
      'npm',
      ['test', '--silent', '--', '--json', `--outputFile=${report}`, '--maxWorkers=2'],
      project,
    );
    const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      success: boolean;
      testResults: { name: string }[];
    };
    expect(success).toBe(true);
    expect(testResults.map(({ name }) => name.slice(project.length + 1)).sort()).toEqual([
      'production-urls.test.js',
      'reassignment.test.cjs',
      'transfer.test.js',
    ]);
  }, 60_000);

  it('asks for the version that this is', () => {
    expect(manifestOf(example).devDependencies.canticle).toBe(`^${manifestOf(root).version}`);
  });
});
