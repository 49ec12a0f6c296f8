// Writes dist/browser, the entry points for pages and workers. Its loader (src/browser/loading) reads the packs that Node reads, so that
// the code exists once in the package.
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../steps.mjs';
import { BROWSER, MODULE_TOO, posixOf } from './entrances.mjs';
import { FOR_PAGES } from './pages.mjs';

/** The packs that every page needs. */
const FIRST = ['pack.js', 'pack-often.js', 'pack-browser.js'];
/** Packs that pages load on demand. Others need ports, files or threads, or are for test runners and the command line. */
const LATER =
  /^pack-(assembly|daml|http|network|options|scenario|script|services|spec|splice|token)\.js$/;

/** @param of the packs: the place of a source, and the packs that its code needs */
export async function writeBrowser(outdir, { needs, placeOf }) {
  const { build } = await import('esbuild');
  const packs = join(outdir, 'cjs', 'packs');
  const names = await exportedNames(build);
  const place = JSON.stringify(placeOf(BROWSER));
  const entries = {
    loader: await loaderCode(packs, needs),
    index: `import { load } from 'canticle-loader';
export const { ${names.join(', ')} } = load(${place});`,
    msw: `export * from './${MODULE_TOO}';`,
  };
  const { outputFiles } = await build({
    ...FOR_PAGES,
    absWorkingDir: root,
    entryPoints: ['index', 'msw'].map((name) => ({ in: `entry:${name}`, out: name })),
    splitting: true,
    chunkNames: '[name]-[hash]',
    outdir: join(outdir, 'browser'),
    external: ['msw'],
    plugins: [generatedCode(entries), packsApart, loadedSources(placeOf)],
  });
  for (const { text, path } of outputFiles ?? []) checkBuiltIns(path, text);
  for (const file of await readdir(join(outdir, 'browser')))
    checkBuiltIns(file, await readFile(join(outdir, 'browser', file), 'utf8'));
}

/** A browser cannot resolve these. */
function checkBuiltIns(file, text) {
  const found = /(?:from|import\()\s*["'](node:\w+)["']/.exec(text);
  if (found !== null) throw new Error(`${file} imports ${found[1]}, which no browser has.`);
}

async function exportedNames(build) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [BROWSER],
    format: 'esm',
    bundle: true,
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'unused',
    platform: 'node',
    logLevel: 'error',
    external: ['*.json'],
  });
  return Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === BROWSER).exports;
}

/** The table of files for `PageLoader`. */
async function loaderCode(packs, needs) {
  const all = (await readdir(packs)).filter((name) => /^pack.*\.js$/.test(name)).sort();
  const later = all.filter((name) => LATER.test(name));
  const texts = [];
  for (const folder of ['facts', 'validators'])
    for (const name of (await readdir(join(packs, folder))).sort())
      texts.push(`${folder}/${name.replace(/\.js$/, '')}`);
  const entry = (name, file) => `${JSON.stringify(name)}: () => import('packs/${file}'),`;
  const isShipped = (name) => later.includes(name);
  const needed = Object.entries(needs)
    .filter(([place]) => LATER.test(place.split('#')[0]))
    .map(([place, names]) => [place, names.filter(isShipped)]);
  return `import { PageLoader } from './src/browser/loading/loader.ts';
${FIRST.map((name, n) => `import pack${n} from 'packs/${name}';`).join('\n')}
const loader = new PageLoader({
  first: { ${FIRST.map((name, n) => `${JSON.stringify(name)}: pack${n},`).join(' ')} },
  packs: { ${later.map((name) => entry(name, name)).join(' ')} },
  texts: { ${texts.map((name) => entry(name, `${name}.js`)).join(' ')} },
  needs: ${JSON.stringify(Object.fromEntries(needed))},
});
export const load = (place) => loader.load(place);`;
}

/** The entry points of the browser are generated. */
const generatedCode = (entries) => ({
  name: 'generated-code',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(entry:|canticle-loader$)/ }, ({ path }) => ({
      path: path.replace('entry:', '').replace('canticle-', ''),
      namespace: 'generated',
    }));
    onLoad({ filter: /./, namespace: 'generated' }, ({ path }) => ({
      contents: entries[path],
      resolveDir: root,
    }));
  },
});

/** The packs are files next to those of the browser. */
const packsApart = {
  name: 'packs-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^packs\// }, ({ path }) => ({
      path: `../cjs/${path}`,
      external: true,
    })),
};

/** Sources outside of the folder of a mount come from the packs, so that there is one instance of each. */
const loadedSources = (placeOf) => ({
  name: 'loaded-sources',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer }) => {
      const file = posixOf(relative(root, join(resolveDir, path))).replace(/js$/, 'ts');
      const isOfMount = /[\\/]src[\\/]testing[\\/]/.test(importer);
      if (!isOfMount || file.startsWith('src/testing/')) return undefined;
      return { path: placeOf(file), namespace: 'loaded' };
    });
    onLoad({ filter: /./, namespace: 'loaded' }, ({ path }) => ({
      contents: `import { load } from 'canticle-loader'; module.exports = load(${JSON.stringify(path)});`,
      resolveDir: root,
    }));
  },
});
