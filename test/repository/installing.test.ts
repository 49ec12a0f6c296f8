/** When `npm start` and `npm test` install: exactly when what is there is not what the lock file asks for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './built-package.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

type Packages = Record<string, { version: string; optional?: true }>;

const script = pathToFileURL(join(root, 'scripts', 'ensure-installed.mjs')).href;
const home = useTemporaryFolder();
let folders = 0;

/** The reason that is found in a folder with this lock file, and this record of what npm installed. */
function reason(wanted: Packages, installed?: Packages): string {
  const folder = join(home(), `${++folders}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (installed) {
    mkdirSync(join(folder, 'node_modules'));
    const record = join(folder, 'node_modules', '.package-lock.json');
    writeFileSync(record, JSON.stringify({ packages: installed }));
  }
  const code = `import { reasonToInstall } from '${script}'; console.log(reasonToInstall(process.cwd()));`;
  return run('node', ['--input-type=module', '-e', code], folder).trim();
}

const self = { '': { version: '0.1.0' } };
const one = { 'node_modules/one': { version: '1.0.0' } };
const two = { 'node_modules/two': { version: '2.0.0' } };
const elsewhere = { 'node_modules/other-platform': { version: '1.0.0', optional: true as const } };

it('installs into an empty folder', () => {
  expect(reason({ ...self, ...one })).toBe('nothing is installed yet');
});

it('installs missing packages', () => {
  expect(reason({ ...self, ...one, ...two }, one)).toBe('node_modules/two should be at 2.0.0');
});

it('installs packages with another version', () => {
  const old = { 'node_modules/one': { version: '0.9.0' } };
  expect(reason({ ...self, ...one }, old)).toBe('node_modules/one should be at 1.0.0');
});

it('does not reinstall matching packages, even without packages of other platforms', () => {
  expect(reason({ ...self, ...one, ...elsewhere }, one)).toBe('undefined');
});

/** The result of `missingBinaries` for a lock file. */
function missing(lock: string): string[] {
  const code = `import { missingBinaries } from '${script}'; import { readFileSync } from 'node:fs';
    console.log(JSON.stringify(missingBinaries(JSON.parse(readFileSync('${lock}', 'utf8')))));`;
  return JSON.parse(run('node', ['--input-type=module', '-e', code], root)) as string[];
}

it('the lock file has the binaries of each system, so that npm ci works everywhere', () => {
  expect(missing(join(root, 'package-lock.json'))).toEqual([]);
});

it('names a binary that is missing in a lock file', () => {
  const lock = join(home(), 'lock.json');
  const packages = {
    'node_modules/tool': {
      optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' },
    },
    'node_modules/tool-linux': {},
    'node_modules/user/node_modules/tool': {
      optionalDependencies: { 'tool-linux': '1.0.0', 'tool-win32': '1.0.0' },
    },
    'node_modules/user/node_modules/tool-win32': {},
  };
  writeFileSync(lock, JSON.stringify({ packages }));
  expect(missing(lock)).toEqual(['node_modules/tool: tool-darwin']);
});
