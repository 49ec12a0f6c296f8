/** The facts of each Canton release are a file of the built package, which only instances of that release read. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { API_VERSIONS, DEFAULT_API_VERSION } from '../../src/spec/index.js';
import { ensureBuilt, root } from './built-package.js';

const folder = join(root, 'dist', 'cjs', 'facts');

/** Prints which files of facts a process reads that starts an instance of each release in turn. */
const script = (releases: readonly string[], isOpen: boolean) => `
const fs = require('node:fs');
const { readFileSync } = fs;
const opened = [];
fs.readFileSync = (file, ...rest) => {
  if (String(file).startsWith(${JSON.stringify(folder)})) opened.push(String(file).slice(${folder.length + 1}));
  return readFileSync(file, ...rest);
};
require('node:module').syncBuiltinESMExports();
const { createCanticle, startCanticle } = require(${JSON.stringify(join(root, 'dist/cjs/index.js'))});
(async () => {
  for (const canton of ${JSON.stringify(releases)}) {
    const canticle = ${isOpen ? 'await startCanticle({ canton, grpc: true })' : 'createCanticle({ canton })'};
    for (const path of ['/v2/version', '/docs/openapi', '/docs/asyncapi'])
      if ((await canticle.handle({ path })).status !== 200) throw new Error(path);
    await canticle.close?.();
  }
  console.log(JSON.stringify(opened));
})();
`;

function filesReadBy(releases: readonly string[], isOpen = false): unknown {
  const env = { ...process.env, CANTICLE_CACHE: 'off' };
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script(releases, isOpen)], {
    env,
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const OTHERS = API_VERSIONS.filter((version) => version !== DEFAULT_API_VERSION);

beforeAll(ensureBuilt, 60_000);

it('each release except the default one has a file', () => {
  const files = ['canton', 'protos'].flatMap((of) =>
    OTHERS.map((version) => `${of}-${version}.br`),
  );
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files));
});

it('an instance of the default release reads no file of another release', () => {
  expect(filesReadBy([DEFAULT_API_VERSION], true)).toEqual([]);
});

it.each(OTHERS)('an instance of %s reads only the file of its release, once', (version) => {
  expect(filesReadBy([version, version])).toEqual([`canton-${version}.br`]);
  const ofBoth = [`protos-${version}.br`, `canton-${version}.br`];
  const opened = filesReadBy([version, version], true);
  expect(opened).toEqual(expect.arrayContaining(ofBoth));
  expect(opened).toHaveLength(ofBoth.length);
});
