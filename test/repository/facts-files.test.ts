/** The facts of each Canton release are a file of the built package, which only instances of that release read. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { API_VERSIONS, DEFAULT_API_VERSION } from '../../src/spec/index.js';
import { ensureBuilt, root } from './built-package.js';

const folder = join(root, 'dist', 'cjs', 'packs', 'facts');

/** Prints which files of facts a process reads that creates two instances of a release, and one that then starts two. */
const script = (canton: string) => `
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
  const canton = ${JSON.stringify(canton)};
  const created = () => createCanticle({ canton });
  const started = () => startCanticle({ canton, grpc: true });
  const reads = [];
  for (const make of [created, created, started, started]) {
    const canticle = await make();
    for (const path of ['/v2/version', '/docs/openapi', '/docs/asyncapi'])
      if ((await canticle.handle({ path })).status !== 200) throw new Error(path);
    await canticle.close?.();
    reads.push(opened.splice(0));
  }
  console.log(JSON.stringify(reads));
})();
`;

/** The files that each of the four instances reads. */
function filesReadBy(release: string): unknown {
  const env = { ...process.env, CANTICLE_CACHE: 'off' };
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script(release)], {
    env,
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const OTHERS = API_VERSIONS.filter((version) => version !== DEFAULT_API_VERSION);

beforeAll(ensureBuilt, 60_000);

it('each release except the default one has a file', () => {
  const files = ['canton', 'protos'].flatMap((of) =>
    OTHERS.map((version) => `${of}-${version}.js`),
  );
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files));
});

it('an instance of the default release reads no file of another release', () => {
  expect(filesReadBy(DEFAULT_API_VERSION)).toEqual([[], [], [], []]);
});

it.each(OTHERS)('an instance of %s reads only the file of its release, once', (version) => {
  const [canton, protos] = [`canton-${version}.js`, `protos-${version}.js`];
  expect(filesReadBy(version)).toEqual([[canton], [], [protos], []]);
});
