/** Test files of a user, in a project that has installed the built package. Each runs under its own test runner. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installBuilt, root } from '../../repository/built-package.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const modules = join(root, 'node_modules');

/** Where the imports of test files come from. */
const IMPORTS = {
  jest: "import { useCanticle } from 'canticle/jest';",
  vitest:
    "import { afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';\nimport { useCanticle } from 'canticle/vitest';",
  'node-test':
    "import { after, afterEach, before as beforeAll, beforeEach, describe, it, test, useCanticle } from 'canticle/node-test';",
} as const;

export type RunnerName = keyof typeof IMPORTS;

export interface Ran {
  readonly status: number | null;
  /** Of both streams. */
  readonly output: string;
}

/** Writes the test files of a run, and runs them. @param args of the runner, after its command */
export type RunFiles = (
  runner: RunnerName,
  texts: readonly string[],
  args?: readonly string[],
  env?: object,
) => Ran;

const COMMANDS = {
  jest: ['--experimental-vm-modules', join(modules, 'jest', 'bin', 'jest.js')],
  vitest: [join(modules, 'vitest', 'vitest.mjs'), 'run'],
  'node-test': [],
} as const;

/** Our own runs set variables that change the output. */
const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, JEST_WORKER_ID: ___, ...OWN } = process.env;

export function useUserFiles(): RunFiles {
  const home = useTemporaryFolder();
  const project = () => join(home(), 'project');
  beforeAll(() => installBuilt(project()), 60_000);
  let runs = 0;
  return (runner, texts, args = [], env = {}) => {
    const folder = join(project(), `run-${(runs += 1)}`);
    mkdirSync(folder);
    for (const [i, text] of texts.entries())
      writeFileSync(join(folder, `${i}.test.mjs`), `${IMPORTS[runner]}\n${text}\n`);
    const config = { testEnvironment: 'node', testMatch: ['**/*.test.mjs'] };
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
    writeFileSync(
      join(folder, 'with-setup.mjs'),
      "export default { test: { globalSetup: 'canticle/deprecations' } };",
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMANDS[runner], ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...OWN, NO_COLOR: '1', CANTICLE_CACHE: join(home(), 'cache'), ...env },
    });
    return { status, output: stdout + stderr };
  };
}
