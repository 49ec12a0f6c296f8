/**
 * Front ends run their tests in an environment of a page: jsdom, happy-dom or a browser. There, globals belong to another realm than
 * those of Node's modules, or are missing. The projects next to this file run there, with the built package in their node_modules.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserPath } from '../../support/browser.js';
import { installBuilt, root, run } from '../../repository/built-package.js';
import {
  allocate,
  ANSWER,
  asset,
  createCmd,
  darOf,
  packageOf,
  steps,
  submit,
} from '../../script/script-package.js';
import { e } from '../../support/daml/lf-code.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();
const modules = join(root, 'node_modules');

beforeAll(() => {
  const project = join(home(), 'project');
  cpSync(__dirname, project, { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
  installBuilt(project);
  const alice = e.var('alice');
  const created = [ANSWER, submit(alice, [createCmd(asset(alice))])] as const;
  const makes = { result: ANSWER, code: steps([['alice', t.party, allocate('alice')]], created) };
  writeFileSync(join(project, 'own.dar'), darOf(packageOf({ makes })));
}, 60_000);

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** How many tests of the projects have passed; throws what the runner says where one has not. */
function passed(runner: string, args: readonly string[]): number {
  const project = join(home(), 'project');
  const output = run('node', [join(modules, runner), ...args], project);
  const { testResults } = JSON.parse(output.slice(output.indexOf('{'))) as Report;
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults);
  return statuses.filter(({ status }) => status === 'passed').length;
}

it('Canticle works in the jsdom and the happy-dom of vitest, with MSW', () => {
  const config = ['run', '--config', 'vitest.config.mjs', '--reporter=json'];
  expect(passed('vitest/vitest.mjs', config)).toBe(2 * (12 + 3 + 3));
}, 60_000);

it('Canticle works in the jsdom and the happy-dom of jest', () => {
  expect(passed('jest/bin/jest.js', ['--config', 'jest.config.cjs', '--json'])).toBe(2 * (12 + 3));
}, 60_000);

const browser = browserPath();
const inBrowser = browser === undefined ? it.skip : it;

inBrowser(
  `a page in the browser of vitest sends requests to a Canticle that allows them${browser === undefined ? ' (needs programs: chromium)' : ''}`,
  () => {
    writeFileSync(join(home(), 'project', 'browser', 'executable'), browser!);
    expect(passed('vitest/vitest.mjs', ['run', '--root', 'browser', '--reporter=json'])).toBe(3);
  },
  60_000,
);
