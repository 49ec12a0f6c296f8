/** The loader of packs, with packs of a few lines: what runs when, and what is missing. */
import { gzipSync } from 'node:zlib';
import { PageLoader, type Files } from '../../src/browser/loading/loader.js';

const packs = {
  'pack.js': `exports['a.ts'] = () => ({
    name: 'a',
    later: () => require('pack-late.js#b.ts').name,
    ready: () => require.ready('pack-late.js#b.ts'),
    texts: (id) => require.ready(id).then(() => require(id)),
    require,
    module,
    importMetaUrl,
  });`,
  'pack-late.js': `exports['b.ts'] = () => ({ name: 'b' + require('pack-other.js#c.ts').name });`,
  'pack-other.js': `exports['c.ts'] = () => ({ name: 'c' });`,
};
const packOf = (name: keyof typeof packs) =>
  new Function('exports', 'require', 'module', 'importMetaUrl', packs[name]) as never;

interface Source {
  readonly name: string;
  later(): string;
  ready(): Promise<void>;
  texts(id: string): Promise<unknown>;
  require(id: string): never;
}

let fetched: string[];
let failures: number;
function loaderOf(): Source {
  fetched = [];
  failures = 0;
  const arriving = async (name: keyof typeof packs) => {
    fetched.push(name);
    if (failures-- > 0) throw new Error('The network is down.');
    return { default: packOf(name) };
  };
  const code = gzipSync('module.exports = { value: 7 };').toString('base64');
  const files: Files = {
    first: { 'pack.js': packOf('pack.js') },
    packs: {
      'pack-late.js': () => arriving('pack-late.js'),
      'pack-other.js': () => arriving('pack-other.js'),
    },
    texts: {
      'facts/one': async () => ({ default: { fact: true } }),
      'validators/one': async () => ({ default: code }),
    },
    needs: { 'pack-late.js#b.ts': ['pack-late.js', 'pack-other.js'] },
  };
  const loader = new PageLoader(files);
  const source = loader.load('pack.js#a.ts') as Source;
  expect(loader.load('pack.js#a.ts')).toBe(source);
  return source;
}

it('runs the first packs at once', () => {
  expect(loaderOf().name).toBe('a');
  expect(fetched).toEqual([]);
});

it('refuses a source of a pack that is not loaded, and loads it with the packs that it needs', async () => {
  const source = loaderOf();
  expect(() => source.later()).toThrow('the page has not loaded (b.ts)');
  await Promise.all([source.ready(), source.ready()]);
  expect(fetched.sort()).toEqual(['pack-late.js', 'pack-other.js']);
  expect(source.later()).toBe('bc');
});

it('requests a pack again after a failure', async () => {
  const source = loaderOf();
  failures = 1;
  await expect(source.ready()).rejects.toThrow('The network is down.');
  await source.ready();
  expect(fetched.filter((name) => name === 'pack-late.js')).toHaveLength(2);
  expect(source.later()).toBe('bc');
});

it('loads facts, and code that is compressed', async () => {
  const source = loaderOf();
  expect(() => source.require('facts/one')).toThrow('the page has not loaded (facts/one)');
  expect(await source.texts('facts/one')).toEqual({ fact: true });
  expect(await source.texts('validators/one')).toEqual({ value: 7 });
});

it('returns replacements of modules and packages', async () => {
  const { require: find, texts } = loaderOf();
  expect(find('globals')).toHaveProperty('Buffer');
  expect(find('loader')).toHaveProperty('saveBuiltCode');
  expect(find('pack-rest.js#node_modules/pako/index.js')).toHaveProperty('gzip');
  expect(find('node:crypto')).toHaveProperty('createHash');
  expect((find('node:module') as Loads).createRequire('')('@noble/hashes/sha3')).toHaveProperty(
    'sha3_256',
  );
  expect(() => (find('node:module') as Loads).createRequire('')('ws')['Server']!()).toThrow(
    'ports',
  );
  const { runInThisContext } = find('node:vm') as { runInThisContext: () => unknown };
  expect(runInThisContext()).toBe(find('globals'));
  expect(() => new (find('node:vm') as { Script: new () => object }).Script()).toThrow('scripts');
  expect(() => (find('node:fs') as { readFileSync(): void }).readFileSync()).toThrow('files');
  expect(() => find('pack-grpc.js#x.ts')).toThrow('no gRPC');
  expect(await texts('yaml')).toHaveProperty('parse');
});

interface Loads {
  createRequire(from: string): (name: string) => Record<string, () => never>;
}
