// Bundles the code into a few files, the packs. Node reads one file at once, and the loader gives V8 the code that it compiled before
// (src/assembly/cache/built-code.ts). Without packs, reading 800 modules takes some 100 ms.
// `pack.js` has the modules that the entry points import at once. Each folder of src has a pack for its other modules, which the sources
// load by `require` or `import()`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../steps.mjs';
import { posixOf } from './entrances.mjs';

const FIRST = 'pack.js';
const folderOf = (file) => /^src\/(\w+)[/.]/.exec(file)?.[1] ?? 'rest';

/**
 * Each pack looks these globals up once, as a look-up in the sandbox of jest takes 0.25 microseconds. Without this step 100 creates in a
 * jest file take 16 ms instead of 10 ms (bench/starting/jest-file.ts).
 */
const LOOKED_UP_ONCE = [
  ...['Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'Boolean', 'Buffer', 'DataView', 'Error'],
  ...['Infinity', 'Int32Array', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise'],
  ...['Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError'],
  ...['TypeError', 'Uint8Array', 'WeakMap', 'WeakSet', 'isNaN', 'parseInt', 'process'],
];
/**
 * A pack is an ES module, which browsers and bundlers read. Its default export is a function, which Node compiles as a script
 * (src/assembly/cache/code-pack.ts). Because of the parentheses V8 compiles it at once. The loader provides `globals`, because a page
 * has no `Buffer` and no `process`.
 */
const OPENING =
  'export default (function (exports, require, module, importMetaUrl) {' +
  `const { ${LOOKED_UP_ONCE.join(', ')} } = require("globals");`;

/**
 * @param first the sources whose imports are in the first pack
 * @param apart the sources of further packs by their names, which also have the imports of these sources
 * @param others the sources that are loaded by their names
 * @param options of esbuild
 * @returns the place of a source, and the names of the packs that its code needs
 */
export async function writePacks(folder, first, apart, others, options) {
  const { build } = await import('esbuild');
  const all = [...first, ...Object.values(apart).flat(), ...others];
  const stdin = { contents: all.map((file) => `import './${file}';`).join(''), resolveDir: root };
  const { metafile } = await build({ ...options, stdin, metafile: true, write: false });
  const packOf = packsOf(metafile.inputs, { [FIRST]: first, ...apart });
  const members = membersOf(metafile.inputs, packOf, all);
  await mkdir(folder, { recursive: true });
  await Promise.all(
    [...members].map(async ([pack, files]) => {
      const { outputFiles } = await build({
        ...options,
        stdin: { contents: entryOf(pack, [...files]), resolveDir: root },
        plugins: [acrossPacks(metafile.inputs, pack, packOf), ...options.plugins],
        banner: { js: OPENING },
        footer: { js: '});' },
        write: false,
      });
      await writeFile(join(folder, pack), ascii(awaitingReady(outputFiles[0].text)));
    }),
  );
  const placeOf = (file) => `${packOf(file)}#${file}`;
  return { placeOf, needs: needsOf(metafile.inputs, packOf, placeOf) };
}

/** By the place of a source that is imported dynamically: the packs of all sources that its code may load. */
function needsOf(inputs, packOf, placeOf) {
  const needs = {};
  for (const { imports } of Object.values(inputs))
    for (const { path, kind, external } of imports) {
      if (kind !== 'dynamic-import' || external) continue;
      const packs = [...reachedFrom([path], inputs, () => true)].map(packOf);
      needs[placeOf(path)] = [...new Set(packs)].filter((pack) => pack !== FIRST).sort();
    }
  return needs;
}

/** The sources, and those that they import, and so on. @param isFollowed whether to follow an import */
function reachedFrom(files, inputs, isFollowed) {
  const reached = new Set(files);
  for (const file of reached)
    for (const each of inputs[file].imports)
      if (!each.external && isFollowed(each, file)) reached.add(each.path);
  return reached;
}

/**
 * Returns the function that gives the pack of a source.
 * @param named sources by pack. A pack also has the modules that its own modules import at once, unless an earlier one has them
 */
function packsOf(inputs, named) {
  const isAtOnce = ({ kind }, file) => kind === 'import-statement' || !file.startsWith('src/');
  const reached = Object.entries(named).map(([pack, files]) => [
    pack,
    reachedFrom(files, inputs, isAtOnce),
  ]);
  return (file) =>
    reached.find(([, members]) => members.has(file))?.[0] ?? `pack-${folderOf(file)}.js`;
}

/** The sources of each pack that others need. */
function membersOf(inputs, packOf, entrances) {
  const members = new Map();
  const add = (file) =>
    members.set(packOf(file), (members.get(packOf(file)) ?? new Set()).add(file));
  entrances.forEach(add);
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, external } of imports)
      if (!external && file !== '<stdin>' && packOf(path) !== packOf(file)) add(path);
  return members;
}

/** Exports a function for each source. The sources of the first pack run at once, the others at their first use. */
function entryOf(pack, files) {
  const name = (file) => JSON.stringify(file);
  if (pack !== FIRST)
    return files.map((file) => `exports[${name(file)}] = () => require('./${file}');`).join('\n');
  const imports = files.map((file, n) => `import * as source${n} from './${file}';`);
  const table = files.map((file, n) => `${name(file)}: () => source${n},`);
  return `${imports.join('\n')}\nmodule.exports = { ${table.join('\n')} };`;
}

/** Leaves the sources of other packs to the loader, under the name `PACK#SOURCE`. */
const acrossPacks = (inputs, pack, packOf) => ({
  name: 'across-packs',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ path, importer }) => {
      const imports = inputs[posixOf(relative(root, importer))]?.imports ?? [];
      const found = imports.find(({ original, external }) => original === path && !external);
      if (found === undefined || packOf(found.path) === pack) return undefined;
      return { path: `${packOf(found.path)}#${found.path}`, external: true };
    }),
});

/**
 * A dynamic import waits until the loader has loaded the module, if that takes time: a browser loads packs over the network. Node's loader
 * has no such method.
 */
const awaitingReady = (code) =>
  code.replace(
    /Promise\.resolve\(\)(?=\.then\(\(\)=>__toESM\(require\(("[^"]+")\))/g,
    'Promise.resolve(require.ready?.($1))',
  );

/** Escapes the characters that esbuild leaves in regular expressions and comments, as V8 reads a text of one byte a character fastest. */
const ascii = (code) =>
  code.replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
