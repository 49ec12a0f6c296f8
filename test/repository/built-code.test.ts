/** The cache stores the code that V8 compiled for the next process. Only the time of a start depends on it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { ensureBuilt, root } from './built-package.js';

const SCRIPT = `
const { createCanticle } = require(${JSON.stringify(join(root, 'dist/cjs/index.js'))});
const canticle = createCanticle();
canticle.handle({ method: 'GET', path: '/livez' }).then(({ status }) => console.log(status));
`;

const JEST_FILE = `
const looks = [];
for (const name of ['Array', 'Buffer', 'Error', 'Map', 'Math', 'Number', 'Object', 'Set', 'String']) {
  const value = globalThis[name];
  const get = () => (looks.push(name), value);
  Object.defineProperty(globalThis, name, { get, configurable: true });
}
const { useCanticle } = require(${JSON.stringify(join(root, 'dist/cjs/testing/jest.js'))});
const { LedgerError } = require(${JSON.stringify(join(root, 'dist/cjs/index.js'))});
const canticle = useCanticle();
test('answers with objects of this realm', async () => {
  expect((await fetch(canticle.url + '/livez')).status).toBe(200);
  const bad = () => canticle.participant.create('#no:A:B', {}, { actAs: ['a'] });
  expect(bad).toThrow(LedgerError);
  expect(bad).toThrow(Error);
  expect(canticle.participant.create.constructor).toBe(Function);
});
test('has looked at what all code looks at, which takes long in a sandbox', () => {
  expect(looks).toEqual(expect.arrayContaining(['Map', 'Math', 'Object']));
  looks.length = 0;
  const party = canticle.participant.allocateParty('alice');
  canticle.participant.activeContracts({ party });
  const looked = looks.splice(0);
  expect(looked).toEqual([]);
});
`;

describe('the V8 code cache of the built code', () => {
  const home = useTemporaryFolder();
  let cache: string;
  beforeEach(() => (cache = mkdtempSync(join(home(), 'cache-'))));
  const cachedFiles = () => {
    const [build] = readdirSync(cache);
    const folder = join(cache, build!, 'built');
    return readdirSync(folder).map((name) => join(folder, name));
  };
  const run = (args: readonly string[], folder = cache) => {
    const env = { ...process.env, CANTICLE_CACHE: folder, HOME: cache };
    const options = { cwd: home(), env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return stdout;
  };
  /** Of which uses, and of which packs. */
  const found = (place: RegExp) => [
    ...new Set(
      cachedFiles().map((file) => place.exec(basename(file).split(`-${process.arch}-`)[0]!)![1]),
    ),
  ];
  const uses = () => found(/^(.+)-pack/).sort();
  const packs = () => found(/-(pack.*)$/).sort();
  const inode = (file: string) => statSync(file).ino;
  beforeAll(ensureBuilt, 60_000);

  it('is written by the first process and loaded by the next', () => {
    expect(run(['-e', SCRIPT])).toBe('200\n');
    const [file, ...others] = cachedFiles();
    expect(others).toEqual([]);
    const before = inode(file!);
    expect(run(['-e', SCRIPT])).toBe('200\n');
    expect(inode(file!)).toBe(before);
  });

  it('is not used by a copy of the package in another folder', () => {
    const inCopy = (name: string, script: string) => {
      const folder = join(cache, '..', name);
      cpSync(join(root, 'dist/cjs'), folder, { recursive: true, preserveTimestamps: true });
      const load = `const { createCanticle } = require(${JSON.stringify(join(folder, 'index.js'))});`;
      return run(['-e', `${load} const canticle = createCanticle(); ${script}`]);
    };
    // Without a trace, so that the cache has the first pack only.
    inCopy('one', `canticle.participant.allocateParty('alice');`);
    const traced = `
      const alice = canticle.participant.allocateParty('alice');
      const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '-1.0', observers: [] };
      try {
        canticle.participant.create('#canticle-quickstart:Quickstart.Iou:Iou', iou, { actAs: [alice] });
      } catch (error) {
        const files = (canticle.trace(error).stack ?? []).map(({ file }) => file);
        console.log(error.code, files.filter((file) => file !== '[eval]'));
      }`;
    expect(inCopy('two', traced)).toBe('TEMPLATE_PRECONDITION_VIOLATED []\n');
  });

  it('is not requested if it cannot be stored', () => {
    expect(run(['-e', SCRIPT], 'off')).toBe('200\n');
    expect(readdirSync(cache)).toEqual([]);
  });

  it('is used in the realm of a jest file', () => {
    writeFileSync(join(home(), 'package.json'), '{ "jest": { "transform": {} } }');
    writeFileSync(join(home(), 'one.test.js'), JEST_FILE);
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    run([jest, '--rootDir', home()]);
    const [file] = cachedFiles();
    const before = inode(file!);
    run([jest, '--rootDir', home()]);
    expect(inode(file!)).toBe(before);
  });

  it('is separate for each command', () => {
    run([join(root, 'bin/canticle.js'), '--version']);
    run([join(root, 'bin/canticle.js'), 'inspect', '--help']);
    expect(uses()).toEqual(['command-line', 'inspect']);
  });

  it.each(['cjs', 'esm'])('the entry points of %s do not load lazy modules', (form) => {
    const folder = join(root, 'dist', form);
    const testing = ['express', 'node-test', 'nock', 'fast-check', 'fixtures'];
    const entryPoints = testing.map((name) =>
      join(folder, name === 'express' ? '' : 'testing', name),
    );
    const files = [join(folder, 'index'), ...entryPoints].map((entry) => `${entry}.js`);
    const loads = files.map((file) => `await import(${JSON.stringify(pathToFileURL(file))});`);
    run(['--input-type=module', '-e', loads.join('')]);
    expect(packs()).toEqual(['pack', 'pack-rest', 'pack-testing']);
  });

  it('the modules load in any order', () => {
    const each = `
      const { readdirSync, readFileSync } = require('node:fs');
      const folder = ${JSON.stringify(join(root, 'dist/cjs'))} + '/';
      const places = new Set();
      for (const pack of readdirSync(folder + 'packs').filter((name) => name.startsWith('pack-')))
        for (const [, place] of readFileSync(folder + 'packs/' + pack, 'latin1').matchAll(/require\\("(pack[^"#]*#[^"]+)"\\)/g))
          places.add(place);
      const broken = (order) => {
        delete require.cache[folder + 'load.js'];
        const { load } = require(folder + 'load.js');
        const isWhole = (place) => Object.values(load(place)).every((member) => member !== undefined);
        return order.filter((place) => !isWhole(place));
      };
      console.log(places.size > 100, broken([...places].sort()), broken([...places].sort().reverse()));`;
    expect(run(['-e', each], 'off')).toBe('true [] []\n');
  });

  it('a lazy module is loaded when it is first used', () => {
    const refused = `
      const { createCanticle } = require(${JSON.stringify(join(root, 'dist/cjs/index.js'))});
      const canticle = createCanticle();
      try {
        canticle.participant.create('#no:A:B', {}, { actAs: ['alice'] });
      } catch ({ code }) {
        console.log(code);
      }`;
    expect(run(['-e', refused])).toBe('PACKAGE_NAMES_NOT_FOUND\n');
    expect(packs()).toEqual(['pack', 'pack-often']);
  });
});
