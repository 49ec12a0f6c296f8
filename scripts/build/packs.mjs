// Bundles the code into a few files, the packs. Node reads one file at once, and the loader gives V8 the code that it compiled before
// (src/assembly/cache/built-code.ts). Without packs, reading 800 modules takes some 100 ms.
// `pack.js` has the modules that the entry points import at once. Each folder of src has a pack for its other modules, which the sources
// load by `require` or `import()`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../steps.mjs';
import { posixOf } from './entrances.mjs';

const FIRST = 'pack.js';
const folderOf = (file) => /^src\/(\w+)\//.exec(file)?.[1] ?? 'rest';

/**
 * Each pack looks these globals up once, as a look-up in the sandbox of jest takes 0.25 microseconds. Without this step 100 creates in a
 * jest file take 16 ms instead of 10 ms (bench/starting/jest-file.ts).
 */
const LOOKED_UP_ONCE = [
  ...['Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'Boolean', 'Buffer', 'DataView', 'Error'],
  ...['Infinity', 'Int32Array', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise'],
  ...['Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError'],
  ...['TypeError', 'Uint8Array', 'WeakMap', 'WeakSet', 'isNaN', 'parseInt'],
];
/** A pack is a function, as the value of a script and as the export of a file. Because of the parentheses V8 compiles it at once. */
const OPENING =
  '(typeof module === "object" ? module : {}).exports = (function (exports, require, module, importMetaUrl) {' +
  `const { ${LOOKED_UP_ONCE.join(', ')} } = globalThis;`;

/**
 * @param first the sources whose imports are in the first pack
 * @param others the sources that are loaded by their names
 * @param options of esbuild
 */
export async function writePacks(folder, first, others, options) {
  const { build } = await import('esbuild');
  const all = [...first, ...others];
  const stdin = { contents: all.map((file) => `import './${file}';`).join(''), resolveDir: root };
  const { metafile } = await build({ ...options, stdin, metafile: true, write: false });
  const packOf = packsOf(metafile.inputs, first);
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
      await writeFile(join(folder, pack), ascii(outputFiles[0].text));
    }),
  );
  return (file) => `${packOf(file)}#${file}`;
}

/** Returns the function that gives the pack of a source. The first pack also has the modules that its own modules import at once. */
function packsOf(inputs, first) {
  const early = new Set(first);
  for (const file of early)
    for (const { path, kind, external } of inputs[file].imports)
      if (!external && (kind === 'import-statement' || !file.startsWith('src/'))) early.add(path);
  return (file) => (early.has(file) ? FIRST : `pack-${folderOf(file)}.js`);
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

/** Escapes the characters that esbuild leaves in regular expressions and comments, as V8 reads a text of one byte a character fastest. */
const ascii = (code) =>
  code.replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
