/** The facts of each Canton release are a file of the built package, which only instances of that release read. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { API_VERSIONS, DEFAULT_API_VERSION } from '../../src/spec/index.js';
import { ensureBuilt, root } from './built-package.js';

const folder = join(root, 'dist', 'cjs', 'facts');

/** Prints which files of facts a process reads that starts an instance of each release in turn. */
const script = (...releases: readonly string[]) => `
const fs = require('node:fs');
const { readFileSync } = fs;
const opened = [];
fs.readFileSync = (file, ...rest) => {
  if (String(file).startsWith(${JSON.stringify(folder)})) opened.push(String(file).slice(${folder.length + 1}));
  return readFileSync(file, ...rest);
};
require('node:module').syncBuiltinESMExports();
const { createCanticle } = require(${JSON.stringify(join(root, 'dist/cjs/index.js'))});
(async () => {
  for (const canton of ${JSON.stringify(releases)}) {
    const canticle = createCanticle({ canton });
    for (const path of ['/v2/version', '/docs/openapi', '/docs/asyncapi'])
      if ((await canticle.handle({ path })).status !== 200) throw new Error(path);
  }
  console.log(JSON.stringify(opened));
})();
`;

function filesReadBy(...releases: readonly string[]): unknown {
  const env = { ...process.env, CANTICLE_CACHE: 'off' };
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script(...releases)], {
    env,
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const OTHERS = API_VERSIONS.filter((version) => version !== DEFAULT_API_VERSION);

beforeAll(ensureBuilt, 60_000);

it('each release except the default one has a file', () => {
  expect(readdirSync(folder).sort()).toEqual(OTHERS.map((version) => `canton-${version}.br`));
});

it('an instance of the default release reads no file of another release', () => {
  expect(filesReadBy(DEFAULT_API_VERSION)).toEqual([]);
});

it.each(OTHERS)('an instance of %s reads only the file of its release, once', (version) => {
  expect(filesReadBy(version, version)).toEqual([`canton-${version}.br`]);
});
