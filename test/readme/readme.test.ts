/**
 * The README is true: its shell blocks are run against a sandbox, section by section in the order of reading; its
 * TypeScript blocks are compiled and run in a project of their own, as a reader's would be; its JavaScript blocks are jest
 * tests, and its YAML blocks scenarios.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningCommand } from '../cli/running-sandbox.js';
import { ensureBuilt, root, run, UserProject } from '../house/built-package.js';
import { isHere, skipsWithout } from '../support/foreign-files.js';
import { snippetsOf } from './snippets.js';

const snippets = snippetsOf(readFileSync(join(root, 'README.md'), 'utf8'));
/** What needs a DAR of someone else runs where there is a copy of it. */
const darsOf = (text: string) => [...text.matchAll(/'(splice-\S+\.dar)'/g)].map(([, dar]) => dar!);
skipsWithout('DARs', snippets.map(({ text }) => darsOf(text)).flat(), 'blocks that need them');
const tagged = (tag: string) =>
  snippets.filter(
    (snippet) => snippet.tag === tag && darsOf(snippet.text).every((dar) => isHere('DARs', dar)),
  );

/** Run, as opposed to shown only. */
const executed = ['sh', 'ts', 'js', 'yaml'];
const shown = ['console', 'json', 'text'];

beforeAll(ensureBuilt, 60_000);

it('tags each block as one that is run or one that is only shown', () => {
  const unknown = snippets.filter(({ tag }) => ![...executed, ...shown].includes(tag));
  expect(unknown).toEqual([]);
  for (const tag of executed) expect(tagged(tag)).not.toEqual([]);
});

describe('the shell blocks', () => {
  let sandbox: RunningCommand;
  let url: string;
  beforeAll(async () => {
    sandbox = new RunningCommand(
      'sandbox',
      '--json-api-port=0',
      join(root, 'scenarios', 'welcome.yaml'),
    );
    url = /http:\S+/.exec(await sandbox.ready())![0];
  }, 60_000);
  afterAll(() => sandbox?.kill());

  // A refusal by the server fails the block, which plain curl would let pass.
  const strict = [
    'set -euo pipefail',
    'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
    '',
  ].join('\n');

  it.each([...new Set(tagged('sh').map(({ section }) => section))])('of "%s"', (section) => {
    const blocks = tagged('sh').filter((snippet) => snippet.section === section);
    const script = blocks.map(({ text }) => text).join('\n');
    const port = new URL(url).port;
    run('bash', [], root, strict + script.replaceAll(':7575', `:${port}`));
  });
});

describe('the TypeScript blocks', () => {
  let project: UserProject;
  const name = (line: number) => `readme-line-${line}`;
  beforeAll(() => {
    const files = tagged('ts').map(({ line, text }) => [`${name(line)}.mts`, text]);
    project = new UserProject(Object.fromEntries(files));
    project.compile();
  }, 60_000);
  afterAll(() => project?.remove());

  it.each(tagged('ts').map(({ section, line }) => [section, line] as const))(
    'of "%s", line %i',
    (_section, line) => {
      project.run(`${name(line)}.mjs`);
    },
  );
});

describe('the jest and scenario blocks', () => {
  let project: UserProject;
  beforeAll(() => {
    const tests = tagged('js').map(({ line, text }) => [`line-${line}.test.mjs`, text]);
    const scenarios = tagged('yaml').map(({ line, text }) => [`line-${line}.yaml`, text]);
    const config = [
      'jest.config.json',
      JSON.stringify({ transform: {}, testMatch: ['**/*.test.mjs'] }),
    ];
    project = new UserProject(Object.fromEntries([...tests, ...scenarios, config]));
  });
  afterAll(() => project?.remove());

  it.each(tagged('js').map(({ section, line }) => [section, line] as const))(
    'of "%s", line %i',
    (_section, line) => {
      const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
      const file = `line-${line}.test.mjs`;
      run('node', ['--experimental-vm-modules', jest, '--ci', file], project.folder);
    },
    30_000,
  );

  it.each(tagged('yaml').map(({ section, line }) => [section, line] as const))(
    'of "%s", line %i',
    (_section, line) => {
      run('node', [join(root, 'bin', 'canticle.js'), 'run', `line-${line}.yaml`], project.folder);
    },
  );
});
