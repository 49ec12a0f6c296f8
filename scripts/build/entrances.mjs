// The entry points of the built package: for each, a CommonJS file and an ES module that load the code from the packs.
// Both
// give the same instances.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { root } from '../steps.mjs';

/** vitest exists only as an ES module, and so do the modules for it. */
const MODULE_ALONE = 'src/testing/vitest.ts';
/** MSW exists twice, and identifies its handlers by symbols: users who import it need those of the ES module. */
export const MODULE_TOO = 'src/testing/msw.ts';
/** The entry point for pages and workers: see browser.mjs. */
export const BROWSER = 'src/browser.ts';
/** The wallet in pages: see wallet.mjs. */
export const WALLET = 'src/provider/index.ts';
/** The files that bin/ loads, and the code of its threads. */
const COMMAND_LINE = [
  'src/cli/main.ts',
  'src/cli/test/worker.ts',
  'src/cli/mutate/worker.ts',
  'src/cli/fuzz/worker.ts',
];

/** The files of src/ are entry points, and so is each file in src/testing. */
export async function entryPoints() {
  const testing = await readdir(join(root, 'src/testing'));
  const files = testing.filter((file) => file.endsWith('.ts')).sort();
  return [
    'src/index.ts',
    'src/express.ts',
    BROWSER,
    WALLET,
    ...files.map((file) => `src/testing/${file}`),
  ];
}

/** Writes the entry points that are separate modules. @returns the sources that they import, which are in the packs */
export async function writeModules(outdir, options) {
  const { build } = await import('esbuild');
  const imported = new Set();
  const fromPacks = ({ path, resolveDir, kind }) => {
    if (kind === 'entry-point') return undefined;
    const file = posixOf(relative(root, join(resolveDir, path))).replace(/js$/, 'ts');
    imported.add(file);
    return { path: codeOf('testing/', nameOf(file)), external: true };
  };
  await build({
    ...options,
    entryPoints: [MODULE_ALONE, MODULE_TOO],
    outbase: 'src',
    format: 'esm',
    packages: 'external',
    plugins: [
      { name: 'from-packs', setup: ({ onResolve }) => onResolve({ filter: /^\./ }, fromPacks) },
    ],
    outdir: join(outdir, 'esm'),
  });
  return [...imported];
}

/** The modules that are loaded by name. @param imported by modules */
export async function loadedByName(imported) {
  const entrances = (await entryPoints()).filter(
    (file) => ![MODULE_ALONE, BROWSER, WALLET].includes(file),
  );
  return [...entrances, ...COMMAND_LINE, ...imported];
}

/** @param files which are loaded by their names @param placeOf gives what the loader knows one as */
export async function writeEntrances(outdir, files, placeOf) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: files,
    absWorkingDir: root,
    outdir,
    format: 'esm',
    // A module that uses `require` is not a separate module here.
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  for (const { entryPoint, exports } of Object.values(metafile.outputs))
    await writeCommonJs(outdir, nameOf(entryPoint), placeOf(entryPoint), exports);
  const isModule = ({ entryPoint }) =>
    entryPoint === MODULE_TOO || COMMAND_LINE.includes(entryPoint);
  const entrances = Object.values(metafile.outputs).filter((output) => !isModule(output));
  for (const { entryPoint, exports } of entrances)
    if (/^src\/(\w|testing\/[^/]+$)/.test(entryPoint))
      await writeModule(outdir, nameOf(entryPoint), exports);
}

/** It lists its exports where Node reads them: after `0 &&`, in the form of esbuild. */
async function writeCommonJs(outdir, name, place, exports) {
  const loader = posix.relative(posix.dirname(name), 'load.js').replace(/^(?!\.)/, './');
  const named = exports.filter((each) => each !== 'default').join(', ');
  const hints = [`module.exports = { ${named} }`];
  if (exports.includes('default')) hints.push('exports.default = null');
  await write(
    join(outdir, 'cjs', name),
    `"use strict";
module.exports = require(${JSON.stringify(loader)}).load(${JSON.stringify(place)});
${hints.map((each) => `0 && (${each});\n`).join('')}`,
  );
}

/** The exports for `import`: the names of the CommonJS file. */
async function writeModule(outdir, name, exports) {
  const code = JSON.stringify(codeOf(name, name));
  const named = exports.filter((each) => each !== 'default').sort();
  const lines = [];
  if (named.length > 0) lines.push(`export { ${named.join(', ')} } from ${code};`);
  if (exports.includes('default'))
    lines.push(`import entrance from ${code};`, 'export default entrance.default;');
  await write(join(outdir, 'esm', name), `${lines.join('\n')}\n`);
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const nameOf = (file) => file.replace(/^src\/|\.ts$/g, '') + '.js';

/** From the place of a file in dist/esm to one in dist/cjs. */
export const codeOf = (from, name = from) =>
  `${'../'.repeat(posixOf(from).split('/').length)}cjs/${posixOf(name)}`;

export const posixOf = (file) => file.split(sep).join('/');
