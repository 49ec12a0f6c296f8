/**
 * Checks README and the guides. Their shell blocks run against a sandbox, page by page in the order of reading. Their TypeScript blocks
 * are compiled and run in a separate project, as a reader would do. Their JavaScript blocks are tests of jest, or of the runner that they
 * import, and their YAML blocks are scenarios. One process runs all blocks of a kind. README's tests, and those with a top-level await or
 * an SDK, are separate modules. All others are in one file, as in a project with a transformer.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transformSync } from '@swc/core';
import { RunningCommand } from '../cli/running-sandbox.js';
import { ensureBuilt, root, run, UserProject } from '../repository/built-package.js';
import { isHere, skipsWithout } from '../support/foreign-files.js';
import { snippetsOf, type Snippet } from './snippets.js';
import { missingUsers } from './users.js';

const GUIDES = 'docs/guides';
const guides = readdirSync(join(root, GUIDES))
  .filter((name) => name.endsWith('.md'))
  .sort();
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SKILL.md',
  ...guides.map((name) => `${GUIDES}/${name}`),
];

interface Block extends Snippet {
  readonly page: string;
  /** The name of its file. */
  readonly name: string;
}

const blocks = pages.flatMap((page): Block[] =>
  snippetsOf(readFileSync(join(root, page), 'utf8')).map((snippet) => ({
    ...snippet,
    page,
    name: `${basename(page, '.md')}-line-${snippet.line}`,
  })),
);
/** Blocks that need a third-party DAR run only if there is a copy. */
const darsOf = (text: string) => [...text.matchAll(/'(splice-\S+\.dar)'/g)].map(([, dar]) => dar!);
skipsWithout('DARs', blocks.map(({ text }) => darsOf(text)).flat(), 'blocks that need them');
const tagged = (tag: string) =>
  blocks.filter(
    (block) => block.tag === tag && darsOf(block.text).every((dar) => isHere('DARs', dar)),
  );
const titles = (of: readonly Block[]) =>
  of.map(({ page, line, name }) => [page, line, name] as const);

/** Tags of blocks that run, and of blocks that are only shown. */
const executed = ['sh', 'ts', 'js', 'yaml'];
const shown = ['console', 'json', 'text'];
/** Tags of blocks that are files of an example. test/testing/example.test.ts runs its tests. */
const ofExamples = ['tsx', 'html'];
/** Tags of blocks that test/grpc/python-client.test.ts runs. */
const elsewhere = ['python'];

const runnerOf = ({ text }: Snippet) =>
  /from '(vitest|node:test|bun:test)'/.exec(text)?.[1] ?? 'jest';
const testsOf = (runner: string) => tagged('js').filter((block) => runnerOf(block) === runner);
/** Workflows of CI also have `steps`, but indented. */
const scenarios = tagged('yaml').filter(({ text }) => /^steps:/m.test(text));

/** A module in the form that `require` loads. */
const asCommonJs = (text: string) =>
  transformSync(text, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }).code;
const testFile = (name: string) => `${name}.test.mjs`;
/** One file for the other blocks of the guides, because each jest file loads all modules again. */
const OF_GUIDES = 'guides.test.js';
const isModule = ({ page, text }: Block) =>
  (page === 'README.md' && !text.includes('require(')) || /^\S.*\bawait | from '@/m.test(text);
const guideTests = testsOf('jest').filter((block) => !isModule(block));
/** README's first test with the change that README suggests, which makes it fail. */
const FAILING = 'readme-failing';
const firstTest = testsOf('jest')[0]!.text;
const failingTest = firstTest.replace('accept(instruction, bob)', 'accept(instruction, alice)');
const nodeFile = (name: string) => `${name}.node.mjs`;
const files: Record<string, string> = {
  'jest.config.json': JSON.stringify({
    transform: {},
    testMatch: ['**/*.test.mjs', `**/${OF_GUIDES}`],
  }),
  [`${FAILING}.cjs`]: failingTest,
  [OF_GUIDES]: [...guideTests, { name: FAILING }]
    .map(({ name }) => `describe('${name}', () => void require('./${name}.cjs'));`)
    .join('\n'),
  'all.mjs': `
    const outcomes = {};
    for (const name of process.argv.slice(2))
      outcomes[name] = await import(\`./\${name}.mjs\`).then(() => 'ok', (error) => String(error?.stack ?? error));
    process.stdout.write('\\noutcomes: ' + JSON.stringify(outcomes), () => process.exit());`,
};
for (const { name, text } of tagged('ts')) files[`${name}.mts`] = text;
for (const { name, text } of testsOf('jest').filter(isModule)) files[testFile(name)] = text;
for (const { name, text } of guideTests) files[`${name}.cjs`] = asCommonJs(text);
for (const { name, text } of testsOf('node:test')) files[nodeFile(name)] = text;
for (const { name, text } of scenarios) files[`${name}.yaml`] = text;

let project: UserProject;
beforeAll(() => {
  ensureBuilt();
  project = new UserProject(files);
}, 60_000);
afterAll(() => project?.remove());

/** Runs a program whose outcome is in its output or its files, independent of its status. */
function outcomeOf(args: readonly string[]): string {
  // A block that leaves a handle open would never end.
  const bounds = { cwd: project.folder, encoding: 'utf8', timeout: 120_000 } as const;
  const { stdout, stderr } = spawnSync('node', args, bounds);
  return stdout + stderr;
}

const allTags = [...executed, ...shown, ...elsewhere, ...ofExamples];
it('tags each block as executed or as shown only', () => {
  const unknown = blocks.filter(({ tag }) => !allTags.includes(tag));
  expect(unknown).toEqual([]);
  for (const tag of executed) expect(tagged(tag)).not.toEqual([]);
});

/** A block that starts a server never ends, so it cannot run. It must come before the first block that uses the server. */
it.each(guides)('begins %s with a block that is executed', (name) => {
  const [first] = blocks.filter(
    ({ page, tag }) => page === `${GUIDES}/${name}` && tag !== 'console',
  );
  expect(['js', 'ts', 'sh', 'tsx']).toContain(first?.tag);
});

it.each(ofExamples.flatMap((tag) => titles(tagged(tag))))(
  'on %s, line %i, is a file of the example that the page names',
  (page, line) => {
    const [name] = /examples\/\w+/.exec(readFileSync(join(root, page), 'utf8'))!;
    const { text } = blocks.find((block) => block.page === page && block.line === line)!;
    const [, file, rest] = /^(?:\/\/|<!--) (\S+).*\n([^]*)$/.exec(text)!;
    expect(`${rest}\n`).toBe(readFileSync(join(root, name!, file!), 'utf8'));
  },
);

it('limits README to 150 lines', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});

it('starts README with a test of at most ten lines', () => {
  expect(firstTest.split('\n')).toHaveLength(10);
});

/** Files that name users, below a folder. Of sources only the comments, which become the reference. */
const filesBelow = (folder: string, ends: RegExp) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => ends.test(name) && !name.includes('node_modules'));
const commentsOf = (text: string) => (text.match(/\/\*\*[^]*?\*\//g) ?? []).join('\n');
const textOf = (name: string) => {
  const text = readFileSync(join(root, name), 'utf8');
  return name.startsWith('src') ? commentsOf(text) : text;
};

it('pages, examples, scenarios and comments create the users that they use, except those of a new network', () => {
  const reference = filesBelow('docs/reference', /\.md$/);
  const scenarioFiles = filesBelow('scenarios', /\.ya?ml$/);
  // Examples of the wallet SDK are left out: they fail if the user of their token does not exist.
  const examples = filesBelow('examples', /\.(?:[cm]?[jt]s|ya?ml|md)$/).filter(
    (name) => !name.includes('wallet-sdk'),
  );
  const channels = filesBelow('channels', /\.(?:ya?ml|json|sh|md|ts|js)$/);
  const sources = filesBelow('src', /\.ts$/);
  const files = [...pages, ...reference, ...scenarioFiles, ...examples, ...channels, ...sources];
  const missing = files.flatMap((name) =>
    missingUsers(textOf(name)).map((user) => `${name}: ${user}`),
  );
  expect(missing).toEqual([]);
});

describe('shell blocks run', () => {
  let sandbox: RunningCommand;
  let url: string;
  beforeAll(async () => {
    const world = join(root, 'scenarios', 'welcome.yaml');
    sandbox = new RunningCommand('sandbox', '--json-api-port=0', world);
    url = /http:\S+/.exec(await sandbox.ready())![0];
  }, 60_000);
  afterAll(() => sandbox?.kill());

  // An error of the server fails the block, which plain curl would ignore.
  const strict = [
    'set -euo pipefail',
    'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
    'npx() { "$@"; }',
    `canticle() { node ${JSON.stringify(join(root, 'bin', 'canticle.js'))} "$@"; }`,
    '',
  ].join('\n');

  it.each([...new Set(tagged('sh').map(({ page }) => page))])('on %s', (page) => {
    const script = tagged('sh').filter((block) => block.page === page);
    const text = script.map((block) => block.text).join('\n');
    const { port } = new URL(url);
    run('bash', [], project.folder, strict + text.replaceAll(':7575', `:${port}`));
  });
});

describe('TypeScript blocks run', () => {
  let outcomes: Record<string, string>;
  beforeAll(() => {
    // test/repository/packaging.test.ts checks the declarations.
    project.compile('--skipLibCheck');
    const printed = outcomeOf(['all.mjs', ...tagged('ts').map(({ name }) => name)]);
    const [, json] = /\noutcomes: (.*)/.exec(printed) ?? [];
    if (json === undefined) throw new Error(`They did not come to an end:\n${printed}`);
    outcomes = JSON.parse(json) as typeof outcomes;
  }, 60_000);

  it.each(titles(tagged('ts')))('on %s, line %i', (_page, _line, name) => {
    expect(outcomes[name]).toBe('ok');
  });
});

interface JestResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly ancestorTitles: readonly string[];
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

describe('jest blocks pass', () => {
  let results: JestResult[];
  beforeAll(() => {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const report = join(project.folder, 'jest.json');
    const quietly = [
      '--ci',
      '--silent',
      '--json',
      `--outputFile=${report}`,
      '--testTimeout=120000',
    ];
    const printed = outcomeOf(['--experimental-vm-modules', jest, '--runInBand', ...quietly]);
    try {
      ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')) as {
        testResults: JestResult[];
      });
    } catch {
      throw new Error(`jest wrote no report:\n${printed}`);
    }
  }, 180_000);

  const resultOf = (file: string) => results.find((each) => basename(each.name) === file);

  it.each(titles(testsOf('jest').filter(isModule)))('on %s, line %i', (_page, _line, name) => {
    const result = resultOf(testFile(name));
    if (result?.status !== 'passed') throw new Error(result?.message ?? 'It was not run.');
  });

  const assertionsOf = (name: string) =>
    resultOf(OF_GUIDES)?.assertionResults.filter(({ ancestorTitles: [of] }) => of === name) ?? [];

  it.each(titles(guideTests))('on %s, line %i', (_page, _line, name) => {
    const own = assertionsOf(name);
    if (own.length === 0) throw new Error(resultOf(OF_GUIDES)?.message || 'It was not run.');
    expect(own.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
    expect(own.map(({ status }) => status)).toEqual(own.map(() => 'passed'));
  });

  it('README shows the explanation with which its first test fails', () => {
    const [message] = assertionsOf(FAILING).flatMap(({ failureMessages }) => failureMessages);
    const [shownText] = tagged('text').filter(({ page }) => page === 'README.md');
    // An ellipsis at the end of a line marks a cut.
    for (const line of shownText!.text.split('\n'))
      expect(message).toContain(line.replace(/…$/, '').trim());
  });
});

describe('blocks of other runners pass', () => {
  it.each(titles(testsOf('node:test')))('on %s, line %i, in node:test', (_page, _line, name) => {
    run('node', [nodeFile(name)], project.folder);
  });

  // test/testing/example.test.ts runs the examples, each with its runner.
  it.each(titles([...testsOf('vitest'), ...testsOf('bun:test')]))(
    'on %s, line %i, as part of an example',
    (_page, line, name) => {
      const { text } = blocks.find((block) => block.name === name && block.line === line)!;
      const examples = join(root, 'examples');
      const texts = readdirSync(examples, { recursive: true })
        .map(String)
        .filter((file) => /\.test\.[jt]s$/.test(file) && !file.includes('node_modules'))
        .map((file) => readFileSync(join(examples, file), 'utf8'));
      expect(texts.some((example) => example.includes(text))).toBe(true);
    },
  );
});

describe('scenario blocks run', () => {
  it('on all pages', () => {
    const cli = join(root, 'bin', 'canticle.js');
    run('node', [cli, 'run', ...scenarios.map(({ name }) => `${name}.yaml`)], project.folder);
  });
});
